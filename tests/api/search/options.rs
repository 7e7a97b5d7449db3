//! The parameters of a search (compatibility 10).

use super::{search, total};
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::ProjectId;
use quarry::domain::projects::module::Module;
use quarry::store::projects;
use quarry_world::search::world;
use quarry_world::{DEVELOPER, Response, World, user};
use serde_json::json;

#[test]
fn words_phrases_and_options() {
    let world = world();
    assert_eq!(total(&world, "dave", "q=rockets+leaking"), 1, "stems");
    assert_eq!(total(&world, "dave", "q=tank+zebra"), 0);
    assert_eq!(total(&world, "dave", "q=tank+zebra&all_words=0"), 1);
    assert_eq!(
        total(&world, "dave", "q=tank+zebra&all_words="),
        1,
        "blank is off"
    );
    assert_eq!(total(&world, "dave", "q=%22launch+pad%22"), 1);
    assert_eq!(total(&world, "dave", "q=%22pad+launch%22"), 0);
    assert_eq!(
        total(&world, "dave", "q=%22launch+pad"),
        1,
        "an open quote reaches to the end"
    );
    assert_eq!(total(&world, "dave", "q=fuel"), 1);
    assert_eq!(total(&world, "dave", "q=fuel&titles_only=1"), 0);
    assert_eq!(total(&world, "dave", "q=fuel&titles_only=0"), 1);
    assert_eq!(
        total(&world, "dave", "q=zeppelin"),
        0,
        "old versions of wiki pages are not searched"
    );
    assert_eq!(
        total(&world, "dave", "q=rocket&news=1&documents=1&issues=0"),
        2
    );
}

#[test]
fn attachments_are_matched_on_request() {
    let world = world();
    assert_eq!(total(&world, "dave", "q=blueprint"), 0);
    assert_eq!(total(&world, "dave", "q=blueprint.pdf&attachments=1"), 1);
    assert_eq!(total(&world, "dave", "q=blueprint+rocket&attachments=1"), 1);
    assert_eq!(total(&world, "dave", "q=rocket&attachments=only"), 0);
    assert_eq!(total(&world, "dave", "q=hand&attachments=only"), 1);
}

#[test]
fn open_issues_does_not_filter_other_types() {
    let world = world();
    world
        .as_user("alice")
        .put("/issues/1.json", json!({"issue": {"status_id": 5}}))
        .assert_status(200);
    assert_eq!(total(&world, "dave", "q=rocket"), 7);
    assert_eq!(total(&world, "dave", "q=rocket&open_issues=1"), 6);
    assert_eq!(
        search(&world, "dave", "q=tank")["results"][0]["type"],
        "issue-closed"
    );
}

#[test]
fn scope_limits_the_projects() {
    let world = world();
    let below = world.project("below").member("bob", DEVELOPER).create();
    world.write(move |db| projects::insert_bookmark(db, user("dave"), below));
    world
        .as_user("bob")
        .post(
            "/issues.json",
            json!({"issue": {"project_id": "below", "subject": "Small rocket"}}),
        )
        .assert_status(201);
    assert_eq!(total(&world, "dave", "q=rocket"), 8);
    assert_eq!(total(&world, "dave", "q=rocket&scope=all"), 8);
    assert_eq!(total(&world, "dave", "q=rocket&scope=bookmarks"), 1);
    assert_eq!(total(&world, "dave", "q=rocket&scope=my_projects"), 0);
    assert_eq!(total(&world, "carol", "q=rocket&scope=my_projects"), 7);
    assert_eq!(total(&world, "carol", "q=rocket&scope=nonsense"), 8);
    assert_eq!(
        world
            .as_user("dave")
            .total_count("/projects/below/search.json?q=rocket"),
        1
    );
    assert_eq!(
        world
            .as_user("dave")
            .total_count("/projects/open/search.json?q=rocket&scope=all"),
        8
    );
    assert_eq!(
        world
            .as_user("dave")
            .total_count("/projects/open/search.json?q=rocket&scope=subprojects"),
        7
    );
    assert_eq!(
        world
            .as_user("dave")
            .total_count("/search.json?q=rocket&id=below"),
        1
    );
    assert_eq!(
        world
            .as_user("dave")
            .total_count("/projects/open/search.json?q=open"),
        0,
        "inside a project, projects are not searched"
    );
    world.write(|db| {
        projects::set_modules(
            db,
            ProjectId(1),
            [Module::IssueTracking, Module::News].into_iter().collect(),
        )
    });
    let left = world
        .as_user("dave")
        .get("/projects/open/search.json?q=rocket&wiki_pages=1")
        .assert_status(200)
        .json();
    let counted: Vec<&String> = left["counts"].as_object().unwrap().keys().collect();
    assert_eq!(
        counted,
        ["issues", "news"],
        "types that cannot be seen there are dropped"
    );
}

#[test]
fn issue_id_redirects_to_the_issue() {
    let world = world();
    assert_eq!(
        world
            .as_user("dave")
            .get("/search.json?q=1")
            .assert_status(302)
            .location(),
        "/issues/1.json"
    );
    assert_eq!(
        world
            .as_user("dave")
            .get("/search.xml?q=%231")
            .assert_status(302)
            .location(),
        "/issues/1.xml"
    );
    assert_eq!(
        world
            .as_user("dave")
            .get("/search?q=1")
            .assert_status(302)
            .location(),
        "/issues/1"
    );
    for hidden in ["2", "999", "99999999999999999999", "%23"] {
        assert_eq!(
            world
                .as_user("dave")
                .get(&format!("/search.json?q={hidden}"))
                .assert_status(200)
                .json()["total_count"],
            0,
            "{hidden}"
        );
    }
    // The redirect does not repeat an API key in the query.
    for key in ["key", "k%65y"] {
        let response = world
            .anonymous()
            .get(&format!("/search.json?q=1&{key}={}", world.key("dave")))
            .assert_status(302);
        assert_eq!(response.location(), "/issues/1.json");
    }
    world.set(Setting::RedmineCompatibility, "1");
    world
        .as_user("dave")
        .get("/search.json?q=1")
        .assert_status(200);
    world.as_user("dave").get("/search?q=1").assert_status(302);
}

fn rejected(world: &World, query: &str) -> Response {
    world
        .as_user("dave")
        .get(&format!("/search.json?{query}"))
        .assert_status(422)
}

#[test]
fn blank_and_unusual_queries() {
    let world = world();
    for blank in [
        "", "q=", "q=+++", "q=%00%01", "q=%22%22", "q=%22", "q=...", "q=*",
    ] {
        let response = search(&world, "dave", blank);
        assert_eq!(
            (
                response["total_count"].as_i64(),
                response["results"].as_array().map(Vec::len)
            ),
            (Some(0), Some(0)),
            "{blank}"
        );
    }
    for odd in [
        "q=a%22b%22c",
        "q=(+)+OR+AND+%5B+TO+%7D",
        "q=title:rocket",
        "q=-rocket",
        "q=ro%00cket",
        "q=%F0%9F%9A%80",
        "q=rocket~2%5E3",
    ] {
        search(&world, "dave", odd);
    }
    assert_eq!(
        rejected(&world, &format!("q={}", "x".repeat(10 * 1024)))
            .errors()
            .len(),
        1
    );
    assert_eq!(
        rejected(&world, &format!("q={}", "ab+".repeat(3000)))
            .errors()
            .len(),
        1
    );
    let lenient = world
        .as_user("dave")
        .get("/search.json?q=rocket&wiki=1")
        .assert_status(200);
    assert!(lenient.header("warning").contains("wiki"), "{lenient:?}");
    assert_eq!(
        rejected(&world, "q=x&wiki_page=1&strict=1").errors(),
        ["Unknown parameter wiki_page; did you mean wiki_pages?"]
    );
    assert_eq!(
        rejected(&world, "q=x&issues=maybe&sort=size&attachments=some")
            .errors()
            .len(),
        3
    );
}
