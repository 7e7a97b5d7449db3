//! Managing priorities, activities and document categories in the browser.

use super::issue_statuses::filters;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::administration::enumeration::EnumerationKind;
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::{EnumerationId, StatusId};
use quarry::store::administration::custom_fields;
use quarry_world::World;
use quarry_world::browser::Browser;

const NEW_PRIORITY: &str = "/enumerations/new?type=IssuePriority";

/// Returns the names of the priorities, the default one with a star.
fn priorities(world: &World) -> Vec<String> {
    let catalogue = world.app.store.catalogue().unwrap();
    catalogue
        .enumerations_of(EnumerationKind::IssuePriority)
        .map(|value| format!("{}{}", value.name, if value.is_default { "*" } else { "" }))
        .collect()
}

#[test]
fn one_page_lists_all_enumerations() {
    let world = World::with_projects();
    world.issue("secret").field("priority_id", 4).create();
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/enumerations").assert_status(200);
    for expected in [
        "<h2>Issue priorities <span class=\"count\">5</span></h2>",
        "Activities of time tracking",
        "Document categories",
        "href=\"/enumerations/new?type=TimeEntryActivity\">New activity",
        "href=\"/issues?priority_id=4&#38;status_id=*\">1</a>",
        "href=\"/enumerations/4/edit\">Urgent",
    ] {
        assert!(page.body.contains(expected), "{expected}: {page:?}");
    }
}

#[test]
fn value_is_created_changed_and_moved() {
    let world = World::new();
    let field = CustomField {
        required: true,
        ..CustomField::new(Customized::IssuePriority, "Reaction time", Format::Integer)
    };
    world.write(move |db| custom_fields::insert(db, &field));
    let admin = Browser::logged_in(&world, "admin");
    let form = admin
        .get(NEW_PRIORITY)
        .assert_status(200)
        .assert_contains("New priority")
        .assert_contains("Reaction time");
    let invalid = [
        ("enumeration[name]", "urgent"),
        ("enumeration[custom_field_values][1]", "soon"),
    ];
    admin
        .submit(&form, NEW_PRIORITY, &invalid)
        .assert_status(422)
        .assert_contains("Name has already been taken")
        .assert_contains("value=\"soon\"")
        .assert_contains("Reaction time is not a number");
    let valid = [
        ("enumeration[name]", "Someday"),
        ("enumeration[is_default]", "1"),
        ("enumeration[active]", "1"),
        ("enumeration[custom_field_values][1]", "24"),
    ];
    let created = admin.submit(&form, NEW_PRIORITY, &valid).assert_status(303);
    assert_eq!(created.header("location"), "/enumerations");
    let catalogue = world.app.store.catalogue().unwrap();
    let value = catalogue
        .enumerations_of(EnumerationKind::IssuePriority)
        .last()
        .unwrap();
    let edit = format!("/enumerations/{}/edit", value.id);
    admin
        .get(&edit)
        .assert_status(200)
        .assert_contains("value=\"24\"");
    admin
        .submit(&form, &edit, &[("enumeration[position]", "1")])
        .assert_status(303);
    assert_eq!(
        priorities(&world),
        ["Someday*", "Low", "Normal", "High", "Urgent", "Immediate"]
    );
    admin
        .submit(&form, &edit, &[("enumeration[active]", "0")])
        .assert_status(303);
    let catalogue = world.app.store.catalogue().unwrap();
    assert!(
        !catalogue
            .enumerations_of(EnumerationKind::IssuePriority)
            .next()
            .unwrap()
            .active
    );
}

#[test]
fn unknown_enumerations_are_not_found() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let form = admin.get(NEW_PRIORITY).assert_status(200);
    for query in [
        "",
        "?type=",
        "?type=issue_priorities",
        "?type[]=IssuePriority",
    ] {
        let path = format!("/enumerations/new{query}");
        admin.get(&path).assert_status(404);
        admin
            .submit(&form, &path, &[("enumeration[name]", "X")])
            .assert_status(404);
    }
    for path in ["/enumerations/99/edit", "/enumerations/99/delete"] {
        admin.get(path).assert_status(404);
        admin.submit(&form, path, &[]).assert_status(404);
    }
}

#[test]
fn records_of_a_deleted_value_get_the_replacement() {
    let world = World::with_projects();
    world.set(Setting::ParentIssuePriority, "derived");
    let parent = world.issue("secret").field("priority_id", 1).create();
    let child = world
        .issue("secret")
        .parent(parent)
        .field("priority_id", 4)
        .create();
    let admin = Browser::logged_in(&world, "admin");
    let path = "/enumerations/4/delete";
    let page = admin.get(path).assert_status(200);
    for expected in [
        "Delete the priority Urgent?",
        "2 issues get the new priority.",
        "href=\"/issues?priority_id=4&#38;status_id=*\"",
        "choose one",
    ] {
        assert!(page.body.contains(expected), "{expected}: {page:?}");
    }
    for (replacement, message) in [
        ("", "The value is in use and cannot be deleted"),
        ("4", "Reassign to is invalid"),
        ("8", "Reassign to is invalid"),
        ("x", "Reassign to is invalid"),
    ] {
        admin
            .submit(&page, path, &[("reassign_to_id", replacement)])
            .assert_status(422)
            .assert_contains(message);
    }
    admin
        .submit(&page, path, &[("reassign_to_id", "3")])
        .assert_status(303);
    admin.submit(&page, path, &[]).assert_status(404);
    for issue in [parent, child] {
        let shown = world.show_issue("alice", issue, "");
        assert_eq!(shown["priority"]["id"], 3, "{shown}");
    }
}

#[test]
fn parents_of_closed_subtasks_do_not_keep_a_deleted_default() {
    let world = World::with_projects();
    world.set(Setting::ParentIssuePriority, "derived");
    let parent = world.issue("secret").create();
    let child = world.issue("secret").parent(parent).create();
    world.edit(child, |issue| issue.status = StatusId(5));
    world.edit(parent, |issue| issue.priority = EnumerationId(4));
    let admin = Browser::logged_in(&world, "admin");
    let path = "/enumerations/2/delete";
    let page = admin
        .get(path)
        .assert_status(200)
        .assert_contains("It is the default.");
    admin
        .submit(&page, path, &[("reassign_to_id", "1")])
        .assert_status(303);
    let shown = world.show_issue("alice", parent, "");
    assert_eq!(shown["priority"]["id"], 1, "{shown}");
}

#[test]
fn version_of_a_project_is_no_value_of_its_own() {
    let world = World::with_projects();
    world.sql("INSERT INTO enumerations (id, type, name, position, is_default, active, project_id, parent_id) VALUES (90, 'TimeEntryActivity', 'Own', 1, 0, 1, 1, 8)");
    world.sql("INSERT INTO time_entries (project_id, user_id, activity_id, hours, spent_on, created_on, updated_on) VALUES (1, 2, 90, 1.0, '2026-11-19', 0, 0)");
    let admin = Browser::logged_in(&world, "admin");
    admin.get("/enumerations/90/edit").assert_status(404);
    let page = admin
        .get("/enumerations/8/delete")
        .assert_status(200)
        .assert_contains("1 project has its own version of it, which is deleted, too.")
        .assert_contains("1 time entry gets the new activity.");
    admin
        .submit(&page, "/enumerations/8/delete", &[("reassign_to_id", "9")])
        .assert_status(303);
    let catalogue = world.app.store.catalogue().unwrap();
    assert!(catalogue.enumeration(EnumerationId(90)).is_none());
    let entries = world.as_user("admin").get("/time_entries.json");
    assert_eq!(entries.integer("/time_entries/0/activity/id"), 9);
}

#[test]
fn only_administrators_manage_enumerations() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get("/projects/open/issue_categories/new");
    alice.get("/enumerations").assert_status(403);
    for path in [
        NEW_PRIORITY,
        "/enumerations/4/edit",
        "/enumerations/4/delete",
    ] {
        alice.get(path).assert_status(403);
        alice
            .submit(&form, path, &[("enumeration[name]", "Mine")])
            .assert_status(403);
    }
    assert_eq!(priorities(&world).len(), 5);
}

#[test]
fn saved_queries_and_settings_follow_deleted_values_and_categories() {
    let world = World::with_projects();
    world.sql("INSERT INTO issue_categories (id, project_id, name) VALUES (7, 1, 'Pumps'), (8, 1, 'Seals')");
    world.sql(
        r#"INSERT INTO queries (id, type, name, user_id, visibility, filters_json) VALUES
           (1, 'IssueQuery', 'a', 2, 0, '{"priority_id": {"operator": "=", "values": ["4"]}, "category_id": {"operator": "=", "values": ["7", "8"]}}'),
           (2, 'IssueQuery', 'b', 2, 0, '{"priority_id": {"operator": "=", "values": ["3", "4"]}, "activity_id": {"operator": "=", "values": ["8"]}}')"#,
    );
    world.set(Setting::CommitLogtimeActivityId, "8");
    let admin = world.as_user("admin");
    for deleted in [
        "/enumerations/issue_priorities/4.json?reassign_to_id=1",
        "/enumerations/issue_priorities/3.json",
        "/enumerations/time_entry_activities/8.json?reassign_to_id=9",
        "/issue_categories/7.json?reassign_to_id=8",
    ] {
        admin.delete(deleted).assert_status(204);
    }
    assert_eq!(filters(&world, 1), ["priority_id = 1", "category_id = 8"]);
    assert_eq!(filters(&world, 2), ["priority_id = 1", "activity_id = 9"]);
    assert_eq!(world.setting(Setting::CommitLogtimeActivityId), "9");
    admin
        .delete("/enumerations/time_entry_activities/9.json")
        .assert_status(204);
    assert_eq!(world.setting(Setting::CommitLogtimeActivityId), "0");
}
