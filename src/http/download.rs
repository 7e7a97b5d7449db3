//! A file as an answer: read while it is sent, as a whole or a part of it (RFC 9110 sections 13 and 14).
//!
//! Whatever is in it, a browser neither shows nor runs it: it is saved.

use super::error::Error;
use crate::domain::attachment::is_media_type;
use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};
use futures_util::stream::{self, Stream};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// How many bytes are read at once; some four such pieces are in memory for each download.
const PIECE: usize = 128 * 1024;

/// A file to be sent.
pub struct Download {
    /// Its content.
    pub file: File,
    /// The name under which it is saved.
    pub filename: String,
    /// Its media type, as somebody said.
    pub content_type: String,
    /// What changes with its content, such as a digest: letters and digits.
    pub tag: String,
}

/// Which bytes are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Whole,
    /// From the first to the last, both included.
    Bytes(u64, u64),
    Nowhere,
}

/// The answer to a request for this file.
pub fn respond(download: Download, parts: &Parts) -> Result<Response<Body>, Error> {
    let mut response = Response::new(Body::empty());
    let tag = format!("\"{}\"", download.tag);
    let broken = |error: io::Error| Error::Broken(error.to_string());
    let length = download.file.metadata().map_err(broken)?.len();
    let headers = response.headers_mut();
    say(headers, header::ETAG, &tag);
    // The right to see it may end, so it is asked for again each time; then nothing is sent twice.
    say(headers, header::CACHE_CONTROL, "private, no-cache");
    if knows(&parts.headers, &tag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok(response);
    }
    say(headers, header::ACCEPT_RANGES, "bytes");
    let (from, count) = match part(&parts.headers, &tag, length) {
        Part::Whole => (0, length),
        Part::Bytes(first, last) => {
            say(headers, header::CONTENT_RANGE, &format!("bytes {first}-{last}/{length}"));
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            (first, last - first + 1)
        }
        Part::Nowhere => {
            say(headers, header::CONTENT_RANGE, &format!("bytes */{length}"));
            *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
            return Ok(response);
        }
    };
    let headers = response.headers_mut();
    let kind = if is_media_type(&download.content_type) { download.content_type.as_str() } else { "application/octet-stream" };
    say(headers, header::CONTENT_TYPE, kind);
    say(headers, header::CONTENT_LENGTH, &count.to_string());
    say(headers, header::CONTENT_DISPOSITION, &disposition(&download.filename));
    say(headers, header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'; sandbox");
    if parts.method != Method::HEAD {
        let mut file = download.file;
        file.seek(SeekFrom::Start(from)).map_err(broken)?;
        *response.body_mut() = Body::from_stream(pieces(file, count));
    }
    Ok(response)
}

/// What the file holds from where it stands, read piece by piece as it is sent; no thread waits while the asker is slow. Ends
/// with an error, and so with a broken connection, where the file does.
fn pieces(file: File, count: u64) -> impl Stream<Item = Result<Bytes, io::Error>> {
    stream::try_unfold((file, count), |(mut file, left)| async move {
        if left == 0 {
            return Ok(None);
        }
        let size = usize::try_from(left).unwrap_or(PIECE).min(PIECE);
        let read = tokio::task::spawn_blocking(move || {
            let mut piece = vec![0; size];
            file.read_exact(&mut piece).map(|()| (Bytes::from(piece), file))
        });
        let (piece, file) = read.await.unwrap_or_else(|error| Err(io::Error::other(error))).inspect_err(|error| {
            tracing::error!(error = %error, "a file could not be read to its end");
        })?;
        Ok(Some((piece, (file, left - size as u64))))
    })
}

/// Whether the asker has this content already.
fn knows(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    known.split(',').map(str::trim).any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

/// One range is understood; for more than one, or for what cannot be read, everything is sent, as the standard allows.
fn part(headers: &HeaderMap, tag: &str, length: u64) -> Part {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    if text(header::IF_RANGE).is_some_and(|known| known != tag) {
        return Part::Whole;
    }
    let range = text(header::RANGE).and_then(|range| range.strip_prefix("bytes=")).and_then(|range| range.trim().split_once('-'));
    let Some((first, last)) = range else { return Part::Whole };
    match (first.parse::<u64>().ok(), last.parse::<u64>().ok()) {
        (Some(first), _) if !last.is_empty() && last.parse::<u64>().map_or(true, |last| last < first) => Part::Whole,
        (Some(first), _) if first >= length => Part::Nowhere,
        (Some(first), last) => Part::Bytes(first, last.unwrap_or(u64::MAX).min(length - 1)),
        (None, Some(0)) if first.is_empty() => Part::Nowhere,
        (None, Some(count)) if first.is_empty() && length > 0 => Part::Bytes(length - count.min(length), length - 1),
        _ => Part::Whole,
    }
}

/// The name twice: in ASCII for old browsers, and as it is (RFC 6266).
fn disposition(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c == ' ' || (c.is_ascii_graphic() && !"\"\\%".contains(c)) { c } else { '_' }).collect();
    let mut exact = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            exact.push(char::from(byte));
        } else {
            exact.push_str(&format!("%{byte:02X}"));
        }
    }
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}")
}

fn say(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::try_from(value) {
        headers.insert(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;
    use std::io::Write;

    #[test]
    fn nothing_is_lost_on_the_way() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
        let sent = |length: usize, count: usize| {
            let mut file = tempfile::tempfile().unwrap();
            let content: Vec<u8> = (0..length).map(|place| (place % 251) as u8).collect();
            file.write_all(&content).unwrap();
            file.seek(SeekFrom::Start(0)).unwrap();
            let body = runtime.block_on(async { Body::from_stream(pieces(file, count as u64)).collect().await });
            body.map(|body| body.to_bytes() == content[..count])
        };
        for count in [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE] {
            assert!(sent(count + 10, count).unwrap(), "{count}");
        }
        assert!((0..3000).all(|_| sent(11, 11).unwrap()));
        assert!(sent(PIECE + 1, PIECE + 2).is_err());
    }

    fn asked(range: &str, if_range: Option<&str>) -> Part {
        let mut headers = HeaderMap::new();
        say(&mut headers, header::RANGE, range);
        if let Some(tag) = if_range {
            say(&mut headers, header::IF_RANGE, tag);
        }
        part(&headers, "\"t\"", 10)
    }

    #[test]
    fn one_range_is_understood() {
        assert_eq!(asked("bytes=0-3", None), Part::Bytes(0, 3));
        assert_eq!(asked("bytes=4-", None), Part::Bytes(4, 9));
        assert_eq!(asked("bytes=8-99", Some("\"t\"")), Part::Bytes(8, 9));
        assert_eq!(asked("bytes=-3", None), Part::Bytes(7, 9));
        assert_eq!(asked("bytes=-99", None), Part::Bytes(0, 9));
        assert_eq!((asked("bytes=10-", None), asked("bytes=-0", None)), (Part::Nowhere, Part::Nowhere));
        for odd in ["bytes=3-1", "bytes=a-b", "bytes=-", "lines=0-1", "bytes=0-1,3-4", "bytes=0-x"] {
            assert_eq!(asked(odd, None), Part::Whole, "{odd}");
        }
        assert_eq!(asked("bytes=0-3", Some("\"other\"")), Part::Whole);
    }

    #[test]
    fn a_name_does_not_break_out_of_its_header() {
        assert_eq!(disposition("engine-log.txt"), "attachment; filename=\"engine-log.txt\"; filename*=UTF-8''engine-log.txt");
        assert_eq!(disposition("a\"\r\nb é.txt"), "attachment; filename=\"a___b _.txt\"; filename*=UTF-8''a%22%0D%0Ab%20%C3%A9.txt");
    }
}
