//! Both engines return the same lists: the same records in SQLite and PostgreSQL, each filter with
//! each operator, each order, and several viewers.
//!
//! Filters, orders and viewers are combined in rounds, with a fifth of the filters for each change;
//! `QUARRY_SEED` takes others, and other combinations.

mod folding;
mod records;

use quarry::domain::access::viewer::Viewer;
use quarry::domain::query::filter::{FilterField, FilterType, HISTORY_OPERATORS, operators};
use quarry::domain::query::{columns, issues, projects, time_entries};
use quarry_world::environment;
use quarry_world::{World, percent_encode};

/// Who reads the lists; `None` is anonymous.
const VIEWERS: [Option<&str>; 4] = [Some("admin"), Some("alice"), Some("carol"), None];
const TIME_ENTRY_ORDERS: [&str; 15] = [
    "id",
    "spent_on",
    "hours",
    "user",
    "author",
    "activity",
    "project",
    "issue",
    "issue.tracker",
    "issue.status",
    "issue.category",
    "issue.fixed_version",
    "tweek",
    "created_on",
    "updated_on",
];

/// The same records in both engines.
struct Engines {
    sqlite: World,
    postgres: World,
    compared: usize,
    not_empty: usize,
    differences: Vec<String>,
}

impl Engines {
    /// Creates both worlds; `None` if PostgreSQL is not installed.
    fn new() -> Option<Engines> {
        let postgres = World::with_projects_in_postgres()?;
        let sqlite = World::with_projects_in_sqlite();
        for world in [&sqlite, &postgres] {
            records::fill(world);
        }
        Some(Engines {
            sqlite,
            postgres,
            compared: 0,
            not_empty: 0,
            differences: Vec::new(),
        })
    }

    /// Compares what a viewer gets from both.
    fn compare(&mut self, viewer: Option<&str>, path: &str) {
        let read = |world: &World| {
            let client = match viewer {
                Some(login) => world.as_user(login),
                None => world.anonymous(),
            };
            let response = client.get(path);
            let body = response.json();
            let list = body
                .as_object()
                .and_then(|body| body.values().find_map(|value| value.as_array()));
            let ids: Vec<String> = list
                .into_iter()
                .flatten()
                .map(|record| record["id"].to_string())
                .collect();
            (
                response.status,
                body["total_count"].clone(),
                body["errors"].clone(),
                ids,
            )
        };
        let expected = read(&self.sqlite);
        let found = read(&self.postgres);
        self.compared += 1;
        self.not_empty += usize::from(expected.1.as_i64() > Some(0));
        if found != expected || expected.0 >= 500 {
            self.differences.push(format!(
                "{viewer:?} {path}\n    SQLite {expected:?}\n    PostgreSQL {found:?}"
            ));
        }
    }

    /// Asserts that nothing differs and that at least so many lists of all rounds have records.
    fn assert_equal(&self, min_not_empty: usize) {
        println!(
            "{} lists compared, {} with records",
            self.compared, self.not_empty
        );
        assert!(
            self.differences.is_empty(),
            "{} of {} differ:\n{}",
            self.differences.len(),
            self.compared,
            self.differences.join("\n")
        );
        assert!(
            self.not_empty * environment::share() >= min_not_empty,
            "{}",
            self.not_empty
        );
    }
}

/// The values with which the operators of a type are tried.
fn values(kind: FilterType) -> &'static [&'static [&'static str]] {
    match kind {
        FilterType::Status | FilterType::List(_) | FilterType::OptionalList(_) => {
            &[&["1"], &["2", "3", "me"], &["4", "8"]]
        }
        FilterType::Flag => &[&["1"], &["0"]],
        FilterType::VersionStatus | FilterType::OptionalChoice(_) => {
            &[&["open", "1"], &["2", "Zürich"], &["blau"]]
        }
        FilterType::Number | FilterType::Hours | FilterType::Integer | FilterType::Id => {
            &[&["3", "50"], &["1.5", "2"], &["0", "0"]]
        }
        FilterType::Subject | FilterType::AnyText | FilterType::Text | FilterType::Line => {
            &[&["straße"], &["ÄPFEL one"], &["100%_"], &["1"]]
        }
        FilterType::Search => &[&["one OR straße"], &["-two is:open"], &["due:none"]],
        FilterType::PastDate | FilterType::Date => &[&["2026-11-03", "2026-11-18"], &["5"]],
        FilterType::Relation | FilterType::Parent | FilterType::Subtask | FilterType::IssueTree => {
            &[&["1"], &["7"]]
        }
    }
}

/// Returns the query string of each field with each operator and some values.
fn filters<Field>(fields: &[FilterField<Field>]) -> Vec<String> {
    let mut filters = Vec::new();
    for field in fields {
        let history: &[&str] = match field.kind {
            FilterType::Status => &HISTORY_OPERATORS,
            _ => &[],
        };
        for operator in operators(field.kind).iter().chain(history) {
            for values in values(field.kind) {
                let mut query = format!(
                    "f[]={}&op[{}]={}",
                    field.name,
                    field.name,
                    percent_encode(operator)
                );
                for value in *values {
                    query.push_str(&format!("&v[{}][]={}", field.name, percent_encode(value)));
                }
                filters.push(query);
            }
        }
    }
    filters
}

/// Compares every n-th filter once, with the next viewer and the next order.
fn compare_filters(
    engines: &mut Engines,
    path: &str,
    filters: &[String],
    step: usize,
    orders: &[String],
) {
    let step = step * environment::share();
    let first = environment::seed() as usize;
    let filters = filters.iter().skip(first % step).step_by(step);
    for (round, filter) in (first..).zip(filters) {
        let viewer = VIEWERS[round / 2 % VIEWERS.len()];
        let order = &orders[round * 7 % orders.len()];
        engines.compare(
            viewer,
            &format!("{path}?{filter}&sort={order}&limit=100&strict=0"),
        );
    }
}

/// Compares each order for each viewer, on two pages.
fn compare_orders(engines: &mut Engines, path: &str, orders: &[String]) {
    for order in orders {
        for (viewer, offset) in VIEWERS.into_iter().zip([0, 37, 60, 0]) {
            engines.compare(
                viewer,
                &format!("{path}?status_id=*&sort={order}&limit=100&offset={offset}"),
            );
        }
    }
}

fn both_directions(names: impl Iterator<Item = String>) -> Vec<String> {
    names
        .flat_map(|name| [format!("{name}:desc"), name])
        .collect()
}

#[test]
fn filters_and_orders_of_issues_are_equal() {
    let Some(mut engines) = Engines::new() else {
        return;
    };
    let catalogue = engines.sqlite.app.store.catalogue().unwrap();
    let admin = Viewer::new(&catalogue, Some(quarry_world::user("admin")));
    let columns = columns::all(&catalogue, &admin).into_iter();
    let sortable = columns.filter(|column| column.is_sortable());
    let orders = both_directions(sortable.map(|column| column.name().into_owned()));
    let fields = issues::filter_fields(&catalogue, &admin, false);
    compare_orders(&mut engines, "/issues.json", &orders);
    compare_filters(&mut engines, "/issues.json", &filters(&fields), 2, &orders);
    engines.assert_equal(400);
}

#[test]
fn filters_and_orders_of_time_entries_are_equal() {
    let Some(mut engines) = Engines::new() else {
        return;
    };
    let orders = both_directions(TIME_ENTRY_ORDERS.map(str::to_owned).into_iter());
    let catalogue = engines.sqlite.app.store.catalogue().unwrap();
    let admin = Viewer::new(&catalogue, Some(quarry_world::user("admin")));
    let fields = time_entries::filter_fields(&catalogue, &admin, None);
    compare_orders(&mut engines, "/time_entries.json", &orders);
    compare_filters(
        &mut engines,
        "/time_entries.json",
        &filters(&fields),
        1,
        &orders,
    );
    engines.assert_equal(200);
}

#[test]
fn filters_of_projects_are_equal() {
    let Some(mut engines) = Engines::new() else {
        return;
    };
    let orders = both_directions(["name", "created_on"].map(str::to_owned).into_iter());
    let catalogue = engines.sqlite.app.store.catalogue().unwrap();
    let admin = Viewer::new(&catalogue, Some(quarry_world::user("admin")));
    let fields = projects::filter_fields(&catalogue, &admin);
    compare_filters(
        &mut engines,
        "/projects.json",
        &filters(&fields),
        1,
        &orders,
    );
    engines.assert_equal(20);
}
