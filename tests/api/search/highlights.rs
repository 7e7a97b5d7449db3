//! Highlights of a hit in title and text, and the explanation of its score.

use super::search;
use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::search::world;
use serde_json::{Value, json};

fn change(world: &World, login: &str, fields: Value) {
    world
        .as_user(login)
        .put("/issues/1.json", json!({"issue": fields}))
        .assert_status(200);
}

fn offset(mark: &Value, name: &str) -> usize {
    usize::try_from(mark[name].as_u64().unwrap()).unwrap()
}

/// Returns the words at the offsets of a passage.
fn marked(passage: &Value) -> Vec<String> {
    let letters: Vec<char> = passage["text"].as_str().unwrap().chars().collect();
    let marks = passage["marks"].as_array().unwrap().iter();
    marks
        .map(|mark| {
            letters[offset(mark, "from")..offset(mark, "to")]
                .iter()
                .collect()
        })
        .collect()
}

#[test]
fn highlights_are_given_as_html_and_offsets() {
    let world = world();
    change(
        &world,
        "alice",
        json!({"subject": "Ünder <b> Rockets", "notes": "a *rocket* 東京都 & more"}),
    );
    let hit = search(&world, "dave", "q=rocket+tank+%E6%9D%B1%E4%BA%AC")["results"][0].clone();
    assert_eq!(hit["title"], "Bug #1 (New): Ünder <b> Rockets");
    assert_eq!(
        hit["title_html"],
        "Bug #1 (New): Ünder &lt;b&gt; <mark>Rockets</mark>"
    );
    assert_eq!(
        hit["excerpt"],
        "The <mark>tank</mark> drips fuel … a <mark>rocket</mark> <mark>東京</mark>都 &amp; more"
    );
    assert_eq!(
        hit["highlights"],
        json!([
            {"in": "title", "text": "Bug #1 (New): Ünder <b> Rockets", "marks": [{"from": 24, "to": 31}]},
            {"in": "text", "text": "The tank drips fuel", "marks": [{"from": 4, "to": 8}]},
            {"in": "notes", "text": "a rocket 東京都 & more", "marks": [{"from": 2, "to": 8}, {"from": 9, "to": 11}]},
        ])
    );
    assert_eq!(marked(&hit["highlights"][2]), ["rocket", "東京"]);
}

#[test]
fn title_only_match_excerpts_the_start_of_the_text() {
    let world = world();
    let hit = search(&world, "dave", "q=leaking")["results"][0].clone();
    assert_eq!(hit["title_html"], "Bug #1 (New): Rocket <mark>leaks</mark>");
    assert_eq!(hit["excerpt"], "The tank drips fuel");
    assert_eq!(
        hit["highlights"][1],
        json!({"in": "text", "text": "The tank drips fuel", "marks": []})
    );
    // Unsafe markup is not highlighted, nor is the prefix that the service puts before a title.
    let hit = search(&world, "dave", "q=rocket+-zeppelin&issues=1")["results"][0].clone();
    assert_eq!(hit["highlights"][0]["marks"].as_array().unwrap().len(), 1);
    assert_eq!(
        search(&world, "dave", "q=tank+OR+bug")["results"][0]["title_html"],
        "Bug #1 (New): Rocket leaks"
    );
}

#[test]
fn xml_has_highlights_and_compatibility_mode_has_none() {
    let world = world();
    let xml = world
        .as_user("dave")
        .get("/search.xml?q=tank&explain=1")
        .assert_status(200)
        .body;
    for expected in [
        "<excerpt>The &lt;mark&gt;tank&lt;/mark&gt; drips fuel</excerpt>",
        "<title_html>Bug #1 (New): Rocket leaks</title_html><highlights type=\"array\"><highlight in=\"title\">",
        "<highlight in=\"text\"><text>The tank drips fuel</text><marks type=\"array\"><mark from=\"4\" to=\"8\"/></marks></highlight></highlights>",
        "<explain><words type=\"array\"><word><word>tank</word><in type=\"array\"><text>text</text></in><added>",
    ] {
        assert!(xml.contains(expected), "{expected} in {xml}");
    }
    world.set(Setting::RedmineCompatibility, "1");
    let hit = search(&world, "dave", "q=tank&explain=1")["results"][0].clone();
    let names: Vec<&String> = hit.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        ["id", "title", "type", "url", "description", "datetime"]
    );
}

/// Returns the sum of the parts of a score.
fn sum(hit: &Value) -> f64 {
    let explain = &hit["explain"];
    let bonuses = ["base", "exact_title", "adjacent_words", "recency"]
        .into_iter()
        .filter_map(|name| explain[name].as_f64());
    explain["words"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|word| word["added"].as_f64())
        .chain(bonuses)
        .sum()
}

fn explained(hit: &Value, name: &str) -> f64 {
    hit["explain"][name].as_f64().unwrap()
}

#[test]
fn explanation_sums_to_the_score() {
    let world = world();
    for (n, subject) in [
        "rocket engine",
        "engine rocket leaks",
        "about time-sharing rockets",
        "rocketry",
    ]
    .into_iter()
    .enumerate()
    {
        let fields = json!({"issue": {"project_id": "open", "subject": subject, "description": "rocket fuel engine ".repeat(n)}});
        world
            .as_user("alice")
            .post("/issues.json", &fields)
            .assert_status(201);
    }
    for q in [
        "rocket",
        "rocket+engine",
        "rocket+engine&all_words=0",
        "rocket+-tank",
        "rock*",
        "%22rocket+engine%22",
        "tank+OR+engine+rocket",
        "time-sharing+rocket&all_words=0",
        "time-sharing+rocket+engine+rocket+time-sharing&all_words=0",
        "is:open",
        "rocket&titles_only=1",
        "blueprint+rocket&attachments=1&all_words=0",
        "rocket+engine&sort=relevance&limit=2&offset=1",
    ] {
        let response = search(&world, "dave", &format!("q={q}&explain=1"));
        let hits = response["results"].as_array().unwrap();
        assert!(!hits.is_empty(), "{q}");
        for hit in hits {
            let parts = hit["explain"]["words"].as_array().unwrap().len() as f64 + 4.0;
            assert!(
                (sum(hit) - hit["score"].as_f64().unwrap()).abs() < 0.000_06 * parts,
                "{q}: {hit}"
            );
            let words = hit["explain"]["words"].as_array().unwrap();
            assert!(
                words
                    .iter()
                    .all(|word| (word["added"].as_f64().unwrap() > 0.0)
                        != word["in"].as_array().unwrap().is_empty()),
                "{q}: {hit}"
            );
        }
    }
    let hit =
        search(&world, "dave", "q=rocket+engine&explain=1&sort=relevance")["results"][0].clone();
    assert!(
        explained(&hit, "exact_title") > 0.0
            && explained(&hit, "adjacent_words") > 0.0
            && explained(&hit, "recency") > 0.0,
        "{hit}"
    );
    let by_date =
        search(&world, "dave", "q=rocket&explain=1&sort=date")["results"][0]["explain"].clone();
    assert_eq!(
        by_date,
        json!({"words": [{"word": "rocket", "in": by_date["words"][0]["in"]}]})
    );
    assert!(
        search(&world, "dave", "q=rocket")["results"][0]
            .get("explain")
            .is_none()
    );
    assert!(
        world
            .as_user("dave")
            .get("/search.json?q=x&explain=maybe")
            .assert_status(422)
            .body
            .contains("explain must be 1 or 0")
    );
}

fn places(world: &World, login: &str, word: usize) -> (Value, bool) {
    let hit = search(world, login, "q=tank+plutonium&all_words=0&explain=1")["results"][0].clone();
    (
        hit["explain"]["words"][word]["in"].clone(),
        hit["explain"]["words"][word]["added"].as_f64().unwrap() > 0.0,
    )
}

fn first_hit(world: &World) -> Value {
    search(world, "carol", "q=tank&explain=1")["results"][0].clone()
}

#[test]
fn explanation_discloses_no_unreadable_text() {
    let world = world();
    change(
        &world,
        "alice",
        json!({"notes": "a tank of plutonium", "private_notes": true}),
    );
    assert_eq!(
        (places(&world, "alice", 0), places(&world, "alice", 1)),
        ((json!(["text", "notes"]), true), (json!(["notes"]), true))
    );
    assert_eq!(
        (places(&world, "carol", 0), places(&world, "carol", 1)),
        ((json!(["text"]), true), (json!([]), false))
    );
    // The response is the same with and without the hidden note.
    let before = first_hit(&world);
    change(
        &world,
        "alice",
        json!({"notes": "tank tank tank", "private_notes": true}),
    );
    let after = first_hit(&world);
    for name in ["explain", "highlights", "excerpt", "score", "title_html"] {
        assert_eq!(before[name], after[name], "{name}");
    }
}
