//! Users, groups and the anonymous user share a table, as they do there; addresses, preferences and keys come from others.

use crate::domain::clock::SystemEntropy;
use crate::domain::password;
use crate::import::field::{Asked, How, may, must, number, text};
use crate::import::noun::{Hashed, Many, Noun, Takes, patch, rows, set};
use crate::import::{seal, yaml};
use crate::store::{StoreError, Value};

const TYPES: &[&str] = &["User", "Group", "AnonymousUser", "GroupAnonymous", "GroupNonMember"];

pub const ALL: &[Noun] = &[
    rows(
        "auth_sources",
        "auth_sources",
        &[
            must("type", How::Text),
            must("name", How::Text),
            may("host", How::Text),
            may("port", How::Whole),
            may("account", How::Text),
            may("account_password", How::Made(seal::sealed)).to("account_password_sealed"),
            may("base_dn", How::Text),
            may("attr_login", How::Text),
            may("attr_firstname", How::Text),
            may("attr_lastname", How::Text),
            may("attr_mail", How::Text),
            number("onthefly_register", How::Switch, 0),
            number("tls", How::Switch, 0),
            number("verify_peer", How::Switch, 1),
            may("filter", How::Text),
            may("timeout", How::Whole),
        ],
    ),
    rows(
        "users",
        "users",
        &[
            must("type", How::Text),
            text("login", ""),
            text("firstname", ""),
            text("lastname", ""),
            number("admin", How::Switch, 0),
            number("status", How::Whole, 1),
            text("language", ""),
            may("auth_source_id", How::Ref("auth_sources")),
            text("mail_notification", ""),
            number("must_change_passwd", How::Switch, 0),
            number("created_on", How::Instant, 0),
            number("updated_on", How::Instant, 0),
            may("passwd_changed_on", How::Instant),
            may("twofa_scheme", How::Text),
            number("twofa_required", How::Switch, 0),
            may("twofa_totp_key", How::Made(seal::sealed)).to("twofa_totp_key_sealed"),
            may("twofa_totp_last_used_at", How::Whole),
        ],
    )
    .takes(Takes::OneOf("type", TYPES))
    .names(),
    PASSWORDS,
    rows(
        "email_addresses",
        "email_addresses",
        &[
            must("user_id", How::Ref("users")),
            must("address", How::Text),
            number("is_default", How::Switch, 0),
            number("notify", How::Switch, 1),
            number("created_on", How::Instant, 0),
            number("updated_on", How::Instant, 0),
        ],
    ),
    patch("email_addresses (default)", "email_addresses", "user_id", "users", &[text("address", "").to("mail")])
        .takes(Takes::On("is_default"))
        .names(),
    patch(
        "user_preferences",
        "user_preferences",
        "user_id",
        "users",
        &[number("hide_mail", How::Switch, 1).to("hides_mail"), text("time_zone", ""), may("others", How::Yaml).to("preferences_json")],
    )
    .names(),
    patch(
        "tokens (api)",
        "tokens",
        "user_id",
        "users",
        &[may("value", How::Made(seal::looked_up)).to("api_key_digest"), may("value", How::Made(seal::sealed)).to("api_key_sealed")],
    )
    .takes(Takes::OneOf("action", &["api"]))
    .names(),
];

/// Passwords, apart from the rest of the users because logging in changes them.
pub const PASSWORDS: Noun = patch(
    "users (passwords)",
    "users",
    "id",
    "users",
    &[text("hashed_password", "").made(hash).to("password_hash").with(&["salt"]), may("last_login_on", How::Instant)],
)
.takes(Takes::OneOf("type", TYPES))
.names()
.hashed(Hashed { to: "password_hash", identify, hash: wrap });

/// After the projects.
pub const BOOKMARKS: Noun = Noun {
    many: Some(Many { from: "others", to: "project_id", make: bookmarks }),
    members: 1,
    ..set(("user_preferences", "user_id"), ("bookmarks", "user_id"), "users", &[]).label("user_preferences (bookmarks)").names()
};

fn hash(asked: &Asked<'_>) -> Result<Value, String> {
    Ok(password::of_redmine(&asked.row.text("salt")?, &asked.row.text("hashed_password")?).into())
}

fn identify(hash: &Value) -> Value {
    match hash {
        Value::Text(hash) => password::salt_of_redmine(hash).into(),
        other => other.clone(),
    }
}

fn wrap(hash: &Value) -> Result<Value, StoreError> {
    let Value::Text(hash) = hash else { return Ok(hash.clone()) };
    password::wrap(hash, &SystemEntropy).map(Value::Text).map_err(|error| StoreError::Secret(error.to_string()))
}

/// Bookmarks of projects that are gone are no use to anybody, and nobody's mistake.
fn bookmarks(asked: &Asked<'_>) -> Result<Vec<Value>, String> {
    let listed = yaml::entry(&asked.row.text("others")?, "bookmarked_project_ids")?.unwrap_or_default();
    let numbers = listed.split(',').filter_map(|number| number.trim().parse().ok());
    Ok(numbers.filter(|number| asked.known.has("projects", *number)).map(Value::Int).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::made;
    use super::*;
    use crate::import::source::Cell;

    #[test]
    fn a_hash_keeps_its_salt_and_none_is_none() {
        let text = |text: &str| Cell::Text(text.to_owned());
        assert_eq!(made(hash, &[("hashed_password", text("abc")), ("salt", text("s"))]), Ok("redmine-sha1$s$abc".into()));
        assert_eq!(made(hash, &[("hashed_password", text("")), ("salt", Cell::Null)]), Ok("".into()));
    }

    #[test]
    fn bookmarks_of_projects_that_are_gone_do_not_count() {
        let others = Cell::Text("---\n:bookmarked_project_ids: '1,99, x'\n".to_owned());
        let list = |asked: &Asked<'_>| bookmarks(asked).map(|list| Value::Int(list.len() as i64));
        assert_eq!(made(list, &[("others", others)]), Ok(Value::Int(1)));
        assert_eq!(made(list, &[("others", Cell::Null)]), Ok(Value::Int(0)));
    }
}
