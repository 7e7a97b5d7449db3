//! File downloads: read while they are sent, with conditional and range requests (RFC 9110 sections
//! 13 and 14).
//!
//! Invariant: a browser saves the file; it neither shows it nor runs anything in it.

use crate::error::Error;
use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};
use futures_util::stream::{self, Stream};
use http_range_header::parse_range_header_with_max_ranges;
use quarry_domain::content::attachment::is_media_type;
use quarry_store::files::Content;
use std::io::{self, Read, Seek, SeekFrom};
use std::num::NonZeroUsize;

/// Number of bytes that are read at once. About four such chunks are in memory for each download.
const CHUNK_SIZE: usize = 128 * 1024;
/// `Cache-Control` of contents of attachments. The viewer may lose the permission, so the browser
/// must revalidate each time; the entity tag avoids a second transfer.
pub(super) const REVALIDATED: &str = "private, no-cache";
/// `Content-Security-Policy` of contents of attachments.
pub(super) const NO_SCRIPTS: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

/// A file to be sent.
pub struct Download {
    /// Its content.
    pub file: Content,
    /// The name under which it is saved.
    pub filename: String,
    /// Its media type, as stated by the user who uploaded it.
    pub content_type: String,
    /// An entity tag of letters and digits that changes with the content, such as a digest.
    pub tag: String,
}

/// The requested bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ByteRange {
    Full,
    /// From the first to the last byte, both included.
    Bytes(u64, u64),
    Unsatisfiable,
}

/// Returns the response to a request for this file.
pub fn respond(download: Download, parts: &Parts) -> Result<Response<Body>, Error> {
    let mut response = Response::new(Body::empty());
    let tag = format!("\"{}\"", download.tag);
    let length = download.file.length();
    let headers = response.headers_mut();
    set_header(headers, header::ETAG, &tag);
    set_header(headers, header::CACHE_CONTROL, REVALIDATED);
    if is_cached(&parts.headers, &tag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok(response);
    }
    set_header(headers, header::ACCEPT_RANGES, "bytes");
    let (from, count) = match byte_range(&parts.headers, &tag, length) {
        ByteRange::Full => (0, length),
        ByteRange::Bytes(first, last) => {
            set_header(
                headers,
                header::CONTENT_RANGE,
                &format!("bytes {first}-{last}/{length}"),
            );
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            (first, last - first + 1)
        }
        ByteRange::Unsatisfiable => {
            set_header(headers, header::CONTENT_RANGE, &format!("bytes */{length}"));
            *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
            return Ok(response);
        }
    };
    let headers = response.headers_mut();
    let kind = if is_media_type(&download.content_type) {
        download.content_type.as_str()
    } else {
        "application/octet-stream"
    };
    set_header(headers, header::CONTENT_TYPE, kind);
    set_header(headers, header::CONTENT_LENGTH, &count.to_string());
    set_header(
        headers,
        header::CONTENT_DISPOSITION,
        &disposition("attachment", &download.filename),
    );
    set_header(headers, header::CONTENT_SECURITY_POLICY, NO_SCRIPTS);
    if parts.method != Method::HEAD {
        let mut file = download.file;
        file.seek(SeekFrom::Start(from)).map_err(internal)?;
        *response.body_mut() = Body::from_stream(chunks(file, count));
    }
    Ok(response)
}

/// Reads `count` bytes from the current position of the file, chunk by chunk as they are sent; a
/// slow client blocks no thread. Fails at the end of the file, which ends the connection.
fn chunks(
    file: impl Read + Send + 'static,
    count: u64,
) -> impl Stream<Item = Result<Bytes, io::Error>> {
    stream::try_unfold((file, count), |(mut file, left)| async move {
        if left == 0 {
            return Ok(None);
        }
        let size = usize::try_from(left).unwrap_or(CHUNK_SIZE).min(CHUNK_SIZE);
        let read = tokio::task::spawn_blocking(move || {
            let mut chunk = vec![0; size];
            file.read_exact(&mut chunk)
                .map(|()| (Bytes::from(chunk), file))
        });
        let (chunk, file) = read.await.unwrap_or_else(|error| Err(io::Error::other(error))).inspect_err(|error| {
            tracing::warn!(error = %error, "a download ended early: the file was deleted meanwhile, or cannot be read");
        })?;
        Ok(Some((chunk, (file, left - size as u64))))
    })
}

/// Whether `If-None-Match` has this entity tag.
pub(super) fn is_cached(headers: &HeaderMap, tag: &str) -> bool {
    let tags = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    tags.split(',')
        .map(str::trim)
        .any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

/// Parses `Range` and `If-Range`. Several ranges and malformed ones select the full file, as the
/// RFC allows.
fn byte_range(headers: &HeaderMap, tag: &str, length: u64) -> ByteRange {
    if header_text(headers, header::IF_RANGE).is_some_and(|known| known != tag) {
        return ByteRange::Full;
    }
    let range = header_text(headers, header::RANGE);
    let range =
        range.and_then(|range| parse_range_header_with_max_ranges(range, NonZeroUsize::MIN).ok());
    match range.map(|range| range.validate(length)) {
        Some(Ok(ranges)) => ranges.first().map_or(ByteRange::Full, |bytes| {
            ByteRange::Bytes(*bytes.start(), *bytes.end())
        }),
        Some(Err(_)) => ByteRange::Unsatisfiable,
        None => ByteRange::Full,
    }
}

/// Returns `Content-Disposition` of this type (`inline` or `attachment`) with the name in ASCII for
/// old browsers, and exactly (RFC 6266).
pub fn disposition(kind: &str, name: &str) -> String {
    let ascii: String = name
        .chars()
        .map(|c| {
            if c == ' ' || (c.is_ascii_graphic() && !"\"\\%".contains(c)) {
                c
            } else {
                '_'
            }
        })
        .collect();
    let mut exact = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            exact.push(char::from(byte));
        } else {
            exact.push_str(&format!("%{byte:02X}"));
        }
    }
    format!("{kind}; filename=\"{ascii}\"; filename*=UTF-8''{exact}")
}

/// Returns the value of a header; empty if it is not text.
fn header_text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers
        .get(name)
        .map(|value| value.to_str().unwrap_or_default())
}

fn internal(error: io::Error) -> Error {
    Error::Internal(error.to_string())
}

/// Sets a header unless its value is invalid.
pub(super) fn set_header(headers: &mut HeaderMap, name: HeaderName, value: &str) {
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
    fn chunks_are_the_content_of_the_file() {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .build()
            .unwrap();
        let send = |length: usize, count: usize| {
            let mut file = tempfile::tempfile().unwrap();
            let content: Vec<u8> = (0..length).map(|index| (index % 251) as u8).collect();
            file.write_all(&content).unwrap();
            file.seek(SeekFrom::Start(0)).unwrap();
            let body = runtime.block_on(async {
                Body::from_stream(chunks(file, count as u64))
                    .collect()
                    .await
            });
            body.map(|body| body.to_bytes() == content[..count])
        };
        for count in [
            0,
            1,
            CHUNK_SIZE - 1,
            CHUNK_SIZE,
            CHUNK_SIZE + 1,
            3 * CHUNK_SIZE,
        ] {
            assert!(send(count + 10, count).unwrap(), "{count}");
        }
        assert!((0..3000).all(|_| send(11, 11).unwrap()));
        assert!(send(CHUNK_SIZE + 1, CHUNK_SIZE + 2).is_err());
    }

    fn parse(range: &str, if_range: Option<&str>) -> ByteRange {
        let mut headers = HeaderMap::new();
        set_header(&mut headers, header::RANGE, range);
        if let Some(tag) = if_range {
            set_header(&mut headers, header::IF_RANGE, tag);
        }
        byte_range(&headers, "\"t\"", 10)
    }

    #[test]
    fn single_range_is_parsed() {
        assert_eq!(parse("bytes=0-3", None), ByteRange::Bytes(0, 3));
        assert_eq!(parse("bytes=4-", None), ByteRange::Bytes(4, 9));
        assert_eq!(parse("bytes=8-99", Some("\"t\"")), ByteRange::Bytes(8, 9));
        assert_eq!(parse("bytes=-3", None), ByteRange::Bytes(7, 9));
        assert_eq!(parse("bytes=-99", None), ByteRange::Bytes(0, 9));
        assert_eq!(
            (parse("bytes=10-", None), parse("bytes=-0", None)),
            (ByteRange::Unsatisfiable, ByteRange::Unsatisfiable)
        );
        assert_eq!(parse("Bytes=0-3,", None), ByteRange::Bytes(0, 3));
        for malformed in [
            "bytes=3-1",
            "bytes=a-b",
            "bytes=-",
            "lines=0-1",
            "bytes=0-1,3-4",
            "bytes=0-1,30-",
            "bytes=30-,40-",
            "bytes=0-x",
            "bytes=+0-3",
        ] {
            assert_eq!(parse(malformed, None), ByteRange::Full, "{malformed}");
        }
        assert_eq!(parse("bytes=0-3", Some("\"other\"")), ByteRange::Full);
    }

    #[test]
    fn file_name_is_escaped_in_the_header() {
        assert_eq!(
            disposition("attachment", "engine-log.txt"),
            "attachment; filename=\"engine-log.txt\"; filename*=UTF-8''engine-log.txt"
        );
        assert_eq!(
            disposition("inline", "a\"\r\nb é.txt"),
            "inline; filename=\"a___b _.txt\"; filename*=UTF-8''a%22%0D%0Ab%20%C3%A9.txt"
        );
    }
}
