//! Creating projects in the browser.

use super::members::offered;
use quarry::domain::access::permission::Permission;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::RoleId;
use quarry::domain::projects::project::Project;
use quarry::store::administration::{custom_fields, roles};
use quarry_world::browser::{Browser, csrf_token};
use quarry_world::{DEVELOPER, MANAGER, REPORTER, World, user};

const NEW: &str = "/projects/new";
const MODULES: &str = "project[enabled_module_names][]";
const TRACKERS: &str = "project[tracker_ids][]";
const HARBOUR: [(&str, &str); 2] = [
    ("project[name]", "Harbour"),
    ("project[identifier]", "harbour"),
];

fn project(world: &World, identifier: &str) -> Option<Project> {
    world
        .app
        .store
        .catalogue()
        .unwrap()
        .project_by(identifier)
        .cloned()
}

/// Returns the roles of the user in the project.
fn member_roles(world: &World, login: &str, identifier: &str) -> Vec<RoleId> {
    let catalogue = world.app.store.catalogue().unwrap();
    let project = catalogue.project_by(identifier).unwrap().id;
    let member = catalogue
        .members
        .iter()
        .find(|member| member.project == project && member.principal == user(login).into());
    member
        .map(|member| member.role_ids().collect())
        .unwrap_or_default()
}

/// Grants another permission to a role.
fn permit(world: &World, role: RoleId, permission: Permission) {
    world.write(move |db| {
        let before = db.catalogue().role(role).unwrap().permissions;
        roles::set_permissions(db, role, before.union([permission].into_iter().collect()))
    });
}

#[test]
fn form_has_the_defaults_of_the_settings_and_leads_to_the_members() {
    let world = World::with_projects();
    world.set(Setting::DefaultProjectsModules, "wiki,news");
    world.set(Setting::DefaultProjectsTrackerIds, "2");
    world.set(Setting::DefaultProjectsPublic, "0");
    let admin = Browser::logged_in(&world, "admin");
    let form = admin.get(NEW).assert_status(200);
    assert!(
        form.body.contains("value=\"wiki\" checked")
            && !form.body.contains("value=\"boards\" checked"),
        "{form:?}"
    );
    assert_eq!(
        (
            offered(&form.body, MODULES).len(),
            offered(&form.body, TRACKERS)
        ),
        (10, vec!["1".into(), "2".into(), "3".into()])
    );
    assert!(
        !form.body.contains("value=\"1\" checked> Public"),
        "{form:?}"
    );
    let more = [
        ("project[description]", "Where ships are"),
        ("project[homepage]", "https://example.org/"),
        ("project[is_public]", "1"),
        ("project[parent_id]", "2"),
        ("project[inherit_members]", "1"),
        (MODULES, ""),
        (MODULES, "boards"),
        (TRACKERS, ""),
        (TRACKERS, "3"),
    ];
    let reply = admin
        .submit(&form, NEW, &[&HARBOUR[..], &more].concat())
        .assert_status(303);
    assert_eq!(reply.location(), "/projects/harbour/settings/members");
    admin
        .get(reply.location())
        .assert_status(200)
        .assert_contains("The project Harbour was created.")
        .assert_contains("(inherited)");
    let created = project(&world, "harbour").unwrap();
    assert_eq!(
        (created.name.as_str(), created.description.as_deref()),
        ("Harbour", Some("Where ships are"))
    );
    assert_eq!(
        (
            created.parent.map(|id| id.0),
            created.is_public,
            created.inherit_members
        ),
        (Some(2), true, true)
    );
    assert_eq!(
        created
            .modules
            .iter()
            .map(quarry::domain::projects::module::Module::name)
            .collect::<Vec<_>>(),
        ["boards"]
    );
    assert_eq!(
        created.trackers.iter().map(|id| id.0).collect::<Vec<_>>(),
        [3]
    );
    assert!(member_roles(&world, "admin", "harbour").is_empty());
    // The same form again.
    let again = admin.submit(&form, NEW, &HARBOUR).assert_status(422);
    assert!(
        again
            .body
            .contains("id=\"project[identifier]-error\">Identifier has already been taken"),
        "{again:?}"
    );
}

#[test]
fn creator_becomes_a_member_with_the_role_of_the_setting() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(NEW).assert_status(200);
    let reply = alice.submit(&form, NEW, &HARBOUR).assert_status(303);
    assert_eq!(reply.location(), "/projects/harbour/settings/members");
    assert_eq!(member_roles(&world, "alice", "harbour"), [MANAGER]);
    world.set(Setting::NewProjectUserRoleId, "4");
    let quay = [("project[name]", "Quay"), ("project[identifier]", "quay")];
    let reply = alice.submit(&form, NEW, &quay).assert_status(303);
    assert_eq!(
        reply.location(),
        "/projects/quay",
        "developers do not manage members"
    );
    assert_eq!(member_roles(&world, "alice", "quay"), [DEVELOPER]);
}

#[test]
fn errors_are_beside_their_fields_and_the_input_is_kept() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let form = admin.get(NEW).assert_status(200);
    let typed = [
        ("project[name]", "  "),
        ("project[identifier]", "Not Good"),
        ("project[description]", "Some <text>"),
        (TRACKERS, "2"),
    ];
    let page = admin.submit(&form, NEW, &typed).assert_status(422);
    for expected in [
        "id=\"project[name]-error\">Name cannot be blank",
        "id=\"project[identifier]-error\">Identifier is invalid",
        "value=\"Not Good\"",
        "Some &#60;text&#62;",
        "value=\"2\" checked",
    ] {
        assert!(page.body.contains(expected), "{expected}: {page:?}");
    }
    assert!(!page.body.contains("value=\"1\" checked> Bug"), "{page:?}");
    for identifier in ["", "new", "open", "9lives", "a/b", "é", &"x".repeat(101)] {
        let fields = [("project[name]", "x"), ("project[identifier]", identifier)];
        let page = admin.submit(&form, NEW, &fields).assert_status(422);
        assert!(
            page.body.contains("id=\"project[identifier]-error\""),
            "{identifier}: {page:?}"
        );
    }
    let long = "x".repeat(256);
    admin
        .submit(
            &form,
            NEW,
            &[&HARBOUR[..], &[("project[homepage]", long.as_str())]].concat(),
        )
        .assert_status(422);
    let odd = admin.submit(
        &form,
        NEW,
        &[&HARBOUR[..], &[("project[name][a]", "x")]].concat(),
    );
    assert!(matches!(odd.status, 400 | 422), "{odd:?}");
    admin
        .submit(&form, NEW, &[("project", "x")])
        .assert_status(400);
    admin
        .submit(&form, NEW, &[&HARBOUR[..], &[(TRACKERS, "99")]].concat())
        .assert_status(422);
    assert_eq!(world.app.store.catalogue().unwrap().projects.len(), 2);
}

#[test]
fn projects_are_created_only_by_those_who_may() {
    let world = World::with_projects();
    let anonymous = Browser::new(&world);
    let admin = Browser::logged_in(&world, "admin");
    let dave = Browser::logged_in(&world, "dave");
    let token = csrf_token(&dave.get("/my/account"));
    assert!(
        anonymous
            .get(NEW)
            .assert_status(302)
            .location()
            .starts_with("/login?back_url=")
    );
    drop(anonymous.post(NEW, &HARBOUR));
    dave.get(NEW).assert_status(403);
    dave.post(
        NEW,
        &[&HARBOUR[..], &[("authenticity_token", token.as_str())]].concat(),
    )
    .assert_status(403);
    admin.post(NEW, &HARBOUR).assert_status(403);
    admin
        .post(
            NEW,
            &[&HARBOUR[..], &[("authenticity_token", token.as_str())]].concat(),
        )
        .assert_status(403);
    assert!(project(&world, "harbour").is_none());
    for (browser, is_shown) in [(&admin, true), (&dave, false)] {
        assert_eq!(
            browser
                .get("/projects")
                .assert_status(200)
                .body
                .contains("href=\"/projects/new\""),
            is_shown
        );
    }
}

#[test]
fn empty_list_says_what_to_do() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let dave = Browser::logged_in(&world, "dave");
    for path in ["/", "/projects"] {
        let page = admin
            .get(path)
            .assert_status(200)
            .assert_contains("There is no project here.");
        assert!(
            page.body.contains("href=\"/projects/new\">New project"),
            "{page:?}"
        );
        let page = dave
            .get(path)
            .assert_status(200)
            .assert_contains("Ask an administrator, or a manager of your project, to add you.");
        assert!(!page.body.contains("/projects/new"), "{page:?}");
    }
    world.set(Setting::LoginRequired, "0");
    Browser::new(&world)
        .get("/projects")
        .assert_status(200)
        .assert_contains("Log in to see the projects of which you are a member.");
    admin
        .get("/admin/welcome")
        .assert_status(200)
        .assert_contains("href=\"/projects/new\"");
    world.project("first").create();
    admin
        .get("/admin/welcome")
        .assert_status(200)
        .assert_contains("href=\"/projects/first/settings\"");
}

#[test]
fn hidden_parents_look_like_missing_ones() {
    let world = World::with_projects();
    world
        .project("hers")
        .private()
        .member("bob", MANAGER)
        .create();
    world.sql("UPDATE projects SET status = 5 WHERE identifier = 'open'");
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get("/projects/new?parent_id=hers").assert_status(200);
    assert!(!form.body.contains("hers</option>"), "{form:?}");
    assert!(
        !form.body.contains("<option value=\"1\""),
        "closed: {form:?}"
    );
    let below = |parent: &str| {
        alice
            .submit(
                &form,
                NEW,
                &[&HARBOUR[..], &[("project[parent_id]", parent)]].concat(),
            )
            .assert_status(422)
    };
    let missing = below("99").without_tokens();
    assert!(
        missing.contains("id=\"project[parent_id]-error\">Subproject of is invalid"),
        "{missing}"
    );
    assert_eq!(below("3").without_tokens(), missing);
    assert_eq!(below("1").without_tokens(), missing);
    assert!(project(&world, "harbour").is_none());
    alice
        .get("/projects/new?parent_id=secret")
        .assert_status(200)
        .assert_contains("<option value=\"2\" selected>secret");
}

#[test]
fn permission_for_subprojects_requires_a_parent() {
    let world = World::with_projects();
    permit(&world, REPORTER, Permission::AddSubprojects);
    let carol = Browser::logged_in(&world, "carol");
    carol
        .get("/projects/open")
        .assert_status(200)
        .assert_contains("href=\"/projects/new?parent_id=1\"");
    let form = carol
        .get(NEW)
        .assert_status(200)
        .assert_contains("<option value=\"1\" selected>open");
    assert!(!form.body.contains("<option value=\"\""), "{form:?}");
    carol
        .submit(&form, NEW, &HARBOUR)
        .assert_status(422)
        .assert_contains("Subproject of is invalid");
    carol
        .submit(
            &form,
            NEW,
            &[&HARBOUR[..], &[("project[parent_id]", "1")]].concat(),
        )
        .assert_status(303);
    assert_eq!(
        project(&world, "harbour").unwrap().parent.map(|id| id.0),
        Some(1)
    );
}

#[test]
fn fields_without_permission_are_neither_offered_nor_set() {
    let world = World::with_projects();
    permit(&world, REPORTER, Permission::AddProject);
    world.set(Setting::NewProjectUserRoleId, "5");
    let carol = Browser::logged_in(&world, "carol");
    let form = carol.get(NEW).assert_status(200);
    assert!(
        !form.body.contains("project[is_public]") && offered(&form.body, MODULES).is_empty(),
        "{form:?}"
    );
    let forged = [("project[is_public]", "0"), (MODULES, "wiki")];
    carol
        .submit(&form, NEW, &[&HARBOUR[..], &forged].concat())
        .assert_status(303);
    let created = project(&world, "harbour").unwrap();
    assert_eq!(
        (created.is_public, created.modules.iter().count()),
        (true, 10)
    );
}

#[test]
fn required_custom_fields_are_part_of_the_form() {
    let world = World::with_projects();
    let (cost, person) = world.write(|db| {
        let cost = CustomField {
            required: true,
            ..CustomField::new(Customized::Project, "Cost center", Format::Line)
        };
        let person = CustomField::new(Customized::Project, "Contact", Format::User);
        let hidden = CustomField {
            visible: false,
            ..CustomField::new(Customized::Project, "Budget", Format::Line)
        };
        custom_fields::insert(db, &hidden)?;
        Ok((
            custom_fields::insert(db, &cost)?,
            custom_fields::insert(db, &person)?,
        ))
    });
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(NEW).assert_status(200);
    let name = format!("project[custom_field_values][{cost}]");
    assert!(
        form.body.contains(&format!("name=\"{name}\" required")) && !form.body.contains("Budget"),
        "{form:?}"
    );
    assert!(
        form.body.contains("bob Tester") && !form.body.contains("dave Tester"),
        "hidden users are not offered: {form:?}"
    );
    let page = alice.submit(&form, NEW, &HARBOUR).assert_status(422);
    assert!(
        page.body
            .contains(&format!("id=\"{name}-error\">Cost center cannot be blank")),
        "{page:?}"
    );
    let person = format!("project[custom_field_values][{person}]");
    alice
        .submit(
            &form,
            NEW,
            &[
                &HARBOUR[..],
                &[(name.as_str(), "C-7"), (person.as_str(), "3")],
            ]
            .concat(),
        )
        .assert_status(303);
    let fields = world
        .as_user("alice")
        .get("/projects/harbour.json")
        .assert_status(200)
        .array("/project/custom_fields");
    let mut values: Vec<&str> = fields
        .iter()
        .map(|field| field["value"].as_str().unwrap())
        .collect();
    values.sort_unstable();
    assert_eq!(values, ["3", "C-7"]);
}

#[test]
fn tracker_that_was_deleted_meanwhile_loses_no_input() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let form = admin.get(NEW).assert_status(200);
    let page = admin
        .submit(
            &form,
            NEW,
            &[&HARBOUR[..], &[("project[tracker_ids][]", "999")]].concat(),
        )
        .assert_status(422);
    page.assert_contains("A chosen tracker has been deleted")
        .assert_contains("value=\"harbour\"");
}
