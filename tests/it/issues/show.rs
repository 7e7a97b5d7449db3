//! `GET /issues/:id`

use super::{world, write};

#[test]
fn an_issue_looks_the_same_in_both_formats() {
    let world = world();
    let id = write(&world, "alice", "open", ",\"description\":\"\"");
    let issue = world.as_user("dave").get(&format!("/issues/{id}.json")).expect(200).json()["issue"].clone();
    assert_eq!((issue["subject"].as_str(), issue["spent_hours"].as_f64()), (Some("A thing"), Some(0.0)));
    let xml = world.as_user("dave").get(&format!("/issues/{id}.xml")).expect(200).body;
    let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><issue><id>1</id><project id=\"1\" name=\"open\"/><tracker id=\"1\" name=\"Bug\"/>\
                 <status id=\"1\" name=\"New\" is_closed=\"false\"/><priority id=\"2\" name=\"Normal\"/><author id=\"2\" name=\"alice Tester\"/>\
                 <subject>A thing</subject><description/><start_date>2026-11-20</start_date><due_date/><done_ratio>0</done_ratio>";
    assert!(xml.starts_with(start), "{xml}");
}

#[test]
fn who_may_not_see_it_is_told_so_and_nothing_more() {
    let world = world();
    let hidden = write(&world, "alice", "secret", "");
    let private = write(&world, "alice", "open", ",\"is_private\":true");
    for id in [hidden, private] {
        let answer = world.as_user("dave").get(&format!("/issues/{id}.json")).expect(403);
        assert!(!answer.body.contains("thing"), "{answer:?}");
    }
    let _ = world.anonymous().get(&format!("/issues/{hidden}.json")).expect(401);
    for missing in ["/issues/999.json", "/issues/0.json", "/issues/-1.json", "/issues/x.json", "/issues/99999999999999999999.json"] {
        let _ = world.as_user("dave").get(missing).expect(404);
    }
}
