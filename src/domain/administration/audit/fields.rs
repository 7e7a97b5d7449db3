//! The values of records that the audit log compares. None is a secret: the catalogue has none.

use super::lists::{self, Lists};
use super::names::{project_name, status_name};
use crate::access::role::Role;
use crate::accounts::group::Group;
use crate::accounts::user::{User, UserStatus};
use crate::administration::custom_field::CustomField;
use crate::administration::enumeration::Enumeration;
use crate::administration::issue_status::IssueStatus;
use crate::administration::tracker::Tracker;
use crate::catalogue::Catalogue;
use crate::ids::{RoleId, TrackerId};
use crate::projects::project::{Project, ProjectStatus};
use jiff::Timestamp;
use std::collections::BTreeSet;

/// Fields with their values.
pub type Fields = Vec<(&'static str, String)>;

/// A record to describe, with the catalogue that has the names of related records.
pub enum Described<'a> {
    User(&'a User),
    Group(&'a Group),
    Role(&'a Role, &'a Catalogue),
    Project(&'a Project, &'a Catalogue),
    Tracker(&'a Tracker, &'a Catalogue),
    Status(&'a IssueStatus),
    Enumeration(&'a Enumeration, &'a Catalogue),
    CustomField(&'a CustomField, &'a Catalogue),
}

impl Described<'_> {
    /// Whether the records are equal, if that can be decided without describing them.
    pub fn is_same(&self, other: &Described<'_>) -> bool {
        match (self, other) {
            (Described::User(a), Described::User(b)) => a == b,
            (Described::Group(a), Described::Group(b)) => a == b,
            (Described::Project(a, _), Described::Project(b, _)) => a == b,
            (Described::Tracker(a, _), Described::Tracker(b, _)) => a == b,
            (Described::Status(a), Described::Status(b)) => a == b,
            (Described::Enumeration(a, _), Described::Enumeration(b, _)) => a == b,
            _ => false,
        }
    }

    /// Returns the name of the record, or the login of a user.
    pub fn name(&self) -> &str {
        match self {
            Described::User(user) => &user.login,
            Described::Group(group) => &group.name,
            Described::Role(role, _) => &role.name,
            Described::Project(project, _) => &project.identifier,
            Described::Tracker(tracker, _) => &tracker.name,
            Described::Status(status) => &status.name,
            Described::Enumeration(value, _) => &value.name,
            Described::CustomField(field, _) => &field.name,
        }
    }

    /// Returns the values.
    pub fn fields(&self) -> Fields {
        match self {
            Described::User(user) => user_fields(user),
            Described::Group(group) => group_fields(group),
            Described::Role(role, _) => role_fields(role),
            Described::Project(project, catalogue) => project_fields(project, catalogue),
            Described::Tracker(tracker, catalogue) => tracker_fields(tracker, catalogue),
            Described::Status(status) => status_fields(status),
            Described::Enumeration(value, catalogue) => enumeration_fields(value, catalogue),
            Described::CustomField(field, _) => custom_field_fields(field),
        }
    }

    /// Returns the values that are lists of names.
    pub fn lists(&self) -> Lists {
        match self {
            Described::Group(group) => lists::of_group(group),
            Described::Role(role, catalogue) => lists::of_role(role, catalogue),
            Described::Project(project, catalogue) => lists::of_project(project, catalogue),
            Described::Tracker(tracker, _) => lists::of_tracker(tracker),
            Described::CustomField(field, catalogue) => lists::of_custom_field(field, catalogue),
            Described::User(_) | Described::Status(_) | Described::Enumeration(..) => Lists::new(),
        }
    }
}

/// Returns the names in one text.
pub fn join(names: impl IntoIterator<Item = String>) -> String {
    let quoted = names.into_iter().map(|name| quote(&name));
    quoted.collect::<Vec<_>>().join(", ")
}

/// Quotes a name that could be taken for several names, or for a name with something else.
pub(super) fn quote(name: &str) -> String {
    if name.contains([',', '"', '→', '(', ':']) {
        format!("{name:?}")
    } else {
        name.to_owned()
    }
}

fn yes_or_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}

fn text_of(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// The fields of users that say nothing about the person. They stay when the account is deleted.
pub const IMPERSONAL_FIELDS: [&str; 5] = [
    "administrator",
    "status",
    "password changed",
    "must change password",
    "second factor",
];

fn user_fields(user: &User) -> Fields {
    let status = match user.status {
        UserStatus::Active => "active",
        UserStatus::Registered => "registered",
        UserStatus::Locked => "locked",
        UserStatus::Anonymous => "anonymous",
    };
    vec![
        ("login", user.login.clone()),
        ("administrator", yes_or_no(user.admin)),
        ("status", status.to_owned()),
        ("first name", user.firstname.clone()),
        ("last name", user.lastname.clone()),
        ("mail", user.mail.clone()),
        ("mail is hidden", yes_or_no(user.hides_mail)),
        (
            "password changed",
            text_of(user.passwd_changed_on.map(format_time)),
        ),
        ("must change password", yes_or_no(user.must_change_password)),
        (
            "second factor",
            user.twofa_scheme.clone().unwrap_or_default(),
        ),
        ("language", user.language.clone()),
        ("time zone", user.time_zone.clone()),
        ("notifications", user.mail_notification.clone()),
        ("picture", user.picture.clone().unwrap_or_default()),
    ]
}

/// Returns a time with its fraction of a second: two changes within one second differ.
fn format_time(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M:%S%.f").to_string()
}

fn group_fields(group: &Group) -> Fields {
    vec![
        ("name", group.name.clone()),
        (
            "second factor required",
            yes_or_no(group.requires_second_factor),
        ),
    ]
}

fn role_fields(role: &Role) -> Fields {
    vec![
        ("name", role.name.clone()),
        ("assignable", yes_or_no(role.assignable)),
        ("manages all roles", yes_or_no(role.managed.is_none())),
        ("issues", role.issues_visibility.name().to_owned()),
        (
            "time entries",
            role.time_entries_visibility.name().to_owned(),
        ),
        ("users", role.users_visibility.name().to_owned()),
    ]
}

fn project_fields(project: &Project, catalogue: &Catalogue) -> Fields {
    let status = match project.status {
        ProjectStatus::Active => "active",
        ProjectStatus::Closed => "closed",
        ProjectStatus::Archived => "archived",
    };
    vec![
        ("name", project.name.clone()),
        ("identifier", project.identifier.clone()),
        (
            "parent",
            text_of(project.parent.map(|id| project_name(catalogue, id))),
        ),
        ("public", yes_or_no(project.is_public)),
        ("inherits members", yes_or_no(project.inherit_members)),
        ("status", status.to_owned()),
        ("description", text_of(project.description.as_deref())),
        ("homepage", text_of(project.homepage.as_deref())),
        (
            "default version",
            text_of(project.default_version.map(|id| format!("version {id}"))),
        ),
        (
            "default assignee",
            text_of(project.default_assignee.map(|id| format!("user {id}"))),
        ),
        (
            "default query",
            text_of(project.default_query.map(|id| format!("query {id}"))),
        ),
    ]
}

fn tracker_fields(tracker: &Tracker, catalogue: &Catalogue) -> Fields {
    vec![
        ("name", tracker.name.clone()),
        ("description", text_of(tracker.description.as_deref())),
        (
            "default status",
            status_name(catalogue, tracker.default_status),
        ),
    ]
}

fn status_fields(status: &IssueStatus) -> Fields {
    vec![
        ("name", status.name.clone()),
        ("closed", yes_or_no(status.is_closed)),
        ("done ratio", text_of(status.default_done_ratio)),
        ("description", text_of(status.description.as_deref())),
    ]
}

fn enumeration_fields(value: &Enumeration, catalogue: &Catalogue) -> Fields {
    vec![
        ("name", value.name.clone()),
        ("default", yes_or_no(value.is_default)),
        ("active", yes_or_no(value.active)),
        (
            "project",
            text_of(value.project.map(|id| project_name(catalogue, id))),
        ),
    ]
}

fn custom_field_fields(field: &CustomField) -> Fields {
    vec![
        ("name", field.name.clone()),
        ("type", field.customized.type_name()),
        ("format", field.format.name().to_owned()),
        ("description", text_of(field.description.as_deref())),
        ("regular expression", text_of(field.regexp.as_deref())),
        ("minimum length", text_of(field.min_length)),
        ("maximum length", text_of(field.max_length)),
        ("default", text_of(field.default.as_deref())),
        ("required", yes_or_no(field.required)),
        ("for all projects", yes_or_no(field.is_for_all)),
        ("filter", yes_or_no(field.is_filter)),
        ("searchable", yes_or_no(field.searchable)),
        ("editable", yes_or_no(field.editable)),
        ("visible to all", yes_or_no(field.visible)),
        ("multiple", yes_or_no(field.multiple)),
    ]
}

/// Describes the transitions of a tracker and role.
pub fn transitions(catalogue: &Catalogue, tracker: TrackerId, role: RoleId) -> BTreeSet<String> {
    let transitions = catalogue.workflow.transitions(tracker, role).into_iter();
    transitions
        .map(|(from, transition)| {
            let from = from.map_or_else(
                || "(new issue)".to_owned(),
                |id| quote(&status_name(catalogue, id)),
            );
            let to = quote(&status_name(catalogue, transition.to));
            let who = match (transition.author, transition.assignee) {
                (false, false) => "",
                (true, false) => " (author)",
                (false, true) => " (assignee)",
                (true, true) => " (author, assignee)",
            };
            format!("{from} → {to}{who}")
        })
        .collect()
}

/// Describes the field rules of a tracker and role.
pub fn rules(catalogue: &Catalogue, tracker: TrackerId, role: RoleId) -> BTreeSet<String> {
    let rules = catalogue.field_rules.rules(tracker, role).into_iter();
    rules
        .map(|(status, field, rule)| {
            let status = quote(&status_name(catalogue, status));
            let name = field
                .parse::<i64>()
                .ok()
                .and_then(|id| {
                    catalogue
                        .custom_fields
                        .iter()
                        .find(|field| field.id.0 == id)
                })
                .map_or(field, |field| field.name.as_str());
            format!("{status}: {} {}", quote(name), rule.name())
        })
        .collect()
}
