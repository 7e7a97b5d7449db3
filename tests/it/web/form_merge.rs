//! Two people who have the same form open.

use super::browser::Browser;
use super::roles::send;
use crate::world::World;
use quarry::domain::access::permission::Permission;
use quarry::domain::ids::RoleId;

#[test]
fn changes_of_different_fields_are_both_saved() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let path = "/roles/4/edit";
    let opened = admin.get(path).assert_status(200);
    send(&admin, &opened, path, &[("role[name]", "Engineer")]).assert_status(303);
    // The second form was opened before, and still has the former name.
    let visibility = [("role[issues_visibility]", "own")];
    send(&admin, &opened, path, &visibility).assert_status(303);
    let catalogue = world.app.store.catalogue().unwrap();
    let role = catalogue.role(RoleId(4)).unwrap();
    assert_eq!(role.name, "Engineer");
    let json = admin.get("/roles/4.json").json();
    assert_eq!(json["role"]["issues_visibility"], "own");
    assert!(role.permissions.contains(Permission::EditIssues));
}

#[test]
fn a_field_that_both_have_changed_is_shown_with_both_values() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let path = "/trackers/1/edit";
    let opened = admin.get(path).assert_status(200);
    let fields = "tracker[enabled_standard_fields][]";
    send(&admin, &opened, path, &[("tracker[name]", "Defect & <b>")]).assert_status(303);
    let changes = [
        ("tracker[name]", "Fault"),
        ("tracker[description]", "Mine"),
        (fields, ""),
        (fields, "due_date"),
    ];
    let conflict = send(&admin, &opened, path, &changes).assert_status(409);
    for expected in [
        "Somebody else has saved changes while you were writing.",
        "value=\"Fault\"",
        "id=\"tracker[name]-saved\"",
        "<div class=\"text\">Defect &#38; &#60;b&#62;</div>",
        "value=\"Mine\"",
    ] {
        assert!(conflict.body.contains(expected), "{expected}: {conflict:?}");
    }
    assert!(!conflict.body.contains("tracker[description]-saved"));
    let tracker = || admin.get("/trackers.json").json()["trackers"][0].clone();
    assert_eq!(tracker()["name"], "Defect & <b>", "nothing is saved");
    // Who saves the form with both values has chosen.
    send(&admin, &conflict, path, &[]).assert_status(303);
    assert_eq!(tracker()["name"], "Fault");
    assert_eq!(tracker()["description"], "Mine");
    let listed = &tracker()["enabled_standard_fields"];
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
}

#[test]
fn settings_of_a_project_are_merged() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let path = "/projects/open/settings";
    let opened = admin.get(path).assert_status(200);
    send(&admin, &opened, path, &[("project[name]", "First")]).assert_status(303);
    let homepage = [("project[homepage]", "https://example.org/")];
    send(&admin, &opened, path, &homepage).assert_status(303);
    let conflict = send(&admin, &opened, path, &[("project[name]", "Second")]);
    conflict
        .assert_status(409)
        .assert_contains("id=\"project[name]-saved\"");
    let project = admin.get("/projects/open.json").json();
    assert_eq!(project["project"]["name"], "First");
    assert_eq!(project["project"]["homepage"], "https://example.org/");
}

#[test]
fn forms_that_do_not_say_how_they_were_opened_change_what_they_have() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/roles").assert_status(200);
    for original in [None, Some(""), Some("role.name.=%ff&&&=")] {
        let mut fields = vec![("role[name]", "Tester")];
        fields.extend(original.map(|original| ("original", original)));
        let status = admin.submit(&page, "/roles/4/edit", &fields).status;
        assert!([303, 409].contains(&status), "{original:?}: {status}");
    }
    let catalogue = world.app.store.catalogue().unwrap();
    assert_eq!(catalogue.role(RoleId(4)).unwrap().name, "Tester");
}
