//! A tolerant token scan of JavaScript and TypeScript: what can be known of source that no parser takes.
//!
//! It recurses nowhere, never fails, and is linear. It tells strings, templates, comments and regular expressions
//! from code well enough to count brackets and to find `a.b.c`.

/// One token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// An identifier or keyword.
    Word(&'a str),
    /// A string's inside, as written; of a template only if it has no substitution.
    Text(&'a str),
    /// A number, a regular expression or a piece of a template.
    Literal,
    /// One character of punctuation; of `?.` the dot is left and the question mark is [`Token::Optional`].
    Mark(char),
    /// The `?` of `?.`.
    Optional,
    /// `=>`.
    Arrow,
}

/// The tokens of a source, with the byte offset where each begins.
pub(crate) struct Scan<'a> {
    source: &'a str,
    at: usize,
    last: Option<Token<'a>>,
    /// For each open `${` the number of braces open within it.
    templates: Vec<usize>,
}

impl<'a> Scan<'a> {
    pub(crate) fn of(source: &'a str) -> Self {
        Self { source, at: 0, last: None, templates: Vec::new() }
    }

    fn rest(&self) -> &'a str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn skip_to(&mut self, end: Option<usize>) {
        self.at = end.map_or(self.source.len(), |end| self.at + end);
    }

    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") || (self.at == 0 && trimmed.starts_with("#!")) {
                self.skip_to(trimmed.find(['\n', '\r']));
            } else if trimmed.starts_with("/*") {
                self.skip_to(trimmed.get(2..).and_then(|inner| inner.find("*/")).map(|end| end + 4));
            } else {
                return;
            }
        }
    }

    /// The end of a string whose quote stands at the start of `rest`: past the quote, or at the line's end.
    fn string(rest: &str, quote: char) -> (usize, usize) {
        let mut is_escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '\n' => return (at, at),
                c if c == quote => return (at, at + 1),
                _ => {}
            }
        }
        (rest.len(), rest.len())
    }

    /// A template's piece, from after its backtick or its `}`: a whole text, or up to the next `${`.
    fn piece(&mut self, is_first: bool) -> Token<'a> {
        let start = self.at;
        let rest = self.rest();
        let (mut is_escaped, mut is_dollar) = (false, false);
        for (at, c) in rest.char_indices() {
            let was_dollar = std::mem::replace(&mut is_dollar, c == '$' && !is_escaped);
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '`' => {
                    self.at = start + at + 1;
                    return if is_first { Token::Text(rest.get(..at).unwrap_or_default()) } else { Token::Literal };
                }
                '{' if was_dollar => {
                    self.at = start + at + 1;
                    self.templates.push(0);
                    return Token::Literal;
                }
                _ => {}
            }
        }
        self.at = self.source.len();
        Token::Literal
    }

    /// A `/` begins a regular expression where no value can have ended.
    fn is_regex(&self) -> bool {
        match self.last {
            None | Some(Token::Arrow | Token::Optional) => true,
            Some(Token::Text(_) | Token::Literal) => false,
            Some(Token::Mark(mark)) => !matches!(mark, ')' | ']' | '}'),
            Some(Token::Word(word)) => {
                matches!(
                    word,
                    "return" | "typeof" | "case" | "in" | "of" | "delete" | "void" | "await" | "do" | "else" | "yield"
                )
            }
        }
    }

    fn regex(rest: &str) -> Option<usize> {
        let (mut is_escaped, mut is_class) = (false, false);
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                '\n' => return None,
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '[' => is_class = true,
                ']' => is_class = false,
                '/' if !is_class => {
                    let flags = rest.get(at + 1..)?;
                    return Some(
                        at + 1 + flags.len() - flags.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len(),
                    );
                }
                _ => {}
            }
        }
        None
    }

    fn token(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let first = rest.chars().next()?;
        if is_word_start(first) {
            let end = rest.find(|c: char| !is_word_start(c) && !c.is_numeric()).unwrap_or(rest.len());
            self.at += end;
            return Some(Token::Word(rest.get(..end).unwrap_or_default()));
        }
        if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.').unwrap_or(rest.len());
            self.at += end.max(1);
            return Some(Token::Literal);
        }
        if first == '"' || first == '\'' {
            let (inner, end) = Self::string(rest, first);
            self.at += end.max(1);
            return Some(Token::Text(rest.get(1..inner).unwrap_or_default()));
        }
        self.at += first.len_utf8();
        Some(match first {
            '`' => self.piece(true),
            '}' if self.templates.last() == Some(&0) => {
                self.templates.pop();
                self.piece(false)
            }
            '{' | '}' => {
                if let Some(open) = self.templates.last_mut() {
                    *open = if first == '{' { *open + 1 } else { open.saturating_sub(1) };
                }
                Token::Mark(first)
            }
            '/' if self.is_regex() => match Self::regex(rest) {
                Some(end) => {
                    self.at += end - 1;
                    Token::Literal
                }
                None => Token::Mark('/'),
            },
            '=' if rest.starts_with("=>") => {
                self.at += 1;
                Token::Arrow
            }
            '?' if rest.starts_with("?.")
                && !rest.get(2..).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit())) =>
            {
                Token::Optional
            }
            mark => Token::Mark(mark),
        })
    }
}

impl<'a> Iterator for Scan<'a> {
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blank();
        let start = self.at;
        let token = self.token()?;
        self.last = Some(token);
        Some((start, token))
    }
}

fn is_word_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$' || c == '#' || c == '\u{200c}' || c == '\u{200d}'
}

/// How deep a parser would go.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Depth {
    /// Brackets open at once; the substitutions of templates count.
    pub(crate) brackets: usize,
    /// The longest run of tokens at one level without a separator: operators and members nest too.
    pub(crate) run: usize,
    /// How many `else` there are: each ladder nests as deep as it is long.
    pub(crate) elses: usize,
}

impl Depth {
    /// The depth of a script.
    pub(crate) fn of(source: &str) -> Self {
        Self::measure(source, false)
    }

    /// The depth of a declaration file: its unions are flat, and its blocks stand in a row without separators.
    pub(crate) fn of_declaration(source: &str) -> Self {
        Self::measure(source, true)
    }

    fn measure(source: &str, is_declaration: bool) -> Self {
        let mut depth = Self::default();
        let mut scan = Scan::of(source);
        let mut levels = vec![0_usize];
        while let Some((_, token)) = scan.next() {
            match token {
                Token::Mark('(' | '[' | '{') => levels.push(0),
                Token::Mark(close @ (')' | ']' | '}')) if levels.len() > 1 => {
                    levels.pop();
                    if let Some(run) = levels.last_mut().filter(|_| is_declaration && close == '}') {
                        *run = 0;
                    }
                }
                Token::Mark('|' | '&') if is_declaration => {
                    if let Some(run) = levels.last_mut() {
                        *run = 0;
                    }
                }
                Token::Mark(';' | ',') => {
                    if let Some(run) = levels.last_mut() {
                        *run = 0;
                    }
                }
                Token::Word("const" | "let" | "var" | "return" | "throw") => {
                    if let Some(run) = levels.last_mut() {
                        *run = 0;
                    }
                }
                Token::Word("else") => depth.elses += 1,
                Token::Word(_) | Token::Text(_) | Token::Literal | Token::Mark(_) | Token::Optional | Token::Arrow => {}
            }
            if let Some(run) = levels.last_mut() {
                *run += 1;
                depth.run = depth.run.max(*run);
            }
            depth.brackets = depth.brackets.max(levels.len() - 1 + scan.templates.len());
        }
        depth
    }
}
