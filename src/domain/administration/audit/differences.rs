//! Differences between two catalogues, as events. Every change of the rights, definitions or settings
//! of an installation appears here, so no action can forget to record it.

use super::fields::{self, Described};
use super::names::role_name;
use super::value_changes::{in_parts, value_changes};
use super::{AuditEvent, RecordType, ValueChange};
use crate::accounts::group::Group;
use crate::administration::enumeration::{Enumeration, EnumerationKind};
use crate::administration::setting::Setting;
use crate::catalogue::Catalogue;
use crate::ids::{PrincipalId, ProjectId, RoleId, TrackerId, UserId};
use std::collections::{BTreeMap, BTreeSet};

const CREATED: &str = "created";
const UPDATED: &str = "updated";
const DELETED: &str = "deleted";

/// Returns the differences, grouped by type of record.
pub fn differences(before: &Catalogue, after: &Catalogue) -> Vec<AuditEvent> {
    let mut events = Vec::new();
    compare_settings(&mut events, before, after);
    compare_all(&mut events, RecordType::Role, &roles(before), &roles(after));
    compare_order(&mut events, RecordType::Role, before, after, |catalogue| {
        names(&catalogue.roles, |role| (role.id.0, &role.name))
    });
    compare_all(&mut events, RecordType::User, &users(before), &users(after));
    compare_all(
        &mut events,
        RecordType::Group,
        &groups(before),
        &groups(after),
    );
    compare_all(
        &mut events,
        RecordType::Project,
        &projects(before),
        &projects(after),
    );
    compare_members(&mut events, before, after);
    compare_all(
        &mut events,
        RecordType::Tracker,
        &trackers(before),
        &trackers(after),
    );
    compare_order(
        &mut events,
        RecordType::Tracker,
        before,
        after,
        |catalogue| names(&catalogue.trackers, |tracker| (tracker.id.0, &tracker.name)),
    );
    compare_all(
        &mut events,
        RecordType::IssueStatus,
        &statuses(before),
        &statuses(after),
    );
    compare_order(
        &mut events,
        RecordType::IssueStatus,
        before,
        after,
        |catalogue| names(&catalogue.statuses, |status| (status.id.0, &status.name)),
    );
    for kind in EnumerationKind::ALL.iter().copied() {
        let record = kind.into();
        compare_all(
            &mut events,
            record,
            &enumerations(before, kind),
            &enumerations(after, kind),
        );
        compare_order(&mut events, record, before, after, |catalogue| {
            let values = catalogue.enumerations.iter();
            names(values.filter(|value| value.kind == kind), |value| {
                (value.id.0, &value.name)
            })
        });
    }
    compare_all(
        &mut events,
        RecordType::CustomField,
        &custom_fields(before),
        &custom_fields(after),
    );
    compare_order(
        &mut events,
        RecordType::CustomField,
        before,
        after,
        |catalogue| names(&catalogue.custom_fields, |field| (field.id.0, &field.name)),
    );
    compare_workflow(&mut events, before, after);
    // Last, since they can be many.
    compare_group_users(&mut events, before, after);
    events
}

/// Records of one type by their ids, which are described only where they differ.
type Records<'a> = BTreeMap<i64, Described<'a>>;

fn compare_all(
    events: &mut Vec<AuditEvent>,
    record: RecordType,
    before: &Records<'_>,
    after: &Records<'_>,
) {
    let ids: BTreeSet<&i64> = before.keys().chain(after.keys()).collect();
    for id in ids {
        let old = before.get(id);
        let new = after.get(id);
        if let (Some(old), Some(new)) = (old, new)
            && old.is_same(new)
        {
            continue;
        }
        let change = change_name(old.is_some(), new.is_some());
        let changes = value_changes(old, new);
        if changes.is_empty() && change == UPDATED {
            continue;
        }
        let mut event = AuditEvent::new(record, *id, change).unlogged();
        // Stored events never name a deleted user.
        if let Some(described) = new
            .or(old)
            .filter(|_| record != RecordType::User || change != DELETED)
        {
            event = event.with_name(described.name());
            event.changes = changes;
        }
        events.push(event);
    }
}

fn change_name(existed: bool, exists: bool) -> &'static str {
    match (existed, exists) {
        (false, _) => CREATED,
        (true, true) => UPDATED,
        (true, false) => DELETED,
    }
}

fn users(catalogue: &Catalogue) -> Records<'_> {
    let users = catalogue.users.values();
    users
        .map(|user| (user.id.0, Described::User(user)))
        .collect()
}

fn groups(catalogue: &Catalogue) -> Records<'_> {
    let groups = catalogue.groups.values();
    groups
        .map(|group| (group.id.0, Described::Group(group)))
        .collect()
}

fn roles(catalogue: &Catalogue) -> Records<'_> {
    let roles = catalogue.roles.iter();
    roles
        .map(|role| (role.id.0, Described::Role(role, catalogue)))
        .collect()
}

fn projects(catalogue: &Catalogue) -> Records<'_> {
    let projects = catalogue.projects.values();
    projects
        .map(|project| (project.id.0, Described::Project(project, catalogue)))
        .collect()
}

fn trackers(catalogue: &Catalogue) -> Records<'_> {
    let trackers = catalogue.trackers.iter();
    trackers
        .map(|tracker| (tracker.id.0, Described::Tracker(tracker, catalogue)))
        .collect()
}

fn statuses(catalogue: &Catalogue) -> Records<'_> {
    let statuses = catalogue.statuses.iter();
    statuses
        .map(|status| (status.id.0, Described::Status(status)))
        .collect()
}

fn custom_fields(catalogue: &Catalogue) -> Records<'_> {
    let fields = catalogue.custom_fields.iter();
    fields
        .map(|field| (field.id.0, Described::CustomField(field, catalogue)))
        .collect()
}

fn enumerations(catalogue: &Catalogue, kind: EnumerationKind) -> Records<'_> {
    let values = catalogue.enumerations.iter();
    let described = |value| -> (i64, Described<'_>) {
        (id_of(value), Described::Enumeration(value, catalogue))
    };
    values
        .filter(|value| value.kind == kind)
        .map(described)
        .collect()
}

fn id_of(value: &Enumeration) -> i64 {
    value.id.0
}

fn compare_settings(events: &mut Vec<AuditEvent>, before: &Catalogue, after: &Catalogue) {
    if before.settings == after.settings {
        return;
    }
    for setting in Setting::all() {
        let old = before.setting(setting);
        let new = after.setting(setting);
        if old != new {
            let mut event = AuditEvent::new(RecordType::Setting, 0, UPDATED)
                .with_name(setting.name())
                .with_details(setting.loggable(new))
                .unlogged();
            event.changes.push(ValueChange::new(
                setting.name(),
                Some(setting.loggable(old).to_owned()),
                Some(setting.loggable(new).to_owned()),
            ));
            events.push(event);
        }
    }
}

/// The ids and names of records in their order.
type Names = Vec<(i64, String)>;

fn names<'r, R: 'r>(
    records: impl IntoIterator<Item = &'r R>,
    describe: impl Fn(&'r R) -> (i64, &'r String),
) -> Names {
    let described = records.into_iter().map(describe);
    described.map(|(id, name)| (id, name.clone())).collect()
}

/// Compares the order of the records that both catalogues have.
fn compare_order(
    events: &mut Vec<AuditEvent>,
    record: RecordType,
    before: &Catalogue,
    after: &Catalogue,
    names: impl Fn(&Catalogue) -> Names,
) {
    let mut old = names(before);
    let mut new = names(after);
    let old_ids: BTreeSet<i64> = old.iter().map(|(id, _)| *id).collect();
    let new_ids: BTreeSet<i64> = new.iter().map(|(id, _)| *id).collect();
    old.retain(|(id, _)| new_ids.contains(id));
    new.retain(|(id, _)| old_ids.contains(id));
    if old
        .iter()
        .map(|(id, _)| id)
        .eq(new.iter().map(|(id, _)| id))
    {
        return;
    }
    let join = |names: Names| fields::join(names.into_iter().map(|(_, name)| name));
    let event = AuditEvent::new(record, 0, "reordered").unlogged();
    events.push(event.with_change("order", Some(join(old)), Some(join(new))));
}

/// Compares the users of the groups: an event for each user whose rights a group has changed, except
/// deleted users.
fn compare_group_users(events: &mut Vec<AuditEvent>, before: &Catalogue, after: &Catalogue) {
    let ids: BTreeSet<&PrincipalId> = before.groups.keys().chain(after.groups.keys()).collect();
    for id in ids {
        let old = before.groups.get(id);
        let new = after.groups.get(id);
        let users = |group: Option<&Group>| -> BTreeSet<UserId> {
            group.map_or_else(BTreeSet::new, |group| group.users.iter().copied().collect())
        };
        let users_before = users(old);
        let users_after = users(new);
        let name = new.or(old).map_or("", |group| &group.name);
        for user in users_before.symmetric_difference(&users_after) {
            if !after.users.contains_key(user) {
                continue;
            }
            let change = if users_after.contains(user) {
                "user added"
            } else {
                "user removed"
            };
            // By the id, because the user may be deleted later.
            let event = AuditEvent::new(RecordType::Group, *id, change)
                .with_name(name)
                .with_details(format!("user {user}"));
            events.push(event.of_principal((*user).into()).unlogged());
        }
    }
}

fn members(catalogue: &Catalogue) -> BTreeMap<(ProjectId, PrincipalId), Vec<RoleId>> {
    let mut members: BTreeMap<_, Vec<RoleId>> = BTreeMap::new();
    for member in &catalogue.members {
        let roles = members
            .entry((member.project, member.principal))
            .or_default();
        roles.extend(member.role_ids());
        roles.sort_unstable();
        roles.dedup();
    }
    members
}

/// Compares the memberships, except those of deleted projects and principals.
fn compare_members(events: &mut Vec<AuditEvent>, before: &Catalogue, after: &Catalogue) {
    let old = members(before);
    let new = members(after);
    let keys: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    for key @ (project, principal) in keys {
        let roles_before = old.get(key);
        let roles_after = new.get(key);
        let has_ended =
            !after.projects.contains_key(project) || after.principal_name(*principal).is_none();
        if roles_before == roles_after || has_ended {
            continue;
        }
        let change = change_name(roles_before.is_some(), roles_after.is_some());
        let text = |catalogue: &Catalogue, roles: &Vec<RoleId>| {
            fields::join(roles.iter().map(|id| role_name(catalogue, *id)))
        };
        let mut event = AuditEvent::new(RecordType::Membership, 0, change)
            .of_principal(*principal)
            .in_project(after.projects.get(project))
            .unlogged();
        event.name = after.principal_name(*principal).map(str::to_owned);
        events.push(event.with_change(
            "roles",
            roles_before.map(|roles| text(before, roles)),
            roles_after.map(|roles| text(after, roles)),
        ));
    }
}

/// Compares the workflow of each tracker and role, except deleted ones.
fn compare_workflow(events: &mut Vec<AuditEvent>, before: &Catalogue, after: &Catalogue) {
    for tracker in &after.trackers {
        for role in &after.roles {
            let changes = workflow_changes(before, after, tracker.id, role.id);
            if !changes.is_empty() {
                let mut event = AuditEvent::new(RecordType::Workflow, tracker.id, UPDATED)
                    .with_name(&tracker.name)
                    .with_details(&role.name)
                    .unlogged();
                event.changes = changes;
                events.push(event);
            }
        }
    }
}

fn workflow_changes(
    before: &Catalogue,
    after: &Catalogue,
    tracker: TrackerId,
    role: RoleId,
) -> Vec<ValueChange> {
    let texts = |catalogue: &Catalogue| {
        [
            fields::transitions(catalogue, tracker, role),
            fields::rules(catalogue, tracker, role),
        ]
    };
    let is_same = before.workflow.transitions(tracker, role)
        == after.workflow.transitions(tracker, role)
        && before.field_rules.rules(tracker, role) == after.field_rules.rules(tracker, role);
    if is_same {
        return Vec::new();
    }
    let names = ["transitions", "field rules"];
    let pairs = texts(before).into_iter().zip(texts(after));
    let mut changes = Vec::new();
    for (field, (old, new)) in names.into_iter().zip(pairs) {
        let removed = old.difference(&new).cloned().collect();
        let added = new.difference(&old).cloned().collect();
        for (old, new) in in_parts(removed, added) {
            changes.push(ValueChange::new(field, Some(old), Some(new)));
        }
    }
    changes
}

#[cfg(test)]
mod tests;
