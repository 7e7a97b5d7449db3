//! `GET /search/suggest`

use super::{titles, world};
use crate::world::World;
use quarry::domain::setting::Setting;

fn suggested(world: &World, login: &str, query: &str) -> Vec<String> {
    titles(&world.as_user(login).get(&format!("/search/suggest.json?{query}")).expect(200).json())
}

#[test]
fn a_title_is_suggested_by_the_beginning_of_its_words() {
    let world = world();
    let mut all = suggested(&world, "dave", "q=rock");
    all.sort();
    let wanted = [
        "Bug #1 (New): Rocket leaks",
        "General: Re: Rockets?",
        "General: Rockets?",
        "Revision abc12300 (main): Fix the rocket",
        "Rocket news",
    ];
    assert_eq!(all, wanted);
    assert_eq!(suggested(&world, "dave", "q=rocket+le"), ["Bug #1 (New): Rocket leaks"]);
    assert_eq!(suggested(&world, "dave", "q=LEAKS+roc"), ["Bug #1 (New): Rocket leaks"]);
    assert_eq!(suggested(&world, "dave", "q=fly"), ["Wiki: Flying_high"]);
    // A word that was typed before is wanted as a whole, and once.
    assert_eq!(suggested(&world, "dave", "q=rocket+rocket+news"), ["Rocket news"]);
    assert_eq!(suggested(&world, "dave", "q=roc+roc"), Vec::<String>::new());
    assert_eq!(suggested(&world, "dave", "q=news+roc+news"), Vec::<String>::new());
    // Only titles, and a word that is followed by a space is complete.
    assert_eq!(suggested(&world, "dave", "q=drips"), Vec::<String>::new());
    assert_eq!(suggested(&world, "dave", "q=roc+"), Vec::<String>::new());
    assert_eq!(suggested(&world, "dave", "q="), Vec::<String>::new());
}

#[test]
fn it_is_narrowed_as_a_search_is() {
    let world = world();
    assert_eq!(suggested(&world, "dave", "q=rock&issues=1"), ["Bug #1 (New): Rocket leaks"]);
    assert_eq!(suggested(&world, "dave", "q=rock&news=1&limit=1"), ["Rocket news"]);
    assert_eq!(suggested(&world, "dave", "q=rock&limit=2").len(), 2);
    assert_eq!(suggested(&world, "alice", "q=rock&id=secret"), ["Bug #2 (New): Hidden rocket"]);
    world.edit(1, |issue| issue.status = quarry::domain::ids::StatusId(5));
    assert_eq!(suggested(&world, "dave", "q=rock&issues=1&open_issues=1"), Vec::<String>::new());
    let answer = world.as_user("dave").get("/search/suggest.json?q=rock&issues=1").expect(200).json();
    assert_eq!(answer["results"][0]["type"], "issue-closed");
}

#[test]
fn the_number_of_an_issue_leads_to_it() {
    let world = world();
    for typed in ["1", "%231"] {
        assert_eq!(suggested(&world, "dave", &format!("q={typed}"))[0], "Bug #1 (New): Rocket leaks", "{typed}");
        assert_eq!(suggested(&world, "dave", &format!("q={typed}&news=1")), Vec::<String>::new(), "{typed}");
    }
    assert_eq!(suggested(&world, "dave", "q=2"), Vec::<String>::new());
    assert_eq!(suggested(&world, "alice", "q=2"), ["Bug #2 (New): Hidden rocket"]);
}

#[test]
fn nothing_hidden_is_suggested() {
    let world = world();
    assert_eq!(suggested(&world, "alice", "q=hidd"), ["Bug #2 (New): Hidden rocket"]);
    for login in ["bob", "carol", "dave"] {
        for typed in ["hidd", "hidden+roc", "secr"] {
            assert_eq!(suggested(&world, login, &format!("q={typed}")), Vec::<String>::new(), "{login} {typed}");
        }
    }
    let _ = world.anonymous().get("/search/suggest.json?q=rock").expect(401);
    let _ = world.as_user("dave").get("/search/suggest.json?q=rock&id=secret").expect(403);
    let _ = world.as_user("dave").get("/search/suggest.json?q=rock&id=missing").expect(404);
    world.set(Setting::LoginRequired, "0");
    assert_eq!(titles(&world.anonymous().get("/search/suggest.json?q=hidd").expect(200).json()), Vec::<String>::new());
}

#[test]
fn what_is_half_typed_is_no_mistake() {
    let world = world();
    for typed in ["%22rocket+le", "rocket+-", "is:", "-", "*", "OR", "project:sec", "rocket+assignee:", "%00", "%E2%99%A5"] {
        let _ = world.as_user("dave").get(&format!("/search/suggest.json?q={typed}")).expect(200);
    }
    assert_eq!(suggested(&world, "dave", "q=%22rocket+le"), ["Bug #1 (New): Rocket leaks"]);
    for (query, said) in [
        ("q=x&limit=0".to_owned(), "limit must be a number from 1 to 25"),
        ("q=x&issues=perhaps".to_owned(), "issues must be 1 or 0"),
        (format!("q={}", "x".repeat(2001)), "q is too long (at most 2000 characters)"),
    ] {
        assert_eq!(world.as_user("dave").get(&format!("/search/suggest.json?{query}")).expect(422).errors(), [said]);
    }
    let many: Vec<String> = (0..101).map(|n| format!("w{n}")).collect();
    let _ = world.as_user("dave").get(&format!("/search/suggest.json?q={}", many.join("+"))).expect(422);
    let _ = world.as_user("dave").get("/search/suggest.json?q=x&isues=1&strict=1").expect(422);
}

#[test]
fn it_looks_the_same_in_xml() {
    let world = world();
    let answer = world.as_user("dave").get("/search/suggest.json?q=rock&issues=1").expect(200).json();
    let names: Vec<&String> = answer["results"][0].as_object().unwrap().keys().collect();
    assert_eq!(names, ["id", "title", "type", "url", "datetime", "project", "score"]);
    let xml = world.as_user("dave").get("/search/suggest.xml?q=rock&issues=1").expect(200).body;
    assert!(
        xml.contains("<results limit=\"10\" type=\"array\"><result><id>1</id><title>Bug #1 (New): Rocket leaks</title><type>issue</type>"),
        "{xml}"
    );
}
