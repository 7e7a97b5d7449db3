//! Users, groups and the anonymous user, which share a table as in Redmine; email addresses,
//! preferences and API keys.

use crate::field::{ColumnType, FieldContext, optional, required, text, with_default};
use crate::table_mapping::{
    HashedColumn, MultiValue, RowFilter, TableMapping, owned_rows, patch, rows,
};
use crate::{secrets, yaml};
use quarry_domain::accounts::password;
use quarry_domain::clock::SystemEntropy;
use quarry_domain::ids::UserId;
use quarry_store::accounts::sessions;
use quarry_store::{StoreError, Value, Write};

const TYPES: &[&str] = &[
    "User",
    "Group",
    "AnonymousUser",
    "GroupAnonymous",
    "GroupNonMember",
];

pub const ALL: &[TableMapping] = &[
    rows(
        "auth_sources",
        "auth_sources",
        &[
            required("type", ColumnType::Text),
            required("name", ColumnType::Text),
            optional("host", ColumnType::Text),
            optional("port", ColumnType::Integer),
            optional("account", ColumnType::Text),
            optional("account_password", ColumnType::Custom(secrets::seal))
                .to("account_password_sealed"),
            optional("base_dn", ColumnType::Text),
            optional("attr_login", ColumnType::Text),
            optional("attr_firstname", ColumnType::Text),
            optional("attr_lastname", ColumnType::Text),
            optional("attr_mail", ColumnType::Text),
            with_default("onthefly_register", ColumnType::Boolean, 0),
            with_default("tls", ColumnType::Boolean, 0),
            with_default("verify_peer", ColumnType::Boolean, 1),
            optional("filter", ColumnType::Text),
            optional("timeout", ColumnType::Integer),
        ],
    ),
    rows(
        "users",
        "users",
        &[
            required("type", ColumnType::Text),
            text("login", ""),
            text("firstname", ""),
            text("lastname", ""),
            with_default("admin", ColumnType::Boolean, 0),
            with_default("status", ColumnType::Integer, 1),
            text("language", ""),
            optional("auth_source_id", ColumnType::Ref("auth_sources")),
            text("mail_notification", ""),
            with_default("must_change_passwd", ColumnType::Boolean, 0),
            with_default("created_on", ColumnType::Timestamp, 0),
            with_default("updated_on", ColumnType::Timestamp, 0),
            optional("passwd_changed_on", ColumnType::Timestamp),
            optional("twofa_scheme", ColumnType::Text),
            with_default("twofa_required", ColumnType::Boolean, 0),
            optional("twofa_totp_key", ColumnType::Custom(secrets::seal))
                .to("twofa_totp_key_sealed"),
            optional("twofa_totp_last_used_at", ColumnType::Integer),
        ],
    )
    .filter(RowFilter::In("type", TYPES))
    .in_catalogue(),
    PASSWORDS,
    rows(
        "email_addresses",
        "email_addresses",
        &[
            required("user_id", ColumnType::Ref("users")),
            required("address", ColumnType::Text),
            with_default("is_default", ColumnType::Boolean, 0),
            with_default("notify", ColumnType::Boolean, 1),
            with_default("created_on", ColumnType::Timestamp, 0),
            with_default("updated_on", ColumnType::Timestamp, 0),
        ],
    ),
    patch(
        "email_addresses (default)",
        "email_addresses",
        "user_id",
        "users",
        &[text("address", "").to("mail")],
    )
    .filter(RowFilter::IsTrue("is_default"))
    .in_catalogue(),
    patch(
        "user_preferences",
        "user_preferences",
        "user_id",
        "users",
        &[
            with_default("hide_mail", ColumnType::Boolean, 1).to("hides_mail"),
            text("time_zone", ""),
            optional("others", ColumnType::Yaml).to("preferences_json"),
        ],
    )
    .in_catalogue(),
    patch(
        "tokens (api)",
        "tokens",
        "user_id",
        "users",
        &[
            optional("value", ColumnType::Custom(secrets::digest_api_key)).to("api_key_digest"),
            optional("value", ColumnType::Custom(secrets::seal)).to("api_key_sealed"),
        ],
    )
    .filter(RowFilter::In("action", &["api"]))
    .in_catalogue(),
];

/// Passwords, apart from the other columns of users because logging in changes them.
const PASSWORDS: TableMapping = patch(
    "users (passwords)",
    "users",
    "id",
    "users",
    &[
        text("hashed_password", "")
            .custom(legacy_hash)
            .to("password_hash")
            .also_reads(&["salt"]),
        optional("last_login_on", ColumnType::Timestamp),
    ],
)
.filter(RowFilter::In("type", TYPES))
.in_catalogue()
.hashed_column(HashedColumn {
    to: "password_hash",
    identify,
    hash: wrap,
    on_update: end_sessions,
});

/// Bookmarked projects; imported after the projects.
pub const BOOKMARKS: TableMapping = TableMapping {
    multi_value: Some(MultiValue {
        from: "others",
        to: "project_id",
        position: None,
        split: bookmarks,
    }),
    key_columns: 1,
    ..owned_rows(
        ("user_preferences", "user_id"),
        ("bookmarks", "user_id"),
        "users",
        &[],
    )
    .label("user_preferences (bookmarks)")
    .in_catalogue()
};

/// Returns Redmine's salted SHA-1 in our notation.
fn legacy_hash(context: &FieldContext<'_>) -> Result<Value, String> {
    Ok(password::from_redmine(
        &context.row.text("salt")?,
        &context.row.text("hashed_password")?,
    )
    .into())
}

/// Returns the salt, which differs when the password has changed.
fn identify(hash: &Value) -> Value {
    match hash {
        Value::Text(hash) => password::redmine_salt(hash).into(),
        other => other.clone(),
    }
}

/// Ends the sessions of a user whose password has changed. The same password has another hash each
/// time, but the same salt.
fn end_sessions(
    db: &mut Write<'_>,
    user: i64,
    before: &Value,
    after: &Value,
) -> Result<(), StoreError> {
    if salt(before) == salt(after) {
        Ok(())
    } else {
        sessions::delete_of_user(db, UserId(user)).map(drop)
    }
}

fn salt(hash: &Value) -> &str {
    match hash {
        Value::Text(hash) => password::wrapped_salt(hash),
        _ => "",
    }
}

/// Wraps the hash in argon2.
fn wrap(hash: &Value) -> Result<Value, StoreError> {
    let Value::Text(hash) = hash else {
        return Ok(hash.clone());
    };
    password::wrap(hash, &SystemEntropy)
        .map(Value::Text)
        .map_err(|error| StoreError::Secret(error.to_string()))
}

/// Returns the ids of bookmarked projects. Those of deleted projects are ignored without a report.
fn bookmarks(context: &FieldContext<'_>) -> Result<Vec<Value>, String> {
    let list = yaml::map_value(&context.row.text("others")?, "bookmarked_project_ids")?
        .unwrap_or_default();
    let ids = list.split(',').filter_map(|id| id.trim().parse().ok());
    Ok(ids
        .filter(|id| context.ids.contains("projects", *id))
        .map(Value::Int)
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::convert_row;
    use crate::source::Cell;

    #[test]
    fn hashes_keep_their_salt_and_empty_ones_stay_empty() {
        for (hash, salt, expected) in [
            ("abc", Cell::Text("s".to_owned()), "redmine-sha1$s$abc"),
            ("", Cell::Null, ""),
        ] {
            let row = [
                ("hashed_password", Cell::Text(hash.to_owned())),
                ("salt", salt),
            ];
            assert_eq!(convert_row(legacy_hash, &row), Ok(expected.into()));
        }
    }

    fn count_bookmarks(context: &FieldContext<'_>) -> Result<Value, String> {
        Ok(Value::Int(bookmarks(context)?.len() as i64))
    }

    #[test]
    fn bookmarks_of_deleted_projects_are_ignored() {
        let others = Cell::Text("---\n:bookmarked_project_ids: '1,99, x'\n".to_owned());
        for (others, count) in [(others, 1), (Cell::Null, 0)] {
            let counted = convert_row(count_bookmarks, &[("others", others)]);
            assert_eq!(counted, Ok(Value::Int(count)));
        }
    }
}
