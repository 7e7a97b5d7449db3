//! The form of a group: its fields, the users to choose from, and what it sends.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{Choice, FieldKind, FormField, choice, typed};
use crate::form::custom_fields::CustomFieldRow;
use crate::prelude::*;
use quarry_actions::accounts::groups as actions;
use quarry_actions::accounts::groups::GroupChange;
use quarry_domain::accounts::group::Group;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::custom_field::{Customized, Format, Values};
use quarry_domain::values::stable_sort::StableSort;
use quarry_http::resources::fields;
use quarry_store::administration::custom_fields;
use std::collections::HashSet;

/// Maximum number of users in the list. The others are found by name.
const MAX_USERS: usize = 200;
/// Minimum number of users for which the form has a search.
const MIN_SEARCHABLE: usize = 10;
/// The users in the form, as in the API.
const USERS: &str = "group[user_ids][]";
/// The users of the group that the form showed.
const SHOWN: &str = "shown_users";

/// The users to choose from.
pub struct UserChoices {
    pub field: FormField,
    /// The ids of those who are in the group, separated by spaces.
    pub shown: String,
    /// The words of the search; `None` if there are only a few users.
    pub words: Option<String>,
    /// Number of users that match and are not in the list.
    pub others: usize,
}

/// Parses the form. Only users that it showed leave the group.
///
/// # Errors
/// 422 for a value of the wrong type.
pub fn parse_group(form: &Input) -> Result<GroupChange, Error> {
    let mut change = fields::group::parse(form)?;
    if let Some(chosen) = change.users.take() {
        let shown = ids(typed(form, SHOWN).unwrap_or_default().split_whitespace());
        let chosen: HashSet<UserId> = chosen.into_iter().collect();
        change.added = chosen.difference(&shown).copied().collect();
        change.removed = shown.difference(&chosen).copied().collect();
    }
    Ok(change)
}

fn ids<'t>(texts: impl Iterator<Item = &'t str>) -> HashSet<UserId> {
    texts.filter_map(|id| id.parse().ok()).map(UserId).collect()
}

/// Returns the fields before the users.
pub fn fields(
    request: &RequestContext,
    db: &Read<'_>,
    group: Option<&Group>,
    form: &Input,
) -> Result<Vec<FormField>, Error> {
    let catalogue = db.catalogue();
    let builder = FieldBuilder::new("group", form);
    let stored = group.cloned().unwrap_or_default();
    let name = builder.line("name", "Name", stored.name).required();
    let mut rows = vec![
        if group.is_none() {
            name.focused()
        } else {
            name
        },
        builder
            .switch(
                "twofa_required",
                "Its users need two-factor authentication",
                stored.requires_second_factor,
            )
            .with_hint("Those without it set it up at their next login."),
    ];
    let customs = || catalogue.custom_fields_of(Customized::Group);
    let values = match group {
        Some(group) => custom_fields::find_values(db, Customized::Group, group.id.0)?,
        None => Values::defaults(customs()),
    };
    rows.extend(customs().map(|custom| {
        let row = CustomFieldRow {
            catalogue,
            object: "group",
            custom,
            values: &values,
            form,
        };
        row.to_field(|format| match format {
            Format::User => all_users(request, catalogue),
            _ => Vec::new(),
        })
    }));
    Ok(rows)
}

fn all_users(request: &RequestContext, catalogue: &Catalogue) -> Vec<Choice> {
    let users = actions::search_users(catalogue, request.viewer(), "").unwrap_or_default();
    let users = users.into_iter();
    users
        .map(|id| choice(id, catalogue.principal_name(id.into()).unwrap_or_default()))
        .collect()
}

/// Returns the users: first the chosen ones of the form, then those of the group, then the others
/// that match the search.
pub fn users(
    request: &RequestContext,
    catalogue: &Catalogue,
    group: Option<&Group>,
    form: &Input,
) -> Result<UserChoices, Error> {
    let words = typed(form, "name").unwrap_or_default();
    let everybody = actions::search_users(catalogue, request.viewer(), "")?;
    let matching: HashSet<UserId> = actions::search_users(catalogue, request.viewer(), &words)?
        .into_iter()
        .collect();
    let members: HashSet<UserId> = group
        .map(|group| group.users.iter().copied().collect())
        .unwrap_or_default();
    let sent = typed(form, USERS).map(|text| ids(text.split('\n')));
    let was_shown = ids(typed(form, SHOWN).unwrap_or_default().split_whitespace());
    // What was chosen or removed in the form stays in it, whatever is searched next.
    let is_touched = |user: &UserId| {
        sent.as_ref()
            .is_some_and(|sent| sent.contains(user) != was_shown.contains(user))
    };
    let rank = |user: &UserId| match () {
        () if is_touched(user) => Some(0),
        () if !matching.contains(user) => None,
        () if members.contains(user) => Some(1),
        () => Some(2),
    };
    let mut listed: Vec<(i32, UserId)> = everybody
        .iter()
        .filter_map(|user| Some((rank(user)?, *user)))
        .collect();
    listed.stable_sort_by_key(|(rank, _)| *rank);
    let touched = listed.iter().filter(|(rank, _)| *rank == 0).count();
    let others = listed.len().saturating_sub(MAX_USERS.max(touched));
    listed.truncate(MAX_USERS.max(touched));
    // A touched user keeps the state from which it was changed.
    let before = |user: &UserId| match is_touched(user) {
        true => was_shown.contains(user),
        false => members.contains(user),
    };
    let is_chosen = |user: &UserId| before(user) != is_touched(user);
    let joined = |separator: &str, keep: &dyn Fn(&UserId) -> bool| {
        let ids = listed.iter().filter(|(_, user)| keep(user));
        let ids: Vec<String> = ids.map(|(_, user)| user.to_string()).collect();
        ids.join(separator)
    };
    let mut field = FormField::new(
        FieldKind::Checkboxes,
        USERS,
        "Users",
        joined("\n", &is_chosen),
    );
    let shown = joined(" ", &before);
    field.choices = listed
        .iter()
        .map(|(_, user)| choice(user, label(catalogue, *user)))
        .collect();
    Ok(UserChoices {
        field,
        shown,
        words: (!words.is_empty() || everybody.len() > MIN_SEARCHABLE).then_some(words),
        others,
    })
}

/// Returns the name with the login, and whether the user cannot log in.
fn label(catalogue: &Catalogue, id: UserId) -> String {
    let Some(user) = catalogue.users.get(&id) else {
        return String::new();
    };
    match user.status {
        UserStatus::Active => format!("{} ({})", user.name, user.login),
        _ => format!("{} ({}, not active)", user.name, user.login),
    }
}
