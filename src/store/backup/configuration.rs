//! The comments of a configuration file, which may have passwords that no check recognizes.

/// Returns a TOML text with the same values and no comments; `None` if it has no `#`, be it in a comment or in
/// a value.
///
/// # Errors
/// If the text is not valid.
pub fn without_comments(text: &str) -> Result<Option<String>, toml::de::Error> {
    let table: toml::Table = text.parse()?;
    Ok(text.contains('#').then(|| table.to_string()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::without_comments;

    #[test]
    fn comments_are_removed_and_values_are_kept() {
        let text = "# secret\na = 1 # secret\nb = 'x#y'\n[limits]\nmax_connections = 2000\n";
        let uncommented = without_comments(text).unwrap().unwrap();
        assert!(!uncommented.contains("secret"), "{uncommented}");
        let values: toml::Table = text.parse().unwrap();
        assert_eq!(uncommented.parse::<toml::Table>().unwrap(), values);
        assert_eq!(without_comments("a = 1\n").unwrap(), None);
        let with_sign = without_comments("b = 'x#y'\n").unwrap();
        assert_eq!(with_sign.as_deref(), Some("b = \"x#y\"\n"));
        assert!(without_comments("a = '\n").is_err());
    }
}
