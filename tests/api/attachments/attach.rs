//! Attaching uploads to a record (compatibility 6.4)

use super::world;
use axum::http::Method;
use quarry::actions::ActionError;
use quarry::actions::content::attachments::{NewUpload, added_detail};
use quarry::domain::content::attachment::{Attachment, Container};
use quarry::domain::index_feed::kind::Kind;
use quarry::store::StoreError;
use quarry::store::content::attachments;
use quarry_world::attachments::{attaching, upload};
use quarry_world::{Client, Response, World};
use serde_json::{Value, json};

fn named(token: &str) -> NewUpload {
    NewUpload {
        token: token.to_owned(),
        ..NewUpload::default()
    }
}

#[track_caller]
fn sentences<T: std::fmt::Debug>(outcome: Result<T, ActionError>) -> Vec<String> {
    match outcome {
        Err(ActionError::Invalid(errors)) => errors.messages(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn values_given_when_attaching_replace_those_of_the_upload() {
    let world = world();
    let first = upload(&world, "bob", "a.txt", "x");
    let second = upload(&world, "bob", "b.txt", "y");
    let renamed = NewUpload {
        token: first,
        filename: Some("../renamed.bin".to_owned()),
        description: Some("what it is".to_owned()),
        content_type: Some("text/x".to_owned()),
    };
    let files = attaching(&world, "bob", Kind::Issue, 1, vec![renamed, named(&second)]).unwrap();
    let text: Vec<_> = files
        .iter()
        .map(|file| {
            (
                file.filename.as_str(),
                file.description.as_deref(),
                file.content_type.as_str(),
            )
        })
        .collect();
    assert_eq!(
        text,
        [
            ("renamed.bin", Some("what it is"), "text/x"),
            ("b.txt", Some(""), "text/plain")
        ]
    );
    let detail = added_detail(&files[0]);
    assert_eq!(
        (
            detail.property.as_str(),
            detail.name.as_str(),
            detail.old_value,
            detail.new_value.as_deref()
        ),
        ("attachment", "1", None, Some("renamed.bin"))
    );
    let listed = world
        .app
        .store
        .read::<_, StoreError>(|db| attachments::list_by_container(db, Kind::Issue, &[1, 2]))
        .unwrap();
    assert_eq!((listed.len(), &listed[&1]), (1, &files));
    assert_eq!(
        (
            world
                .as_user("carol")
                .total_count("/search.json?attachments=1&q=renamed"),
            world
                .as_user("carol")
                .total_count("/search.json?attachments=1&q=b.txt")
        ),
        (1.into(), 1.into())
    );
}

fn attach_errors(world: &World, login: &str, tokens: &[&str]) -> Vec<String> {
    let uploads = tokens.iter().map(|token| named(token)).collect();
    sentences(attaching(world, login, Kind::Issue, 1, uploads))
}

#[test]
fn token_is_valid_once_and_for_its_author_only() {
    let world = world();
    let bobs = upload(&world, "bob", "a.txt", "x");
    let carols = upload(&world, "carol", "a.txt", "x");
    assert_eq!(
        attach_errors(&world, "bob", &[&carols]),
        ["1 file(s) could not be saved."]
    );
    assert_eq!(
        attach_errors(&world, "admin", &[&carols]),
        ["1 file(s) could not be saved."]
    );
    assert_eq!(
        attach_errors(&world, "bob", &[&bobs, &bobs]),
        ["1 file(s) could not be saved."],
        "nothing of it stays"
    );
    let odd = [
        "99.bad",
        "1",
        "1.",
        "1.abc",
        "",
        "x.y",
        "99999999999999999999.a",
    ];
    assert_eq!(
        attach_errors(&world, "bob", &odd),
        ["7 file(s) could not be saved."]
    );
    assert_eq!(
        attaching(&world, "bob", Kind::Issue, 1, vec![named(&bobs)])
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        attach_errors(&world, "bob", &[&bobs]),
        ["1 file(s) could not be saved."],
        "it hangs already"
    );
    assert_eq!(
        attaching(&world, "bob", Kind::Issue, 1, Vec::new()).unwrap(),
        []
    );
}

#[test]
fn one_invalid_upload_rejects_all() {
    let world = world();
    let first = upload(&world, "bob", "a.txt", "x");
    let second = upload(&world, "bob", "b.txt", "y");
    let long = NewUpload {
        description: Some("x".repeat(256)),
        ..named(&second)
    };
    let refusal = sentences(attaching(
        &world,
        "bob",
        Kind::Issue,
        1,
        vec![named(&first), long],
    ));
    assert_eq!(
        refusal,
        ["Description is too long (maximum is 255 characters)"]
    );
    let odd = NewUpload {
        content_type: Some("no type".to_owned()),
        filename: Some("n".repeat(300)),
        ..named(&first)
    };
    let refusal = sentences(attaching(&world, "bob", Kind::Issue, 1, vec![odd]));
    let expected = [
        "File is too long (maximum is 255 characters)",
        "Content type is invalid (a media type such as text/plain is expected)",
    ];
    assert_eq!(refusal, expected);
    assert_eq!(
        attaching(
            &world,
            "bob",
            Kind::Issue,
            1,
            vec![named(&first), named(&second)]
        )
        .unwrap()
        .len(),
        2
    );
}

#[test]
fn number_of_uploads_is_limited() {
    let world = world();
    let refusal = sentences(attaching(
        &world,
        "bob",
        Kind::Issue,
        1,
        vec![named("1.x"); 101],
    ));
    assert_eq!(
        refusal,
        ["Uploads are too many (maximum is 100 in one request)"]
    );
    let now = world.app.clock.now();
    world.write(move |db| {
        for _ in 0..1000 {
            let file = Attachment {
                container: Some(Container {
                    container_type: Kind::Issue.into(),
                    id: 1,
                }),
                filename: "many.txt".to_owned(),
                author: quarry_world::user("bob"),
                created_on: now,
                ..Attachment::default()
            };
            attachments::insert(db, &file)?;
        }
        Ok(())
    });
    let token = upload(&world, "bob", "a.txt", "x");
    let refusal = sentences(attaching(
        &world,
        "bob",
        Kind::Issue,
        1,
        vec![named(&token)],
    ));
    assert_eq!(
        refusal,
        ["Files are too many (maximum is 1000 on one record)"]
    );
    assert_eq!(
        attaching(&world, "bob", Kind::Issue, 2, vec![named(&token)])
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn issue_can_be_created_and_updated_with_uploads() {
    let world = world();
    let alice = world.as_user("alice");
    let bob = world.as_user("bob");
    let token = upload(&world, "bob", "a.txt", "x");
    let body = json!({"issue": {"project_id": "open", "subject": "s", "uploads": [{"token": token, "filename": "b.txt", "description": "d"}]}});
    let id = bob
        .post("/issues.json", &body)
        .assert_status(201)
        .json_path("/issue/id");
    let token = upload(&world, "alice", "c.txt", "y");
    let xml = format!(
        "<issue><notes>n</notes><uploads type=\"array\"><upload><token>{token}</token></upload></uploads></issue>"
    );
    alice
        .send(
            Method::PUT,
            &format!("/issues/{id}.xml"),
            Some("application/xml"),
            xml.into_bytes(),
        )
        .assert_status(200);
    let token = upload(&world, "alice", "d.txt", "z");
    let form = format!("issue[uploads][1][token]={token}&issue[uploads][1][filename]=e.txt");
    let kind = Some("application/x-www-form-urlencoded");
    alice
        .send(
            Method::PUT,
            &format!("/issues/{id}.json"),
            kind,
            form.into_bytes(),
        )
        .assert_status(200);
    let issue = alice
        .get(&format!("/issues/{id}.json?include=attachments,journals"))
        .assert_status(200)
        .json_path("/issue");
    let names: Vec<&str> = issue["attachments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["filename"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["b.txt", "c.txt", "e.txt"]);
    let text: Vec<_> = issue["journals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (&entry["notes"], &entry["details"][0]["new_value"]))
        .collect();
    assert_eq!(
        text,
        [
            (&"n".into(), &"c.txt".into()),
            (&"".into(), &"e.txt".into())
        ]
    );
    let found = alice
        .get("/search.json?attachments=only&q=b.txt")
        .assert_status(200)
        .json();
    assert_eq!(found["total_count"], 1);
}

fn create_and_update(bob: &Client<'_>, uploads: Value) -> (Response, Response) {
    let body =
        json!({"issue": {"project_id": "open", "subject": "s", "notes": "n", "uploads": uploads}});
    (
        bob.post("/issues.json", &body),
        bob.put("/issues/1.json", &body),
    )
}

#[test]
fn invalid_upload_rejects_the_issue() {
    let world = world();
    let bob = world.as_user("bob");
    let before = bob
        .get("/issues.json")
        .assert_status(200)
        .json_path("/total_count");
    let odd = [
        (
            json!([{"token": "99.bad", "filename": "z"}]),
            "1 file(s) could not be saved.",
        ),
        (
            json!([{}, {"filename": "z"}]),
            "2 file(s) could not be saved.",
        ),
        (
            json!([{"token": {"a": 1}}]),
            "1 file(s) could not be saved.",
        ),
        (
            json!("x"),
            "Uploads are invalid (a list is expected, not a string)",
        ),
        (
            json!(["x"]),
            "Uploads are invalid (an object with a token is expected, not a string)",
        ),
        (
            json!(vec![json!({"token": "1.x"}); 101]),
            "Uploads are too many (maximum is 100 in one request)",
        ),
    ];
    for (uploads, sentence) in odd {
        let (created, changed) = create_and_update(&bob, uploads);
        created.assert_status(422).assert_errors(&[sentence]);
        changed.assert_status(422).assert_errors(&[sentence]);
    }
    for uploads in [json!(null), json!([]), json!({}), json!("")] {
        let (created, _) = create_and_update(&bob, uploads);
        created.assert_status(201);
    }
    bob.get("/issues.json")
        .assert_status(200)
        .assert_json_path("/total_count", before.as_i64().unwrap() + 4);
}
