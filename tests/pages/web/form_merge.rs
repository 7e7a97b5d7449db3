//! Two people who have the same form open.

use quarry_world::browser::{Browser, password};

use super::roles::{form_fields, send};
use quarry::domain::access::permission::Permission;
use quarry::domain::ids::RoleId;
use quarry_world::World;
use serde_json::json;

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
fn form_without_original_values_is_saved_and_with_unusable_ones_is_a_conflict() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/roles").assert_status(200);
    for (original, name, status) in [
        (None, "Tester", 303),
        (Some(""), "Second", 409),
        (Some("role.name.=%ff&&&="), "Third", 409),
    ] {
        let mut fields = vec![("role[name]", name)];
        fields.extend(original.map(|original| ("original", original)));
        admin
            .submit(&page, "/roles/4/edit", &fields)
            .assert_status(status);
        let catalogue = world.app.store.catalogue().unwrap();
        assert_eq!(catalogue.role(RoleId(4)).unwrap().name, "Tester");
    }
}

#[test]
fn rights_of_a_user_are_saved_with_the_own_password() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let path = "/users/4/edit";
    let opened = admin.get(path).assert_status(200);
    let own = password("admin");
    for (typed, expected) in [("wrong", 422), (own.as_str(), 303)] {
        let changes = [("admin", "1"), ("password", typed)];
        send(&admin, &opened, path, &changes).assert_status(expected);
    }
    assert_eq!(admin.get("/users/4.json").json()["user"]["admin"], true);
}

#[test]
fn own_password_is_accepted_while_others_save() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let path = "/users/4/edit";
    let own = password("admin");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let client = world.as_user("admin");
            for number in 0..30 {
                let user = json!({"user": {"lastname": format!("Name {number}")}});
                client.put("/users/5.json", user).assert_status(200);
            }
        });
        for (number, is_admin) in ["1", "0", "1", "0"].into_iter().enumerate() {
            let opened = admin.get(path).assert_status(200);
            let changes = [("admin", is_admin), ("password", own.as_str())];
            let saved = send(&admin, &opened, path, &changes);
            // At worst others save all the time, and the form asks to be sent again.
            let is_busy = saved.status == 409 && saved.body.contains("at the same time");
            assert!(saved.status == 303 || is_busy, "{number}: {saved:?}");
        }
    });
}

#[test]
fn one_of_the_parallel_changes_of_a_field_is_saved_and_the_others_are_told() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let client = world.as_user("admin");
    let groups: Vec<String> = (1..=6)
        .map(|number| {
            let body = json!({"group": {"name": format!("Group {number}")}});
            let group = client.post("/groups.json", body).assert_status(201).json();
            group["group"]["id"].to_string()
        })
        .collect();
    let members = admin.get("/projects/open/memberships.json").json();
    let members = members["memberships"].as_array().unwrap();
    let carol = members.iter().find(|member| member["user"]["id"] == 4);
    let membership = carol.unwrap()["id"].to_string();
    let membership = format!("/memberships/{membership}/edit");
    let roles = ["3", "4"].map(str::to_owned).to_vec();
    let query = json!({"query": {"name": "Hot", "project_id": "open"}});
    client.post("/queries.json", query).assert_status(201);
    let names = ["A", "B", "C", "D", "E", "F"].map(str::to_owned).to_vec();
    let session = admin.cookie("quarry_session").unwrap();
    for (path, name, values) in [
        ("/queries/1/edit", "query[name]", names),
        ("/users/4/edit", "groups[]", groups),
        (membership.as_str(), "membership[role_ids][]", roles),
    ] {
        let opened = admin.get(path).assert_status(200);
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let save = |value| {
                let world = &world;
                let opened = &opened;
                let session = &session;
                scope.spawn(move || {
                    let browser = Browser::new(world);
                    browser.set_cookie("quarry_session", session);
                    let mut fields = form_fields(opened);
                    fields.retain(|(other, _)| other != name);
                    fields.push((name.to_owned(), value));
                    let fields: Vec<(&str, &str)> = fields
                        .iter()
                        .map(|(name, value)| (name.as_str(), value.as_str()))
                        .collect();
                    browser.submit(opened, path, &fields).status
                })
            };
            let threads: Vec<_> = values.into_iter().map(save).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        let saved = statuses.iter().filter(|status| **status == 303).count();
        let told = statuses.iter().filter(|status| **status == 409).count();
        assert_eq!(
            (saved, told),
            (1, statuses.len() - 1),
            "{path}: {statuses:?}"
        );
    }
}

#[test]
fn stored_values_that_are_not_offered_any_more_are_kept() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    world.sql(
        "INSERT INTO issue_categories (id, project_id, name, assigned_to_id) VALUES (1, 1, 'Engine', 4); \
         UPDATE projects SET default_assigned_to_id = 4 WHERE id = 1; UPDATE users SET status = 3 WHERE id = 4",
    );
    for (path, field, name) in [
        (
            "/projects/open/settings/issues",
            "project[default_assigned_to_id]",
            "project[default_version_id]",
        ),
        (
            "/issue_categories/1/edit",
            "issue_category[assigned_to_id]",
            "issue_category[name]",
        ),
    ] {
        let page = admin
            .get(path)
            .assert_status(200)
            .assert_contains("carol Tester (cannot be assigned now)");
        let kept = form_fields(&page)
            .into_iter()
            .find(|(name, _)| name == field);
        assert_eq!(kept.unwrap().1, "4", "{path}");
        let renamed = if name.ends_with("[name]") {
            "Motor"
        } else {
            ""
        };
        send(&admin, &page, path, &[(name, renamed)]).assert_status(303);
    }
    let category = admin.get("/issue_categories/1.json").json()["issue_category"].clone();
    assert_eq!(
        (&category["name"], &category["assigned_to"]["id"]),
        (&json!("Motor"), &json!(4))
    );
    let project = admin.get("/projects/open.json").json();
    assert_eq!(project["project"]["default_assignee"]["id"], 4);
}

#[test]
fn form_of_a_query_of_a_project_keeps_that_it_is_for_all_projects_now() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let query = json!({"query": {"name": "Hot", "project_id": "open"}});
    world
        .as_user("admin")
        .post("/queries.json", query)
        .assert_status(201);
    let path = "/queries/1/edit";
    let opened = admin.get(path).assert_status(200);
    send(&admin, &opened, path, &[("query[project_id]", "")]).assert_status(303);
    let saved = send(&admin, &opened, path, &[("query[name]", "Warm")]).assert_status(303);
    assert_eq!(saved.location(), "/issues?query_id=1");
    admin
        .get(saved.location())
        .assert_status(200)
        .assert_contains("Warm");
}
