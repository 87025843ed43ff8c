// The key never comes here: the host adds it to requests for the declared host.

const SERVICE = "https://api.tavily.com";
const TOPICS = ["general", "news", "finance"];
const RANGES = ["day", "week", "month", "year"];
const DEPTHS: Record<string, string> = { quick: "basic", thorough: "advanced" };

type Options = Record<string, unknown>;

function describe(value: unknown): string {
    if (value === undefined) return "nothing";
    if (value === null) return "null";
    if (Array.isArray(value)) return "an array";
    if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 40))}`;
    if (typeof value === "object") return `an object with ${Object.keys(value).slice(0, 8).join(", ") || "nothing in it"}`;
    return `the ${typeof value} ${String(value)}`;
}

function wrong(path: string, what: string, expected: string, got: unknown): TypeError {
    return new TypeError(`${path}: ${what} must be ${expected}, got ${describe(got)}`);
}

function options(path: string, args: unknown[], known: string[], shape: string): Options {
    const [request] = args;
    if (request === null || typeof request !== "object" || Array.isArray(request)) {
        throw wrong(path, "its one argument", shape, request);
    }
    if (args.length > 1) throw new TypeError(`${path}: takes one object, got ${args.length} arguments`);
    const unknown = Object.keys(request).find((key) => !known.includes(key));
    if (unknown !== undefined) {
        throw new TypeError(`${path}: there is no option ${JSON.stringify(unknown)}; there are ${known.join(", ")}`);
    }
    return request as Options;
}

function oneOf(path: string, name: string, value: unknown, allowed: string[]): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === "string" && allowed.includes(value)) return value;
    throw wrong(path, name, `one of ${allowed.map((a) => JSON.stringify(a)).join(", ")}`, value);
}

function texts(path: string, name: string, value: unknown, most: number): string[] | undefined {
    if (value === undefined || value === null) return undefined;
    const fits = Array.isArray(value) && value.length > 0 && value.length <= most;
    if (fits && value.every((item) => typeof item === "string" && item.trim() !== "")) return value as string[];
    throw wrong(path, name, `an array of 1 to ${most} texts`, value);
}

async function post(path: string, endpoint: string, body: Options): Promise<any> {
    const response = await fetch(SERVICE + endpoint, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
    });
    const text = await response.text();
    let reply: any;
    try {
        reply = JSON.parse(text);
    } catch {
        reply = undefined;
    }
    if (response.status >= 200 && response.status < 300 && reply !== null && typeof reply === "object") return reply;
    const said = reply?.detail?.error ?? reply?.error ?? reply?.detail ?? text.slice(0, 200);
    throw new Error(`${path}: the service answered ${response.status}: ${typeof said === "string" ? said : JSON.stringify(said)}`);
}

async function search(...args: unknown[]) {
    const path = "tavily.search";
    const known = ["query", "topic", "depth", "timeRange", "maxResults", "sites"];
    const request = options(path, args, known, 'an object such as { query: "…" }');
    const query = request.query;
    if (typeof query !== "string" || query.trim() === "") throw wrong(path, "query", "a text that is not empty", query);
    const most = request.maxResults ?? 5;
    if (typeof most !== "number" || !Number.isInteger(most) || most < 1 || most > 20) {
        throw wrong(path, "maxResults", "a whole number from 1 to 20", most);
    }
    const sites = request.sites ?? {};
    if (typeof sites !== "object" || Array.isArray(sites)) throw wrong(path, "sites", "an object with only or not", sites);
    const { only, not, ...rest } = sites as Options;
    if (Object.keys(rest).length > 0) throw wrong(path, "sites", "an object with only or not", sites);
    const reply = await post(path, "/search", {
        query: query.trim(),
        topic: oneOf(path, "topic", request.topic, TOPICS) ?? "general",
        search_depth: DEPTHS[oneOf(path, "depth", request.depth, Object.keys(DEPTHS)) ?? "quick"],
        time_range: oneOf(path, "timeRange", request.timeRange, RANGES),
        max_results: most,
        include_domains: texts(path, "sites.only", only, 100),
        exclude_domains: texts(path, "sites.not", not, 100),
        include_answer: true,
    });
    const results = Array.isArray(reply.results) ? reply.results : [];
    return {
        query: query.trim(),
        answer: typeof reply.answer === "string" && reply.answer !== "" ? reply.answer : undefined,
        results: results.map((page: any) => ({
            title: page.title ?? "",
            url: page.url ?? "",
            content: page.content ?? "",
            score: page.score ?? 0,
            published: page.published_date ?? undefined,
        })),
    };
}

async function extract(...args: unknown[]) {
    const path = "tavily.extract";
    const request = options(path, args, ["urls", "depth"], 'an object such as { urls: ["https://…"] }');
    const urls = texts(path, "urls", request.urls, 20);
    if (urls === undefined) throw wrong(path, "urls", "an array of 1 to 20 texts", request.urls);
    const reply = await post(path, "/extract", {
        urls,
        extract_depth: DEPTHS[oneOf(path, "depth", request.depth, Object.keys(DEPTHS)) ?? "quick"],
    });
    const pages = Array.isArray(reply.results) ? reply.results : [];
    const failed = Array.isArray(reply.failed_results) ? reply.failed_results : [];
    return {
        pages: pages.map((page: any) => ({ url: page.url ?? "", text: page.raw_content ?? "" })),
        failed: failed.map((page: any) => ({ url: page.url ?? "", error: page.error ?? "no reason given" })),
    };
}

export default { search, extract };
