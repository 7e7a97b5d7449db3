//! The fields by which administrators filter and sort the list of users (compatibility 11.1).

use super::criterion::{Criterion, criteria, split};
use super::filter::FilterType::{List, OptionalChoice, OptionalList, PastDate, Text};
use super::filter::{self, FilterField, Records};
use super::filter_field::filter_fields;
use crate::accounts::user::User;
use crate::administration::custom_field::Customized;
use crate::catalogue::Catalogue;
use crate::ids::{CustomFieldId, UserId};
use crate::values::stable_sort::StableSort;
use jiff::Timestamp;
use std::cmp::Ordering;
use std::collections::HashMap;

/// One condition on a user.
pub type Condition = filter::Condition<Field>;

filter_fields! {
    /// A field of a user by which the list can be filtered.
    pub enum Field;
    "User" {
        /// The code of the status.
        Status       "status"         "Status"                    List(Records::Unnamed);
        Login        "login"          "Login"                     Text;
        Firstname    "firstname"      "First name"                Text;
        Lastname     "lastname"       "Last name"                 Text;
        Mail         "mail"           "Email"                     Text;
        /// Whether the user is an administrator: 1 or 0.
        Admin        "admin"          "Administrator"             List(Records::Unnamed);
        TwofaScheme  "twofa_scheme"   "Two-factor authentication" OptionalChoice(Records::Unnamed);
        /// The directory of an imported user.
        AuthSource   "auth_source_id" "Authentication mode"       OptionalList(Records::Unnamed);
        CreatedOn    "created_on"     "Created"                   PastDate;
        /// When the user last logged in with a password.
        LastLoginOn  "last_login_on"  "Last connection"           PastDate;
    }
    /// A custom field.
    Custom(CustomFieldId);
}

/// Returns the fields by which administrators can filter the list.
pub fn filter_fields(catalogue: &Catalogue) -> Vec<FilterField<Field>> {
    let custom = catalogue
        .custom_fields_of(Customized::User)
        .filter(|field| field.is_filter);
    let custom = custom.map(|field| FilterField::from_custom_field(field, Field::Custom(field.id)));
    TABLE
        .iter()
        .map(FilterField::from_row)
        .chain(custom)
        .collect()
}

const COLUMNS: &[(&str, Field)] = &[
    ("login", Field::Login),
    ("firstname", Field::Firstname),
    ("lastname", Field::Lastname),
    ("mail", Field::Mail),
    ("admin", Field::Admin),
    ("status", Field::Status),
    ("created_on", Field::CreatedOn),
    ("last_login_on", Field::LastLoginOn),
];

/// Parses `sort=column[:desc],…`; by login without it.
pub fn parse_sort(text: &str) -> Vec<Criterion<Field>> {
    criteria(split(text), |name| {
        COLUMNS.iter().find(|row| row.0 == name).map(|row| row.1)
    })
}

/// Sorts users; ties are broken by login. `last_logins` matters for the order by last login only;
/// those who never logged in come first.
pub fn sort(
    users: &mut [User],
    order: &[Criterion<Field>],
    last_logins: &HashMap<UserId, Timestamp>,
) {
    users.stable_sort_by_key(|user| (user.login.to_lowercase(), user.id));
    let by = |field: Field, a: &User, b: &User| -> Ordering {
        match field {
            Field::Login => compare_text(&a.login, &b.login),
            Field::Firstname => compare_text(&a.firstname, &b.firstname),
            Field::Lastname => compare_text(&a.lastname, &b.lastname),
            Field::Mail => compare_text(&a.mail, &b.mail),
            Field::Admin => a.admin.cmp(&b.admin),
            Field::Status => a.status.code().cmp(&b.status.code()),
            Field::CreatedOn => a.created_on.cmp(&b.created_on),
            Field::LastLoginOn => last_logins.get(&a.id).cmp(&last_logins.get(&b.id)),
            Field::TwofaScheme | Field::AuthSource | Field::Custom(_) => Ordering::Equal,
        }
    };
    users.stable_sort_by(|a, b| {
        let compared = order.iter().map(|criterion| {
            let ordering = by(criterion.column, a, b);
            if criterion.descending {
                ordering.reverse()
            } else {
                ordering
            }
        });
        compared.fold(Ordering::Equal, Ordering::then)
    });
}

fn compare_text(a: &str, b: &str) -> Ordering {
    a.to_lowercase().cmp(&b.to_lowercase())
}
