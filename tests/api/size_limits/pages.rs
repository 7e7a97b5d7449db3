//! Pages of lists with long texts end early and report it.

use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::administration::setting::Setting;
use quarry::domain::content::news::News;
use quarry::domain::ids::ProjectId;
use quarry::domain::index_feed::kind::Kind;
use quarry::store::StoreError;
use quarry::store::administration::custom_fields;
use quarry::store::content::news;
use quarry::store::index_feed::indexed_records;
use quarry_world::{DEVELOPER, MANAGER, World, user};
use serde_json::{Value, json};

const MIB: usize = 1024 * 1024;
/// Bytes of a page in addition to its items.
const PAGE: usize = 9 * MIB;

/// A world with twelve issues with descriptions of 1.5 MiB.
fn world() -> World {
    let world = World::new();
    world
        .project("open")
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .create();
    for _ in 0..12 {
        let id = world.issue("open").create();
        world.edit(id, |issue| {
            issue.description = Some(format!("pump {}", "a".repeat(3 * MIB / 2)))
        });
    }
    world
}

/// Returns the ids of all items, read page by page as clients do, and the number of pages.
fn page_through(world: &World, path: &str, root: &str) -> (Vec<i64>, usize) {
    let mut ids = Vec::new();
    let mut offset = 0;
    let mut pages = 0;
    loop {
        let response = world
            .as_user("alice")
            .get(&format!("{path}&offset={offset}"))
            .assert_status(200);
        assert!(response.body.len() < PAGE, "{} bytes", response.body.len());
        let list = response.json();
        let items = list[root].as_array().unwrap();
        if items.is_empty() {
            assert_eq!(
                i64::try_from(ids.len()).unwrap(),
                list["total_count"].as_i64().unwrap()
            );
            return (ids, pages);
        }
        ids.extend(items.iter().map(|item| item["id"].as_i64().unwrap()));
        offset += list["limit"].as_i64().unwrap();
        pages += 1;
    }
}

#[test]
fn issue_list_ends_early_at_the_size_limit() {
    let world = world();
    let small = world.issue("open").description("short").create();
    let alice = world.as_user("alice");
    let all: Vec<i64> = (1..=small).collect();
    for order in ["id", "updated_on", "subject", "status", "priority:desc,id"] {
        let (mut ids, pages) = page_through(
            &world,
            &format!("/issues.json?limit=100&sort={order}"),
            "issues",
        );
        assert!((3..=4).contains(&pages), "{order}: {pages} pages");
        ids.sort_unstable();
        assert_eq!(ids, all, "{order}");
    }
    let list = alice
        .get("/issues.json?limit=100&sort=id")
        .assert_status(200)
        .json();
    assert_eq!(
        (&list["total_count"], &list["offset"], &list["limit"]),
        (&13.into(), &0.into(), &5.into())
    );
    assert_eq!(list["issues"].as_array().unwrap().len(), 5);
    assert_eq!(
        list["issues"][4]["description"].as_str().unwrap().len(),
        5 + 3 * MIB / 2
    );
    let xml = alice
        .get("/issues.xml?limit=100&sort=id")
        .assert_status(200)
        .body;
    assert!(
        xml.contains(
            "<issues total_count=\"13\" offset=\"0\" limit=\"5\" type=\"array\"><issue><id>1</id>"
        ),
        "{}",
        &xml[..200]
    );
    assert_eq!(xml.matches("<issue>").count(), 5);
    // A complete page reports the requested limit.
    alice
        .get("/issues.json?limit=3")
        .assert_status(200)
        .assert_json_path("/limit", 3);
    alice
        .get("/issues.json?limit=100&offset=12&sort=id")
        .assert_status(200)
        .assert_json_path("/limit", 100);
    // Without totals the limit is reported only where the page is cut.
    let bare = alice
        .get("/issues.json?limit=100&sort=id&nometa=1")
        .assert_status(200)
        .json();
    assert_eq!(
        (
            bare["issues"].as_array().unwrap().len(),
            &bare["limit"],
            bare.get("offset")
        ),
        (5, &5.into(), None)
    );
    assert!(
        alice
            .get("/issues.xml?limit=100&sort=id&nometa=1")
            .assert_status(200)
            .body
            .contains("<issues limit=\"5\" type=\"array\">")
    );
    assert!(
        alice
            .get("/issues.json?limit=3&nometa=1")
            .assert_status(200)
            .json()
            .get("limit")
            .is_none()
    );
    world.set(Setting::RedmineCompatibility, "1");
    assert_eq!(
        page_through(&world, "/issues.json?limit=100", "issues")
            .0
            .len(),
        all.len()
    );
}

fn limit_and_length(world: &World, offset: usize) -> (Value, usize) {
    let list = world
        .as_user("alice")
        .get(&format!("/issues.json?sort=id&offset={offset}"))
        .assert_status(200)
        .json();
    (
        list["limit"].clone(),
        list["issues"].as_array().unwrap().len(),
    )
}

#[test]
fn item_larger_than_a_page_gets_its_own_page() {
    let world = World::new();
    world.project("open").member("alice", MANAGER).create();
    let ids: Vec<i64> = (0..3).map(|_| world.issue("open").create()).collect();
    let large = ids[1];
    world.edit(large, |issue| issue.description = Some("b".repeat(9 * MIB)));
    assert_eq!(
        (
            limit_and_length(&world, 0),
            limit_and_length(&world, 1),
            limit_and_length(&world, 2)
        ),
        ((1.into(), 1), (1.into(), 1), (25.into(), 1))
    );
}

#[test]
fn custom_field_values_and_escapes_count_towards_the_size() {
    let world = World::new();
    world
        .project("open")
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .create();
    let field = CustomField {
        trackers: (1..=3).map(Into::into).collect(),
        ..CustomField::new(Customized::Issue, "Log", Format::Text)
    };
    let field = world.write(move |db| custom_fields::insert(db, &field));
    for _ in 0..6 {
        let id = world.issue("open").create();
        world.write(move |db| {
            let mut values = custom_fields::find_values(db, Customized::Issue, id)?;
            values.set(field, vec!["c".repeat(2 * MIB)]);
            custom_fields::update(db, Customized::Issue, id, &values)
        });
    }
    assert_eq!(
        page_through(&world, "/issues.json?limit=100", "issues"),
        ((1..=6).rev().collect(), 2)
    );
    // Each of these characters is escaped as six bytes.
    for id in 1..=6 {
        world.edit(id, |issue| {
            issue.description = Some("\u{1}".repeat(MIB / 2))
        });
    }
    world.sql("DELETE FROM custom_values");
    assert_eq!(
        page_through(&world, "/issues.json?limit=100", "issues"),
        ((1..=6).rev().collect(), 3)
    );
}

#[test]
fn news_and_projects_end_early() {
    let world = World::new();
    let project: ProjectId = world.project("open").member("alice", MANAGER).create();
    let now = world.app.clock.now();
    world.write(move |db| {
        let description = "d".repeat(3 * MIB);
        for _ in 0..5 {
            let author = user("alice");
            news::insert(
                db,
                &News {
                    project,
                    author,
                    title: "News".to_owned(),
                    summary: Some(String::new()),
                    description: description.clone(),
                    created_on: now,
                    ..News::default()
                },
            )?;
        }
        Ok(())
    });
    assert_eq!(
        page_through(&world, "/news.json?limit=100", "news"),
        ((1..=5).rev().collect(), 3)
    );
    for identifier in ["two", "three", "four", "five"] {
        world.project(identifier).member("alice", MANAGER).create();
    }
    let description = "e".repeat(3 * MIB);
    world.sql(&format!(
        "UPDATE projects SET description = '{description}'"
    ));
    assert_eq!(
        page_through(&world, "/projects.json?limit=100", "projects").1,
        3
    );
}

fn similar(world: &World, more: &str) -> Value {
    let body = json!({"issue": {"subject": "A thing", "description": "pump"}});
    world
        .as_user("alice")
        .post(&format!("/issues/similar.json?limit=12{more}"), body)
        .assert_status(200)
        .json()
}

#[test]
fn search_loads_long_hits_in_parts() {
    let world = world();
    assert!(world.app.search.wait_until(
        world.app.store.last_change(),
        std::time::Duration::from_secs(120)
    ));
    let (mut ids, pages) = page_through(
        &world,
        "/search.json?q=pump&limit=100&description=1",
        "results",
    );
    ids.sort_unstable();
    assert_eq!((ids, pages), ((1..=12).collect(), 3));
    let found = similar(&world, "");
    assert_eq!(
        found["limit"].as_u64().unwrap(),
        found["results"].as_array().unwrap().len() as u64
    );
    assert!((1..=5).contains(&found["limit"].as_u64().unwrap()));
    let page = world
        .as_user("alice")
        .with("Accept", "text/html")
        .get("/search?q=pump")
        .assert_status(200)
        .body;
    assert_eq!(
        (1..=12)
            .filter(|id| page.contains(&format!("href=\"/issues/{id}\"")))
            .count(),
        10,
        "a page for people is whole"
    );
}

#[test]
fn rebuild_loads_records_in_bounded_batches() {
    let world = world();
    let ids: Vec<i64> = (1..=12).collect();
    let all = ids.clone();
    let parts = world
        .app
        .store
        .read::<_, StoreError>(move |db| indexed_records::split_by_size(db, Kind::Issue, all))
        .unwrap();
    assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [5, 5, 2]);
    assert_eq!(parts.concat(), ids);
    world.app.search.rebuild(|_| {}).unwrap();
    world
        .as_user("alice")
        .get("/search.json?q=pump")
        .assert_status(200)
        .assert_json_path("/total_count", 12);
}
