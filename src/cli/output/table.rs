//! Text tables.

use quarry_domain::values::text::escape_controls;
use std::borrow::Cow;
use std::io::Write;

/// Maximum width of a column. A longer cell moves the rest of its row.
const MAX_WIDTH: usize = 100;

/// Writes rows with aligned columns, separated by two spaces, without trailing spaces. Users choose
/// names: characters that control a terminal are escaped.
pub fn write<const N: usize>(out: &mut dyn Write, rows: &[[String; N]]) -> std::io::Result<()> {
    let rows: Vec<[Cow<'_, str>; N]> = rows
        .iter()
        .map(|row| row.each_ref().map(|cell| escape_controls(cell)))
        .collect();
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count().min(MAX_WIDTH));
        }
    }
    for row in &rows {
        let cells: Vec<String> = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn cells_control_no_terminal() {
        let mut out = Vec::new();
        let row = ["a\nb\u{1b}[2K\u{9b}", "\u{202e}c\u{2028}"].map(str::to_owned);
        super::write(&mut out, &[row]).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "a\\nb\\u{1b}[2K\\u{9b}  \\u{202e}c\\u{2028}\n"
        );
    }

    #[test]
    fn long_cell_does_not_widen_the_table() {
        let mut out = Vec::new();
        let long = "x".repeat(70_000);
        super::write(&mut out, &[[long.clone(), "1".to_owned()]]).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), format!("{long}  1\n"));
    }

    #[test]
    fn columns_are_aligned() {
        let mut out = Vec::new();
        let rows = [["id", "login"], ["1", "ädmin"], ["100", ""]].map(|row| row.map(str::to_owned));
        super::write(&mut out, &rows).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "id   login\n1    ädmin\n100\n"
        );
    }
}
