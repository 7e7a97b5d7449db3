use super::super::merging::{MAX_EVENTS, merge};
use super::*;
use crate::access::member::{Member, MemberRole};
use crate::access::role::Role;
use crate::accounts::group::Group;
use crate::accounts::user::{User, UserStatus};
use crate::ids::UserId;
use crate::projects::project::Project;

fn catalogue() -> Catalogue {
    let mut catalogue = Catalogue::default();
    let user = User {
        id: UserId(5),
        login: "dave".to_owned(),
        name: "Dave".to_owned(),
        ..User::default()
    };
    let project = Project {
        id: ProjectId(1),
        identifier: "open".to_owned(),
        ..Project::default()
    };
    catalogue.users.insert(user.id, user);
    catalogue.projects.insert(project.id, project);
    catalogue.members.push(Member {
        project: ProjectId(1),
        principal: PrincipalId(5),
        roles: vec![MemberRole {
            role: RoleId(3),
            position: 1,
        }],
    });
    catalogue
}

#[test]
fn equal_catalogues_have_no_difference() {
    assert_eq!(differences(&catalogue(), &catalogue()), []);
}

#[test]
fn new_administrator_is_named_with_the_values_before_and_after() {
    let mut after = catalogue();
    after
        .users
        .entry(UserId(5))
        .and_modify(|user| user.admin = true);
    let events = differences(&catalogue(), &after);
    assert_eq!(events.len(), 1);
    assert_eq!(
        (events[0].record, events[0].change),
        (RecordType::User, "updated")
    );
    let changes: Vec<_> = events[0]
        .changes
        .iter()
        .map(|change| {
            (
                change.field.as_str(),
                change.before.as_deref(),
                change.after.as_deref(),
            )
        })
        .collect();
    assert_eq!(changes, [("administrator", Some("no"), Some("yes"))]);
}

#[test]
fn deleted_user_is_not_named_and_the_memberships_end_with_the_account() {
    let mut after = catalogue();
    after.users.clear();
    after.members.clear();
    let events = differences(&catalogue(), &after);
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!((events[0].id, events[0].change), (5, "deleted"));
    assert_eq!(
        (events[0].name.as_ref(), events[0].changes.len()),
        (None, 0)
    );
}

#[test]
fn recorded_event_gets_the_values_and_others_are_added() {
    let mut after = catalogue();
    after.members.clear();
    after
        .projects
        .entry(ProjectId(1))
        .and_modify(|project| project.is_public = true);
    let found = differences(&catalogue(), &after);
    let recorded = AuditEvent::new(RecordType::Membership, 17, "deleted")
        .of_principal(PrincipalId(5))
        .in_project(after.projects.get(&ProjectId(1)));
    let events = merge(vec![recorded], found);
    let shown: Vec<_> = events
        .iter()
        .map(|event| {
            (
                event.record.name(),
                event.id,
                event.change,
                event.changes.len(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("membership", 17, "deleted", 1),
            ("project", 1, "updated", 1)
        ]
    );
    assert!(events[0].is_logged && !events[1].is_logged);
}

#[test]
fn very_many_differences_are_limited_and_counted() {
    let mut after = catalogue();
    for id in 100..400 {
        let user = User {
            id: UserId(id),
            login: format!("u{id}"),
            ..User::default()
        };
        after.users.insert(user.id, user);
    }
    let events = merge(Vec::new(), differences(&catalogue(), &after));
    assert_eq!(events.len(), MAX_EVENTS + 1);
    assert_eq!(
        events[MAX_EVENTS].details.as_deref(),
        Some("100 further changes in the same transaction")
    );
}

/// Returns the changes of an event, to compare them.
fn values(event: &AuditEvent) -> Vec<(&str, Option<&str>, Option<&str>)> {
    let changes = event.changes.iter();
    changes
        .map(|change| {
            (
                change.field.as_str(),
                change.before.as_deref(),
                change.after.as_deref(),
            )
        })
        .collect()
}

#[test]
fn user_of_a_large_group_is_named_by_an_event_and_in_the_list() {
    let group = |users: std::ops::RangeInclusive<i64>| Group {
        id: PrincipalId(900),
        name: "Everybody".to_owned(),
        users: users.map(UserId).collect(),
        ..Group::default()
    };
    let mut before = catalogue();
    for id in 6..=500 {
        before.users.insert(UserId(id), User::default());
    }
    let mut after = before.clone();
    before.groups.insert(PrincipalId(900), group(6..=499));
    after.groups.insert(PrincipalId(900), group(5..=499));
    let events = differences(&before, &after);
    let shown: Vec<_> = events
        .iter()
        .map(|event| (event.change, event.principal))
        .collect();
    assert_eq!(
        shown,
        [("updated", None), ("user added", Some(PrincipalId(5)))]
    );
    assert_eq!(
        values(&events[0]),
        [("users (removed → added)", Some(""), Some("user 5"))]
    );
}

#[test]
fn long_values_are_cut_where_they_differ() {
    let mut before = catalogue();
    let mut after = catalogue();
    let text = |end: &str| Some(format!("{}{end}", "x".repeat(5_000)));
    let set = |catalogue: &mut Catalogue, end: &str| {
        let project = catalogue.projects.get_mut(&ProjectId(1)).unwrap();
        project.description = text(end);
    };
    set(&mut before, "old");
    set(&mut after, "new");
    let events = differences(&before, &after);
    let [(field, Some(old), Some(new))] = values(&events[0])[..] else {
        panic!("{events:?}");
    };
    assert_eq!(field, "description");
    assert!(old.starts_with("…xx") && old.ends_with("xold"), "{old}");
    assert!(new.starts_with("…xx") && new.ends_with("xnew"), "{new}");
    assert_eq!(old.chars().count(), 1_001);
}

#[test]
fn creation_and_end_of_a_user_are_never_merged_into_another_event() {
    let before = catalogue();
    let mut gone = catalogue();
    gone.users.clear();
    gone.members.clear();
    let mut locked = catalogue();
    let user = locked.users.get_mut(&UserId(5)).unwrap();
    user.status = UserStatus::Locked;
    let with_key = || vec![AuditEvent::new(RecordType::User, 5, "API key")];
    let changes = |events: Vec<AuditEvent>| -> Vec<(&str, usize)> {
        let shown = events.iter();
        shown
            .map(|event| (event.change, event.changes.len()))
            .collect()
    };
    let deleted = merge(with_key(), differences(&before, &gone));
    assert_eq!(changes(deleted), [("API key", 0), ("deleted", 0)]);
    let updated = merge(with_key(), differences(&before, &locked));
    assert_eq!(changes(updated), [("API key", 0), ("updated", 1)]);
    let created = merge(with_key(), differences(&gone, &before));
    assert_eq!(created.len(), 3);
    assert_eq!(
        (created[0].change, created[0].changes.len()),
        ("API key", 0)
    );
    assert_eq!(created[1].change, "created");
    let registered = vec![AuditEvent::new(RecordType::User, 5, "registered")];
    let events = merge(registered, differences(&gone, &before));
    assert_eq!(events[0].change, "registered");
    assert!(!events[0].changes.is_empty());
}

fn role(id: i64, name: &str, managed: &[i64]) -> Role {
    Role {
        id: RoleId(id),
        name: name.to_owned(),
        managed: Some(managed.iter().copied().map(RoleId).collect()),
        ..Role::default()
    }
}

#[test]
fn names_with_separators_are_told_from_several_names() {
    let roles = |managed: &[i64]| {
        let mut catalogue = catalogue();
        catalogue.roles = vec![
            role(1, "RA", &[]),
            role(2, "RB", &[]),
            role(3, "RA, RB", &[]),
            role(4, "Manager", managed),
        ];
        catalogue
    };
    let events = differences(&roles(&[1, 2]), &roles(&[3]));
    assert_eq!(events.len(), 1);
    assert_eq!(
        values(&events[0]),
        [("manages", Some("RA, RB"), Some("\"RA, RB\""))]
    );
}

#[test]
fn every_name_of_a_long_list_is_in_a_value() {
    let group = |users: Vec<i64>| Group {
        id: PrincipalId(900),
        users: users.into_iter().map(UserId).collect(),
        ..Group::default()
    };
    let before = catalogue();
    let mut after = catalogue();
    after
        .groups
        .insert(PrincipalId(900), group((1000..1400).collect()));
    let events = differences(&before, &after);
    let parts: Vec<&str> = events[0]
        .changes
        .iter()
        .filter(|change| change.field.starts_with("users"))
        .filter_map(|change| change.after.as_deref())
        .collect();
    assert!(parts.len() > 1);
    let listed: Vec<&str> = parts.iter().flat_map(|part| part.split(", ")).collect();
    assert_eq!(listed.len(), 400);
    assert_eq!(listed[399], "user 1399");
}
