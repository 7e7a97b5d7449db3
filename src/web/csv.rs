//! Tables for spreadsheets (RFC 4180).

use axum::http::header;
use quarry_http::{Reply, RequestContext};

/// The characters with which spreadsheets begin a formula, also in full width.
const FORMULA_CHARACTERS: [char; 11] =
    ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
/// The mark by which spreadsheets recognise UTF-8.
const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// The parameters of a table, which are no filters.
pub const PARAMETERS: [&str; 2] = ["separator", "encoding"];

/// A table that is being written.
pub struct CsvTable {
    text: String,
    separator: char,
    encoding: String,
}

impl CsvTable {
    /// Starts a table with this header.
    ///
    /// The parameter `separator` is `comma`, `semicolon` or `tab`; `encoding` is `utf-8`,
    /// `utf-8-bom` or `iso-8859-1`, in which other characters become `?`.
    pub fn new(request: &RequestContext, header: impl Iterator<Item = String>) -> CsvTable {
        let param = |name: &str| request.query_param(name).unwrap_or_default();
        let separator = match param("separator").as_ref() {
            "semicolon" => ';',
            "tab" => '\t',
            _ => ',',
        };
        let mut table = CsvTable {
            text: String::new(),
            separator,
            encoding: param("encoding").into_owned(),
        };
        table.push_row(header);
        table
    }

    /// Starts a table with commas, in UTF-8, without a row.
    pub fn empty() -> CsvTable {
        CsvTable {
            text: String::new(),
            separator: ',',
            encoding: String::new(),
        }
    }

    /// Returns the rows as text.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Adds a row.
    pub fn push_row(&mut self, cells: impl Iterator<Item = String>) {
        for (index, cell) in cells.enumerate() {
            if index > 0 {
                self.text.push(self.separator);
            }
            write_cell(&mut self.text, self.separator, &cell);
        }
        self.text.push_str("\r\n");
    }

    /// Returns the table as a file with this name.
    pub fn reply(self, filename: &str) -> Reply {
        let text = self.text;
        let (content_type, bytes) = match self.encoding.as_str() {
            "iso-8859-1" => ("text/csv; charset=iso-8859-1", to_latin_1(&text)),
            "utf-8-bom" => {
                let mut bytes = BYTE_ORDER_MARK.to_vec();
                bytes.extend_from_slice(text.as_bytes());
                ("text/csv; charset=utf-8", bytes)
            }
            _ => ("text/csv; charset=utf-8", text.into_bytes()),
        };
        Reply::document(content_type, bytes).with_header(
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{filename}\""),
        )
    }
}

/// Writes a cell (RFC 4180). What a spreadsheet would run as a formula gets an apostrophe before it.
fn write_cell(text: &mut String, separator: char, cell: &str) {
    let is_number = cell.parse::<f64>().is_ok_and(f64::is_finite);
    let guard = if cell.starts_with(FORMULA_CHARACTERS) && !is_number {
        "'"
    } else {
        ""
    };
    if cell.contains(['"', '\n', '\r', separator]) || cell.starts_with(' ') {
        text.push('"');
        text.push_str(guard);
        text.push_str(&cell.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(guard);
        text.push_str(cell);
    }
}

fn to_latin_1(text: &str) -> Vec<u8> {
    let bytes = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'));
    bytes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_formulas_guarded() {
        let cases = [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("a;b", "a;b"),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-1.5", "-1.5"),
            ("-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"),
            ("＝1+1", "'＝1+1"),
            ("\n=1", "\"'\n=1\""),
            ("+\"a\"", "\"'+\"\"a\"\"\""),
            ("", ""),
        ];
        for (cell, expected) in cases {
            let mut text = String::new();
            write_cell(&mut text, ',', cell);
            assert_eq!(text, expected);
        }
        assert_eq!(to_latin_1("é水"), [0xE9, b'?']);
    }
}
