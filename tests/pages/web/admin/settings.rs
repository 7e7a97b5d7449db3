//! `/settings`.

use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::browser::Browser;

const TABS: [&str; 10] = [
    "general",
    "authentication",
    "api",
    "projects",
    "issues",
    "notifications",
    "timelog",
    "mail_handler",
    "repositories",
    "attachments",
];

#[test]
fn every_setting_has_a_labelled_control() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "admin");
    let pages: String = TABS
        .iter()
        .map(|tab| {
            browser
                .get(&format!("/settings?tab={tab}"))
                .assert_status(200)
                .body
        })
        .collect();
    for setting in Setting::all() {
        let name = setting.name();
        assert!(
            pages.contains(&format!("name=\"{name}\""))
                || pages.contains(&format!("name=\"{name}[]\"")),
            "{name}"
        );
    }
    let general = browser.get("/settings").assert_status(200);
    assert!(
        general
            .body
            .contains("<a href=\"/settings?tab=general\" aria-current=\"page\">General</a>"),
        "{general:?}"
    );
    browser
        .get("/settings?tab=%3Cscript%3E")
        .assert_status(200)
        .assert_contains("<h2>General</h2>");
}

#[test]
fn saved_settings_are_in_use_with_the_next_request() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "admin");
    let page = browser.get("/settings").assert_status(200);
    let fields = [
        ("app_title", "A & <b>B"),
        ("host_name", "tracker.test/q/"),
        ("protocol", "http"),
        ("search_results_per_page", "25"),
    ];
    browser
        .submit(&page, "/settings?tab=general", &fields)
        .assert_status(422)
        .assert_contains("Enter your password.");
    let fields = [&fields[..], &[("password", "adminadmin")]].concat();
    let reply = browser
        .submit(&page, "/settings?tab=general", &fields)
        .assert_status(303);
    assert_eq!(reply.location(), "/settings?tab=general");
    let saved = browser.get(reply.location()).assert_status(200);
    assert!(
        saved
            .body
            .contains("The settings were saved and are in use."),
        "{saved:?}"
    );
    assert!(
        saved.body.contains("<span>A &#38; &#60;b&#62;B</span>") && !saved.body.contains("<b>B"),
        "{saved:?}"
    );
    assert!(saved.body.contains("value=\"tracker.test/q\""), "{saved:?}");
    assert_eq!(world.setting(Setting::SearchResultsPerPage), "25");
    assert_eq!(
        world.setting(Setting::TextMaxLength),
        "1048576",
        "what the form does not have stays"
    );
}

#[test]
fn invalid_form_saves_nothing_and_keeps_what_was_typed() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "admin");
    let page = browser.get("/settings").assert_status(200);
    let fields = [
        ("app_title", "Changed"),
        ("host_name", "http://\"x\""),
        ("search_results_per_page", "many"),
        ("protocol", "gopher"),
    ];
    let refused = browser
        .submit(&page, "/settings?tab=general", &fields)
        .assert_status(422);
    for part in [
        "value=\"Changed\"",
        "value=\"http://&#34;x&#34;\"",
        "value=\"many\"",
        "id=\"search_results_per_page-error\">Must be a whole number from 1 to 100.",
        "id=\"host_name-error\">Must be a host name",
        "id=\"protocol-error\">Must be one of http, https.",
        "aria-invalid=\"true\"",
    ] {
        assert!(refused.body.contains(part), "{part} in {}", refused.body);
    }
    assert_eq!(world.setting(Setting::AppTitle), "Quarry");
}

#[test]
fn lists_are_sent_as_checkboxes_and_know_only_what_there_is() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "admin");
    let page = browser.get("/settings?tab=projects").assert_status(200);
    assert!(
        page.body
            .contains("name=\"default_projects_modules[]\" value=\"wiki\" checked"),
        "{page:?}"
    );
    let send = |tab: &str, fields: &[(&str, &str)]| {
        browser.submit(&page, &format!("/settings?tab={tab}"), fields)
    };
    let modules = [
        ("default_projects_modules[]", ""),
        ("default_projects_modules[]", "wiki"),
        ("default_projects_modules[]", "news"),
    ];
    send(
        "projects",
        &[
            &modules[..],
            &[
                ("default_projects_tracker_ids[]", ""),
                ("default_projects_tracker_ids[]", "2"),
            ],
        ]
        .concat(),
    )
    .assert_status(303);
    assert_eq!(world.setting(Setting::DefaultProjectsModules), "wiki,news");
    assert_eq!(world.setting(Setting::DefaultProjectsTrackerIds), "2");
    send("projects", &[("default_projects_tracker_ids[]", "")]).assert_status(303);
    assert_eq!(world.setting(Setting::DefaultProjectsTrackerIds), "");
    for (tab, field, item) in [
        ("projects", "default_projects_modules[]", "<script>"),
        ("projects", "default_projects_tracker_ids[]", "99"),
        ("projects", "new_project_user_role_id", "1"),
        ("issues", "non_working_week_days[]", "8"),
        ("timelog", "timelog_required_fields[]", "hours"),
    ] {
        let refused = send(tab, &[(field, item)]).assert_status(422);
        assert!(
            refused.body.contains("Has an unknown item") && !refused.body.contains("<script>"),
            "{item}: {refused:?}"
        );
    }
    assert_eq!(world.setting(Setting::NonWorkingWeekDays), "6,7");
}

#[test]
fn who_gets_in_changes_only_with_the_password() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "admin");
    for (tab, field, setting, new) in [
        (
            "authentication",
            "login_required",
            Setting::LoginRequired,
            "0",
        ),
        (
            "authentication",
            "password_min_length",
            Setting::PasswordMinLength,
            "12",
        ),
        (
            "api",
            "redmine_compatibility",
            Setting::RedmineCompatibility,
            "1",
        ),
    ] {
        let path = format!("/settings?tab={tab}");
        let page = browser.get(&path).assert_status(200);
        let before = world.setting(setting);
        let without = browser
            .submit(&page, &path, &[(field, new)])
            .assert_status(422);
        assert!(without.body.contains("Enter your password."), "{without:?}");
        let wrong = browser
            .submit(&page, &path, &[(field, new), ("password", "wrong")])
            .assert_status(422);
        assert!(
            wrong.body.contains("This is not your password."),
            "{wrong:?}"
        );
        assert_eq!(world.setting(setting), before);
        browser
            .submit(&page, &path, &[(field, &before)])
            .assert_status(303);
        browser
            .submit(&page, &path, &[(field, new), ("password", "adminadmin")])
            .assert_status(303);
        assert_eq!(world.setting(setting), new);
    }
}

#[test]
fn minimum_length_concerns_new_passwords() {
    let world = World::new();
    world.set(Setting::PasswordMinLength, "12");
    let browser = Browser::logged_in(&world, "alice");
    let page = browser.get("/my/password").assert_status(200);
    let send = |new: &str| {
        browser.submit(
            &page,
            "/my/password",
            &[
                ("password", "alicealice"),
                ("new_password", new),
                ("new_password_confirmation", new),
            ],
        )
    };
    send("elevenchars")
        .assert_status(422)
        .assert_contains("Password is too short (minimum is 12 characters)");
    send("twelve chars").assert_status(303);
}

#[test]
fn sizes_and_times_are_written_with_their_units() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "admin");
    let page = browser.get("/settings?tab=attachments").assert_status(200);
    assert!(page.body.contains("value=\"5 MiB\""), "{page:?}");
    let form = [("attachment_max_size", "1.5 GiB")];
    browser
        .submit(&page, "/settings?tab=attachments", &form)
        .assert_status(303);
    assert_eq!(world.setting(Setting::AttachmentMaxSize), "1572864");
    let form = [("attachment_max_size", "a lot")];
    let again = browser
        .submit(&page, "/settings?tab=attachments", &form)
        .assert_status(422);
    for expected in ["such as 5 MiB or 500 KiB.", "value=\"a lot\""] {
        assert!(again.body.contains(expected), "{expected}: {again:?}");
    }
}

#[test]
fn settings_are_found_by_their_words() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "admin");
    let found = browser.get("/settings?q=idle+session").assert_status(200);
    for expected in [
        "Session idle timeout",
        "1 day",
        "/settings?tab=authentication#session_timeout",
    ] {
        assert!(found.body.contains(expected), "{expected}: {found:?}");
    }
    assert!(!found.body.contains("Application title"));
    browser
        .get("/settings?q=zebra")
        .assert_contains("No setting matches.");
}
