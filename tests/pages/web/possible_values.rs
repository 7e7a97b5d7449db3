//! Managing the possible values of custom fields in the browser.

use quarry::actions::Resource;
use quarry::actions::administration::custom_fields::{PossibleValue, PossibleValueChange};
use quarry::domain::access::viewer::Viewer;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::ids::CustomFieldId;
use quarry::domain::values::patch::Patch;
use quarry::store::administration::custom_fields;
use quarry_world::World;
use quarry_world::browser::Browser;

const LIST: &str = "/custom_fields/1/enumerations";
const NEW: &str = "/custom_fields/1/enumerations/new";
const NAME: &str = "custom_field_enumeration[name]";

/// A world with the field 1, which has the values 1 to 3, Wear by default.
fn world() -> World {
    let world = World::with_projects();
    let field = CustomField {
        multiple: true,
        default: Some("1".to_owned()),
        ..CustomField::new(Customized::Issue, "Cause", Format::Enumeration)
    };
    world.write(move |db| custom_fields::insert(db, &field));
    world.sql(
        "INSERT INTO custom_field_enumerations (id, custom_field_id, name, active, position) \
         VALUES (1, 1, 'Wear', 1, 1), (2, 1, 'Rust', 1, 2), (3, 1, 'Salt', 0, 3)",
    );
    world
}

fn stored(world: &World) -> CustomField {
    world.app.store.catalogue().unwrap().custom_fields[0].clone()
}

/// Returns the names of the values, those that are not active in parentheses.
fn names(world: &World) -> Vec<String> {
    let values = stored(world).enumeration;
    let names = values
        .into_iter()
        .map(|(_, name, is_active)| match is_active {
            true => name,
            false => format!("({name})"),
        });
    names.collect()
}

/// Gives an issue values of the field.
fn set_values(world: &World, issue: i64, values: &[i64]) {
    for value in values {
        world.sql(&format!("INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('Issue', {issue}, 1, '{value}')"));
    }
}

fn values_of(world: &World, issue: i64) -> Vec<String> {
    let values = world
        .app
        .read(|db| custom_fields::find_values(db, Customized::Issue, issue))
        .unwrap();
    values.get(CustomFieldId(1)).unwrap_or_default().to_vec()
}

#[test]
fn values_are_created_changed_and_moved() {
    let world = world();
    let admin = Browser::logged_in(&world, "admin");
    let form = admin.get(NEW).assert_status(200);
    for name in ["", " ", "a\nb", &"x".repeat(256)] {
        admin
            .submit(&form, NEW, &[(NAME, name)])
            .assert_status(422)
            .assert_contains("id=\"custom_field_enumeration[name]-error\"");
    }
    let created = admin
        .submit(&form, NEW, &[(NAME, " Lightning ")])
        .assert_status(303);
    assert_eq!(created.header("location"), LIST);
    assert_eq!(names(&world), ["Wear", "Rust", "(Salt)", "Lightning"]);
    let position = [("custom_field_enumeration[position]", "1")];
    admin
        .submit(&form, "/custom_field_enumerations/3/edit", &position)
        .assert_status(303);
    assert_eq!(names(&world), ["(Salt)", "Wear", "Rust", "Lightning"]);
    let change = [(NAME, "Brine"), ("custom_field_enumeration[active]", "1")];
    admin
        .submit(&form, "/custom_field_enumerations/3/edit", &change)
        .assert_status(303);
    assert_eq!(names(&world), ["Brine", "Wear", "Rust", "Lightning"]);
    admin
        .get("/custom_fields/1/edit")
        .assert_status(200)
        .assert_contains(&format!("href=\"{LIST}\">Values (4)"));
}

#[test]
fn creation_returns_the_id_of_the_value() {
    let world = world();
    let change = PossibleValueChange {
        name: Patch::Set("Lightning".to_owned()),
        position: Patch::Set(1),
        ..PossibleValueChange::default()
    };
    let id = world.app.store.write(move |db| {
        let viewer = Viewer::new(db.catalogue(), Some(quarry_world::user("admin")));
        PossibleValue::create(db, &viewer, CustomFieldId(1), &change)
    });
    let created = (id.unwrap(), "Lightning".to_owned(), true);
    assert_eq!(stored(&world).enumeration[0], created);
}

#[test]
fn value_in_use_is_replaced_on_deletion() {
    let world = world();
    let with_one = world.issue("secret").create();
    let with_both = world.issue("secret").create();
    set_values(&world, with_one, &[1]);
    set_values(&world, with_both, &[1, 2]);
    let admin = Browser::logged_in(&world, "admin");
    let path = "/custom_field_enumerations/1/delete";
    let page = admin
        .get(path)
        .assert_status(200)
        .assert_contains("2 issues get the new value.");
    for (replacement, message) in [
        ("", "The value is in use and cannot be deleted"),
        ("1", "Reassign to is invalid"),
        ("99", "Reassign to is invalid"),
    ] {
        admin
            .submit(&page, path, &[("reassign_to_id", replacement)])
            .assert_status(422)
            .assert_contains(message);
    }
    admin
        .submit(&page, path, &[("reassign_to_id", "2")])
        .assert_status(303);
    assert_eq!(values_of(&world, with_one), ["2"]);
    assert_eq!(values_of(&world, with_both), ["2"], "once");
    assert_eq!(stored(&world).default.as_deref(), Some("2"));
    assert_eq!(names(&world), ["Rust", "(Salt)"]);
    admin.submit(&page, path, &[]).assert_status(404);
}

#[test]
fn deleted_default_is_none_any_more() {
    let world = world();
    let admin = Browser::logged_in(&world, "admin");
    let path = "/custom_field_enumerations/1/delete";
    let page = admin
        .get(path)
        .assert_status(200)
        .assert_contains("No issue has this value.");
    admin.submit(&page, path, &[]).assert_status(303);
    assert_eq!(stored(&world).default, None);
}

#[test]
fn only_fields_with_named_values_have_the_pages() {
    let world = world();
    let field = CustomField::new(Customized::Issue, "Serial", Format::Line);
    world.write(move |db| custom_fields::insert(db, &field));
    let admin = Browser::logged_in(&world, "admin");
    let form = admin.get(NEW).assert_status(200);
    for field in [2, 99] {
        let path = format!("/custom_fields/{field}/enumerations");
        admin.get(&path).assert_status(404);
        let path = format!("{path}/new");
        admin.get(&path).assert_status(404);
        admin
            .submit(&form, &path, &[(NAME, "X")])
            .assert_status(404);
    }
}
