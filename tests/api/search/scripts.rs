//! Text in every script is found as people type it, and unrelated words do not match.

use quarry_world::{MANAGER, World, percent_encode};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A world with a project of issues with these texts.
fn saved(texts: &[&str]) -> World {
    let world = World::new();
    world.project("texts").member("alice", MANAGER).create();
    for text in texts {
        world
            .issue("texts")
            .subject("Entry")
            .description(text)
            .create();
    }
    world
}

/// Asserts which texts each query finds, by position from 1, without corrections.
#[track_caller]
fn finds(texts: &[&str], cases: &[(&str, &[i64])]) {
    let world = saved(texts);
    let mut wrong = BTreeMap::new();
    for (question, wanted) in cases {
        let response = world
            .as_user("alice")
            .get(&format!(
                "/search.json?issues=1&limit=100&q={}",
                percent_encode(question)
            ))
            .assert_status(200)
            .json();
        let mut found: Vec<i64> = response["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hit| hit["id"].as_i64().unwrap())
            .collect();
        found.sort_unstable();
        assert_eq!(response["total_count"], found.len(), "{question}");
        if found != *wanted || !response["did_you_mean"].is_null() {
            wrong.insert(*question, (found, response["did_you_mean"].clone()));
        }
    }
    assert!(wrong.is_empty(), "found instead: {wrong:#?}");
}

#[test]
fn identifiers_match_whole_and_in_parts() {
    let texts = [
        "def issue_query_builder",
        "HTTPServerFactory starts",
        "the kMaxRetryCount constant",
        "query of an issue",
    ];
    finds(
        &texts,
        &[
            ("issue_query_builder", &[1]),
            ("issue query builder", &[1]),
            ("\"issue query\"", &[1]),
            ("builder", &[1]),
            ("issue_query", &[1]),
            ("query_issue", &[]),
            ("HTTPServerFactory", &[2]),
            ("httpserverfactory", &[2]),
            ("http server", &[2]),
            ("server factory", &[2]),
            ("httpserv*", &[2]),
            ("kmaxretrycount", &[3]),
            ("retry count", &[3]),
            ("issue -builder", &[4]),
        ],
    );
}

#[test]
fn paths_versions_and_addresses_match() {
    let texts = [
        "see app/models/issue_query.rb line 42",
        r"the file C:\Program Files\Vendor\setup.exe is locked",
        "broken since 4.0.0RC2 on 10.11.6",
        "fixed in 4.0.1",
        "look at https://example.org/wiki/Release_Notes?version=3#top",
        "write to jane.doe+bugs@mail.example.org please",
    ];
    finds(
        &texts,
        &[
            ("app/models/issue_query.rb", &[1]),
            ("issue_query.rb", &[1]),
            ("models/issue_query", &[1]),
            (r"C:\Program", &[2]),
            ("setup.exe", &[2]),
            ("setup", &[2]),
            ("4.0.0RC2", &[3]),
            ("4.0.0rc2", &[3]),
            ("10.11.6", &[3]),
            ("10.11", &[3]),
            ("4.0.1", &[4]),
            ("4.0.2", &[]),
            ("11.10", &[]),
            ("https://example.org/wiki/Release_Notes?version=3#top", &[5]),
            ("example.org/wiki", &[5]),
            ("release notes", &[5]),
            ("jane.doe+bugs@mail.example.org", &[6]),
            ("jane.doe", &[6]),
            ("mail.example.org", &[6]),
            ("example.org", &[5, 6]),
        ],
    );
}

#[test]
fn error_messages_match() {
    let texts = [
        "java.lang.NullPointerException: Attempt to invoke 'int android.view.View.getId()' at com.acme.Main$1.run(Main.java:57)",
        "ERROR 1064 (42000): You have an error in your SQL syntax",
        "Process exited with code 0xC0000005",
    ];
    finds(
        &texts,
        &[
            ("java.lang.NullPointerException", &[1]),
            ("NullPointerException", &[1]),
            ("nullpointerexception", &[1]),
            ("null pointer exception", &[1]),
            ("android.view.View.getId()", &[1]),
            ("Main.java:57", &[1]),
            ("com.acme.Main$1.run", &[1]),
            ("ERROR 1064 (42000)", &[2]),
            ("\"error in your SQL syntax\"", &[2]),
            ("\"error in my SQL syntax\"", &[]),
            ("ERROR 1065", &[]),
            ("0xC0000005", &[3]),
            ("0xc0000005", &[3]),
            ("0xc0000006", &[]),
        ],
    );
}

#[test]
fn cjk_matches_in_mixed_text() {
    let texts = [
        "全文検索エンジンのquarryを使う",
        "搜索引擎很快",
        "한국어 검색 엔진이 빠르다",
        "ｶﾀｶﾅの検索",
    ];
    finds(
        &texts,
        &[
            ("検索", &[1, 4]),
            ("全文検索", &[1]),
            ("エンジン", &[1]),
            ("検索エンジン", &[1]),
            ("quarry", &[1]),
            ("検索 quarry", &[1]),
            ("索検", &[]),
            ("搜索", &[2]),
            ("搜索引擎", &[2]),
            ("引擎搜索", &[]),
            ("快", &[2]),
            ("검색", &[3]),
            ("엔진", &[3]),
            ("カタカナ", &[4]),
        ],
    );
}

#[test]
fn accents_ligatures_and_german_letters_match() {
    let texts = [
        "Zählerstände über die Straße",
        "le café déjà vu à Noël",
        "Donaudampfschifffahrtsgesellschaft",
        "ﬁle naïveté",
        "Łódź i Åse",
    ];
    finds(
        &texts,
        &[
            ("Zählerstände", &[1]),
            ("zahlerstande", &[1]),
            ("ZÄHLERSTÄNDE", &[1]),
            ("za\u{308}hlersta\u{308}nde", &[1]),
            ("Straße", &[1]),
            ("STRASSE", &[1]),
            ("cafe deja vu", &[2]),
            ("noel", &[2]),
            ("Donaudampf*", &[3]),
            ("donaudampfschiff*", &[3]),
            ("gesellschaft", &[]),
            ("file", &[4]),
            ("naivete", &[4]),
            ("lodz", &[5]),
            ("Łódź", &[5]),
            ("ase", &[5]),
        ],
    );
}

#[test]
fn cyrillic_greek_and_turkish_match() {
    let texts = [
        "Ошибка при загрузке Ёлка",
        "Σφάλμα στον ΔΙΑΚΟΜΙΣΤΗΣ",
        "İstanbul ışık IŞIK",
        "Ilgaz istasyon",
    ];
    finds(
        &texts,
        &[
            ("ошибка", &[1]),
            ("ОШИБКА", &[1]),
            ("ёлка", &[1]),
            ("елка", &[1]),
            ("загруз*", &[1]),
            ("σφαλμα", &[2]),
            ("ΣΦΆΛΜΑ", &[2]),
            ("διακομιστης", &[2]),
            ("διακομιστήσ", &[2]),
            ("istanbul", &[3]),
            ("İSTANBUL", &[3]),
            ("ışık", &[3]),
            ("isik", &[3]),
            ("ISIK", &[3]),
            ("ilgaz", &[4]),
            ("ist*", &[3, 4]),
        ],
    );
}

fn respond(world: &World, login: &str, query: &str) -> Value {
    world
        .as_user(login)
        .get(&format!("/search.json?{query}"))
        .assert_status(200)
        .json()
}

#[test]
fn misspelling_is_corrected_with_visible_words() {
    let world = saved(&[
        "the payload is empty",
        "interested in synchronization",
        "Ошибка сервера",
        "computers",
    ]);
    world
        .project("vault")
        .private()
        .member("bob", MANAGER)
        .create();
    let hidden = json!({"issue": {"project_id": "vault", "subject": "zanzibar payroad"}});
    world
        .as_user("bob")
        .post("/issues.json", hidden)
        .assert_status(201);
    let cases = [
        ("paylaod", "payload"),
        ("empty Paylaod", "empty Payload"),
        ("inteersted synchronizatoin", "interested synchronization"),
        ("ошыбка", "ошибка"),
        ("compuers", "computers"),
        ("-zebra paylaod type:issue", "-zebra payload type:issue"),
    ];
    for (question, meant) in cases {
        let found = respond(&world, "alice", &format!("q={}", percent_encode(question)));
        assert_eq!(found["did_you_mean"], meant, "{question}");
        assert_eq!(found["total_count"], 1, "{question}: {found}");
        assert!(
            found["results"][0]["excerpt"]
                .as_str()
                .unwrap()
                .contains("<mark>"),
            "{found}"
        );
    }
    // With any-word queries, unknown words are corrected, and known ones match as they are.
    assert_eq!(
        respond(&world, "alice", "q=paylaod+empty&all_words=0")["total_count"],
        1
    );
    assert_eq!(
        respond(&world, "alice", "q=paylaod+computers&all_words=0")["total_count"],
        2
    );
    for question in [
        "payload",
        "computer",
        "pay",
        "paylaod*",
        "%22paylaod%22",
        "empty+nothinglikeit",
        "payload+computers",
        "7438291",
        "",
    ] {
        assert!(
            respond(&world, "alice", &format!("q={question}"))
                .get("did_you_mean")
                .is_none(),
            "{question}"
        );
    }
    // "comput" is the stem of "computers" in the index, not a word.
    assert_eq!(respond(&world, "alice", "q=comput")["total_count"], 1);
    assert_eq!(respond(&world, "alice", "q=conput")["total_count"], 0);
    // Words of hidden records are neither suggested nor found, and do not count as spelled
    // correctly.
    assert_eq!(
        respond(&world, "bob", "q=zanzibra")["did_you_mean"],
        "zanzibar"
    );
    for question in ["zanzibra", "zanzibar"] {
        let found = respond(&world, "alice", &format!("q={question}"));
        assert_eq!(
            (&found["total_count"], found.get("did_you_mean")),
            (&0.into(), None),
            "{question}"
        );
    }
    assert_eq!(
        respond(&world, "alice", "q=payroad")["did_you_mean"],
        "payload"
    );
    assert!(
        respond(&world, "bob", "q=payroad")
            .get("did_you_mean")
            .is_none()
    );
}

#[test]
fn rare_misspelling_is_corrected_to_the_frequent_word() {
    let often = ["the lantern flickers"; 10];
    let world = saved(&[&often[..], &["a lanterk"]].concat());
    // One in ten may be intended; one in eleven is a misspelling.
    for expected in [11, 11] {
        assert_eq!(
            (
                &respond(&world, "alice", "q=lanterm")["total_count"],
                &respond(&world, "alice", "q=lanterm")["did_you_mean"]
            ),
            (&expected.into(), &"lantern".into())
        );
        let one_more = json!({"issue": {"project_id": "texts", "subject": "lantern"}});
        world
            .as_user("alice")
            .post("/issues.json", one_more)
            .assert_status(201);
    }
}

#[test]
fn transpositions_rank_before_substitutions() {
    let world = saved(&["zebra", "zbar", "zbar again", "zbar once more"]);
    let found = world
        .as_user("alice")
        .get("/search.json?q=zebar")
        .assert_status(200)
        .json();
    assert_eq!(
        (&found["total_count"], &found["did_you_mean"]),
        (&4.into(), &"zebra".into())
    );
}

#[test]
fn corrections_have_results() {
    let world = saved(&["the shop opens", "the shop closes", "the ship sails"]);
    for (question, expected) in [
        ("shup", "shop"),
        ("shup sails", "ship sails"),
        ("shup sails shup", "ship sails ship"),
        ("shup is:open -opens -closes", "ship is:open -opens -closes"),
        (
            "shup OR nothinglikeit the sails",
            "ship OR nothinglikeit the sails",
        ),
    ] {
        let found = world
            .as_user("alice")
            .get(&format!("/search.json?q={}", question.replace(' ', "+")))
            .assert_status(200)
            .json();
        assert_eq!(found["did_you_mean"], expected, "{question}");
        assert_eq!(
            found["total_count"],
            if question == "shup" { 3 } else { 1 },
            "{question}"
        );
    }
    // With any-word queries too, the correction whose words occur together.
    let found = world
        .as_user("alice")
        .get("/search.json?q=shup+sails&all_words=0")
        .assert_status(200)
        .json();
    assert_eq!(
        (&found["did_you_mean"], &found["total_count"]),
        (&"ship sails".into(), &3.into())
    );
}

#[test]
fn correction_is_given_in_every_format_except_compatibility_mode() {
    let world = saved(&["the payload & more is empty"]);
    let xml = world
        .as_user("alice")
        .get("/search.xml?q=paylaod")
        .assert_status(200)
        .body;
    assert!(xml.ends_with("<did_you_mean>payload</did_you_mean><did_you_mean_count>1</did_you_mean_count></results>"), "{xml}");
    let page = world
        .as_user("alice")
        .get("/search?q=paylaod&issues=1")
        .assert_status(200)
        .body;
    assert!(
        page.contains("Did you mean <a href=\"/search?q=payload&"),
        "{page}"
    );
    world.set(
        quarry::domain::administration::setting::Setting::RedmineCompatibility,
        "1",
    );
    let json = world
        .as_user("alice")
        .get("/search.json?q=paylaod")
        .assert_status(200)
        .json();
    assert!(json.get("did_you_mean").is_none() && json.get("did_you_mean_count").is_none());
}
