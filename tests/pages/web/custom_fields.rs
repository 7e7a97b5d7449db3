//! Managing custom fields in the browser.

use super::members::offered;
use quarry::domain::administration::custom_field::{CustomField, Format};
use quarry::domain::ids::{CustomFieldId, ProjectId, RoleId, TrackerId};
use quarry_world::browser::Browser;
use quarry_world::{Response, World};

const ROLES: &str = "custom_field[role_ids][]";
const TRACKERS: &str = "custom_field[tracker_ids][]";
const PROJECTS: &str = "custom_field[project_ids][]";

/// Returns the address of the form of a new field.
fn new(customized: &str, format: &str) -> String {
    format!("/custom_fields/new?type={customized}&custom_field%5Bfield_format%5D={format}")
}

/// Creates a field of issues with these fields of the form, and returns its id.
fn create(admin: &Browser<'_>, world: &World, format: &str, fields: &[(&str, &str)]) -> i64 {
    let path = new("IssueCustomField", format);
    let form = admin.get(&path).assert_status(200);
    admin.submit(&form, &path, fields).assert_status(303);
    let fields = &world.app.store.catalogue().unwrap().custom_fields;
    fields.iter().map(|field| field.id.0).max().unwrap()
}

/// Returns numbered values, one on each line.
fn lines(numbers: std::ops::Range<u32>) -> String {
    numbers.map(|number| format!("v{number}\n")).collect()
}

fn field(world: &World, id: i64) -> CustomField {
    let catalogue = world.app.store.catalogue().unwrap();
    let mut fields = catalogue.custom_fields.iter();
    fields
        .find(|field| field.id == CustomFieldId(id))
        .unwrap()
        .clone()
}

/// Returns the names of the controls of the main form.
fn controls(page: &Response) -> Vec<String> {
    regex::Regex::new("name=\"custom_field\\[([a-z_]+)\\]")
        .unwrap()
        .captures_iter(&page.body)
        .map(|found| found[1].to_owned())
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect()
}

#[test]
fn type_and_format_are_chosen_first() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let page = admin
        .get("/custom_fields/new?type=GroupCustomField")
        .assert_status(200);
    for expected in [
        "method=\"get\" action=\"/custom_fields/new\"",
        "<option value=\"GroupCustomField\" selected>Groups</option>",
        "<option value=\"enumeration\">List of named values</option>",
    ] {
        assert!(page.body.contains(expected), "{expected}: {page:?}");
    }
    assert!(!page.body.contains("class=\"error\""), "{page:?}");
    let impossible = new("GroupCustomField", "version");
    admin
        .get(&impossible)
        .assert_status(200)
        .assert_contains("can have users and versions.");
    for path in [
        impossible,
        new("Nothing", "string"),
        new("IssueCustomField", "other"),
        new("IssueCustomField", ""),
        "/custom_fields/new".to_owned(),
    ] {
        admin.get(&path).assert_status(200);
        admin
            .submit(&page, &path, &[("custom_field[name]", "X")])
            .assert_status(404);
    }
}

#[test]
fn form_has_the_fields_of_type_and_format() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let of = |customized: &str, format: &str| {
        let page = admin.get(&new(customized, format)).assert_status(200);
        controls(&page).join(" ")
    };
    assert_eq!(
        of("IssueCustomField", "string"),
        "default_value description editable is_filter is_for_all is_required max_length min_length name project_ids regexp role_ids searchable tracker_ids visible"
    );
    assert_eq!(
        of("TimeEntryCustomField", "list"),
        "default_value description editable is_filter is_required multiple name possible_values role_ids visible"
    );
    assert_eq!(
        of("ProjectCustomField", "version"),
        "description editable is_filter is_required multiple name role_ids visible"
    );
    assert_eq!(
        of("UserCustomField", "bool"),
        "default_value description editable is_filter is_required name visible"
    );
    assert_eq!(
        of("IssuePriorityCustomField", "enumeration"),
        "description enumerations is_required multiple name"
    );
}

#[test]
fn every_format_can_be_created_for_every_type_that_allows_it() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    for customized in [
        "Issue",
        "TimeEntry",
        "Project",
        "Version",
        "Document",
        "User",
        "Group",
        "TimeEntryActivity",
        "IssuePriority",
        "DocumentCategory",
    ] {
        for format in Format::ALL {
            let is_of_projects = matches!(format, Format::User | Format::Version);
            let is_in_projects = ["Issue", "TimeEntry", "Project", "Version", "Document"];
            if is_of_projects && !is_in_projects.contains(&customized) {
                continue;
            }
            let path = new(&format!("{customized}CustomField"), format.name());
            let form = admin.get(&path).assert_status(200);
            let fields = [
                ("custom_field[name]", format.name()),
                ("custom_field[visible]", "1"),
                ("custom_field[possible_values]", "a\r\nb"),
            ];
            let count = if format == Format::List { 3 } else { 2 };
            let created = admin
                .submit(&form, &path, &fields[..count])
                .assert_status(303);
            let list = created.header("location").to_owned();
            assert_eq!(list, format!("/custom_fields?tab={customized}CustomField"));
        }
    }
    let catalogue = world.app.store.catalogue().unwrap();
    assert_eq!(catalogue.custom_fields.len(), 5 * 11 + 5 * 9);
    admin
        .get("/custom_fields?tab=DocumentCustomField")
        .assert_status(200)
        .assert_contains("Documents <span class=\"count\">11</span>");
}

#[test]
fn list_field_is_created_with_values_projects_and_roles() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let path = new("IssueCustomField", "list");
    let form = admin.get(&path).assert_status(200);
    assert_eq!(offered(&form.body, PROJECTS), ["1", "2"]);
    let fields = [
        ("custom_field[name]", " Platform "),
        (
            "custom_field[possible_values]",
            " Linux \r\n\r\nMac, old\r\nLinux\r\n",
        ),
        ("custom_field[default_value]", "Linux"),
        ("custom_field[multiple]", "1"),
        ("custom_field[is_required]", "1"),
        ("custom_field[is_filter]", "1"),
        ("custom_field[searchable]", "1"),
        ("custom_field[editable]", "0"),
        ("custom_field[visible]", "0"),
        (ROLES, ""),
        (ROLES, "3"),
        (TRACKERS, ""),
        (TRACKERS, "1"),
        (TRACKERS, "3"),
        ("custom_field[is_for_all]", "0"),
        (PROJECTS, ""),
        (PROJECTS, "2"),
    ];
    let created = admin.submit(&form, &path, &fields).assert_status(303);
    assert_eq!(
        created.header("location"),
        "/custom_fields?tab=IssueCustomField"
    );
    let stored = field(&world, 1);
    assert_eq!(stored.name, "Platform");
    assert_eq!(stored.possible_values, ["Linux", "Mac, old"]);
    assert_eq!(stored.default.as_deref(), Some("Linux"));
    assert!(stored.multiple && stored.required && stored.is_filter && stored.searchable);
    assert!(!stored.editable && !stored.visible && !stored.is_for_all);
    assert_eq!(stored.roles, [RoleId(3)].into());
    assert_eq!(stored.trackers, [TrackerId(1), TrackerId(3)].into());
    assert_eq!(stored.projects, [ProjectId(2)].into());
    let edit = admin
        .get("/custom_fields/1/edit")
        .assert_status(200)
        .assert_contains("\nLinux\nMac, old</textarea>");
    assert!(
        edit.body
            .contains("name=\"preview[custom_field_values][1][]\" value=\"Linux\" checked"),
        "the preview is the control of an issue: {edit:?}"
    );
    let kept = [("custom_field[name]", "OS"), ("custom_field[visible]", "1")];
    admin
        .submit(&edit, "/custom_fields/1/edit", &kept)
        .assert_status(303);
    let stored = field(&world, 1);
    assert_eq!((stored.name.as_str(), stored.visible), ("OS", true));
    assert_eq!(stored.possible_values, ["Linux", "Mac, old"]);
}

#[test]
fn errors_stand_beside_their_fields() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let path = new("IssueCustomField", "string");
    let form = admin.get(&path).assert_status(200);
    let invalid = [
        ("custom_field[name]", ""),
        ("custom_field[regexp]", "(("),
        ("custom_field[min_length]", "9"),
        ("custom_field[max_length]", "3"),
        ("custom_field[visible]", "0"),
        (ROLES, ""),
        (TRACKERS, "99"),
    ];
    let again = admin.submit(&form, &path, &invalid).assert_status(422);
    for attribute in [
        "name",
        "regexp",
        "max_length",
        "role_ids][",
        "tracker_ids][",
    ] {
        let error = format!("id=\"custom_field[{attribute}]-error\"");
        assert!(again.body.contains(&error), "{error}: {again:?}");
    }
    assert!(again.body.contains("value=\"((\""), "{again:?}");
    let path = new("IssueCustomField", "list");
    for (values, message) in [
        ("", "Possible values cannot be blank"),
        ("a", "Default value is not included in the list"),
        (&"x".repeat(256), "each must be one line of at most 255"),
        (&"x\n".repeat(10_001), "a list of at most 10000 values"),
        (&lines(0..1_001), "at most 1000 values can be added at once"),
    ] {
        let fields = [
            ("custom_field[name]", "Size"),
            ("custom_field[possible_values]", values),
            ("custom_field[default_value]", "b"),
        ];
        admin
            .submit(&form, &path, &fields)
            .assert_status(422)
            .assert_contains(message);
    }
    assert_eq!(world.app.store.catalogue().unwrap().custom_fields.len(), 0);
}

#[test]
fn list_with_many_values_can_be_changed() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    const VALUES: &str = "custom_field[possible_values]";
    let values = lines(0..900);
    let fields = [("custom_field[name]", "Part"), (VALUES, values.as_str())];
    let id = create(&admin, &world, "list", &fields);
    let edit = format!("/custom_fields/{id}/edit");
    for (values, count) in [(lines(0..1_800), 1_800), (lines(1..1_800), 1_799)] {
        let form = admin.get(&edit).assert_status(200);
        admin
            .submit(&form, &edit, &[(VALUES, values.as_str())])
            .assert_status(303);
        assert_eq!(field(&world, id).possible_values.len(), count);
    }
}

#[test]
fn preview_shows_what_was_typed_and_saves_nothing() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let path = new("IssueCustomField", "enumeration");
    let form = admin.get(&path).assert_status(200);
    let fields = [
        ("custom_field[name]", "Cause <b>"),
        ("custom_field[enumerations]", "Wear\nRust"),
        ("custom_field[is_required]", "1"),
        ("preview", "1"),
    ];
    let page = admin.submit(&form, &path, &fields).assert_status(200);
    let preview = page.body.split_once("id=\"preview\"").unwrap().1;
    for expected in [
        "Cause &#60;b&#62;",
        ">Wear</option>",
        ">Rust</option>",
        "required",
    ] {
        assert!(preview.contains(expected), "{expected}: {page:?}");
    }
    assert!(page.body.contains("Wear\nRust</textarea>"), "{page:?}");
    assert_eq!(world.app.store.catalogue().unwrap().custom_fields.len(), 0);
    let id = create(&admin, &world, "bool", &[("custom_field[name]", "Done")]);
    let edit = format!("/custom_fields/{id}/edit");
    let fields = [("custom_field[name]", "Ready"), ("preview", "1")];
    admin
        .submit(&form, &edit, &fields)
        .assert_status(200)
        .assert_contains("value=\"Ready\"");
    assert_eq!(field(&world, id).name, "Done");
}

#[test]
fn type_and_format_never_change() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let fields = [
        ("custom_field[name]", "Size"),
        ("custom_field[customized_type]", "user"),
        ("custom_field[field_format]", "date"),
    ];
    let id = create(&admin, &world, "int", &fields);
    assert_eq!(
        field(&world, id).format,
        Format::Integer,
        "from the address"
    );
    let edit = format!("/custom_fields/{id}/edit");
    let form = admin.get(&edit).assert_status(200);
    admin
        .submit(&form, &edit, &fields)
        .assert_status(422)
        .assert_contains("Field format cannot be changed");
}

#[test]
fn fields_move_among_those_of_their_type() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    for name in ["A", "B", "C"] {
        create(&admin, &world, "string", &[("custom_field[name]", name)]);
    }
    let list = admin.get("/custom_fields").assert_status(200);
    assert_eq!(list.body.matches("Move up").count(), 2);
    admin
        .submit(
            &list,
            "/custom_fields/3/edit",
            &[("custom_field[position]", "1")],
        )
        .assert_status(303);
    let catalogue = world.app.store.catalogue().unwrap();
    let names: Vec<&str> = catalogue
        .custom_fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    assert_eq!(names, ["C", "A", "B"]);
}

#[test]
fn deletion_says_how_many_records_have_a_value() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let id = create(
        &admin,
        &world,
        "string",
        &[("custom_field[name]", "Serial")],
    );
    let issues = [
        world.issue("secret").create(),
        world.issue("secret").create(),
    ];
    for issue in issues {
        world.sql(&format!("INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('Issue', {issue}, {id}, 'x')"));
    }
    let path = format!("/custom_fields/{id}/delete");
    let page = admin
        .get(&path)
        .assert_status(200)
        .assert_contains("2 issues have a value in this field.");
    admin.submit(&page, &path, &[]).assert_status(303);
    for stale in ["delete", "edit"] {
        let path = format!("/custom_fields/{id}/{stale}");
        admin.get(&path).assert_status(404);
        admin.submit(&page, &path, &[]).assert_status(404);
    }
}

#[test]
fn only_administrators_manage_custom_fields() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let fields = [
        ("custom_field[name]", "Cause"),
        ("custom_field[enumerations]", "Wear"),
    ];
    create(&admin, &world, "enumeration", &fields);
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get("/projects/open/issue_categories/new");
    alice.get("/custom_fields").assert_status(403);
    alice
        .get("/custom_fields/1/enumerations")
        .assert_status(403);
    for path in [
        new("IssueCustomField", "string").as_str(),
        "/custom_fields/1/edit",
        "/custom_fields/1/delete",
        "/custom_fields/1/enumerations/new",
        "/custom_field_enumerations/1/edit",
        "/custom_field_enumerations/1/delete",
    ] {
        alice.get(path).assert_status(403);
        alice
            .submit(&form, path, &[("preview", "1")])
            .assert_status(403);
    }
    assert_eq!(field(&world, 1).enumeration, [(1, "Wear".to_owned(), true)]);
}
