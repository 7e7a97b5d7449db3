//! What the search page shows where little or nothing is found (docs/search.md, section 8.1).

use super::page::SearchPage;
use quarry_world::World;
use quarry_world::search::world;

fn page(world: &World, login: &str, path: &str) -> SearchPage {
    SearchPage::new(&world.as_user(login).get(path).assert_status(200))
}

#[test]
fn nothing_found_says_what_was_searched_and_what_to_try() {
    let world = world();
    let response = world
        .as_user("bob")
        .get("/projects/open/search?q=rocket+zzzz&titles_only=1")
        .assert_status(200);
    assert!(
        response.body.contains("Searched in open:") && response.body.contains("titles only"),
        "{response:?}"
    );
    let shown = SearchPage::new(&response);
    assert_eq!((shown.total, shown.paths.len()), (0, 0));
    let (count, path) = &shown.proposals[0];
    assert_eq!(
        path,
        "/projects/open/search?q=rocket%20zzzz&all_words=0&titles_only=1"
    );
    assert_eq!(page(&world, "bob", path).total, *count);
    let tips = response
        .body
        .split_once("What you can try")
        .unwrap()
        .1
        .split_once("</ul>")
        .unwrap()
        .0
        .matches("<li>")
        .count();
    assert_eq!(tips, 3);
    // Nothing is proposed for records that the viewer may not see.
    let hidden = page(&world, "bob", "/projects/open/search?q=kryptonite");
    assert!(hidden.proposals.is_empty(), "{hidden:?}");
    let elsewhere = page(&world, "alice", "/projects/open/search?q=kryptonite");
    assert_eq!(
        elsewhere.proposals,
        [(1, "/projects/open/search?q=kryptonite&scope=all".to_owned())]
    );
}

#[test]
fn few_results_link_to_any_of_the_words() {
    let world = world();
    let shown = page(&world, "dave", "/search?q=rocket+fuel");
    assert_eq!(shown.total, 1);
    assert_eq!(
        shown.proposals,
        [
            (7, "/search?q=rocket%20fuel&all_words=0".to_owned()),
            (7, "/search?q=rocket".to_owned())
        ]
    );
    for (count, path) in &shown.proposals {
        assert_eq!(page(&world, "dave", path).total, *count);
    }
    let body = world
        .as_user("dave")
        .get("/search?q=rocket+fuel")
        .assert_status(200)
        .body;
    let more = body.split_once("<section class=\"group more\"").unwrap().1;
    assert!(
        more.contains("Results with some of these words")
            && more.matches("<li class=\"hit").count() == 6,
        "{more}"
    );
}

#[test]
fn too_many_words_for_all_are_searched_for_any_by_a_button() {
    let world = world();
    let words = (0..150)
        .map(|n| format!("word{n}"))
        .collect::<Vec<_>>()
        .join("+");
    let page = world
        .as_user("dave")
        .get(&format!("/search?q={words}+rocket"))
        .assert_status(422);
    page.assert_contains("The query has too many words (at most 100 where all must match, any number where any of them suffices)")
        .assert_contains("<button class=\"btn\" form=\"search\" name=\"all_words\" value=\"0\">Search for any of these words");
    // As the form sends it, with the button at its end.
    let path = format!("/search?q={words}+rocket&all_words=1&sort=&all_words=0");
    assert_eq!(
        SearchPage::new(&world.as_user("dave").get(&path).assert_status(200)).total,
        7
    );
}
