//! Members of groups; the groups themselves are rows of the users table.

use crate::field::{ColumnType, required};
use crate::table_mapping::{TableMapping, owned_rows};

pub const ALL: &[TableMapping] = &[owned_rows(
    ("groups_users", "group_id"),
    ("group_users", "group_id"),
    "users",
    &[required("user_id", ColumnType::Ref("users"))],
)
.in_catalogue()];
