//! Managing trackers in the browser.

use super::members::offered;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::{RoleId, TrackerId};
use quarry::store::administration::custom_fields;
use quarry_world::World;
use quarry_world::browser::Browser;

const NEW: &str = "/trackers/new";
const FIELDS: &str = "tracker[enabled_standard_fields][]";
const CUSTOM_FIELDS: &str = "tracker[custom_field_ids][]";
const PROJECTS: &str = "tracker[project_ids][]";

/// Returns the number of transitions of a tracker for managers.
fn transitions(world: &World, tracker: i64) -> usize {
    let catalogue = world.app.store.catalogue().unwrap();
    catalogue
        .workflow
        .transitions(TrackerId(tracker), RoleId(3))
        .len()
}

#[test]
fn tracker_is_created_with_fields_projects_and_a_workflow() {
    let world = World::with_projects();
    let field = CustomField::new(Customized::Issue, "Platform", Format::Line);
    world.write(move |db| custom_fields::insert(db, &field));
    world.sql("INSERT INTO workflow_permissions (tracker_id, role_id, old_status_id, field_name, rule) VALUES (1, 3, 1, 'due_date', 'required')");
    let admin = Browser::logged_in(&world, "admin");
    let form = admin.get(NEW).assert_status(200);
    assert_eq!(offered(&form.body, PROJECTS), ["1", "2"]);
    assert_eq!(offered(&form.body, CUSTOM_FIELDS), ["1"]);
    assert_eq!(offered(&form.body, FIELDS).len(), 9, "{form:?}");
    let fields = [
        ("tracker[name]", "Task"),
        ("tracker[description]", "Work"),
        ("tracker[default_status_id]", "2"),
        ("tracker[copy_workflow_from]", "1"),
        (FIELDS, ""),
        (FIELDS, "due_date"),
        (CUSTOM_FIELDS, ""),
        (CUSTOM_FIELDS, "1"),
        (PROJECTS, ""),
        (PROJECTS, "2"),
    ];
    admin.submit(&form, NEW, &fields).assert_status(303);
    let shown = world
        .as_user("admin")
        .get("/trackers/4.json")
        .assert_status(200);
    assert_eq!(shown.integers("/tracker/projects", "id"), [2]);
    assert_eq!(shown.integers("/tracker/custom_fields", "id"), [1]);
    assert_eq!(
        shown.json_path("/tracker/enabled_standard_fields/0"),
        "due_date"
    );
    assert_eq!(shown.integer("/tracker/default_status/id"), 2);
    assert!(transitions(&world, 1) > 0);
    assert_eq!(transitions(&world, 4), transitions(&world, 1));
    let rules = world
        .as_user("admin")
        .get("/workflows.json?tracker_id=4&role_id=3");
    assert!(rules.body.contains("due_date"), "{rules:?}");
    let list = admin.get("/trackers").assert_status(200);
    for expected in [
        "The tracker was created.",
        "href=\"/trackers/4/edit\">Task",
        "In Progress",
    ] {
        assert!(list.body.contains(expected), "{expected}: {list:?}");
    }
}

#[test]
fn form_shows_errors_beside_fields_and_keeps_what_was_typed() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let form = admin.get(NEW).assert_status(200);
    let fields = [
        ("tracker[name]", "Bug"),
        ("tracker[description]", "Typed <b>"),
        ("tracker[default_status_id]", "99"),
        (PROJECTS, ""),
        (PROJECTS, "1"),
    ];
    let again = admin.submit(&form, NEW, &fields).assert_status(422);
    for expected in [
        "id=\"tracker[name]-error\">Name has already been taken",
        "id=\"tracker[default_status_id]-error\">Default status is invalid",
        "value=\"Typed &#60;b&#62;\"",
        "name=\"tracker[project_ids][]\" value=\"1\" checked",
    ] {
        assert!(again.body.contains(expected), "{expected}: {again:?}");
    }
    let fields = [
        ("tracker[name]", "Task"),
        ("tracker[default_status_id]", "1"),
        ("tracker[copy_workflow_from]", "99"),
    ];
    admin
        .submit(&form, NEW, &fields)
        .assert_status(422)
        .assert_contains("id=\"tracker[copy_workflow_from]-error\"");
    assert_eq!(world.app.store.catalogue().unwrap().trackers.len(), 3);
}

#[test]
fn tracker_is_changed_and_moved() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let path = "/trackers/3/edit";
    let form = admin.get(path).assert_status(200);
    admin
        .submit(&form, path, &[("tracker[position]", "1")])
        .assert_status(303);
    let before = world.app.store.catalogue().unwrap();
    assert_eq!(before.trackers[0].name, "Support");
    assert!(before.trackers[0].has("due_date"), "the rest stays");
    admin
        .submit(
            &form,
            path,
            &[("tracker[name]", "Help"), (FIELDS, ""), (PROJECTS, "")],
        )
        .assert_status(303);
    let after = world.app.store.catalogue().unwrap();
    let tracker = after.tracker(TrackerId(3)).unwrap();
    assert_eq!(tracker.name, "Help");
    assert!(!tracker.has("due_date") && tracker.has("priority_id"));
    assert!(
        after
            .projects
            .values()
            .all(|project| !project.trackers.contains(&TrackerId(3)))
    );
}

#[test]
fn issues_of_a_deleted_tracker_get_another_one() {
    let world = World::with_projects();
    let id = world.issue("secret").field("tracker_id", 1).create();
    world.sql("DELETE FROM project_trackers WHERE tracker_id = 2");
    world.set(
        Setting::CommitUpdateKeywords,
        "fixes status_id=5 if_tracker_id=1; late status_id=3 if_tracker_id=3; done status_id=2",
    );
    let admin = Browser::logged_in(&world, "admin");
    let path = "/trackers/1/delete";
    let page = admin.get(path).assert_status(200);
    for expected in [
        "1 issue gets the other tracker",
        "In commit messages, fixes will change issues of the other tracker",
        "href=\"/issues?tracker_id=1&#38;status_id=*\"",
    ] {
        assert!(page.body.contains(expected), "{expected}: {page:?}");
    }
    for refused in ["", "1", "99", "x"] {
        admin
            .submit(&page, path, &[("reassign_to_id", refused)])
            .assert_status(422);
    }
    admin
        .submit(&page, path, &[("reassign_to_id", "2")])
        .assert_status(303);
    let issue = admin.get(&format!("/issues/{id}.json")).json();
    assert_eq!(issue["issue"]["tracker"]["id"], 2);
    let catalogue = world.app.store.catalogue().unwrap();
    let secret = catalogue.project_by("secret").unwrap();
    assert!(secret.trackers.contains(&TrackerId(2)));
    assert!(catalogue.tracker(TrackerId(1)).is_none());
    let found = admin.get("/issues.json?tracker_id=2&status_id=*").json();
    assert_eq!(found["total_count"], 1);
    admin
        .get("/trackers/3/delete")
        .assert_status(200)
        .assert_contains("2 projects lose it")
        .assert_contains("what late did with issues of this tracker is deleted");
    admin
        .submit(&page, "/trackers/3/delete", &[])
        .assert_status(303);
    assert_eq!(
        world.setting(Setting::CommitUpdateKeywords),
        "fixes status_id=5 if_tracker_id=2; done status_id=2"
    );
    admin.get("/trackers/3/edit").assert_status(404);
    admin
        .submit(&page, "/trackers/3/edit", &[("tracker[name]", "Late")])
        .assert_status(404);
}

#[test]
fn too_many_projects_are_not_offered_and_stay() {
    let world = World::with_projects();
    world.sql(
        "WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 700) \
         INSERT INTO projects (id, name, identifier, status, created_on, updated_on) SELECT i, 'P' || i, 'p' || i, 1, 0, 0 FROM n",
    );
    let admin = Browser::logged_in(&world, "admin");
    let form = admin.get("/trackers/1/edit").assert_status(200);
    assert_eq!(offered(&form.body, PROJECTS), [""; 0]);
    assert!(form.body.contains("too many to choose from"), "{form:?}");
    admin
        .submit(&form, "/trackers/1/edit", &[("tracker[name]", "Defect")])
        .assert_status(303);
    let catalogue = world.app.store.catalogue().unwrap();
    let open = catalogue.project_by("open").unwrap();
    assert!(open.trackers.contains(&TrackerId(1)));
}

#[test]
fn only_administrators_manage_trackers() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get("/projects/open/issue_categories/new");
    for path in [NEW, "/trackers/1/edit", "/trackers/1/delete"] {
        alice.get(path).assert_status(403);
        alice
            .submit(&form, path, &[("tracker[name]", "Mine")])
            .assert_status(403);
    }
    let admin = Browser::logged_in(&world, "admin");
    admin
        .post(NEW, &[("tracker[name]", "Forged")])
        .assert_status(403);
    assert_eq!(world.app.store.catalogue().unwrap().trackers.len(), 3);
}
