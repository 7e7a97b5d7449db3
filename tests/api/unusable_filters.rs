//! Filters of lists that cannot be used never make a list longer (compatibility 6.3).

use quarry::domain::administration::setting::Setting;
use quarry::domain::query::filter::{FilterField, FilterType};
use quarry::domain::query::{issues, projects, time_entries, users};
use quarry_world::{Client, World, user};
use serde_json::json;

/// Values that no field can have, with and without operators.
const NONSENSE: [&str; 9] = [
    "nonsense",
    "=nonsense",
    "-nonsense",
    "%3E%3Dnonsense",
    "%3C%3Dnonsense",
    "%3E%3Cnonsense|nonsense",
    "%3Et-nonsense",
    "2024-02-30",
    "%00",
];

/// Parameters that narrow lists without being fields.
const OTHERS: &[(&str, &[&str])] = &[
    ("/issues", &["project_id", "query_id"]),
    ("/issues/1/similar", &["project_id"]),
    ("/time_entries", &["project_id", "query_id", "from", "to"]),
    ("/projects", &["query_id"]),
    ("/users", &["status", "name", "group_id"]),
];

struct Filter {
    name: String,
    kind: FilterType,
}

fn filters<Field>(fields: Vec<FilterField<Field>>) -> Vec<Filter> {
    let fields = fields.into_iter();
    let filters = fields.map(|field| Filter {
        name: field.name.into_owned(),
        kind: field.kind,
    });
    filters.collect()
}

/// Returns the lists with all their filters, for the administrator.
fn lists(world: &World) -> Vec<(&'static str, Vec<Filter>)> {
    let catalogue = world.app.store.catalogue().unwrap();
    let context = world
        .app
        .viewer_context(&catalogue, Some(user("admin")), None);
    let viewer = &context.viewer;
    let of_entries = |project| filters(time_entries::filter_fields(&catalogue, viewer, project));
    vec![
        (
            "/issues",
            filters(issues::filter_fields(&catalogue, viewer, false)),
        ),
        (
            "/projects/open/issues",
            filters(issues::filter_fields(&catalogue, viewer, true)),
        ),
        ("/time_entries", of_entries(None)),
        ("/projects/open/time_entries", of_entries(Some(1.into()))),
        (
            "/projects",
            filters(projects::filter_fields(&catalogue, viewer)),
        ),
        ("/users", filters(users::filter_fields(&catalogue))),
    ]
}

fn world() -> World {
    let world = World::with_projects();
    let issue = world.issue("open").create();
    let entry = json!({"time_entry": {"issue_id": issue, "hours": 1, "activity_id": 8}});
    world
        .as_user("alice")
        .post("/time_entries.json", entry)
        .assert_status(201);
    world
}

/// Fails unless the list is refused or empty, or says in a `Warning` that a day is ignored.
fn check(admin: &Client<'_>, path: &str, filter: &Filter, query: &str, is_strict: bool) {
    let strict = if is_strict { "&strict=1" } else { "" };
    let answer = admin.get(&format!("{path}.json?{query}{strict}"));
    // A project is no filter, but the scope of the list.
    let is_scope = filter.name == "project_id" && path.starts_with("/projects/");
    if answer.status == 422 || is_scope || filter.name == "project_id" && answer.status == 404 {
        return;
    }
    let answer = answer.assert_status(200);
    let total = answer.json()["total_count"].clone();
    // Text is yes or no in flags, and the project itself is listed with any of its subprojects.
    let is_flag = filter.kind == FilterType::Flag
        || ["subproject_id", "is_public", "admin"].contains(&filter.name.as_str());
    // Every text can be searched for, and without a word like this there are the others.
    let is_text = filter.kind == FilterType::Search;
    let is_ignored_day = filter.name == "spent_on" && !is_strict;
    if is_ignored_day {
        assert!(answer.header("warning").contains("spent_on"), "{query}");
    } else if !is_flag && !is_text {
        assert_eq!(total, 0, "{path}?{query}{strict}");
    }
}

#[test]
fn no_unusable_value_of_a_filter_makes_a_list_longer() {
    let world = world();
    for compatible in ["0", "1"] {
        world.set(Setting::RedmineCompatibility, compatible);
        let admin = world.as_user("admin");
        for (path, filters) in lists(&world) {
            assert_ne!(admin.total_count(&format!("{path}.json")), 0, "{path}");
            for filter in &filters {
                for value in NONSENSE {
                    let query = format!("{}={value}", filter.name);
                    check(&admin, path, filter, &query, false);
                    check(&admin, path, filter, &query, true);
                }
            }
        }
    }
}

#[test]
fn filters_that_are_no_text_or_have_no_operator_are_refused() {
    let world = world();
    let admin = world.as_user("admin");
    let refuse = |path: &str, query: String| {
        let answer = admin.get(&format!("{path}.json?{query}"));
        assert_eq!(answer.status, 422, "{path}?{query}: {}", answer.body);
    };
    for (path, filters) in lists(&world) {
        for Filter { name, .. } in &filters {
            // In a project, the scope of the list is that of the path.
            if name != "project_id" || !path.starts_with("/projects/") {
                refuse(path, format!("{name}[]=1"));
                refuse(path, format!("{name}[a]=1"));
            }
            refuse(path, format!("f[]={name}"));
            refuse(
                path,
                format!("f[]={name}&op[{name}]=nonsense&v[{name}][]=1"),
            );
            refuse(path, format!("f[]={name}&op[{name}]==&v[{name}][a]=1"));
            refuse(path, format!("f[]={name}&op[{name}]=="));
        }
    }
    for (path, names) in OTHERS {
        for name in *names {
            refuse(path, format!("{name}[]=1"));
            refuse(path, format!("{name}[a]=1"));
        }
    }
}
