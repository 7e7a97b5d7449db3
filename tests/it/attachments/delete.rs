//! `DELETE /attachments/:id`

use super::{file, files, upload, world};
use quarry::domain::kind::Kind;
use quarry::domain::setting::Setting;

#[test]
fn what_is_deleted_is_gone_and_not_found() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "zeppelin.txt", "x");
    let alice = world.as_user("alice");
    let found = || alice.get("/search.json?attachments=1&q=zeppelin").expect(200).json()["total_count"].clone();
    assert_eq!((found(), files(&world).len()), (1.into(), 1));
    let answer = alice.delete(&format!("/attachments/{id}.json")).expect(200);
    assert_eq!(answer.body, "");
    assert_eq!((found(), files(&world).len()), (0.into(), 0));
    for address in [format!("/attachments/{id}.json"), format!("/attachments/{id}.xml"), format!("/attachments/download/{id}")] {
        let _ = alice.get(&address).expect(404);
    }
    let _ = alice.delete(&format!("/attachments/{id}.json")).expect(404);
    let _ = alice.delete(&format!("/attachments/{id}.xml")).expect(404);
}

#[test]
fn the_history_of_an_issue_says_so() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "a.txt", "x");
    let _ = world.as_user("bob").delete(&format!("/attachments/{id}.json")).expect(200);
    let issue = world.as_user("bob").get("/issues/1.json?include=journals,attachments").expect(200).json()["issue"].clone();
    let journal = &issue["journals"][0];
    assert_eq!((&journal["notes"], &journal["user"]["id"], &journal["private_notes"]), (&"".into(), &3.into(), &false.into()));
    let wanted = serde_json::json!([{"property": "attachment", "name": id.to_string(), "old_value": "a.txt", "new_value": null}]);
    assert_eq!((&journal["details"], &issue["attachments"]), (&wanted, &serde_json::json!([])));
    let released = file(&world, "alice", Kind::Project, 1, "a.txt", "x");
    let _ = world.as_user("bob").delete(&format!("/attachments/{released}.json")).expect(200);
}

#[test]
fn rights_decide() {
    let world = world();
    let issue = file(&world, "bob", Kind::Issue, 1, "a.txt", "x");
    let secret = file(&world, "alice", Kind::Issue, 2, "a.txt", "x");
    upload(&world, "carol", "a.txt", "x");
    let delete = |login: &str, id: i64| world.as_user(login).delete(&format!("/attachments/{id}.json")).status;
    assert_eq!(["carol", "dave", "erin"].map(|login| delete(login, issue)), [403, 403, 401]);
    assert_eq!(["bob", "carol", "dave"].map(|login| delete(login, secret)), [403, 403, 403]);
    assert_eq!(["alice", "bob", "carol"].map(|login| delete(login, secret + 1)), [403, 403, 200]);
    let _ = world.anonymous().delete(&format!("/attachments/{issue}.json")).expect(401);
    world.set(Setting::LoginRequired, "0");
    let _ = world.anonymous().delete(&format!("/attachments/{issue}.json")).expect(401);
    assert_eq!(["alice", "bob"].map(|login| delete(login, secret.max(issue))), [200, 404]);
    assert_eq!(files(&world).len(), 1);
}

#[test]
fn with_its_issue_a_file_goes_and_its_content_a_little_later() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "a.txt", "x");
    let _ = world.as_user("admin").delete("/issues/1.json").expect(200);
    let _ = world.as_user("admin").get(&format!("/attachments/{id}.json")).expect(404);
    assert_eq!(quarry::jobs::tidy::once(&world.app).unwrap(), (0, 1));
    assert!(files(&world).is_empty());
}
