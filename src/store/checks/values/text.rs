//! Values as text in findings.

use crate::engine::{ColumnType, ColumnValue};
use quarry_domain::values::text::shorten;

/// Maximum number of characters of a value.
const MAX_CHARS: usize = 40;
/// Maximum number of bytes of a value that is not text.
const MAX_BYTES: usize = 8;

/// Columns with secrets, besides those whose names end with `_sealed` or `_digest`. Settings and values
/// of custom fields, also in histories, can be secrets, too.
const SECRETS: [&str; 9] = [
    "changes_json",
    "data_json",
    "digest",
    "key",
    "new_value",
    "old_value",
    "password_hash",
    "token",
    "value",
];

/// Whether findings leave the values of the column out.
pub(super) fn is_secret(column: &ColumnType) -> bool {
    let name = column.column.as_str();
    SECRETS.contains(&name) || name.ends_with("_sealed") || name.ends_with("_digest")
}

/// Returns a value in the notation of SQL, shortened.
pub(super) fn describe(value: ColumnValue<'_>) -> String {
    match value {
        ColumnValue::Null => "NULL".to_owned(),
        ColumnValue::Integer(number) => number.to_string(),
        ColumnValue::Real(number) => number.to_string(),
        ColumnValue::Text(bytes) => {
            format!("'{}'", shorten(&String::from_utf8_lossy(bytes), MAX_CHARS))
        }
        ColumnValue::Blob(bytes) => {
            let more = if bytes.len() > MAX_BYTES { "…" } else { "" };
            let shown = &bytes[..bytes.len().min(MAX_BYTES)];
            format!("x'{}{more}'", hex::encode(shown))
        }
    }
}
