//! Settings, kept as they are; `import::settings` applies those that Quarry supports.

use crate::field::{ColumnType, optional, required};
use crate::table_mapping::{TableMapping, rows};

pub const ALL: &[TableMapping] = &[rows(
    "settings",
    "redmine_settings",
    &[
        required("name", ColumnType::Text),
        optional("value", ColumnType::Text),
        optional("updated_on", ColumnType::Timestamp),
    ],
)];
