//! The setting `text_max_length`.

use axum::http::Method;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::administration::setting::Setting;
use quarry::store::administration::custom_fields;
use quarry_world::{Client, DEVELOPER, MANAGER, Response, World, user};
use serde_json::{Value, json};

const TOO_LONG: &str = "is too long (maximum is 10 characters)";

/// A world in which texts are limited to ten characters.
fn world() -> World {
    let world = World::new();
    world
        .project("open")
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .create();
    world.set(Setting::TextMaxLength, "10");
    world
}

fn send(alice: &Client<'_>, path: &str, method: &Method, body: &serde_json::Value) -> Response {
    alice.send(
        method.clone(),
        path,
        Some("application/json"),
        body.to_string().into_bytes(),
    )
}

#[test]
fn long_texts_are_rejected_with_the_field_name() {
    let world = world();
    let issue = world.issue("open").description("ten of ...").create();
    let alice = world.as_user("alice");
    alice
        .put(
            &format!("/issues/{issue}.json"),
            json!({"issue": {"notes": "ten of ..."}}),
        )
        .assert_status(200);
    alice
        .put(
            "/projects/open/wiki/Start.json",
            json!({"wiki_page": {"text": "ten of ..."}}),
        )
        .assert_status(201);
    let journal = alice
        .get(&format!("/issues/{issue}.json?include=journals"))
        .json_path("/issue/journals/0/id");
    let issue = format!("/issues/{issue}");
    let journal = format!("/journals/{journal}");
    let cases = [
        (
            Method::POST,
            "/issues",
            json!({"issue": {"project_id": 1, "subject": "s", "description": "eleven of .."}}),
            "Description",
        ),
        (
            Method::PUT,
            issue.as_str(),
            json!({"issue": {"description": "eleven of .."}}),
            "Description",
        ),
        (
            Method::PUT,
            issue.as_str(),
            json!({"issue": {"notes": "ééééééééééé"}}),
            "Notes",
        ),
        (
            Method::PUT,
            journal.as_str(),
            json!({"journal": {"notes": "eleven of .."}}),
            "Notes",
        ),
        (
            Method::PUT,
            "/projects/open/wiki/Start",
            json!({"wiki_page": {"text": "eleven of .."}}),
            "Text",
        ),
        (
            Method::PUT,
            "/projects/open/wiki/New",
            json!({"wiki_page": {"text": "eleven of .."}}),
            "Text",
        ),
        (
            Method::PUT,
            "/projects/open",
            json!({"project": {"description": "eleven of .."}}),
            "Description",
        ),
        (
            Method::POST,
            "/issues/similar",
            json!({"issue": {"subject": "s", "description": "eleven of .."}}),
            "Description",
        ),
        (
            Method::POST,
            "/issues/similar",
            json!({"issue": {"subject": "eleven of .."}}),
            "Subject",
        ),
    ];
    for (method, path, body, label) in &cases {
        for format in ["json", "xml"] {
            let response =
                send(&alice, &format!("{path}.{format}"), method, body).assert_status(422);
            assert_eq!(
                response.errors(),
                [format!("{label} {TOO_LONG}")],
                "{path} {body}"
            );
        }
    }
    let project =
        json!({"project": {"name": "New", "identifier": "new-one", "description": "eleven of .."}});
    let response = world
        .as_user("admin")
        .post("/projects.json", project.to_string())
        .assert_status(422);
    assert_eq!(response.errors(), [format!("Description {TOO_LONG}")]);
    world.set(Setting::TextMaxLength, "0");
    for (method, path, body, _) in &cases {
        let response = send(&alice, &format!("{path}.json"), method, body);
        assert!([200, 201].contains(&response.status), "{response:?}");
    }
}

fn value_body(id: i64) -> Value {
    json!([{"id": id, "value": "eleven of .."}])
}

#[test]
fn custom_field_values_are_limited() {
    let world = world();
    let fields = [
        (Customized::Issue, Format::Text),
        (Customized::Project, Format::Text),
        (Customized::TimeEntry, Format::Text),
        (Customized::User, Format::Date),
    ];
    let ids = fields.map(|(of, format)| {
        let field = CustomField {
            trackers: (1..=3).map(Into::into).collect(),
            ..CustomField::new(of, "Remarks", format)
        };
        world.write(move |db| custom_fields::insert(db, &field)).0
    });
    let own = CustomField::new(Customized::Issue, "Link", Format::Line);
    let multiple = CustomField {
        trackers: (1..=3).map(Into::into).collect(),
        multiple: true,
        ..own
    };
    let multiple = world
        .write(move |db| custom_fields::insert(db, &multiple))
        .0;
    let alice = world.as_user("alice");
    let issue = world
        .issue("open")
        .field(
            "custom_fields",
            json!([{"id": ids[0], "value": "ten of ..."}]),
        )
        .create();
    let cases = [
        (
            Method::PUT,
            format!("/issues/{issue}.json"),
            json!({"issue": {"custom_fields": value_body(ids[0])}}),
            "Remarks",
        ),
        (
            Method::PUT,
            format!("/issues/{issue}.json"),
            json!({"issue": {"custom_fields": value_body(multiple)}}),
            "Link",
        ),
        (
            Method::PUT,
            "/projects/open.json".to_owned(),
            json!({"project": {"custom_fields": value_body(ids[1])}}),
            "Remarks",
        ),
        (
            Method::POST,
            "/time_entries.json".to_owned(),
            json!({"time_entry": {"project_id": 1, "hours": 1, "activity_id": 8, "custom_fields": value_body(ids[2])}}),
            "Remarks",
        ),
    ];
    for (method, path, body, label) in cases {
        let response = alice
            .send(
                method,
                &path,
                Some("application/json"),
                body.to_string().into_bytes(),
            )
            .assert_status(422);
        assert!(
            response.errors().contains(&format!("{label} {TOO_LONG}")),
            "{response:?}"
        );
    }
    // A date longer than the limit is rejected whatever its format.
    let padded = format!("{}2024-01-31", " ".repeat(20));
    let body = json!({"user": {"custom_fields": [{"id": ids[3], "value": padded}]}});
    let response = world
        .as_user("bob")
        .put("/my/account.json", body.to_string())
        .assert_status(422);
    assert!(
        response.errors().contains(&format!("Remarks {TOO_LONG}")),
        "{response:?}"
    );
}

#[test]
fn imported_long_text_does_not_block_other_fields() {
    let world = world();
    let long = "a text\nthat was imported";
    let id = world.issue("open").create();
    let alice = world.as_user("alice");
    let path = format!("/issues/{id}.json");
    world.edit(id, move |issue| issue.description = Some(long.to_owned()));
    alice
        .put(&path, json!({"issue": {"subject": "Better"}}))
        .assert_status(200);
    let same = json!({"issue": {"subject": "Best", "description": long}});
    alice.put(&path, same.to_string()).assert_status(200);
    let read = alice.get(&path).json_path("/issue/description");
    assert_eq!(read, long.replace('\n', "\r\n"));
    alice
        .put(&path, json!({"issue": {"description": read}}).to_string())
        .assert_status(200);
    let other = json!({"issue": {"description": "another text that is long"}});
    alice
        .put(&path, other.to_string())
        .assert_status(422)
        .assert_errors(&[format!("Description {TOO_LONG}")]);
    assert_eq!(alice.get(&path).json()["issue"]["subject"], "Best");

    let clock = world.app.clock.now();
    world.write(move |db| {
        use quarry::domain::ids::IssueId;
        use quarry::domain::issues::journal::Journal;
        use quarry::store::issues::journals;
        let journal = Journal {
            issue: IssueId(id),
            user: user("alice"),
            notes: Some(long.to_owned()),
            created_on: clock,
            ..Journal::default()
        };
        journals::insert(db, &journal).map(drop)
    });
    let journals = alice
        .get(&format!("/issues/{id}.json?include=journals"))
        .json_path("/issue/journals");
    let journal = journals.as_array().unwrap().last().unwrap()["id"].clone();
    let same = json!({"journal": {"notes": long, "private_notes": true}});
    alice
        .put(&format!("/journals/{journal}.json"), same.to_string())
        .assert_status(200)
        .assert_json_path("/journal/private_notes", true);

    world.set(Setting::TextMaxLength, "0");
    alice
        .put(
            "/projects/open/wiki/Old.json",
            json!({"wiki_page": {"text": long}}).to_string(),
        )
        .assert_status(201);
    alice
        .put(
            "/projects/open.json",
            json!({"project": {"description": long}}).to_string(),
        )
        .assert_status(200);
    world.set(Setting::TextMaxLength, "10");
    alice
        .put(
            "/projects/open/wiki/Old.json",
            json!({"wiki_page": {"text": long, "title": "Older"}}).to_string(),
        )
        .assert_status(200);
    alice
        .put(
            "/projects/open.json",
            json!({"project": {"description": long, "name": "Opened"}}).to_string(),
        )
        .assert_status(200);
}
