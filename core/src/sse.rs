//! Server-sent events, read from bytes as they come (HTML standard, "Server-sent events").
//!
//! Bytes are kept as they are: a character may be split between two chunks, and what is no UTF-8 is for the
//! rules to judge.

/// An event with data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Its type; empty where none is named, which means `message`.
    pub name: Vec<u8>,
    /// Its data lines, joined by line feeds.
    pub data: Vec<u8>,
}

/// A reader of one stream.
#[derive(Debug, Default)]
pub struct Reader {
    line: Vec<u8>,
    after_return: bool,
    is_started: bool,
    event: Event,
    has_data: bool,
}

impl Reader {
    /// Takes a chunk, and hands over each event that ends in it.
    pub fn take(&mut self, chunk: &[u8], mut hand_over: impl FnMut(Event)) {
        for byte in chunk {
            match byte {
                // The line feed behind a carriage return belongs to the same line end.
                b'\n' if self.after_return => self.after_return = false,
                b'\r' | b'\n' => {
                    self.after_return = *byte == b'\r';
                    let line = std::mem::take(&mut self.line);
                    if let Some(event) = self.end_line(&line) {
                        hand_over(event);
                    }
                }
                other => {
                    self.after_return = false;
                    self.line.push(*other);
                }
            }
        }
    }

    /// Bytes of an event that is not complete yet.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.line.len() + self.event.data.len() + self.event.name.len()
    }

    /// An empty line ends an event; one without data is none.
    fn end_line(&mut self, line: &[u8]) -> Option<Event> {
        let is_first = !std::mem::replace(&mut self.is_started, true);
        let line = if is_first { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            return std::mem::take(&mut self.has_data).then_some(event);
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (field, value) = colon.map_or((line, &[][..]), |at| (&line[..at], &line[at + 1..]));
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push(b'\n');
                }
                self.event.data.extend_from_slice(value);
            }
            b"event" => self.event.name = value.to_vec(),
            // A comment, an id, a retry time, or something newer.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(chunks: &[&[u8]]) -> Vec<(String, Vec<u8>)> {
        let (mut reader, mut events) = (Reader::default(), Vec::new());
        for chunk in chunks {
            reader.take(chunk, |event| events.push((String::from_utf8_lossy(&event.name).into_owned(), event.data)));
        }
        events
    }

    fn message(data: &[u8]) -> (String, Vec<u8>) {
        (String::new(), data.to_vec())
    }

    #[test]
    fn an_event_ends_at_an_empty_line_whatever_ends_the_lines() {
        for text in ["data: a\n\ndata: b\n\n", "data:a\r\n\r\ndata:b\r\n\r\n", "data: a\r\rdata: b\r\r"] {
            assert_eq!(events(&[text.as_bytes()]), [message(b"a"), message(b"b")], "{text:?}");
        }
    }

    #[test]
    fn chunks_may_end_anywhere_even_within_a_character_or_a_line_end() {
        let text = "\u{feff}event: message\r\ndata: {\"name\":\"Gr\u{f6}\u{df}e\"}\r\n\r\n".as_bytes();
        let whole = events(&[text]);
        assert_eq!(whole, [("message".to_owned(), "{\"name\":\"Gr\u{f6}\u{df}e\"}".as_bytes().to_vec())]);
        for at in 0..text.len() {
            assert_eq!(events(&[&text[..at], &text[at..]]), whole, "{at}");
        }
    }

    #[test]
    fn comments_and_unknown_fields_are_no_events() {
        let text =
            b": keep alive\n\nid: 7\nretry: 10\nodd\n\ndata: a\n: between\ndata: b\ndata\n\nevent: only-a-name\n\n";
        assert_eq!(events(&[text]), [message(b"a\nb\n")]);
    }

    #[test]
    fn what_is_not_ended_is_no_event() {
        let mut reader = Reader::default();
        reader.take(b"event: x\ndata: half", |event| panic!("{event:?}"));
        assert_eq!(reader.pending(), "xdata: half".len());
    }
}
