//! Memberships and their roles. Roles inherited from a group or a parent project are computed here
//! when they are needed; the inherited roles of the source are kept in a table of their own, with
//! their ids. The ids of the source are the order of the roles. A role that is inherited from one that
//! does not exist is one of the membership itself: nothing could give it to the member here.

use crate::field::{ColumnType, required, to_integer, with_default};
use crate::source::{Source, SourceError};
use crate::table_mapping::{ProvisionalRows, RowFilter, TableMapping, owned_rows, rows};
use quarry_store::accounts::memberships;
use quarry_store::{StoreError, Value, Write};
use std::collections::HashSet;

pub const ALL: &[TableMapping] = &[
    rows(
        "members",
        "members",
        &[
            required("project_id", ColumnType::Ref("projects")),
            required("user_id", ColumnType::Ref("users")),
            with_default("created_on", ColumnType::Timestamp, 0),
            with_default("mail_notification", ColumnType::Boolean, 0),
        ],
    )
    .provisional(ProvisionalRows {
        ids: memberships::inherited_ids,
        make_way,
    })
    .in_catalogue(),
    owned_rows(
        ("member_roles", "member_id"),
        ("member_roles", "member_id"),
        "members",
        &[
            required("role_id", ColumnType::Ref("roles")),
            required("id", ColumnType::Integer).to("position"),
        ],
    )
    .identified_by(1)
    .filter(RowFilter::NotInherited("inherited_from"))
    .in_catalogue(),
    rows(
        "member_roles",
        "inherited_member_roles",
        &[
            required("member_id", ColumnType::Ref("members")),
            required("role_id", ColumnType::Ref("roles")),
            required("inherited_from", ColumnType::Integer),
        ],
    )
    .label("member_roles (inherited)")
    .filter(RowFilter::Inherited("inherited_from")),
];

/// Returns the ids of the roles of memberships in the source.
pub fn role_ids(source: &mut Source) -> Result<HashSet<i64>, SourceError> {
    if !source.has_column("member_roles", "id") {
        return Ok(HashSet::new());
    }
    let ids = source.column("member_roles", "id")?;
    Ok(ids.iter().filter_map(to_integer).collect())
}

/// Deletes the inherited membership made here that a membership of the source replaces: it has the
/// same project and user, or the same id.
fn make_way(db: &mut Write<'_>, id: i64, row: &[Value]) -> Result<(), StoreError> {
    match row {
        [project, principal, ..] => {
            memberships::delete_inherited(db, id, project.clone(), principal.clone())
        }
        _ => Ok(()),
    }
}
