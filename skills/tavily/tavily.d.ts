/**
 * tavily.d.ts — web search.
 *
 * Look things up on the web: news, facts, prices, addresses, whatever may have changed since you learned it.
 */
declare const tavily: {
    /**
     * Search the web and get pages with their gist, and a short answer if one can be given.
     *
     * @param request What to look for, as one object.
     * @returns The answer, if there is one, and the pages it rests on, best first.
     * @throws TypeError if the request is not an object with a `query`, or an option is unknown.
     * @throws Error if the service refuses; the message says why.
     * @effect read
     *
     * @example
     * const { answer, results } = await tavily.search({ query: "上海 明天 天气" });
     * console.log(answer, results.map((r) => `${r.title} ${r.url}`));
     *
     * @example News of the last week, looked into more closely
     * const news = await tavily.search({
     *     query: "Rust release",
     *     topic: "news",
     *     timeRange: "week",
     *     depth: "thorough",
     *     maxResults: 8,
     * });
     * console.log(news.results.map((r) => [r.published, r.title]));
     *
     * @example Only some sites
     * await tavily.search({ query: "borrow checker", sites: { only: ["doc.rust-lang.org"] } });
     */
    search(request: SearchRequest): Promise<SearchResult>;

    /**
     * Fetch web pages as readable text.
     *
     * @param request The addresses, as one object.
     * @returns The pages that could be read, and those that could not, with the reason.
     * @throws TypeError if the request is not an object with 1 to 20 `urls`.
     * @effect read
     *
     * @example
     * const { pages, failed } = await tavily.extract({ urls: ["https://www.rust-lang.org/"] });
     * console.log(pages[0]?.text.slice(0, 2000), failed);
     */
    extract(request: ExtractRequest): Promise<ExtractResult>;
};

/** What to search for. */
interface SearchRequest {
    /** The question or the words, as one would type them. At most 400 characters. */
    query: string;
    /** Default `"general"`. */
    topic?: Topic;
    /** How far it looks into each page: `"quick"` (default) or `"thorough"`, slower and twice the price. */
    depth?: "quick" | "thorough";
    /** Only what was published or changed since. */
    timeRange?: TimeRange;
    /** Default 5, at most 20. */
    maxResults?: number;
    sites?: Sites;
}

/** What sort of pages. */
type Topic = "general" | "news" | "finance";

/** How far back. */
type TimeRange = "day" | "week" | "month" | "year";

/** Which sites are looked at. */
interface Sites {
    /** Only these domains. */
    only?: string[];
    /** None of these domains. */
    not?: string[];
}

/** What a search found. */
interface SearchResult {
    query: string;
    /** A short answer drawn from the pages, if one could be given. */
    answer?: string;
    results: Page[];
}

/** A page that was found. */
interface Page {
    title: string;
    url: string;
    /** The passages that fit the query. */
    content: string;
    /** From 0 to 1. */
    score: number;
    /** When it was published; news only. */
    published?: string;
}

/** Which pages to read. */
interface ExtractRequest {
    /** 1 to 20 whole addresses. */
    urls: string[];
    /** Also read tables and embedded content. Default `"quick"`. */
    depth?: "quick" | "thorough";
}

/** What could be read. */
interface ExtractResult {
    pages: { url: string; text: string }[];
    failed: { url: string; error: string }[];
}
