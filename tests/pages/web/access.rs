//! Who gets which page: every page of the list, asked by every sort of viewer.

use super::pages::{self, Access, Page};
use quarry::domain::access::permission::PermissionSet;
use quarry::domain::administration::setting::Setting;
use quarry::store::administration::roles;
use quarry_world::browser::Browser;
use quarry_world::complete_world::complete_world;
use quarry_world::{DEVELOPER, Response};
use std::collections::BTreeSet;
use std::path::Path;

/// Texts of the project `secret` that nobody else may see.
const SECRETS: [&str; 6] = [
    "Secret project",
    "The pump leaks",
    "Two pumps",
    "We set sail",
    "Manual of the pump",
    "Which seal",
];

#[test]
fn every_route_is_in_the_list_of_pages() {
    let mut routes = BTreeSet::new();
    read_routes(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/web")),
        &mut routes,
    );
    assert!(routes.len() > 30, "{routes:?}");
    // Exports, completions and what crawlers read are no pages; tests/pages/web/issues/exports.rs, time_entries/,
    // wiki/export.rs, admin/audit.rs, completions.rs and static_files.rs read them. Links in mails are signed; tests/system/mail/notices.rs
    // follows one. Pictures are images; tests/pages/web/pictures/ loads them.
    let others = [
        ".csv",
        ".atom",
        ".ics",
        "/manifest",
        "/audit/export",
        "/export/{format}",
        "/completions",
        "/unsubscribe/{link}",
        "/robots",
        "/picture",
        // These lead elsewhere, see tests/pages/web/redmine_addresses.rs.
        "/pdf",
        "/issues/{id}/relations",
        "/projects/{id}/boards/{board}",
        "/issues/report",
        "/issues/report/{detail}",
    ];
    routes.retain(|route| !others.iter().any(|other| route.ends_with(other)));
    let listed: BTreeSet<String> = pages::all().map(|page| page.route.to_owned()).collect();
    let missing: Vec<_> = routes.difference(&listed).collect();
    assert!(
        missing.is_empty(),
        "add to tests/pages/web/pages.rs: {missing:?}"
    );
    let gone: Vec<_> = listed.difference(&routes).collect();
    assert!(
        gone.is_empty(),
        "remove from tests/pages/web/pages.rs: {gone:?}"
    );
}

/// Collects the routes of GET requests in the sources below a directory, without static files.
fn read_routes(folder: &Path, routes: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_routes(&path, routes);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("web/assets.rs")
            && !path.ends_with("web/records/record_routes.rs")
            && !path.ends_with("web/records/content_pages.rs")
        {
            let text = std::fs::read_to_string(&path).unwrap();
            read_record_routes(&text, routes);
            read_content_routes(&text, routes);
            for call in text.split(".route(").skip(1) {
                let call = argument(call);
                let route = call
                    .trim_start()
                    .strip_prefix('"')
                    .and_then(|rest| rest.split_once('"'));
                let (route, handlers) = route
                    .unwrap_or_else(|| panic!("the route is not a literal: {call} in {path:?}"));
                if handlers.contains("get(") {
                    routes.insert(route.to_owned());
                }
            }
        }
    }
}

/// Collects the routes that `record_pages` creates for each kind of records in a source.
fn read_record_routes(text: &str, routes: &mut BTreeSet<String>) {
    let calls =
        regex::Regex::new(r#"(admin|project|child|user)_routes::<\w+>\(\s*(?:"([^"]+)",\s*)?list"#)
            .unwrap();
    let path = regex::Regex::new(r#"const PATH: &'static str = "([^"]+)";"#).unwrap();
    for (call, path) in calls.captures_iter(text).zip(path.captures_iter(text)) {
        let path = &path[1];
        let new = match &call[1] {
            "admin" | "user" => {
                routes.insert(path.to_owned());
                format!("{path}/new")
            }
            "child" => {
                routes.insert(call[2].to_owned());
                format!("{}/new", &call[2])
            }
            _ => {
                routes.insert(format!("/projects/{{id}}/settings/{}", &call[2]));
                format!("/projects/{{id}}{path}/new")
            }
        };
        routes.extend([
            new,
            format!("{path}/{{id}}/edit"),
            format!("{path}/{{id}}/delete"),
        ]);
    }
}

/// Collects the routes that `content_pages` creates for each kind of records in a source.
fn read_content_routes(text: &str, routes: &mut BTreeSet<String>) {
    let calls =
        regex::Regex::new(r#"(?:content|new)_routes::<\w+>\(\s*"([^"]+)"(?:,\s*"([^"]+)")?"#)
            .unwrap();
    for call in calls.captures_iter(text) {
        routes.insert(call[1].to_owned());
        if let Some(base) = call.get(2) {
            let base = base.as_str();
            routes.extend([format!("{base}/edit"), format!("{base}/delete")]);
        }
    }
}

/// Returns the text up to the parenthesis that closes the call.
fn argument(text: &str) -> &str {
    let mut depth = 0;
    let end = text.find(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth < 0
    });
    &text[..end.unwrap()]
}

/// Asserts the status of a page and returns it. A refusal must show nothing of the project.
#[track_caller]
fn assert_page(browser: &Browser<'_>, who: &str, path: &str, status: u16) -> Response {
    let page = browser.get(path);
    assert_eq!(page.status, status, "{path} for {who}: {page:?}");
    if status != 200 {
        let secret = SECRETS.iter().find(|secret| page.body.contains(**secret));
        assert!(secret.is_none(), "{path} shows {secret:?} to {who}");
    }
    page
}

/// Asserts that a page leads to the login, which leads back.
#[track_caller]
fn assert_login(browser: &Browser<'_>, path: &str) {
    let page = assert_page(browser, "anonymous", path, 302);
    if path == "/" {
        return assert_eq!(page.location(), "/login");
    }
    let back = page
        .location()
        .strip_prefix("/login?back_url=")
        .unwrap_or_else(|| panic!("{path}: {page:?}"));
    assert_eq!(
        percent_encoding::percent_decode_str(back)
            .decode_utf8()
            .unwrap(),
        path
    );
}

/// Asserts that a viewer who may see the page gets it.
fn assert_shown(browser: &Browser<'_>, who: &str, page: &Page) {
    if page.redirects {
        let response = browser.get(page.path);
        assert!(
            matches!(response.status, 302 | 303),
            "{} for {who}: {response:?}",
            page.path
        );
        return;
    }
    let response = assert_page(browser, who, page.path, 200);
    assert!(
        response.content_type().starts_with("text/html") && response.body.contains("</html>"),
        "{}: {response:?}",
        page.path
    );
}

#[test]
fn pages_are_shown_to_those_who_may_see_them() {
    let world = complete_world();
    let alice = Browser::logged_in(&world, "alice");
    let admin = Browser::logged_in(&world, "admin");
    for page in pages::all() {
        assert_shown(&admin, "admin", page);
        if !matches!(page.access, Access::Admin | Access::Own) {
            assert_shown(&alice, "alice", page);
        }
    }
}

#[test]
fn anonymous_is_asked_to_log_in() {
    let world = complete_world();
    let anonymous = Browser::new(&world);
    for page in pages::all().filter(|page| page.access != Access::Open) {
        assert_login(&anonymous, page.path);
    }
    world.set(Setting::LoginRequired, "0");
    for page in pages::all() {
        match page.access {
            Access::Open => {}
            Access::Everybody => drop(assert_page(&anonymous, "anonymous", page.path, 200)),
            _ => assert_login(&anonymous, page.path),
        }
        if let Some(missing) = page.missing() {
            assert_login(&anonymous, &missing);
        }
    }
    // The same project, now public.
    world.write(|db| {
        roles::set_permissions(db, quarry::domain::ids::RoleId(2), PermissionSet::all())
    });
    world.sql("UPDATE projects SET is_public = 1");
    for page in
        pages::all().filter(|page| matches!(page.access, Access::Project | Access::Permitted))
    {
        // The private issue, the note of a user, the query that members manage, what only members
        // may do with wiki pages, and complete mails.
        match page.path {
            path if path.starts_with("/queries/1/")
                || ["delete", "protect", "rename"]
                    .iter()
                    .any(|form| path.ends_with(&format!("/wiki/Wiki/{form}")))
                || path.contains("/queries/new")
                || path.starts_with("/issues/bulk_")
                || path.starts_with("/journals/1/")
                || path == "/issues/3"
                || path == "/messages/2/mail"
                || path.starts_with("/issues/1/")
                    && ![
                        "/issues/1/edit",
                        "/issues/1/move_card?lanes=assigned_to",
                        "/issues/1/watchers/new",
                    ]
                    .contains(&path) =>
            {
                assert_login(&anonymous, page.path)
            }
            _ => assert_shown(&anonymous, "anonymous", page),
        }
    }
}

#[test]
fn hidden_pages_look_like_missing_ones() {
    let world = complete_world();
    // dave is a member of nothing; bob keeps his membership without any permission.
    world.write(|db| roles::set_permissions(db, DEVELOPER, PermissionSet::default()));
    world.sql("DELETE FROM group_users");
    // The sidebar of alice would have the project that she bookmarked.
    world.sql("DELETE FROM bookmarks");
    let dave = Browser::logged_in(&world, "dave");
    let bob = Browser::logged_in(&world, "bob");
    let alice = Browser::logged_in(&world, "alice");
    for page in pages::all() {
        match page.access {
            Access::Open | Access::Everybody | Access::User => assert_shown(&dave, "dave", page),
            Access::Admin => drop(assert_page(&alice, "alice", page.path, 403)),
            Access::Creator => {
                assert_page(&dave, "dave", page.path, 403);
                assert_page(&bob, "bob", page.path, 403);
            }
            Access::Project => {
                assert_looks_missing(&dave, "dave", page);
                assert_page(&bob, "bob", page.path, 200);
            }
            Access::Writer => {
                assert_looks_missing(&dave, "dave", page);
                assert_page(&bob, "bob", page.path, 403);
            }
            Access::Own => assert_looks_missing(&alice, "alice", page),
            Access::Permitted | Access::Editor => {
                assert_looks_missing(&dave, "dave", page);
                assert_looks_missing(&bob, "bob", page);
            }
        }
        if let Some(missing) = page.missing().filter(|_| page.access != Access::Admin) {
            assert_page(&alice, "alice", &missing, 404);
        }
        if let Some(path) = page.in_other_project() {
            assert_page(&alice, "alice", &path, 404);
        }
    }
}

/// Asserts that a page is the same as one that does not exist, but for the address and the token of
/// the form.
fn assert_looks_missing(browser: &Browser<'_>, who: &str, page: &Page) {
    let hidden = assert_page(browser, who, page.path, 404);
    let missing = page.missing().unwrap();
    let expected = assert_page(browser, who, &missing, 404);
    // The address is also in the form of the theme and, encoded, in the links to the login and the palette.
    let links = regex::Regex::new("(back_url=|palette\\?from=)[^\"]*").unwrap();
    let plain = |response: &Response, path: &str| {
        links
            .replace_all(&response.without_tokens(), "$1")
            .replace("&#38;", "&")
            .replace(path, "PATH")
    };
    assert_eq!(
        plain(&hidden, page.path),
        plain(&expected, &missing),
        "{} for {who}",
        page.path
    );
}

#[test]
fn odd_parameters_are_never_an_internal_error() {
    let world = complete_world();
    let alice = Browser::logged_in(&world, "admin");
    for page in pages::all() {
        for query in [
            "page=-1",
            "page=99999999999999999999",
            "limit=x&offset=-5",
            "sort=%00&set_filter=1&f[]=%F0%9F%98%80",
            "q=%22%28&version=x",
            "a[b][]=1&a=2",
        ] {
            let separator = if page.path.contains('?') { '&' } else { '?' };
            let response = alice.get(&format!("{}{separator}{query}", page.path));
            assert!(
                response.status < 500,
                "{} with {query}: {response:?}",
                page.path
            );
        }
        if page.route.contains('{') {
            for value in [
                "0",
                "-1",
                "99999999999999999999",
                "%00",
                "%2e%2e",
                "%F0%9F%98%80",
                "a%2Fb",
                "%FF",
            ] {
                let path: Vec<&str> = page
                    .route
                    .split('/')
                    .map(|part| if part.starts_with('{') { value } else { part })
                    .collect();
                let response = alice.get(&path.join("/"));
                assert!(
                    (400..500).contains(&response.status) || response.status == 302 && value == "0",
                    "{}: {response:?}",
                    path.join("/")
                );
            }
        }
    }
}

fn page_of_route(route: &str) -> Page {
    *pages::all().find(|page| page.route == route).unwrap()
}

#[test]
fn list_of_pages_makes_other_addresses() {
    assert_eq!(
        page_of_route("/issues/{id}").missing().as_deref(),
        Some("/issues/999999")
    );
    assert_eq!(
        page_of_route("/projects/{id}/wiki/{title}/history")
            .missing()
            .as_deref(),
        Some("/projects/nowhere/wiki/nowhere/history")
    );
    assert_eq!(
        page_of_route("/projects/{id}/wiki/{title}/history")
            .in_other_project()
            .as_deref(),
        Some("/projects/open/wiki/Wiki/history")
    );
    assert_eq!(
        page_of_route("/boards/{board}/topics/{id}")
            .in_other_project()
            .as_deref(),
        Some("/boards/2/topics/1")
    );
    assert_eq!(
        page_of_route("/projects/{id}/wiki").in_other_project(),
        None
    );
}
