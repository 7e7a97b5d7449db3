//! Cookies of a request (RFC 6265 section 4.2).

use axum::http::{HeaderMap, header};

/// Returns the value of the first cookie with this name.
pub fn find<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let lists = headers.get_all(header::COOKIE).into_iter();
    // Cookies of other services on the host name can have any bytes.
    let cookies = lists.flat_map(|list| list.as_bytes().split(|byte| *byte == b';'));
    let texts = cookies.filter_map(|cookie| std::str::from_utf8(cookie).ok());
    let mut cookies = texts.filter_map(|cookie| cookie.trim().split_once('='));
    cookies
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn cookie_is_found_by_its_whole_name() {
        let mut headers = HeaderMap::new();
        headers.append(
            header::COOKIE,
            HeaderValue::from_static("atheme=x; theme=dark;a=b=c"),
        );
        headers.append(header::COOKIE, HeaderValue::from_static("flash=1"));
        let foreign = HeaderValue::from_bytes(b"city=Z\xfcrich; own=2").unwrap();
        headers.append(header::COOKIE, foreign);
        assert_eq!(find(&headers, "own"), Some("2"));
        assert_eq!(find(&headers, "theme"), Some("dark"));
        assert_eq!(find(&headers, "a"), Some("b=c"));
        assert_eq!(find(&headers, "flash"), Some("1"));
        assert_eq!(find(&headers, "me"), None);
    }
}
