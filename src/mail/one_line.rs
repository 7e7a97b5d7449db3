//! Replies of servers and programs, for messages and logs.

/// Maximum number of characters of a reply.
const MAX_TEXT: usize = 500;

/// Returns the reply of a server or a program as one line of at most `MAX_TEXT` characters.
pub fn one_line(text: &str) -> String {
    let words = text
        .split(|c: char| c.is_control() || c.is_whitespace())
        .filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_TEXT).collect()
}
