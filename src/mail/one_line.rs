//! Words of a server or a program, for messages and logs.

/// Maximum number of characters of a text of a server.
const MAX_TEXT: usize = 500;

/// Returns the words of a server or a program as one line of a bounded length.
pub fn one_line(text: &str) -> String {
    let words = text
        .split(|c: char| c.is_control() || c.is_whitespace())
        .filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_TEXT).collect()
}
