//! `GET /users`: the users, for administrators. The query string is that of the API.

use crate::components::avatar::Person;
use crate::components::form_field::{Choice, choice, sort_by_label};
use crate::components::pager::{Pager, with_params};
use crate::components::tabs::Tab;
use crate::components::time::Moment;
use crate::frame::Frame;
use crate::frame::render::render;
use crate::prelude::*;
use jiff::Timestamp;
use quarry_actions::accounts::users::{UserFilter, list as matching};
use quarry_domain::accounts::user::{User, UserStatus};
use quarry_domain::ids::PrincipalId;
use quarry_domain::values::stable_sort::StableSort;
use quarry_http::Pagination;
use quarry_store::accounts::users;
use std::collections::HashMap;

/// Number of users on a page without `limit`.
const DEFAULT_LIMIT: i64 = 50;
/// Maximum number of groups to choose from.
const MAX_GROUPS: usize = 500;

#[derive(Template)]
#[template(path = "accounts/users/list.html")]
struct UserListPage {
    frame: Frame,
    total: i64,
    name: String,
    status: String,
    groups: Vec<Choice>,
    group: String,
    tabs: Vec<Tab>,
    columns: Vec<Column>,
    rows: Vec<Row>,
    pager: Pager,
    json: String,
}

struct Column {
    label: &'static str,
    path: String,
    /// Whether the list is sorted by it, and if so, whether descending.
    descending: Option<bool>,
    is_optional: bool,
}

struct Row {
    id: UserId,
    person: Person,
    login: String,
    mail: String,
    is_admin: bool,
    has_second_factor: bool,
    status: UserStatus,
    created: Moment,
    last_login: Option<Moment>,
}

impl Row {
    fn is_locked(&self) -> bool {
        self.status == UserStatus::Locked
    }

    fn is_registered(&self) -> bool {
        self.status == UserStatus::Registered
    }
}

/// What the list can be sorted by: the name of the API or of the column, and the label.
const COLUMNS: [(&str, &str, bool); 5] = [
    ("login", "Login", false),
    ("name", "Name", false),
    ("mail", "Email", true),
    ("created_on", "Created", true),
    ("last_login_on", "Last login", true),
];

/// Lists the users that match.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let status =
        text_param(request, "status").unwrap_or_else(|| UserStatus::Active.code().to_string());
    let group = text_param(request, "group_id").filter(|id| !id.is_empty());
    let filter = UserFilter {
        status: status.parse().ok().and_then(UserStatus::from_code),
        name: text_param(request, "name").unwrap_or_default(),
        group: group
            .as_ref()
            .map(|id| PrincipalId(id.parse().unwrap_or(0))),
    };
    let last_logins = users::last_logins(db)?;
    let (sort, descending) = order(&text_param(request, "sort").unwrap_or_default());
    let mut users = matching(catalogue, &filter);
    sort_by(&mut users, sort, descending, &last_logins);

    let pagination = Pagination::with_default_limit(&request.query, DEFAULT_LIMIT);
    let total = i64::try_from(users.len()).unwrap_or(i64::MAX);
    let skip = usize::try_from(pagination.offset).unwrap_or(usize::MAX);
    let take = usize::try_from(pagination.limit).unwrap_or(0);
    let rows = users.into_iter().skip(skip).take(take).map(|user| Row {
        id: user.id,
        person: Person::with_picture(request.viewer(), catalogue, user.id.into()),
        login: user.login.clone(),
        mail: user.mail.clone(),
        is_admin: user.admin,
        has_second_factor: user.has_second_factor(),
        status: user.status,
        created: Moment::new(user.created_on),
        last_login: last_logins.get(&user.id).copied().map(Moment::new),
    });
    let columns = COLUMNS.into_iter().map(|(name, label, is_optional)| {
        let is_current = name == sort;
        let next = if is_current && !descending {
            format!("{name}:desc")
        } else {
            name.to_owned()
        };
        let path = with_params(
            request,
            &[("sort", Some(&next)), ("page", None), ("offset", None)],
        );
        Column {
            label,
            path,
            descending: is_current.then_some(descending),
            is_optional,
        }
    });
    let page = UserListPage {
        frame: Frame::for_administration(request, db, "Users"),
        total,
        groups: groups(catalogue),
        group: group.unwrap_or_default(),
        tabs: tabs(request, catalogue, &filter),
        columns: columns.collect(),
        rows: rows.collect(),
        pager: Pager::for_list(request, pagination.offset, pagination.limit, total),
        json: format!("/users.json{}", with_params(request, &[("page", None)])),
        name: filter.name,
        status,
    };
    render(&page.frame, &page)
}

fn text_param(request: &RequestContext, name: &str) -> Option<String> {
    request.query_param(name).map(|text| text.trim().to_owned())
}

/// Parses the order; by login if it is missing or unknown.
fn order(sort: &str) -> (&'static str, bool) {
    let (name, direction) = sort.split_once(':').unwrap_or((sort, ""));
    let name = if matches!(name, "firstname" | "lastname") {
        "name"
    } else {
        name
    };
    let column = COLUMNS
        .iter()
        .find(|(column, _, _)| *column == name)
        .map_or("login", |(column, _, _)| column);
    (column, direction == "desc")
}

fn sort_by(
    users: &mut [&User],
    column: &str,
    descending: bool,
    last_logins: &HashMap<UserId, Timestamp>,
) {
    match column {
        "name" => users.stable_sort_by_key(|user| (user.name.to_lowercase(), user.id)),
        "mail" => users.stable_sort_by_key(|user| (user.mail.to_lowercase(), user.id)),
        "created_on" => users.stable_sort_by_key(|user| (user.created_on, user.id)),
        "last_login_on" => users.stable_sort_by_key(|user| (last_logins.get(&user.id), user.id)),
        _ => users.stable_sort_by_key(|user| user.login.to_lowercase()),
    }
    if descending {
        users.reverse();
    }
}

fn tabs(request: &RequestContext, catalogue: &Catalogue, filter: &UserFilter) -> Vec<Tab> {
    let tab = |label: &str, value: &str, status: Option<UserStatus>| {
        let path = with_params(
            request,
            &[("status", Some(value)), ("page", None), ("offset", None)],
        );
        let count = matching(
            catalogue,
            &UserFilter {
                status,
                ..filter.clone()
            },
        )
        .len();
        Tab::new(label, path, status == filter.status)
            .with_count(i64::try_from(count).unwrap_or(i64::MAX))
    };
    vec![
        tab("Active", "1", Some(UserStatus::Active)),
        tab("Registered", "2", Some(UserStatus::Registered)),
        tab("Locked", "3", Some(UserStatus::Locked)),
        tab("All", "*", None),
    ]
}

fn groups(catalogue: &Catalogue) -> Vec<Choice> {
    let mut choices: Vec<Choice> = catalogue
        .groups
        .values()
        .map(|group| choice(group.id, &group.name))
        .collect();
    sort_by_label(&mut choices);
    choices.truncate(MAX_GROUPS);
    if !choices.is_empty() {
        choices.insert(0, choice("", "Any group"));
    }
    choices
}
