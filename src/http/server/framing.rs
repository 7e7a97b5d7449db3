//! Detects requests with both `Content-Length` and `Transfer-Encoding`.
//!
//! RFC 9112 section 6.3 allows a 400: a proxy in front may use the other length, and take part of a
//! body for a request (request smuggling). hyper drops `Content-Length` of such a request before a
//! handler can see it, so the incoming bytes are inspected.

/// The position of the next byte in the stream of requests.
#[derive(Debug, Default)]
pub struct RequestFraming {
    state: State,
    /// Whether a request with two lengths was received.
    conflict: bool,
}

#[derive(Debug)]
enum State {
    /// In a head, with the bytes received so far.
    Head(Vec<u8>),
    /// In a body, with the number of remaining bytes.
    Body(u64),
    /// Unknown; the connection ends after this request.
    Unknown,
}

impl Default for State {
    fn default() -> State {
        State::Head(Vec::new())
    }
}

/// Maximum size of the head of a request in bytes: request line and header fields. hyper refuses
/// longer ones.
pub const MAX_HEAD: usize = 64 * 1024;
/// Maximum number of header fields, as in hyper.
const MAX_FIELDS: usize = 100;

impl RequestFraming {
    /// Processes received bytes. Returns whether a request with two lengths was received.
    pub fn feed(&mut self, mut bytes: &[u8]) -> bool {
        while !bytes.is_empty() {
            match &mut self.state {
                State::Unknown => break,
                State::Body(left) => {
                    let length = usize::try_from(*left)
                        .unwrap_or(usize::MAX)
                        .min(bytes.len());
                    *left -= length as u64;
                    bytes = &bytes[length..];
                    if *left == 0 {
                        self.state = State::default();
                    }
                }
                State::Head(head) => {
                    let before = head.len();
                    head.extend_from_slice(bytes);
                    // The end of the head may span both reads.
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

/// Returns the position after the first empty line, searched from `from`.
fn end_of_head(head: &[u8], from: usize) -> Option<usize> {
    let text = &head[from..];
    // Empty lines before a request do not end its head.
    let blank = head
        .iter()
        .take_while(|byte| matches!(byte, b'\r' | b'\n'))
        .count();
    (0..text.len())
        .map(|index| from + index)
        .filter(|index| *index >= blank && head[*index] == b'\n')
        .find_map(|index| {
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
    let length = find_value(request.headers, "content-length");
    if find_value(request.headers, "transfer-encoding").is_some() {
        return (State::Unknown, length.is_some());
    }
    let length = length.map(|length| {
        std::str::from_utf8(length)
            .ok()
            .and_then(|length| length.trim().parse::<u64>().ok())
    });
    match length {
        None | Some(Some(0)) => (State::default(), false),
        Some(Some(length)) => (State::Body(length), false),
        Some(None) => (State::Unknown, false),
    }
}

fn find_value<'h>(headers: &[httparse::Header<'h>], name: &str) -> Option<&'h [u8]> {
    headers
        .iter()
        .find(|field| field.name.eq_ignore_ascii_case(name))
        .map(|field| field.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Whether a conflict is detected in this text, received in chunks of this size.
    fn conflicts(text: &str, chunk: usize) -> bool {
        let mut framing = RequestFraming::default();
        text.as_bytes()
            .chunks(chunk)
            .fold(false, |_, bytes| framing.feed(bytes))
    }

    const BOTH: &str = "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n";

    #[test]
    fn two_length_headers_are_detected_in_either_order() {
        for text in [
            BOTH,
            "POST / HTTP/1.1\ntransfer-encoding: chunked\nHost: a\ncontent-length: 3\n\n",
        ] {
            assert!(
                (1..text.len()).all(|chunk| conflicts(text, chunk)),
                "{text:?}"
            );
        }
        for text in [
            "GET / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        ] {
            assert!(!conflicts(text, 1), "{text:?}");
        }
    }

    #[test]
    fn later_requests_of_a_connection_are_inspected() {
        let body = format!(
            "POST /a HTTP/1.1\r\nContent-Length: {}\r\n\r\n{BOTH}",
            BOTH.len()
        );
        assert!(
            !conflicts(&body, 7),
            "the content of a body is not a request"
        );
        assert!(conflicts(
            &format!("{body}\r\nGET /b HTTP/1.1\r\n\r\n{BOTH}"),
            7
        ));
    }

    #[test]
    fn endless_head_is_not_buffered() {
        let mut framing = RequestFraming::default();
        let line = "a: b\r\n".repeat(1000);
        framing.feed(b"GET / HTTP/1.1\r\n");
        for _ in 0..100 {
            framing.feed(line.as_bytes());
        }
        assert!(matches!(framing.state, State::Unknown));
    }

    proptest! {
        #![proptest_config(proptest::test_runner::Config::default())]

        #[test]
        fn result_does_not_depend_on_chunks(bodies in prop::collection::vec("[a-z\r\n:]{0,40}", 1..5), last in any::<bool>(), chunk in 1usize..50) {
            let mut text: String = bodies.iter().map(|body| format!("PUT /x HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len())).collect();
            if last {
                text += BOTH;
            }
            prop_assert_eq!(conflicts(&text, chunk), last);
        }
    }
}
