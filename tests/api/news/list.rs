//! `GET /news`, `GET /projects/:id/news` (compatibility 11.5)

use super::create;
use quarry_world::{MANAGER, World};
use serde_json::json;

fn news_titles_and_total(world: &World, login: &str, path: &str) -> (i64, Vec<String>) {
    let response = world.as_user(login).get(path).assert_status(200).json();
    let titles: Vec<String> = response["news"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["title"].as_str().unwrap().to_owned())
        .collect();
    (response["total_count"].as_i64().unwrap(), titles)
}

#[test]
fn news_is_listed_for_users_who_may_view_it() {
    let world = World::new();
    world.project("open").member("alice", MANAGER).create();
    world
        .project("secret")
        .private()
        .member("alice", MANAGER)
        .create();
    for (project, title) in [("open", "Open"), ("secret", "Secret")] {
        let fields = json!({"title": title, "description": "text"});
        create(&world, "alice", project, fields).assert_status(201);
    }
    assert_eq!(
        news_titles_and_total(&world, "alice", "/news.json"),
        (2, vec!["Secret".to_owned(), "Open".to_owned()])
    );
    assert_eq!(
        news_titles_and_total(&world, "dave", "/news.json"),
        (1, vec!["Open".to_owned()])
    );
    assert_eq!(
        news_titles_and_total(&world, "alice", "/projects/secret/news.json?offset=5"),
        (1, Vec::new())
    );
    world
        .as_user("dave")
        .get("/projects/secret/news.json")
        .assert_status(403);
    world.as_user("dave").get("/news/2.json").assert_status(403);
    world
        .as_user("dave")
        .get("/news/99.json")
        .assert_status(404);
    let item = world
        .as_user("dave")
        .get("/news/1.json?include=comments,attachments")
        .assert_status(200)
        .json_path("/news");
    assert_eq!(
        (item["comments"].clone(), item["attachments"].clone()),
        (json!([]), json!([]))
    );
}

fn news_titles(world: &World, login: &str, path: &str) -> Vec<String> {
    let list = world.as_user(login).get(path).assert_status(200);
    let titles = list.texts("/news", "title");
    assert_eq!(list.integer("/total_count"), titles.len() as i64);
    titles
}

fn news_status(world: &World, login: &str, project: &str) -> u16 {
    world
        .as_user(login)
        .get(&format!("/news.xml?project_id={project}"))
        .status
}

#[test]
fn news_of_a_project_leaves_out_that_of_its_subprojects() {
    let world = World::new();
    let top = world.project("top").member("alice", MANAGER).create();
    let below = world.project("below").create();
    let hidden = world
        .project("hidden")
        .private()
        .member("alice", MANAGER)
        .create();
    world.sql(&format!(
        "UPDATE projects SET parent_id = {top} WHERE id IN ({below}, {hidden})"
    ));
    for (project, title) in [("top", "Top"), ("below", "Below"), ("hidden", "Hidden")] {
        let fields = json!({"title": title, "description": "text"});
        create(&world, "admin", project, fields).assert_status(201);
    }
    for login in ["admin", "alice", "dave"] {
        assert_eq!(
            news_titles(&world, login, "/projects/top/news.json"),
            ["Top"],
            "{login}"
        );
        assert_eq!(
            news_titles(&world, login, "/news.json?project_id=top"),
            ["Top"],
            "{login}"
        );
        assert_eq!(
            news_titles(&world, login, "/news.json?project_id=2"),
            ["Below"],
            "{login}"
        );
    }
    assert_eq!(
        news_titles(&world, "alice", "/news.json"),
        ["Hidden", "Below", "Top"]
    );
    assert_eq!(
        news_titles(&world, "alice", "/news.json?project_id=hidden&limit=1"),
        ["Hidden"]
    );
    assert_eq!(
        [
            news_status(&world, "dave", "hidden"),
            news_status(&world, "dave", "99"),
            news_status(&world, "dave", "")
        ],
        [403, 404, 422]
    );
    world
        .anonymous()
        .get("/news.json?project_id=top")
        .assert_status(401);
    let page = quarry_world::browser::Browser::logged_in(&world, "alice")
        .get("/projects/top/news")
        .assert_status(200);
    assert!(
        page.body.contains("Top") && !page.body.contains("Below") && !page.body.contains("Hidden"),
        "{}",
        page.body
    );
}
