//! The addresses of pictures at Gravatar (compatibility 11.1).

use md5::{Digest, Md5};

/// Returns the address of the picture of a mail address. `default` is what Gravatar shows without a
/// picture; empty for its own default.
pub fn url(mail: &str, default: &str) -> String {
    let digest = hex::encode(Md5::digest(mail.trim().to_lowercase()));
    let query = if default.is_empty() {
        String::new()
    } else {
        format!("?default={default}")
    };
    format!("https://www.gravatar.com/avatar/{digest}{query}")
}

#[cfg(test)]
mod tests {
    use super::url;

    #[test]
    fn digest_ignores_case_and_white_space() {
        // The MD5 of "alice@example.net".
        let expected = "https://www.gravatar.com/avatar/45da67db8d78a92d35f0f5f194328b94";
        assert_eq!(url(" Alice@Example.NET ", ""), expected);
        assert_eq!(
            url("alice@example.net", "identicon"),
            format!("{expected}?default=identicon")
        );
    }
}
