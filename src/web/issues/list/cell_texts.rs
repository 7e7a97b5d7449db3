//! Texts of cells, cut to what a row can show.

use quarry_markup::strip::strip;

/// Maximum number of characters of a long text.
const MAX_CHARS: usize = 200;
/// Maximum number of files, related issues or watchers in a cell.
pub const MAX_ITEMS: usize = 10;

/// Returns the beginning of a text without its markup; `None` if it is empty.
pub fn long_text(text: Option<&str>) -> Option<String> {
    let text = text.unwrap_or_default();
    // Includes space for markup; more is not needed for the characters that are shown.
    let beginning: String = text.chars().take(8 * MAX_CHARS).collect();
    let plain = strip(&beginning);
    let mut short: String = plain.trim().chars().take(MAX_CHARS).collect();
    if short.chars().count() == MAX_CHARS {
        short.push('…');
    }
    (!short.is_empty()).then_some(short)
}

/// Joins the first names.
pub fn join(names: impl Iterator<Item = String>) -> String {
    let mut names: Vec<String> = names.take(MAX_ITEMS + 1).collect();
    if names.len() > MAX_ITEMS {
        names[MAX_ITEMS] = "…".to_owned();
    }
    names.join(", ")
}
