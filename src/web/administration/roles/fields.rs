//! The form of a role, and what it sends beyond the fields of the API.

use crate::administration::permission_labels::{heading, label, modules, permissions_of};
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{Choice, FormField, choice};
use crate::components::form_page::Section;
use crate::prelude::*;
use quarry_actions::administration::roles::RoleChange;
use quarry_domain::access::permission::Requirement;
use quarry_domain::access::role::{Builtin, Role, TRACKER_PERMISSIONS};
use quarry_domain::ids::{RoleId, TrackerId};
use quarry_domain::values::patch::Patch;

/// The choice of trackers that stands for all of them, present and future ones.
const ALL_TRACKERS: &str = "all";

/// The name of a permission with the trackers that it is limited to; `None` for all trackers.
type Limit = (String, Option<Vec<TrackerId>>);

/// What the form of a role sends.
pub struct RoleForm {
    change: RoleChange,
    limits: Vec<Limit>,
    /// The role whose workflow a new role gets.
    pub workflow_of: Option<RoleId>,
}

impl RoleForm {
    /// Returns the change of a stored role. Public permissions, which the form does not show, and
    /// limits of other permissions stay.
    pub fn change_of(&self, stored: &Role) -> RoleChange {
        let mut change = self.change.clone();
        if let Patch::Set(permissions) = &mut change.permissions {
            let public = stored
                .permissions
                .iter()
                .filter(|permission| permission.requirement() == Requirement::Public);
            permissions.extend(public.map(|permission| permission.name().to_owned()));
        }
        if !self.limits.is_empty() {
            let is_sent = |name: &str| self.limits.iter().any(|(sent, _)| sent == name);
            let others = stored
                .tracker_limits
                .iter()
                .filter(|(permission, _)| !is_sent(permission.name()))
                .map(|(permission, ids)| {
                    let ids = ids.as_slice().iter().copied().map(TrackerId);
                    (permission.name().to_owned(), ids.collect())
                });
            let sent = self.limits.iter();
            let sent = sent.filter_map(|(name, ids)| Some((name.clone(), ids.clone()?)));
            change.tracker_limits = Some(others.chain(sent).collect());
        }
        change
    }
}

impl FromBody for RoleForm {
    const OBJECT: &'static str = RoleChange::OBJECT;

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        let workflow_of = body.id("workflow_of", "Workflow");
        let limits = match body.raw("tracker_limits") {
            None => Vec::new(),
            Some(limits) => parse_limits(limits)?,
        };
        body.check()?;
        Ok(RoleForm {
            change: RoleChange::from_fields(body)?,
            limits,
            workflow_of: workflow_of.value().copied(),
        })
    }
}

/// Parses the trackers of each permission.
fn parse_limits(limits: &Input) -> Result<Vec<Limit>, Error> {
    let Some(mut body) = BodyFields::from_object(limits) else {
        let message = "is invalid (lists of trackers are expected)";
        return Err(Error::invalid_attribute(
            "tracker_limits",
            "Trackers",
            message,
        ));
    };
    let mut parsed = Vec::new();
    for (name, _) in limits.entries() {
        let texts = body.texts(name, "Trackers");
        let texts = texts.value().cloned().unwrap_or_default();
        let is_for_all = texts.iter().any(|text| text == ALL_TRACKERS);
        let ids = texts.iter().map(|text| text.trim().parse().unwrap_or(0));
        let ids = ids.map(TrackerId).collect();
        parsed.push((name.clone(), (!is_for_all).then_some(ids)));
    }
    body.check()?;
    Ok(parsed)
}

/// Returns the sections of the form. `copied` is the role that a new one is a copy of.
pub fn sections(
    catalogue: &Catalogue,
    role: &Role,
    copied: Option<Option<RoleId>>,
    form: FieldBuilder<'_>,
) -> Vec<Section> {
    let ordinary = || {
        catalogue
            .roles
            .iter()
            .filter(|other| other.builtin.is_none())
    };
    let mut sections = Vec::new();
    if role.builtin.is_none() {
        let mut general = vec![
            form.line("name", "Name", &role.name).required(),
            form.switch(
                "assignable",
                "Issues can be assigned to people with this role",
                role.assignable,
            ),
        ];
        if let Some(copied) = copied {
            let current = copied.map(|id| id.to_string()).unwrap_or_default();
            let none = choice("", "none: issues keep their status");
            let roles = catalogue
                .roles
                .iter()
                .map(|other| choice(other.id, &other.name));
            let choices = std::iter::once(none).chain(roles);
            general.push(form.select("workflow_of", "Workflow copied from", current, choices));
        }
        sections.push(Section::new("", general));
    }
    sections.push(Section::new("Visibility", visibility(role, form)));
    sections.push(Section::new("Permissions", permissions(role, form)));
    let trackers = || {
        let all = choice(ALL_TRACKERS, "All trackers");
        let trackers = catalogue.trackers.iter();
        let trackers = trackers.map(|tracker| choice(tracker.id, &tracker.name));
        std::iter::once(all).chain(trackers)
    };
    let limits = TRACKER_PERMISSIONS
        .into_iter()
        .filter(|permission| role.can_have(*permission))
        .map(|permission| {
            let stored = match role.tracker_limits.get(&permission) {
                None => vec![ALL_TRACKERS.to_owned()],
                Some(ids) => ids.as_slice().iter().map(ToString::to_string).collect(),
            };
            let attribute = format!("tracker_limits][{}", permission.name());
            form.checkboxes(&attribute, label(permission), stored, trackers())
        });
    sections.push(
        Section::new("Trackers", limits.collect())
            .with_hint("These permissions can be limited to issues of some trackers. Without any tracker, the permission is worth nothing."),
    );
    if role.builtin.is_none() {
        let managed = role.managed.iter().flatten();
        sections.push(
            Section::new(
                "Members",
                vec![
                    form.switch(
                        "all_roles_managed",
                        "May assign all roles",
                        role.managed.is_none(),
                    ),
                    form.checkboxes(
                        "managed_role_ids",
                        "May assign only these roles",
                        managed,
                        ordinary().map(|other| choice(other.id, &other.name)),
                    ),
                ],
            )
            .with_hint("For people who may add and remove members."),
        );
    }
    sections
}

/// Returns a field for each module. Public permissions are missing: every role has them.
fn permissions(role: &Role, form: FieldBuilder<'_>) -> Vec<FormField> {
    let field = |module| {
        let choices: Vec<Choice> = permissions_of(module)
            .filter(|permission| permission.requirement() != Requirement::Public)
            .filter(|permission| role.can_have(*permission))
            .map(|permission| choice(permission.name(), label(permission)))
            .collect();
        let stored = role.permissions.iter().map(Permission::name);
        (!choices.is_empty())
            .then(|| form.checkboxes("permissions", heading(module), stored, choices))
    };
    modules().filter_map(field).collect()
}

fn visibility(role: &Role, form: FieldBuilder<'_>) -> Vec<FormField> {
    let mut issues = vec![
        choice("default", "all issues except private issues of others"),
        choice("own", "issues created by or assigned to them"),
    ];
    if role.builtin != Some(Builtin::Anonymous) {
        issues.insert(0, choice("all", "all issues, private ones included"));
    }
    vec![
        form.select(
            "issues_visibility",
            "Issues",
            role.issues_visibility().name(),
            issues,
        ),
        form.select(
            "time_entries_visibility",
            "Time entries",
            role.time_entries_visibility.name(),
            [
                choice("all", "all time entries"),
                choice("own", "their own time entries"),
            ],
        ),
        form.select(
            "users_visibility",
            "People",
            role.users_visibility.name(),
            [
                choice("all", "all active users"),
                choice(
                    "members_of_visible_projects",
                    "members of projects that they see",
                ),
            ],
        ),
    ]
}
