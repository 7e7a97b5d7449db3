//! A service on a host name that it shares with others: the key `base_path` (operations 6.3).

use super::pages::{self, Access};
use quarry::domain::administration::setting::Setting;
use quarry_world::browser::{Browser, csrf_token};
use quarry_world::complete_world::complete_world;
use quarry_world::{Response, World};
use scraper::{Html, Selector};
use serde_json::json;

const BASE: &str = "/quarry";
/// Attributes that have addresses, as values of their own.
const ADDRESSES: [&str; 9] = [
    "href",
    "src",
    "action",
    "formaction",
    "data-suggest",
    "data-complete",
    "data-preview",
    "data-new-issue",
    "srcset",
];

fn world() -> World {
    complete_world().with_base_path(BASE)
}

fn logged_in<'w>(world: &'w World, login: &str, password: &str) -> Browser<'w> {
    let browser = Browser::new(world);
    let page = browser.get("/quarry/login").assert_status(200);
    let fields = [("username", login), ("password", password)];
    browser
        .submit(&page, "/quarry/login", &fields)
        .assert_status(303)
        .assert_header("location", "/quarry/");
    browser
}

/// Returns the addresses of the page that lead out of the base path.
fn outside(path: &str, page: &Response) -> Vec<String> {
    let html = Html::parse_document(&page.body);
    let mut found = Vec::new();
    for element in html.select(&Selector::parse("*").unwrap()) {
        let values = element.value().attrs();
        let addresses = values.filter(|(name, value)| {
            // Any other attribute with an address would be missing in the list.
            let is_data = name.starts_with("data-") && *name != "data-focus";
            ADDRESSES.contains(name) || is_data && value.len() > 1
        });
        for (name, value) in addresses {
            let is_own = value.starts_with('/') && !value.starts_with("//");
            let is_inside = value == BASE || value.starts_with("/quarry/");
            if is_own && !is_inside {
                found.push(format!("{path}: {name}={value}"));
            }
        }
    }
    found
}

#[test]
fn every_page_leads_to_addresses_below_the_base_path() {
    let world = world();
    let stranger = Browser::new(&world);
    let admin = logged_in(&world, "admin", "adminadmin");
    let mut found = Vec::new();
    let mut count = 0;
    for page in pages::all() {
        let path = format!("{BASE}{}", page.path);
        if page.access == Access::Open {
            let answer = stranger.get(&path);
            found.extend(outside(page.path, &answer));
        }
        let answer = admin.get(&path);
        if (300..400).contains(&answer.status) {
            let location = answer.header("location");
            assert!(location.starts_with("/quarry/"), "{path}: {location}");
        }
        found.extend(outside(page.path, &answer));
        count += usize::from(answer.status == 200 && answer.body.contains("</html>"));
    }
    assert_eq!(found, Vec::<String>::new());
    assert!(count > 80, "{count}");
}

#[test]
fn session_works_below_the_base_path_and_its_cookie_stays_there() {
    let world = world();
    let browser = Browser::new(&world);
    // The form leads back to the page that was wanted.
    browser
        .get("/quarry/my/account")
        .assert_status(302)
        .assert_header("location", "/quarry/login?back_url=%2Fmy%2Faccount");
    let page = browser.get("/quarry/login?back_url=%2Fmy%2Faccount");
    let fields = [
        ("username", "alice"),
        ("password", "alicealice"),
        ("back_url", "/my/account"),
    ];
    let answer = browser
        .submit(&page, "/quarry/login", &fields)
        .assert_status(303)
        .assert_header("location", "/quarry/my/account");
    for cookie in answer.headers.get_all("set-cookie") {
        assert!(cookie.to_str().unwrap().contains("Path=/quarry"));
    }
    let page = browser.get("/quarry/my/account").assert_status(200);
    browser
        .submit(&page, "/quarry/logout", &[])
        .assert_status(303)
        .assert_header("location", "/quarry/login");
    browser.get("/quarry/my/account").assert_status(302);
}

#[test]
fn login_leads_to_no_other_service_on_the_host_name() {
    let world = world();
    for back in ["/../~mallory", "/%2e%2e/~mallory", "/issues/../../x"] {
        let browser = Browser::new(&world);
        let page = browser.get("/quarry/login").assert_status(200);
        let fields = [
            ("username", "alice"),
            ("password", "alicealice"),
            ("back_url", back),
        ];
        browser
            .submit(&page, "/quarry/login", &fields)
            .assert_status(303)
            .assert_header("location", "/quarry/");
    }
}

#[test]
fn cookies_of_other_services_do_not_end_the_session() {
    let world = world();
    let browser = logged_in(&world, "alice", "alicealice");
    browser.set_cookie("city", "Z\u{fc}rich");
    browser.get("/quarry/my/account").assert_status(200);
}

#[test]
fn cookies_behind_tls_have_no_prefix_that_needs_the_root() {
    let world = world();
    world.set(Setting::HostName, "example.net");
    world.set(Setting::Protocol, "https");
    let browser = logged_in(&world, "alice", "alicealice");
    assert!(browser.cookie("__Secure-quarry_session").is_some());
    browser.get("/quarry/my/account").assert_status(200);
    // The session of another Quarry at the root of the host name is not read.
    let stranger = Browser::new(&world);
    let session = browser.cookie("__Secure-quarry_session").unwrap();
    stranger.set_cookie("__Host-quarry_session", &session);
    stranger.get("/quarry/my/account").assert_status(302);
}

#[test]
fn links_of_the_api_have_the_base_path() {
    let world = world();
    let alice = world.as_user("alice");
    let issue = json!({"issue": {"project_id": "open", "subject": "Below a path"}});
    let created = alice
        .post("/quarry/issues.json", issue.clone())
        .assert_status(201);
    let location = created.header("location");
    assert!(
        location.starts_with("http://quarry.test/quarry/issues/"),
        "{location}"
    );
    for (host, url) in [
        ("", "http://127.0.0.1"),
        ("example.net", "http://example.net/quarry/issues/"),
        ("example.net/quarry", "http://example.net/quarry/issues/"),
        ("quarry", "http://quarry/quarry/issues/"),
    ] {
        world.set(Setting::HostName, host);
        let created = alice
            .post("/quarry/issues.json", issue.clone())
            .assert_status(201);
        let location = created.header("location");
        assert!(location.starts_with(url), "{location}");
    }
    world.set(Setting::HostName, "example.net");
    let found = alice.get("/quarry/search.json?q=below").assert_status(200);
    assert!(
        found.body.contains("http://example.net/quarry/issues/"),
        "{}",
        found.body
    );
}

#[test]
fn other_paths_are_not_found_and_say_where_the_service_is() {
    let world = world();
    let browser = Browser::new(&world);
    for path in ["/", "/issues", "/quarryx", "/quarryx/issues"] {
        let answer = browser.get(path).assert_status(404);
        assert_eq!(answer.body, "The service is at /quarry/\n", "{path}");
    }
    // Repeated slashes are one.
    for path in ["/quarry/", "//quarry//"] {
        browser
            .get(path)
            .assert_status(302)
            .assert_header("location", "/quarry/login");
    }
    browser
        .get("/quarry?x=1")
        .assert_status(308)
        .assert_header("location", "/quarry/?x=1");
    browser
        .get("/metrics")
        .assert_status(404)
        .assert_contains("href=\"/quarry/static/");
    let metadata = browser
        .get("/.well-known/oauth-authorization-server/quarry")
        .assert_status(200);
    assert!(metadata.body.contains("/quarry/oauth/token"));
    for path in ["/healthz", "/quarry/healthz", "/readyz"] {
        browser.get(path).assert_status(200);
    }
}

#[test]
fn texts_of_users_are_shown_as_they_are() {
    let world = world();
    let text = "See `href=\"/x\"` and <a href=\"/issues/1\">this</a> and [that](/issues/2)";
    let issue =
        json!({"issue": {"project_id": "open", "subject": "href=\"/x\"", "description": text}});
    let created = world
        .as_user("alice")
        .post("/quarry/issues.json", issue)
        .assert_status(201);
    let id = created.json()["issue"]["id"].clone();
    let browser = logged_in(&world, "alice", "alicealice");
    let page = browser
        .get(&format!("/quarry/issues/{id}"))
        .assert_status(200);
    let html = Html::parse_document(&page.body);
    let heading = html.select(&Selector::parse("h1").unwrap()).next().unwrap();
    let heading: String = heading.text().collect();
    assert!(heading.contains("href=\"/x\""), "{heading}");
    assert_eq!(outside("issue", &page), Vec::<String>::new());
    assert!(!csrf_token(&page).is_empty());
}

/// Without this, a base path could be taken for the first segment of an address of the service.
#[test]
fn first_segments_of_all_addresses_are_reserved() {
    let world = World::new();
    let openapi = world.anonymous().get("/openapi.json").assert_status(200);
    let openapi = openapi.json();
    let paths = openapi["paths"].as_object().unwrap().keys();
    let routes = pages::all().map(|page| page.route.to_owned());
    let segments = paths.cloned().chain(routes).filter_map(|path| {
        let first = path.split('/').nth(1)?;
        first.split(['.', '{']).next().map(str::to_owned)
    });
    let reserved = quarry::http::first_segments(&quarry::routes());
    let missing: Vec<String> = segments
        .filter(|segment| !segment.is_empty() && !reserved.contains(segment))
        .collect();
    assert_eq!(missing, Vec::<String>::new());
}
