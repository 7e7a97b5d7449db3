//! Templates are read as other code: no line is wider than an editor shows.

use super::source::Source;

/// Maximum number of characters of a line.
const MAX_COLUMNS: usize = 120;

/// Returns the lines that are wider.
pub fn violations(templates: &[Source]) -> Vec<String> {
    let lines = templates.iter().flat_map(|template| {
        let lines = template.text.lines().zip(1..);
        lines.map(|(line, number)| (&template.path, number, line.chars().count()))
    });
    lines
        .filter(|(_, _, columns)| *columns > MAX_COLUMNS)
        .map(|(path, number, columns)| {
            format!("{path}:{number} has {columns} columns, more than {MAX_COLUMNS}")
        })
        .collect()
}
