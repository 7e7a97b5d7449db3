//! Forms about rights, filled in as no browser would.

use super::roles::form_fields;
use quarry::domain::access::permission::Permission;
use quarry::domain::ids::{RoleId, UserId};
use quarry_world::browser::{Browser, csrf_token};
use quarry_world::{World, insert_group, user};
use std::collections::BTreeSet;

/// The addresses of the forms; the group is 7.
const FORMS: [&str; 10] = [
    "/roles/new",
    "/roles/4/edit",
    "/roles/5/delete",
    "/roles/permissions",
    "/groups/new",
    "/groups/7/edit",
    "/groups/7/delete",
    "/workflows/edit?role_id[]=4&tracker_id[]=1",
    "/workflows/permissions?role_id[]=4&tracker_id[]=1",
    "/workflows/copy",
];

/// What a name can have in a form: what follows the name, and the value.
const SHAPES: [&[(&str, &str)]; 8] = [
    &[("", "")],
    &[("", "-1")],
    &[("", "\u{0}text")],
    &[(
        "",
        "99999999999999999999 1=1 1-x=readonly everybody-1-2=7 author-0-1=1",
    )],
    &[
        ("[]", ""),
        ("[]", "999"),
        ("[]", "x"),
        ("[]", "view_issues"),
    ],
    &[("[][a]", "1"), ("[][b]", "2")],
    &[("[4][b][]", "3"), ("[everybody-1-2][x]", "1")],
    &[
        ("[4]", "view_issues x"),
        ("[1-subject]", "readonly?"),
        ("[view_issues]", "all"),
    ],
];

const NAMES: [&str; 14] = [
    "role",
    "group",
    "shown",
    "names",
    "permissions",
    "on",
    "mixed",
    "rules",
    "changes",
    "shown_users",
    "source_tracker",
    "source_role",
    "tracker_id",
    "role_id",
];

const ATTRIBUTES: [&str; 16] = [
    "name",
    "assignable",
    "permissions",
    "issues_visibility",
    "time_entries_visibility",
    "users_visibility",
    "all_roles_managed",
    "managed_role_ids",
    "tracker_limits",
    "permissions_tracker_ids",
    "workflow_of",
    "position",
    "user_ids",
    "twofa_required",
    "custom_field_values",
    "custom_fields",
];

/// Returns forms whose fields have every wrong shape, alone and together.
fn forms() -> Vec<Vec<(String, String)>> {
    let shaped = |name: &str, shape: &[(&str, &str)]| {
        let fields = shape.iter();
        fields
            .map(|(suffix, value)| (format!("{name}{suffix}"), (*value).to_owned()))
            .collect::<Vec<_>>()
    };
    let attributes = ["role", "group"]
        .iter()
        .flat_map(|object| ATTRIBUTES.map(|attribute| format!("{object}[{attribute}]")));
    let names: Vec<String> = NAMES
        .map(str::to_owned)
        .into_iter()
        .chain(attributes)
        .collect();
    let mut forms = Vec::new();
    for shape in SHAPES {
        forms.extend(names.iter().map(|name| shaped(name, shape)));
        let outer = NAMES
            .iter()
            .filter(|name| !["role", "group"].contains(*name));
        forms.push(outer.flat_map(|name| shaped(name, shape)).collect());
        let inner = names.iter().filter(|name| name.contains('['));
        forms.push(inner.flat_map(|name| shaped(name, shape)).collect());
    }
    for name in [
        "on[]",
        "tracker_id[]",
        "group[user_ids][]",
        "role[permissions][]",
    ] {
        forms.push(vec![(name.to_owned(), "7".to_owned()); 990]);
    }
    forms
}

#[test]
fn wrong_shapes_are_refused_or_ignored() {
    let world = World::with_projects();
    let now = world.app.clock.now();
    let users = [user("bob")];
    assert_eq!(
        world
            .write(move |db| insert_group(db, "Crew", &users, now))
            .0,
        7
    );
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/roles/new").assert_status(200);
    let token = csrf_token(&page);
    let before = world.app.store.catalogue().unwrap();
    for path in FORMS.iter().filter(|path| !path.contains("delete")) {
        let mut statuses = BTreeSet::new();
        for form in forms() {
            let mut form = form;
            form.push(("authenticity_token".to_owned(), token.clone()));
            let fields: Vec<(&str, &str)> = form
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str()))
                .collect();
            let reply = admin.post(path, &fields);
            assert!(reply.status < 500, "{path} {fields:?} {reply:?}");
            statuses.insert(reply.status);
        }
        println!("{path}: {statuses:?}");
        assert!(statuses.contains(&422) || statuses.contains(&303), "{path}");
        for (media_type, body) in [
            ("application/json", "[]"),
            ("application/json", "{"),
            ("application/xml", "<role><name>x</name></role>"),
            ("text/plain", "role[name]=x"),
            ("multipart/form-data", "x"),
            ("application/x-www-form-urlencoded", "role[name]=%ff"),
        ] {
            let reply = admin.post_body(path, media_type, body.as_bytes().to_vec());
            assert!(
                (400..500).contains(&reply.status),
                "{path} {media_type} {reply:?}"
            );
        }
    }
    let after = world.app.store.catalogue().unwrap();
    assert_eq!(
        after.groups[&before.groups.keys().copied().next().unwrap()].users,
        [UserId(3)]
    );
    assert_eq!(
        after.role(RoleId(3)).unwrap().permissions,
        before.role(RoleId(3)).unwrap().permissions
    );
    for (tracker, role) in [(1, 4), (1, 3), (2, 4)] {
        assert_eq!(
            after.workflow.transitions(tracker.into(), role.into()),
            before.workflow.transitions(tracker.into(), role.into())
        );
    }
}

#[test]
fn forms_need_the_token_of_the_session() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    for path in FORMS {
        let fields = [
            ("do", "save"),
            ("changes", "everybody-1-2=0"),
            ("role[name]", "x"),
        ];
        assert_eq!(admin.post(path, &fields).status, 403, "{path}");
    }
}

#[test]
fn parallel_changes_of_the_table_all_apply() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/roles/permissions").assert_status(200);
    let token = csrf_token(&page);
    let cookies: Vec<(String, String)> = ["quarry_session", "session"]
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), admin.cookie(name)?)))
        .collect();
    assert!(!cookies.is_empty());
    let removed: Vec<String> = form_fields(&page)
        .into_iter()
        .filter(|(name, _)| name == "permissions[3][]")
        .map(|(_, value)| value)
        .take(12)
        .collect();
    std::thread::scope(|scope| {
        for permission in &removed {
            let mut fields = form_fields(&page);
            fields.retain(|(name, value)| name != "permissions[3][]" || value != permission);
            fields.push(("authenticity_token".to_owned(), token.clone()));
            let cookies = &cookies;
            let world = &world;
            scope.spawn(move || {
                let browser = Browser::new(world);
                for (name, value) in cookies {
                    browser.set_cookie(name, value);
                }
                let fields: Vec<(&str, &str)> = fields
                    .iter()
                    .map(|(name, value)| (name.as_str(), value.as_str()))
                    .collect();
                browser
                    .post("/roles/permissions", &fields)
                    .assert_status(303);
            });
        }
    });
    let catalogue = world.app.store.catalogue().unwrap();
    let stored = catalogue.role(RoleId(3)).unwrap().permissions;
    for permission in &removed {
        assert!(
            !stored.contains(Permission::parse(permission).unwrap()),
            "{permission}"
        );
    }
}
