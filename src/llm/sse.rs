//! Server-sent events: bytes in, the data of each event out.

/// A line longer than this is no event of ours.
const LINE_LIMIT: usize = 2 << 20;

/// Splits a byte stream into events. Lines may end in LF, CR LF or CR, and a chunk may end anywhere.
#[derive(Debug, Default)]
pub(super) struct Events {
    line: Vec<u8>,
    data: String,
    after_cr: bool,
}

impl Events {
    /// Takes a chunk and gives the data of every event that it completes.
    pub(super) fn feed(&mut self, chunk: &[u8], mut event: impl FnMut(&str)) {
        for &byte in chunk {
            let ends_crlf = self.after_cr && byte == b'\n';
            self.after_cr = byte == b'\r';
            match byte {
                _ if ends_crlf => {}
                b'\n' | b'\r' => self.end_line(&mut event),
                _ if self.line.len() < LINE_LIMIT => self.line.push(byte),
                _ => {}
            }
        }
    }

    /// The stream is over: a last event may lack its blank line.
    pub(super) fn finish(&mut self, mut event: impl FnMut(&str)) {
        if !self.line.is_empty() {
            self.end_line(&mut event);
        }
        self.dispatch(&mut event);
    }

    fn end_line(&mut self, event: &mut impl FnMut(&str)) {
        let line = String::from_utf8_lossy(&self.line).into_owned();
        self.line.clear();
        if line.is_empty() {
            self.dispatch(event);
        } else if let Some(data) = line.strip_prefix("data:") {
            // Some servers leave the blank line out: a whole object before it is an event of its own.
            if self.data.ends_with('}') || self.data == "[DONE]" {
                self.dispatch(event);
            }
            if !self.data.is_empty() {
                self.data.push('\n');
            }
            self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
        }
    }

    fn dispatch(&mut self, event: &mut impl FnMut(&str)) {
        if !self.data.is_empty() {
            event(&self.data);
            self.data.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str, step: usize) -> Vec<String> {
        let (mut events, mut seen) = (Events::default(), Vec::new());
        for chunk in text.as_bytes().chunks(step) {
            events.feed(chunk, |event| seen.push(event.to_owned()));
        }
        events.finish(|event| seen.push(event.to_owned()));
        seen
    }

    #[test]
    fn events_are_the_same_however_the_bytes_are_cut() {
        let rows = [
            ("data: {\"a\":1}\n\ndata: {\"a\":2}\n\n", vec!["{\"a\":1}", "{\"a\":2}"]),
            ("data: {\"a\":\"夏\"}\r\n\r\ndata:[DONE]\r\n\r\n", vec!["{\"a\":\"夏\"}", "[DONE]"]),
            (": waiting\n\nevent: x\nid: 4\ndata: {\ndata: }\n\n", vec!["{\n}"]),
            ("data: {\"a\":1}\ndata: {\"a\":2}\ndata: [DONE]", vec!["{\"a\":1}", "{\"a\":2}", "[DONE]"]),
            ("data: {}\r\rdata: {}\r\r", vec!["{}", "{}"]),
            ("", vec![]),
        ];
        for (text, expected) in rows {
            for step in [1, 2, 3, 7, 1000] {
                assert_eq!(events(text, step), expected, "{text:?} in steps of {step}");
            }
        }
    }
}
