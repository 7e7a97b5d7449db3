//! Finds requests that say in two ways how long their body is.
//!
//! RFC 9112 section 6.3 calls for a 400: a proxy in front may read the other length, and so take a part of one body for a request of
//! somebody else. hyper drops `Content-Length` of such a request before anybody sees it, so the bytes are looked at as they come in.

/// Where in the stream of requests the next byte is.
#[derive(Debug, Default)]
pub struct RequestFraming {
    state: State,
    /// Whether a request with two lengths has come in.
    conflict: bool,
}

#[derive(Debug)]
enum State {
    /// In a head; what of it has come in.
    Head(Vec<u8>),
    /// In a body with so many bytes to come.
    Body(u64),
    /// Nobody knows, and it does not matter: the connection ends with this request.
    Unknown,
}

impl Default for State {
    fn default() -> State {
        State::Head(Vec::new())
    }
}

/// The longest head that is looked at; hyper refuses longer ones.
const MAX_HEAD: usize = super::MAX_HEAD;
/// hyper takes as many header fields.
const MAX_FIELDS: usize = 100;

impl RequestFraming {
    /// Takes what the client has sent; whether a request has come in that states two lengths.
    pub fn feed(&mut self, mut bytes: &[u8]) -> bool {
        while !bytes.is_empty() {
            match &mut self.state {
                State::Unknown => break,
                State::Body(left) => {
                    let here = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len());
                    *left -= here as u64;
                    bytes = &bytes[here..];
                    if *left == 0 {
                        self.state = State::default();
                    }
                }
                State::Head(head) => {
                    let before = head.len();
                    head.extend_from_slice(bytes);
                    // The end of the head may have begun with the last bytes before these.
                    let Some(end) = end_of_head(head, before.saturating_sub(3)) else {
                        if head.len() > MAX_HEAD {
                            self.state = State::Unknown;
                        }
                        break;
                    };
                    bytes = &bytes[end - before..];
                    head.truncate(end);
                    let (state, conflict) = after_head(head);
                    self.state = state;
                    self.conflict |= conflict;
                }
            }
        }
        self.conflict
    }
}

/// Behind the first empty line, looked for from `from` on.
fn end_of_head(head: &[u8], from: usize) -> Option<usize> {
    let text = &head[from..];
    // Empty lines before a request are none of its head.
    let blank = head.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    (0..text.len()).map(|index| from + index).filter(|index| *index >= blank && head[*index] == b'\n').find_map(|index| {
        let rest = &head[index + 1..];
        match rest {
            [b'\n', ..] => Some(index + 2),
            [b'\r', b'\n', ..] => Some(index + 3),
            _ => None,
        }
    })
}

fn after_head(head: &[u8]) -> (State, bool) {
    let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
    let mut request = httparse::Request::new(&mut fields);
    if !matches!(request.parse(head), Ok(httparse::Status::Complete(_))) {
        return (State::Unknown, false);
    }
    let value = |name: &str| request.headers.iter().find(|field| field.name.eq_ignore_ascii_case(name)).map(|field| field.value);
    let length = value("content-length");
    if value("transfer-encoding").is_some() {
        return (State::Unknown, length.is_some());
    }
    let length = length.map(|length| std::str::from_utf8(length).ok().and_then(|length| length.trim().parse::<u64>().ok()));
    match length {
        None | Some(Some(0)) => (State::default(), false),
        Some(Some(length)) => (State::Body(length), false),
        Some(None) => (State::Unknown, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Whether a conflict is found in these bytes, sent in pieces of this size.
    fn conflicts(text: &str, piece: usize) -> bool {
        let mut framing = RequestFraming::default();
        text.as_bytes().chunks(piece).fold(false, |_, bytes| framing.feed(bytes))
    }

    const BOTH: &str = "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n";

    #[test]
    fn two_lengths_are_found_in_either_order() {
        for text in [BOTH, "POST / HTTP/1.1\ntransfer-encoding: chunked\nHost: a\ncontent-length: 3\n\n"] {
            assert!((1..text.len()).all(|piece| conflicts(text, piece)), "{text:?}");
        }
        for text in ["GET / HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"] {
            assert!(!conflicts(text, 1), "{text:?}");
        }
    }

    #[test]
    fn later_requests_of_a_connection_are_looked_at_too() {
        let body = format!("POST /a HTTP/1.1\r\nContent-Length: {}\r\n\r\n{BOTH}", BOTH.len());
        assert!(!conflicts(&body, 7), "what stands in a body is no request");
        assert!(conflicts(&format!("{body}\r\nGET /b HTTP/1.1\r\n\r\n{BOTH}"), 7));
    }

    #[test]
    fn endless_head_takes_no_memory() {
        let mut framing = RequestFraming::default();
        let line = "a: b\r\n".repeat(1000);
        framing.feed(b"GET / HTTP/1.1\r\n");
        for _ in 0..100 {
            framing.feed(line.as_bytes());
        }
        assert!(matches!(framing.state, State::Unknown));
    }

    proptest! {
        #[test]
        fn pieces_make_no_difference(bodies in prop::collection::vec("[a-z\r\n:]{0,40}", 1..5), last in any::<bool>(), piece in 1usize..50) {
            let mut text: String = bodies.iter().map(|body| format!("PUT /x HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len())).collect();
            if last {
                text += BOTH;
            }
            prop_assert_eq!(conflicts(&text, piece), last);
        }
    }
}
