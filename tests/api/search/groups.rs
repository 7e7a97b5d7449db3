//! Groups of words and qualifiers in parentheses.

use quarry_world::search::world;
use quarry_world::{World, percent_encode};
use serde_json::{Value, json};

fn search(world: &World, query: &str, options: &str) -> Value {
    world
        .as_user("alice")
        .get(&format!(
            "/search.json?limit=100&issues=1&q={}{options}",
            percent_encode(query)
        ))
        .assert_status(200)
        .json()
}

/// Returns the ids of the issues that a query finds, in ascending order.
fn found(world: &World, query: &str, options: &str) -> Vec<i64> {
    let response = search(world, query, options);
    let hits = response["results"].as_array().unwrap().iter();
    let mut ids: Vec<i64> = hits.map(|hit| hit["id"].as_i64().unwrap()).collect();
    assert_eq!(response["total_count"], ids.len(), "{query}");
    ids.sort_unstable();
    ids
}

/// The world of the search tests with issues 3 to 6.
fn world_with_issues() -> World {
    let world = world();
    for (subject, description, assignee) in [
        ("Gasket crashes", "on the pad", Some(3)),
        ("Gasket hangs", "on the pad", None),
        ("Nozzle hangs", "in orbit", Some(3)),
        (
            "Nozzle crashes",
            "in orbit, if a pad and a gasket are missing",
            None,
        ),
    ] {
        let issue = json!({"issue": {
            "project_id": "open", "subject": subject, "description": description, "assigned_to_id": assignee,
        }});
        world
            .as_user("alice")
            .post("/issues.json", issue)
            .assert_status(201);
    }
    world
        .as_user("alice")
        .put("/issues/4.json", json!({"issue": {"status_id": 5}}))
        .assert_status(200);
    world
}

#[test]
fn groups_combine_words_and_qualifiers() {
    let world = world_with_issues();
    for (query, expected) in [
        ("(gasket crash) OR (nozzle hang)", &[3, 5, 6][..]),
        ("(gasket in:title crash in:title) OR (nozzle hang)", &[3, 5]),
        ("nozzle (hang OR assignee:bob)", &[5]),
        ("(gasket OR nozzle) -(hang OR assignee:bob)", &[6]),
        ("gasket OR -orbit type:issue (pad OR crash)", &[3, 4, 6]),
        ("(gasket in:title) OR (crash in:title)", &[3, 4, 6]),
        ("((is:open OR is:private) is:closed gasket) OR zzqq", &[]),
        ("((is:open) (is:closed)) OR zzqq", &[]),
        (
            "((status:New OR status:Closed) status:New gasket) OR zzqq",
            &[3, 6],
        ),
        ("(gasket -in:title) pad", &[6]),
        ("(gasket in:title -in:title) OR (nozzle hang)", &[5]),
        ("(crash OR is:closed) -in:title is:open type:issue", &[3, 6]),
        (
            "(is:closed gasket) OR (is:open nozzle assignee:none)",
            &[4, 6],
        ),
        (
            "(crash OR hang) AND NOT (orbit AND assignee:bob)",
            &[3, 4, 6],
        ),
        ("-(gasket crash) (gasket OR nozzle)", &[4, 5]),
        ("(status:New OR status:Closed) -status:New hang", &[4]),
    ] {
        assert_eq!(found(&world, query, ""), expected, "{query}");
    }
}

#[test]
fn text_that_only_looks_like_a_group_is_searched_as_text() {
    let world = world_with_issues();
    // The word "and" is in one issue only.
    assert_eq!(found(&world, "if (pad AND gasket)", ""), [6]);
    let path = |query: &str| format!("/search.json?q={}", percent_encode(query));
    let warned = world.as_user("alice").get(&path("if (pad AND gasket)"));
    let warning = "299 quarry \"parentheses, AND and NOT are searched as text, because the group at character 4 would change nothing\"";
    warned.assert_header("warning", warning);
    let two = format!("{}&unknown=1", path("if (pad AND gasket)"));
    let two = world
        .as_user("alice")
        .get(&two)
        .header("warning")
        .to_owned();
    assert!(two.contains("unknown") && two.contains(warning), "{two}");
    let plain = world.as_user("alice").get(&path("pad AND gasket"));
    assert!(!plain.headers.contains_key("warning"), "{plain:?}");
    assert_eq!(
        found(&world, "(gasket OR", ""),
        found(&world, "gasket \"or\"", "")
    );
    assert_eq!(found(&world, "nozzle :)", ""), [5, 6]);
    assert_eq!(found(&world, "pad) gasket", ""), [3, 4, 6]);
}

#[test]
fn any_word_loosens_words_and_groups_of_words_only() {
    let world = world_with_issues();
    let any_word = "&all_words=0";
    assert_eq!(
        found(&world, "(gasket crash) OR (nozzle hang) orbit", any_word),
        [3, 5, 6]
    );
    assert_eq!(
        found(&world, "hang (crash OR assignee:bob)", any_word),
        [5],
        "a group with a qualifier must match"
    );
}

#[test]
fn counts_facets_highlights_and_explanations_follow_the_groups() {
    let world = world_with_issues();
    let query = "(gasket crash in:title) OR (nozzle -crash)";
    let response = search(&world, query, "&facets=status&explain=1");
    assert_eq!(response["counts"]["issues"], 2);
    assert_eq!(
        response["facets"]["status"],
        json!([{"id": 1, "name": "New", "count": 2}])
    );
    for hit in response["results"].as_array().unwrap() {
        let is_gasket = hit["id"] == 3;
        let title = hit["title_html"].as_str().unwrap();
        let marked = if is_gasket {
            "<mark>Gasket</mark> <mark>crashes</mark>"
        } else {
            "<mark>Nozzle</mark> hangs"
        };
        assert!(title.contains(marked), "{title}");
        let explain = &hit["explain"];
        let words = explain["words"].as_array().unwrap();
        let names: Vec<&str> = words
            .iter()
            .map(|word| word["word"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["gasket", "crash", "nozzle"], "{explain}");
        let added = |word: &Value| word["added"].as_f64().unwrap();
        for word in words {
            assert_eq!(
                added(word) > 0.0,
                is_gasket == (word["word"] != "nozzle"),
                "{explain}"
            );
        }
        let others = ["exact_title", "adjacent_words", "recency"];
        let others: f64 = others
            .iter()
            .map(|name| explain[*name].as_f64().unwrap_or_default())
            .sum();
        let sum = words.iter().map(added).sum::<f64>() + others;
        assert!(
            (sum - hit["score"].as_f64().unwrap()).abs() < 0.001,
            "{hit}"
        );
    }
}

#[test]
fn words_in_groups_are_corrected() {
    let world = world_with_issues();
    let response = search(&world, "(gaskte is:closed) OR (gaskte assignee:bob)", "");
    assert_eq!(response["total_count"], 2);
    assert_eq!(
        response["did_you_mean"],
        "(gasket is:closed) OR (gasket assignee:bob)"
    );
}

#[test]
fn alternatives_to_a_corrected_query_count_its_groups_as_corrected() {
    let world = world_with_issues();
    let response = search(&world, "nozzle zeppelin (gaskte OR assignee:bob)", "");
    let alternatives = response["alternatives"].as_array().unwrap();
    assert!(!alternatives.is_empty());
    for alternative in alternatives {
        let query = alternative["q"].as_str().unwrap();
        let options = format!("&all_words={}", u8::from(alternative["all_words"] == true));
        assert_eq!(
            found(&world, query, &options).len(),
            alternative["total_count"].as_u64().unwrap() as usize,
            "{query}"
        );
    }
    let response = search(&world, "gaskte -(gaskte crash)", "");
    assert_eq!(response["did_you_mean"], "gasket -(gaskte crash)");
}

#[test]
fn alternatives_keep_the_groups() {
    let world = world_with_issues();
    let response = search(&world, "gasket zeppelin (crash OR assignee:none)", "");
    let alternatives = response["alternatives"].as_array().unwrap();
    assert!(!alternatives.is_empty());
    for alternative in alternatives {
        let query = alternative["q"].as_str().unwrap();
        assert!(query.ends_with("crash OR assignee:none"), "{query}");
        let options = format!("&all_words={}", u8::from(alternative["all_words"] == true));
        assert_eq!(
            found(&world, query, &options).len(),
            alternative["total_count"].as_u64().unwrap() as usize,
            "{query}"
        );
    }
}

#[test]
fn query_with_groups_is_no_dead_end() {
    let world = world_with_issues();
    let response = search(
        &world,
        "(gasket is:closed) OR (nozzle is:closed) telescope",
        "",
    );
    assert_eq!(response["total_count"], 0);
    assert_eq!(
        response["alternatives"],
        json!([{
            "q": "(gasket is:closed) OR (nozzle is:closed)",
            "all_words": true,
            "without": ["telescope"],
            "total_count": 1,
        }])
    );
    let response = search(&world, "hang (zeppelin -orbit) OR (telescope -orbit)", "");
    assert_eq!(
        response["alternatives"],
        json!([{
            "q": "hang",
            "all_words": true,
            "without": ["(zeppelin -orbit) OR (telescope -orbit)"],
            "total_count": 2,
        }])
    );
}

#[test]
fn groups_are_bounded() {
    let world = world_with_issues();
    let refusal = |query: &str| {
        let path = format!("/search.json?q={}", percent_encode(query));
        let response = world.as_user("alice").get(&path).assert_status(422);
        response.errors().join(" ")
    };
    let leaves = ["is:open"; 101].join(" OR ");
    assert!(
        refusal(&leaves).contains("at most 100"),
        "{}",
        refusal(&leaves)
    );
    let words: Vec<String> = (0..101).map(|n| format!("(w{n} -x)")).collect();
    assert!(refusal(&words.join(" OR ")).contains("at most 100"));
    let depth = refusal("rocket -(a -(b -(c -(d -(e -(f g))))))");
    assert!(
        depth.contains("at character 28: ( – parentheses may be nested"),
        "{depth}"
    );
    // Redundant parentheses are left out, and too many of them are text.
    for count in [90, 3000] {
        let deep = format!("{}gasket{}", "(".repeat(count), ")".repeat(count));
        assert_eq!(found(&world, &deep, ""), [3, 4, 6]);
    }
    for (query, expected) in [
        ("(gasket in:body) OR nozzle", "in:body – in: expects title"),
        ("gasket OR in:title", "put it into parentheses with them"),
    ] {
        assert!(refusal(query).contains(expected), "{query}");
    }
    let loaded: Vec<String> = (0..21).map(|n| format!("-blocks:{n}")).collect();
    assert!(refusal(&loaded.join(" ")).contains("at most 20 qualifiers"));
}
