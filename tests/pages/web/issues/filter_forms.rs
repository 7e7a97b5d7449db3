//! The forms above a list of issues: filters, the box with words and qualifiers, and what is shown.

use quarry_world::World;
use quarry_world::browser::Browser;
use quarry_world::search;
use serde_json::json;

/// Two open issues of high priority, one of normal priority, and a closed one of high priority.
fn world() -> World {
    let world = search::world();
    for (priority, status) in [(3, 1), (2, 1), (3, 1), (3, 5)] {
        let id = world.issue("open").field("priority_id", priority).create();
        world.edit(id, move |issue| {
            issue.status = quarry::domain::ids::StatusId(status)
        });
    }
    world
}

/// Follows the form to the address that it leads to, and checks that the API lists the same issues.
fn target(world: &World, path: &str) -> String {
    let browser = Browser::logged_in(world, "bob");
    let path = path.replace(' ', "%20");
    let location = browser.get(&path).assert_status(302).location().to_owned();
    let page = browser.get(&location).assert_status(200);
    let (path, query) = location.split_once('?').unwrap();
    let total = world
        .as_user("bob")
        .get(
            &format!("{path}.json?{query}&strict=1")
                .replace("based_on=1&", "")
                .replace("&display=open", ""),
        )
        .assert_status(200)
        .integer("/total_count");
    page.assert_contains(&format!(r#"<span class="count">{total}</span>"#));
    location
}

#[test]
fn form_of_a_filter_leads_to_the_parameters_of_the_api() {
    let world = world();
    let cases = [
        (
            "new_filter[name]=priority_id&new_filter[operator]=%3D&new_filter[values][]=3&new_filter[values][]=2",
            "?status_id=open&f[]=priority_id&op[priority_id]=%3D&v[priority_id][]=3&v[priority_id][]=2",
        ),
        (
            "priority_id=2&page=3&new_filter[name]=priority_id&new_filter[operator]=!&new_filter[values][]=2",
            "?status_id=open&f[]=priority_id&op[priority_id]=!&v[priority_id][]=2",
        ),
        (
            "status_id=*&new_filter[name]=due_date&new_filter[operator]=%3E%3C&new_filter[from]=2026-01-01&new_filter[to]=2026-02-01&new_filter[days]=3",
            "?status_id=*&f[]=due_date&op[due_date]=%3E%3C&v[due_date][]=2026-01-01&v[due_date][]=2026-02-01",
        ),
        (
            "status_id=*&new_filter[name]=updated_on&new_filter[operator]=%3Et-&new_filter[days]=3&new_filter[from]=x",
            "?status_id=*&f[]=updated_on&op[updated_on]=%3Et-&v[updated_on][]=3",
        ),
        (
            "status_id=*&new_filter[name]=blocks&new_filter[operator]=%3D&new_filter[text]=%231, 2",
            "?status_id=*&f[]=blocks&op[blocks]=%3D&v[blocks][]=1&v[blocks][]=2",
        ),
        (
            "new_filter[name]=status_id&new_filter[operator]=c&new_filter[values][]=1",
            "?f[]=status_id&op[status_id]=c",
        ),
    ];
    for (sent, expected) in cases {
        let location = target(&world, &format!("/issues?{sent}"));
        assert_eq!(location, format!("/issues{expected}"), "{sent}");
    }
}

#[test]
fn filter_with_an_error_is_shown_again() {
    let world = world();
    let browser = Browser::logged_in(&world, "bob");
    let page = browser
        .get("/issues?status_id=*&new_filter[name]=due_date&new_filter[operator]=%3E%3D&new_filter[from]=soon")
        .assert_status(422);
    page.assert_contains("Due date is invalid")
        .assert_contains(r#"value="soon""#)
        .assert_contains(r#"<input type="hidden" name="status_id" value="*">"#);
    let blank = "/issues?new_filter[name]=priority_id&new_filter[operator]=%3D";
    browser
        .get(blank)
        .assert_status(422)
        .assert_contains("Priority cannot be blank");
    // Unknown fields and hostile input change nothing.
    for query in [
        "edit_filter=nonsense",
        "edit_filter[]=status_id",
        "new_filter=x",
        "new_filter[name]=nonsense",
        "new_filter[name][]=status_id",
        "display=x",
        "edit_filter=q",
        "based_on=99",
        "based_on=x",
    ] {
        browser.get(&format!("/issues?{query}")).assert_status(200);
    }
    browser
        .get("/issues?q[]=x")
        .assert_status(422)
        .assert_contains("q must be one text");
    let hostile =
        "/issues?display[c]=x&display[sort]=x&display[limit]=%3Cb%3E&display[group_by][]=";
    browser.get(hostile).assert_status(302);
}

#[test]
fn forms_offer_only_what_the_viewer_may_see() {
    let world = world();
    world
        .as_user("admin")
        .post(
            "/projects/secret/versions.json",
            json!({"version": {"name": "Kryptonite"}}),
        )
        .assert_status(201);
    let browser = Browser::logged_in(&world, "bob");
    for field in [
        "project_id",
        "fixed_version_id",
        "assigned_to_id",
        "author_id",
        "category_id",
        "relates",
        "author.group",
    ] {
        let page = browser
            .get(&format!("/issues?edit_filter={field}"))
            .assert_status(200);
        let page = page.assert_contains(r#"id="filter-form""#);
        assert!(
            !page.body.contains("Kryptonite") && !page.body.contains(">secret<"),
            "{field}"
        );
    }
    let page = Browser::logged_in(&world, "admin")
        .get("/issues?edit_filter=fixed_version_id")
        .assert_status(200);
    page.assert_contains("secret – Kryptonite");
}

#[test]
fn text_in_the_box_filters_list_board_calendar_and_chart() {
    let world = world();
    let due = "2026-11-20";
    for (subject, priority) in [("Pump leaks", 3), ("Pump is loud", 2), ("Valve sticks", 3)] {
        let issue = world.issue("open").subject(subject);
        issue
            .field("priority_id", priority)
            .field("due_date", due)
            .create();
    }
    let text = "priority:High (pump OR valve) -sticks";
    let query = quarry_world::percent_encode(text);
    let browser = Browser::logged_in(&world, "bob");
    for page in [
        "/issues",
        "/projects/open/issues",
        "/issues/board",
        "/projects/open/issues/board",
        "/issues/calendar",
        "/issues/gantt",
        "/projects/open/issues/gantt",
        "/issues.atom",
        "/issues.csv",
        "/issues/calendar.ics",
    ] {
        let shown = browser.get(&format!("{page}?q={query}")).assert_status(200);
        assert!(
            shown.body.contains("Pump leaks")
                && !shown.body.contains("Pump is loud")
                && !shown.body.contains("Valve sticks"),
            "{page}: {}",
            shown.body
        );
        if !page.contains('.') {
            shown
                .assert_contains(r#"value="priority:High (pump OR valve) -sticks""#)
                .assert_contains(r#"data-complete="/search/suggest/qualifiers.json"#);
        }
    }
    // The other views, the tabs and the exports have the text, too.
    let mut page = browser
        .get(&format!("/issues?q={query}"))
        .assert_status(200);
    for link in [
        "/issues/board?q=",
        "/issues/gantt?q=",
        "/issues.csv?q=",
        "status_id=open",
    ] {
        page = page.assert_contains(link);
    }
    // The other forms keep it, and the box keeps the other filters.
    let page = browser
        .get(&format!("/issues?q={query}&tracker_id=1"))
        .assert_status(200);
    page.assert_contains(r#"<input type="hidden" name="q" value="priority:High"#)
        .assert_contains(r#"<input type="hidden" name="tracker_id" value="1">"#)
        .assert_contains(">Tracker");
}

#[test]
fn empty_box_leads_to_the_list_without_text() {
    let world = world();
    let browser = Browser::logged_in(&world, "bob");
    for (sent, expected) in [
        ("/issues?q=", "/issues?set_filter=1"),
        ("/issues?tracker_id=1&q=+", "/issues?tracker_id=1"),
        (
            "/projects/open/issues?q=",
            "/projects/open/issues?set_filter=1",
        ),
    ] {
        assert_eq!(browser.get(sent).assert_status(302).location(), expected);
    }
    for page in [
        "/issues/board",
        "/issues/calendar",
        "/projects/open/issues/gantt",
    ] {
        let location = browser
            .get(&format!("{page}?tracker_id=1&q="))
            .assert_status(302);
        assert_eq!(location.location(), format!("{page}?tracker_id=1"));
    }
    // As in the search, a number leads to its issue.
    assert_eq!(
        browser.get("/issues?q=%231").assert_status(302).location(),
        "/issues/1"
    );
}

#[test]
fn box_keeps_the_default_status_unless_the_text_names_one() {
    let world = world();
    let browser = Browser::logged_in(&world, "bob");
    browser
        .get("/issues")
        .assert_contains(r#"<input type="hidden" name="default_status_id" value="open">"#);
    for (sent, expected) in [
        ("q=pump", "q=pump&status_id=open"),
        ("q=is:closed+pump", "q=is%3Aclosed%20pump"),
        ("q=status:New", "q=status%3ANew"),
        ("tracker_id=1&q=pump", "tracker_id=1&q=pump&status_id=open"),
    ] {
        for page in ["/issues", "/projects/open/issues/calendar"] {
            let location = browser
                .get(&format!("{page}?{sent}&default_status_id=open"))
                .assert_status(302);
            assert_eq!(location.location(), format!("{page}?{expected}"));
        }
    }
    let page = browser.get("/issues?q=pump").assert_status(200);
    assert!(!page.body.contains("default_status_id"), "all are shown");
}

#[test]
fn exports_of_the_api_have_the_time_zone_of_the_page() {
    let world = World::with_bob_in_kiritimati();
    let browser = Browser::logged_in(&world, "bob");
    browser
        .get("/issues?q=due:today")
        .assert_status(200)
        .assert_contains("tz=Pacific");
}

#[test]
fn text_that_cannot_be_searched_for_stays_in_the_box() {
    let world = world();
    let browser = Browser::logged_in(&world, "bob");
    for page in [
        "/issues",
        "/projects/open/issues",
        "/issues/board",
        "/issues/calendar",
        "/issues/gantt",
    ] {
        let shown = browser
            .get(&format!("{page}?q=status:Absent%20%3Cb%3E"))
            .assert_status(422);
        shown
            .assert_contains(r#"value="status:Absent &#60;b&#62;""#)
            .assert_contains(r#"aria-invalid="true""#)
            .assert_contains("The text is invalid at character 1: status:Absent")
            .assert_contains("Search for it instead");
    }
    for export in ["/issues.atom", "/issues.csv", "/issues/calendar.ics"] {
        browser
            .get(&format!("{export}?q=status:Absent"))
            .assert_status(422);
    }
    // A project that is hidden is one that does not exist.
    let message = |name: &str| {
        let page = browser.get(&format!("/issues?q=project:{name}"));
        page.assert_status(422).body.replace(name, "")
    };
    let errors = ["secret", "absent"].map(|name| {
        let body = message(name);
        let start = body.find(r#"id="filter-error""#).unwrap();
        body[start..].split("</p>").next().unwrap().to_owned()
    });
    assert_eq!(errors[0], errors[1]);
}

#[test]
fn page_says_how_another_text_was_searched() {
    let world = world();
    for _ in 0..3 {
        world.issue("open").subject("Compressor stops").create();
    }
    let browser = Browser::logged_in(&world, "bob");
    browser
        .get("/issues?q=compresor")
        .assert_status(200)
        .assert_contains(
            "Nothing has all words of “compresor”. The issues with “compressor” are shown.",
        )
        .assert_contains("Compressor stops");
    for export in ["/issues.csv", "/issues.atom"] {
        let reply = browser.get(&format!("{export}?q=compresor"));
        let reply = reply.assert_status(200).assert_contains("Compressor");
        assert!(reply.header("warning").contains("similar one"), "{export}");
    }
    Browser::logged_in(&world, "alice")
        .get("/issues/bulk_edit?all=1&q=compresor")
        .assert_status(200)
        .assert_contains("Nothing has all words of “compresor”.");
    browser
        .get("/issues?q=%28compressor%20AND%20stops")
        .assert_status(200)
        .assert_contains("Parentheses, AND and NOT are searched as text, because");
}

#[test]
fn text_is_saved_with_a_query_and_shown_in_the_box() {
    let world = world();
    world.issue("open").subject("Pump leaks").create();
    let browser = Browser::logged_in(&world, "alice");
    let form = browser
        .get("/queries/new?q=pump%20-valve")
        .assert_status(200);
    let fields = [("query[name]", "Pumps")];
    browser
        .submit(&form, "/queries?q=pump%20-valve", &fields)
        .assert_status(303);
    let page = browser.get("/issues?query_id=1").assert_status(200);
    let page = page
        .assert_contains(r#"value="pump -valve""#)
        .assert_contains("Pump leaks")
        .assert_contains(r#"<span class="count">1</span>"#);
    let saved = world
        .as_user("alice")
        .get("/queries/1.json")
        .assert_status(200);
    assert_eq!(
        saved.json()["query"]["filters"],
        json!([{"field": "q", "operator": "=", "values": ["pump -valve"]}])
    );
    // Sent as it was opened, the box changes nothing; another text takes the place of the saved one.
    let start = page.body.find(r#"class="filter-box""#).unwrap();
    let form = page.body[start..].split("</form>").next().unwrap();
    let input =
        regex::Regex::new(r#"<input type="hidden" name="([^"]*)" value="([^"]*)">"#).unwrap();
    let hidden: Vec<String> = input
        .captures_iter(form)
        .map(|field| format!("{}={}", &field[1], quarry_world::percent_encode(&field[2])))
        .collect();
    let send = |text: &str| {
        let text = quarry_world::percent_encode(text);
        let sent = browser.get(&format!("/issues?{}&q={text}", hidden.join("&")));
        sent.assert_status(302).location().to_owned()
    };
    assert_eq!(send("pump -valve"), "/issues?query_id=1");
    let other = send("valve");
    assert!(
        other.contains("based_on=1") && other.contains("q=valve") && !other.contains("query_id"),
        "{other}"
    );
    let page = browser.get(&other).assert_status(200);
    page.assert_contains(r#"value="valve""#)
        .assert_contains(r#"<span class="count">0</span>"#);
}

#[test]
fn display_form_leads_to_columns_groups_order_and_totals() {
    let world = world();
    let cases = [
        (
            "status_id=*&display[c][]=subject&display[c][]=status&display[c][]=subject&display[group_by]=priority&display[t][]=estimated_hours\
             &display[sort][]=&display[sort][]=subject&display[sort][]=id&display[direction][]=&display[direction][]=&display[direction][]=desc&display[limit]=50",
            "?status_id=*&c[]=subject&c[]=status&t[]=estimated_hours&group_by=priority&sort=subject%2Cid%3Adesc&limit=50",
        ),
        ("c[]=id&display[c][]=&display[limit]=25", "?set_filter=1"),
        (
            "display[c][]=subject&display[c][]=status&display[up]=status",
            "?c[]=status&c[]=subject&display=open",
        ),
    ];
    for (sent, expected) in cases {
        let location = target(
            &world,
            &format!("/issues?{sent}").replace("&display=open", ""),
        );
        assert_eq!(location, format!("/issues{expected}"), "{sent}");
    }
}

#[test]
fn changed_query_can_be_updated_with_what_is_shown() {
    let world = world();
    let filters = json!([{"field": "priority_id", "operator": "=", "values": ["3"]}]);
    let query = json!({"name": "Hot", "visibility": "private", "filters": filters, "sort_criteria": ["id"]});
    world
        .as_user("bob")
        .post("/queries.json", json!({"query": query}))
        .assert_status(201);
    let browser = Browser::logged_in(&world, "bob");
    let page = browser.get("/issues?query_id=1").assert_status(200);
    assert!(!page.body.contains("Update Hot"), "nothing is changed");
    let changed = target(
        &world,
        "/issues?query_id=1&new_filter[name]=priority_id&new_filter[operator]=!&new_filter[values][]=3",
    );
    assert_eq!(
        changed,
        "/issues?based_on=1&sort=id%3Aasc&f[]=priority_id&op[priority_id]=!&v[priority_id][]=3"
    );
    let page = browser.get(&changed).assert_status(200);
    let page = page
        .assert_contains("<b>Query</b> Hot, changed")
        .assert_contains("Update Hot with this list");
    let query = changed.split_once('?').unwrap().1;
    let updated = browser
        .submit(&page, &format!("/queries/1?{query}"), &[])
        .assert_status(303);
    assert_eq!(updated.location(), "/issues?query_id=1");
    let stored = world.as_user("bob").get("/queries/1.json").json();
    assert_eq!(
        stored["query"]["filters"],
        json!([{"field": "priority_id", "operator": "!", "values": ["3"]}])
    );
    assert_eq!(stored["query"]["name"], "Hot");
    // Name and users are changed in a form; others may do neither.
    let form = browser.get("/queries/1/edit").assert_status(200);
    browser
        .submit(&form, "/queries/1/edit", &[("query[name]", "")])
        .assert_status(422)
        .assert_contains("Name cannot be blank");
    browser
        .submit(&form, "/queries/1/edit", &[("query[name]", "Cold")])
        .assert_status(303);
    let carol = Browser::logged_in(&world, "carol");
    let page = carol.get("/issues").assert_status(200);
    carol.get("/queries/1/edit").assert_status(404);
    carol
        .submit(&page, "/queries/1/edit", &[("query[name]", "x")])
        .assert_status(404);
    carol.submit(&page, "/queries/1", &[]).assert_status(404);
    let stored = world.as_user("bob").get("/queries/1.json").json();
    assert_eq!(stored["query"]["name"], "Cold");
}
