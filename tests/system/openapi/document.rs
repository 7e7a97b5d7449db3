//! The document itself.

use quarry::domain::access::viewer::Viewer;
use quarry::domain::administration::setting::Setting;
use quarry::domain::index_feed::kind::Kind;
use quarry::domain::query::filter::FilterField;
use quarry::domain::query::{issues, projects, time_entries, users};
use quarry_world::openapi::DOCUMENT;
use quarry_world::{World, user};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A route: its method and path.
pub(crate) type Route = (String, String);

/// Returns the source of each resource of the REST API with its routes, also those of `admin_routes`, by module.
pub(crate) fn sources() -> BTreeMap<String, String> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/api"));
    let mut sources = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let file = if path.is_dir() {
            path.join("mod.rs")
        } else {
            path
        };
        if file.extension().is_some_and(|extension| extension == "rs") {
            sources.insert(module, std::fs::read_to_string(file).unwrap());
        }
    }
    let admin_routes = sources.remove("admin_routes").unwrap();
    let path = regex::Regex::new(r#"const PATH: &'static str = "(.+)""#).unwrap();
    for source in sources.values_mut() {
        if let Some(found) = path.captures(source) {
            let list = format!("\"{}\"", &found[1]);
            let record = format!("\"{}/{{id}}\"", &found[1]);
            let routes = admin_routes.replace(r#"&format!("{}/{{id}}", R::PATH)"#, &record);
            source.push_str(&routes.replace("R::PATH", &list));
        }
    }
    sources
}

/// Returns the module of the handler of each route.
pub(super) fn modules() -> BTreeMap<Route, String> {
    let mut modules = BTreeMap::new();
    for (module, source) in sources() {
        let routes = parse_routes(&source);
        modules.extend(routes.into_iter().map(|route| (route, module.clone())));
    }
    modules
}

/// Returns the routes in a source. `PATCH` is another name for `PUT`.
pub(crate) fn parse_routes(source: &str) -> Vec<Route> {
    let handler =
        regex::Regex::new(r"\b(get|put|post|delete)\((?:\w+_handler\(|list\)|show\))").unwrap();
    let mut routes = Vec::new();
    for route in source.split(".route(").skip(1) {
        let path = route.split('"').nth(1).unwrap();
        let methods = handler.captures_iter(route);
        routes.extend(methods.map(|found| (found[1].to_owned(), path.to_owned())));
    }
    routes
}

/// Returns the routes of the REST API.
fn routes() -> BTreeSet<Route> {
    modules().into_keys().collect()
}

/// Returns the operations, without `PATCH`.
pub(super) fn operations() -> Vec<(String, String, &'static Value)> {
    let paths = DOCUMENT["paths"].as_object().unwrap();
    paths
        .iter()
        .flat_map(|(path, item)| {
            let path = path.trim_end_matches(".json").to_owned();
            item.as_object()
                .unwrap()
                .iter()
                .filter(|(method, _)| *method != "patch")
                .map(move |(method, operation)| (method.clone(), path.clone(), operation))
        })
        .collect()
}

#[test]
fn every_route_is_described_and_nothing_else() {
    let described: BTreeSet<(String, String)> = operations()
        .into_iter()
        .map(|(method, path, _)| (method, path))
        .collect();
    let missing: Vec<_> = routes().difference(&described).cloned().collect();
    let stale: Vec<_> = described.difference(&routes()).cloned().collect();
    assert!(
        missing.is_empty() && stale.is_empty(),
        "missing in src/openapi: {missing:#?}, no such route: {stale:#?}"
    );
}

/// Redmine documents `PATCH` of attachments only.
#[test]
fn patch_of_an_attachment_is_described_like_put() {
    let item = &DOCUMENT["paths"]["/attachments/{id}.json"];
    let mut patch = item["patch"].clone();
    let mut put = item["put"].clone();
    assert_eq!(
        (patch["operationId"].take(), put["operationId"].take()),
        ("attachments_patch".into(), "attachments_update".into())
    );
    assert_eq!(patch, put);
    let others = DOCUMENT["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(path, _)| *path != "/attachments/{id}.json");
    assert_eq!(
        others.filter(|(_, item)| item["patch"].is_object()).count(),
        0
    );
}

#[test]
fn operations_can_become_methods_of_a_client() {
    let mut ids = BTreeSet::new();
    for (method, path, operation) in operations() {
        let id = operation["operationId"]
            .as_str()
            .unwrap_or_else(|| panic!("{method} {path} has no operationId"));
        assert!(ids.insert(id), "{id} is used twice");
        assert!(
            !operation["summary"].as_str().unwrap_or_default().is_empty(),
            "{method} {path} has no summary"
        );
        let parameters = parameters(operation);
        for part in path
            .split('/')
            .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
        {
            assert!(
                parameters
                    .iter()
                    .any(|parameter| parameter["name"] == part && parameter["in"] == "path"),
                "{method} {path}: {part}"
            );
        }
        assert!(
            !operation["responses"].as_object().unwrap().is_empty(),
            "{method} {path} has no responses"
        );
    }
}

/// Follows a reference to a component.
pub(super) fn resolve(value: &'static Value) -> &'static Value {
    value["$ref"].as_str().map_or(value, |target| {
        DOCUMENT.pointer(target.trim_start_matches('#')).unwrap()
    })
}

pub(super) fn parameters(operation: &'static Value) -> Vec<&'static Value> {
    operation["parameters"]
        .as_array()
        .into_iter()
        .flatten()
        .map(resolve)
        .collect()
}

/// Returns the names of the parameters in the query, or another place, of an operation.
fn names_in(place: &str, operation: &'static Value) -> BTreeSet<String> {
    let parameters = parameters(operation)
        .into_iter()
        .filter(|parameter| parameter["in"] == place);
    parameters
        .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
        .collect()
}

/// Returns the names of the parameters in the query of an operation.
fn names_in_query(operation: &'static Value) -> BTreeSet<String> {
    names_in("query", operation)
}

/// Returns the names of the parameters in the query of `GET` on this path.
fn query_params(path: &str) -> BTreeSet<String> {
    names_in_query(&DOCUMENT["paths"][path]["get"])
}

/// Whether there is a description of a few words, which is more than the name.
pub(super) fn is_described(value: &Value) -> bool {
    value["description"]
        .as_str()
        .is_some_and(|text| text.split_whitespace().count() >= 3)
}

#[test]
fn every_parameter_is_described_and_named_once() {
    for (method, path, operation) in operations() {
        let mut names = BTreeSet::new();
        for parameter in parameters(operation) {
            let name = parameter["name"].as_str().unwrap();
            let schema = &parameter["schema"];
            assert!(
                is_described(parameter),
                "{method} {path}: {name} has no description"
            );
            assert!(
                names.insert((name, parameter["in"].as_str().unwrap())),
                "{method} {path}: {name} is described twice"
            );
            let is_number = ["offset", "limit", "page"].contains(&name);
            assert!(
                !is_number || (schema["type"] == "integer" && schema["minimum"].is_u64()),
                "{method} {path}: {name} is a number"
            );
            let is_list = ["include", "sort"].contains(&name);
            assert!(
                !is_list || schema["type"] == "array" || schema["enum"].is_array(),
                "{method} {path}: {name} is a list"
            );
        }
    }
}

/// That the fields of responses are those of the handlers is the rule of all tests that receive
/// one.
#[test]
fn lists_have_the_parameters_of_their_paging() {
    for (method, path, operation) in operations()
        .into_iter()
        .filter(|(method, ..)| method == "get")
    {
        let fields =
            &operation["responses"]["200"]["content"]["application/json"]["schema"]["properties"];
        let described = names_in_query(operation);
        let is_paged = fields["offset"].is_object();
        for name in ["offset", "page"]
            .into_iter()
            .filter(|_| path != "/messages/{id}")
        {
            assert_eq!(
                described.contains(name),
                is_paged,
                "{method} {path}: {name}"
            );
        }
        assert!(
            described.contains("limit") || fields["limit"].is_null(),
            "{method} {path}: limit"
        );
        assert_eq!(
            described.contains("nometa"),
            fields["total_count"].is_object(),
            "{method} {path}: nometa"
        );
    }
}

#[test]
fn headers_are_described_where_they_count() {
    for (method, path, operation) in operations() {
        let has_totals = names_in_query(operation)
            .contains("nometa")
            .then_some("X-Redmine-Nometa");
        let expected = has_totals
            .into_iter()
            .chain(["X-Redmine-Switch-User"])
            .map(str::to_owned)
            .collect();
        assert_eq!(names_in("header", operation), expected, "{method} {path}");
    }
}

#[test]
fn every_header_of_our_own_that_is_read_is_described() {
    let name = regex::Regex::new("(?i)x-(?:service|redmine)-[a-z-]+").unwrap();
    let names = |text: &str| {
        name.find_iter(text)
            .map(|found| found.as_str().to_lowercase())
            .collect::<BTreeSet<String>>()
    };
    let source = |text: &str| names(text.split("#[cfg(test)]").next().unwrap());
    let read = &source(include_str!("../../../src/http/request/credentials.rs"))
        | &source(include_str!("../../../src/http/request/head.rs"));
    assert_eq!(read.len(), 6, "{read:?}");
    let components = &DOCUMENT["components"];
    let headers = components["parameters"]
        .as_object()
        .unwrap()
        .values()
        .filter(|parameter| parameter["in"] == "header");
    let described = headers
        .chain([&components["securitySchemes"]])
        .flat_map(|component| names(&component.to_string()));
    assert_eq!(described.collect::<BTreeSet<String>>(), read);
    for scheme in DOCUMENT["components"]["securitySchemes"]
        .as_object()
        .unwrap()
        .keys()
    {
        assert!(
            DOCUMENT["security"]
                .as_array()
                .unwrap()
                .iter()
                .any(|required| required.get(scheme).is_some()),
            "{scheme} is not offered"
        );
    }
}

/// Returns the names in a constant of a handler, without those that every request may have.
fn known_params(handler: &str, constant: &str) -> BTreeSet<String> {
    let constant = handler
        .split(&format!("const {constant}: &[&str] = &["))
        .nth(1)
        .unwrap()
        .split(']')
        .next()
        .unwrap();
    let names = constant
        .split('"')
        .skip(1)
        .step_by(2)
        .filter(|name| !["key", "format", "utf8", "commit"].contains(name));
    names.chain(["strict"]).map(str::to_owned).collect()
}

#[test]
fn searches_describe_every_known_parameter_and_nothing_else() {
    let kinds: BTreeSet<String> = Kind::ALL
        .into_iter()
        .map(|kind| kind.parameter().to_owned())
        .collect();
    let source = include_str!("../../../src/api/search.rs");
    let search = &known_params(source, "PARAMETERS") | &kinds;
    assert_eq!(query_params("/search.json"), search);
    assert_eq!(
        query_params("/projects/{id}/search.json"),
        search.into_iter().filter(|name| name != "id").collect()
    );
    let suggest = known_params(source, "SUGGEST_PARAMETERS");
    assert_eq!(query_params("/search/suggest.json"), &suggest | &kinds);
    let similar = known_params(
        include_str!("../../../src/api/issues/similar.rs"),
        "PARAMETERS",
    );
    assert_eq!(query_params("/issues/{id}/similar.json"), similar);
    assert_eq!(
        names_in_query(&DOCUMENT["paths"]["/issues/similar.json"]["post"]),
        similar
    );
}

fn without_project(names: BTreeSet<String>) -> BTreeSet<String> {
    names
        .into_iter()
        .filter(|name| name != "project_id")
        .collect::<BTreeSet<_>>()
}

#[test]
fn lists_describe_every_filter_and_nothing_else() {
    let world = World::new();
    let project = world.project("open").create();
    let child = world.project("child").create();
    world.sql(&format!(
        "UPDATE projects SET parent_id = {project} WHERE id = {child}"
    ));
    let types = ["Issue", "TimeEntry", "Project", "Version", "User", "Group"];
    let formats = ["user", "version", "string"];
    for (id, (customized, format)) in (1..).zip(
        types
            .iter()
            .flat_map(|customized| formats.map(|format| (customized, format))),
    ) {
        world.sql(&format!(
            "INSERT INTO custom_fields (id, type, name, field_format, position, is_filter) \
             VALUES ({id}, '{customized}CustomField', 'x', '{format}', {id}, 1)"
        ));
    }
    let catalogue = world.app.store.catalogue().unwrap();
    let viewer = Viewer::new(&catalogue, Some(user("admin")));
    fn names<Field>(fields: Vec<FilterField<Field>>, others: &[&str]) -> BTreeSet<String> {
        let general = [
            "offset", "limit", "page", "sort", "nometa", "strict", "f[]", "op", "v",
        ];
        let number = regex::Regex::new(r"cf_\d+").unwrap();
        let filters = fields
            .iter()
            .map(|field| number.replace_all(&field.name, "cf_{id}").into_owned());
        filters
            .chain(general.iter().chain(others).map(|name| (*name).to_owned()))
            .collect()
    }
    let issues = names(
        issues::filter_fields(&catalogue, &viewer, true),
        &["query_id", "group_by", "include", "tz"],
    );
    let time_entries = names(
        time_entries::filter_fields(&catalogue, &viewer, Some(project)),
        &["query_id", "group_by", "from", "to"],
    );
    assert_eq!(query_params("/issues.json"), issues);
    assert_eq!(query_params("/time_entries.json"), time_entries);
    assert_eq!(
        query_params("/projects.json"),
        names(
            projects::filter_fields(&catalogue, &viewer),
            &["query_id", "include"]
        )
    );
    assert_eq!(
        query_params("/users.json"),
        names(
            users::filter_fields(&catalogue),
            &["name", "group_id", "include"]
        )
    );
    assert_eq!(
        query_params("/projects/{id}/issues.json"),
        without_project(issues)
    );
    assert_eq!(
        query_params("/projects/{id}/time_entries.json"),
        without_project(time_entries)
    );
}

#[test]
fn references_lead_somewhere() {
    fn visit(value: &Value) {
        match value {
            Value::Object(entries) => {
                if let Some(target) = entries.get("$ref").and_then(Value::as_str) {
                    assert!(
                        DOCUMENT.pointer(target.trim_start_matches('#')).is_some(),
                        "{target}"
                    );
                }
                entries.values().for_each(visit);
            }
            Value::Array(items) => items.iter().for_each(visit),
            _ => {}
        }
    }
    visit(&DOCUMENT);
}

#[test]
fn document_names_the_address_of_the_service_and_is_open() {
    let world = World::new();
    world.set(Setting::LoginRequired, "1");
    let document = world
        .anonymous()
        .get("/openapi.json")
        .assert_status(200)
        .json();
    assert_eq!(document["servers"][0]["url"], "http://quarry.test");
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(
        document["components"]["securitySchemes"]["oauth2"]["flows"]["authorizationCode"]["tokenUrl"],
        "http://quarry.test/oauth/token"
    );
}

#[test]
fn page_shows_descriptions_and_closed_sets_of_values() {
    let world = World::new();
    let html = world.anonymous().get("/openapi").assert_status(200).body;
    for described in [
        &DOCUMENT["components"]["parameters"]["nometa"]["description"],
        &DOCUMENT["components"]["schemas"]["UserInput"]["properties"]["must_change_passwd"]["description"],
    ] {
        let parts = described.as_str().unwrap().split('`').enumerate();
        let text: String = parts
            .map(|(n, part)| {
                if n % 2 == 1 {
                    format!("<code>{part}</code>")
                } else {
                    part.to_owned()
                }
            })
            .collect();
        assert!(html.contains(&text), "{text}");
    }
    assert!(
        html.contains("<dd>none or descendants or hierarchy or tree or system "),
        "values of sharing"
    );
    assert!(
        html.contains("<dd>list of children or attachments or "),
        "values of include"
    );
}
