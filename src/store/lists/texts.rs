//! How much of the texts of records is read.

/// Texts of at most this number of bytes are always read.
const MAX_SHORT_BYTES: usize = 255;

/// How much of each text is read. Texts can have a megabyte, and lists many of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texts {
    /// Short ones; an ellipsis stands for each longer one, which is not read.
    Short,
    /// At most this number of characters of each.
    UpTo(usize),
}

impl Texts {
    /// Returns the SQL of a column with a text.
    pub(crate) fn column(self, column: &str) -> String {
        match self {
            Texts::Short => format!(
                "CASE WHEN octet_length({column}) > {MAX_SHORT_BYTES} THEN '…' ELSE {column} END"
            ),
            Texts::UpTo(chars) => format!("substr({column}, 1, {chars})"),
        }
    }
}
