//! Tables for spreadsheets (RFC 4180).

use crate::prelude::*;
use axum::http::header;
use encoding_rs::{EncoderResult, WINDOWS_1252};

/// The characters with which spreadsheets begin a formula, also in full width.
const FORMULA_CHARACTERS: [char; 11] =
    ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
/// The mark by which spreadsheets recognise UTF-8.
const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// The parameters of a table, which are no filters. `field_separator` is that of Redmine.
pub const PARAMETERS: [&str; 3] = ["separator", "field_separator", "encoding"];

/// The encoding of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    /// UTF-8 with a byte order mark, as Redmine writes it.
    Utf8WithMark,
    Latin1,
    Windows1252,
}

/// A table that is being written.
pub struct CsvTable {
    text: String,
    separator: char,
    encoding: Encoding,
}

impl CsvTable {
    /// Starts a table with this header.
    ///
    /// The parameter `separator` is `comma`, `semicolon`, `tab` or the character; `encoding` is
    /// `utf-8` or `utf-8-bom`, both with a byte order mark, `iso-8859-1` or `cp1252`, in which other
    /// characters become `?`. Without it the table is in UTF-8 without the mark.
    ///
    /// # Errors
    /// `Invalid` for other values.
    pub fn new(
        request: &RequestContext,
        header: impl Iterator<Item = String>,
    ) -> Result<CsvTable, Error> {
        let param = |name: &str| request.query_param(name).unwrap_or_default();
        let mut errors = ValidationErrors::new();
        let mut separator = ',';
        for name in ["separator", "field_separator"] {
            match param(name).to_lowercase().as_str() {
                "" => {}
                "comma" | "," => separator = ',',
                "semicolon" | ";" => separator = ';',
                "tab" | "\t" => separator = '\t',
                _ => errors.add(name, name, "must be comma, semicolon or tab"),
            }
        }
        let encoding = match param("encoding").to_lowercase().as_str() {
            "" => Encoding::Utf8,
            "utf-8" | "utf8" | "utf-8-bom" => Encoding::Utf8WithMark,
            "iso-8859-1" | "latin1" => Encoding::Latin1,
            "cp1252" | "windows-1252" => Encoding::Windows1252,
            _ => {
                let problem = "must be UTF-8, ISO-8859-1 or CP1252";
                errors.add("encoding", "encoding", problem);
                Encoding::Utf8
            }
        };
        errors.into_result().map_err(Error::Invalid)?;
        let mut table = CsvTable {
            text: String::new(),
            separator,
            encoding,
        };
        table.push_row(header);
        Ok(table)
    }

    /// Starts a table with commas, in UTF-8, without a row.
    pub fn empty() -> CsvTable {
        CsvTable {
            text: String::new(),
            separator: ',',
            encoding: Encoding::Utf8,
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
        let (content_type, bytes) = match self.encoding {
            Encoding::Latin1 => ("text/csv; charset=iso-8859-1", to_latin_1(&text)),
            Encoding::Windows1252 => ("text/csv; charset=windows-1252", to_windows_1252(&text)),
            Encoding::Utf8WithMark => {
                let mut bytes = BYTE_ORDER_MARK.to_vec();
                bytes.extend_from_slice(text.as_bytes());
                ("text/csv; charset=utf-8", bytes)
            }
            Encoding::Utf8 => ("text/csv; charset=utf-8", text.into_bytes()),
        };
        Reply::document(content_type, bytes).with_header(
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{filename}\""),
        )
    }
}

/// Writes a cell (RFC 4180). What a spreadsheet would run as a formula gets an apostrophe before it,
/// also within the cell after a character that may count as separator or end of a row. Items of lists
/// at the beginning of a line are no formulas.
fn write_cell(text: &mut String, separator: char, cell: &str) {
    let is_number = cell.parse::<f64>().is_ok_and(f64::is_finite);
    let needs_quotes = |c| matches!(c, '"' | '\n' | '\r' | ',' | ';' | '\t') || c == separator;
    let is_quoted = cell.contains(needs_quotes) || cell.starts_with(' ');
    if is_quoted {
        text.push('"');
    }
    let mut before = if is_number { None } else { Some(',') };
    let mut chars = cell.chars().peekable();
    while let Some(c) = chars.next() {
        let starts_formula = match before {
            Some(',' | ';' | '\t') => FORMULA_CHARACTERS.contains(&c),
            Some('\n' | '\r') => {
                let is_item = matches!(c, '-' | '+') && chars.peek() == Some(&' ');
                !is_item && FORMULA_CHARACTERS.contains(&c) && !c.is_whitespace()
            }
            _ => false,
        };
        if starts_formula {
            text.push('\'');
        }
        before = Some(c);
        if c == '"' {
            text.push('"');
        }
        text.push(c);
    }
    if is_quoted {
        text.push('"');
    }
}

fn to_latin_1(text: &str) -> Vec<u8> {
    let bytes = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'));
    bytes.collect()
}

fn to_windows_1252(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut encoder = WINDOWS_1252.new_encoder();
    let mut rest = text;
    loop {
        let mut buffer = [0; 4096];
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(rest, &mut buffer, true);
        bytes.extend_from_slice(&buffer[..written]);
        rest = &rest[read..];
        match result {
            EncoderResult::InputEmpty => return bytes,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(_) => bytes.push(b'?'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_formulas_guarded() {
        let cases = [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("a;b", "\"a;b\""),
            ("a;=1+1", "\"a;'=1+1\""),
            ("a\t-b", "\"a\t'-b\""),
            ("a,=1+1", "\"a,'=1+1\""),
            ("a\n=1+1", "\"a\n'=1+1\""),
            ("a\r\n@x", "\"a\r\n'@x\""),
            ("a\n\n- item\n-1", "\"a\n\n- item\n'-1\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-1.5", "-1.5"),
            ("-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"),
            ("＝1+1", "'＝1+1"),
            ("\n=1", "\"'\n'=1\""),
            ("+\"a\"", "\"'+\"\"a\"\"\""),
            ("", ""),
        ];
        for (cell, expected) in cases {
            let mut text = String::new();
            write_cell(&mut text, ',', cell);
            assert_eq!(text, expected);
        }
        assert_eq!(to_latin_1("é水"), [0xE9, b'?']);
        assert_eq!(to_windows_1252("é€水"), [0xE9, 0x80, b'?']);
    }
}
