//! The values of the parameter `include`.

use super::document::{modules, operations, parameters, resolve};
use super::request_bodies::add_files;
use regex::Regex;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The constants with the values of `include`, by file in `src`, and the operations whose handlers
/// accept them.
const ACCEPTED_BY: &[(&str, &str, &[&str])] = &[
    (
        "api/documents.rs",
        "INCLUDES",
        &[
            "get /documents/{id}",
            "put /documents/{id}",
            "get /projects/{id}/documents",
            "post /projects/{id}/documents",
        ],
    ),
    (
        "api/groups.rs",
        "INCLUDES",
        &["post /groups", "get /groups/{id}", "put /groups/{id}"],
    ),
    (
        "api/issues/include.rs",
        "INCLUDES",
        &[
            "post /issues",
            "post /projects/{id}/issues",
            "get /issues/{id}",
            "put /issues/{id}",
        ],
    ),
    (
        "api/issues/include.rs",
        "LIST_INCLUDES",
        &["get /issues", "get /projects/{id}/issues"],
    ),
    (
        "api/messages.rs",
        "INCLUDES",
        &[
            "post /boards/{id}/topics",
            "get /messages/{id}",
            "put /messages/{id}",
            "post /messages/{id}/replies",
        ],
    ),
    (
        "api/news.rs",
        "INCLUDES",
        &[
            "get /news/{id}",
            "put /news/{id}",
            "post /projects/{id}/news",
        ],
    ),
    (
        "api/projects/view.rs",
        "INCLUDES",
        &["get /projects", "get /projects/{id}"],
    ),
    ("api/users/list.rs", "INCLUDES", &["get /users"]),
    (
        "api/users/list.rs",
        "SHOW_INCLUDES",
        &[
            "post /users",
            "get /users/current",
            "put /users/current",
            "get /users/{id}",
            "put /users/{id}",
        ],
    ),
    (
        "api/wiki/view.rs",
        "INCLUDES",
        &[
            "get /projects/{id}/wiki",
            "put /projects/{id}/wiki/index",
            "get /projects/{id}/wiki/{title}",
            "put /projects/{id}/wiki/{title}",
            "put /projects/{id}/wiki/{title}/protect",
            "put /projects/{id}/wiki/{title}/rename",
            "get /projects/{id}/wiki/{title}/{version}",
        ],
    ),
    (
        "http/request/context.rs",
        "ADMINISTRATION_INCLUDES",
        &[
            "get /custom_fields",
            "get /enumerations/{id}",
            "get /issue_statuses",
            "get /roles",
            "get /roles/{id}",
            "get /trackers",
        ],
    ),
];

/// Returns the constants with values of `include` in the source, by file and name.
fn constants() -> BTreeMap<(String, String), BTreeSet<String>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    ["api", "http"]
        .iter()
        .for_each(|layer| add_files(&source.join(layer), &mut files));
    let constant = Regex::new(r"const (\w*INCLUDES): \[&str; \d+\] =\s*\[([^\]]*)\]").unwrap();
    let call = Regex::new(r"\.includes\(\s*([^)]*)\)").unwrap();
    let mut constants = BTreeMap::new();
    for file in files {
        let name = file.strip_prefix(&source).unwrap().display().to_string();
        let text = fs::read_to_string(&file).unwrap();
        let defined: BTreeMap<_, _> = constant
            .captures_iter(&text)
            .map(|found| (found[1].to_owned(), found[2].to_owned()))
            .collect();
        let used: BTreeSet<_> = call
            .captures_iter(&text)
            .map(|found| found[1].to_owned())
            .collect();
        assert_eq!(
            used,
            defined.keys().cloned().collect(),
            "{name}: each list of names is a constant `INCLUDES`"
        );
        for (constant, values) in defined {
            let values: BTreeSet<_> = values
                .split('"')
                .skip(1)
                .step_by(2)
                .map(str::to_owned)
                .collect();
            constants.insert((name.clone(), constant), values);
        }
    }
    constants
}

#[test]
fn operations_describe_every_value_of_include_that_is_accepted_and_nothing_else() {
    let constants = constants();
    let names = ACCEPTED_BY
        .iter()
        .map(|(file, constant, _)| ((*file).to_owned(), (*constant).to_owned()));
    assert_eq!(
        constants.keys().cloned().collect::<BTreeSet<_>>(),
        names.collect(),
        "the constants and those in ACCEPTED_BY"
    );
    let modules: BTreeMap<String, String> = modules()
        .into_iter()
        .map(|((method, path), name)| (format!("{method} {path}"), name))
        .collect();
    let mut accepted = BTreeMap::new();
    for (file, constant, operations) in ACCEPTED_BY {
        let values = &constants[&((*file).to_owned(), (*constant).to_owned())];
        let is_of = |operation: &&&str| {
            let module = &modules[**operation];
            file.starts_with("http/")
                || *file == format!("api/{module}.rs")
                || file.starts_with(&format!("api/{module}/"))
        };
        assert_eq!(
            operations.iter().find(|operation| !is_of(operation)),
            None,
            "{file}: the handler is in another module"
        );
        accepted.extend(
            operations
                .iter()
                .map(|operation| ((*operation).to_owned(), values.clone())),
        );
    }
    let described = operations()
        .into_iter()
        .filter_map(|(method, path, operation)| {
            let include = parameters(operation)
                .into_iter()
                .find(|parameter| parameter["name"] == "include")?;
            let values = include["schema"]["items"]["enum"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            Some((
                format!("{method} {path}"),
                values.map(str::to_owned).collect::<BTreeSet<_>>(),
            ))
        });
    assert_eq!(described.collect::<BTreeMap<_, _>>(), accepted);
}

#[test]
fn bodies_can_have_the_parameter() {
    for (method, path, operation) in operations()
        .into_iter()
        .filter(|(.., operation)| operation["requestBody"].is_object())
    {
        let body = resolve(&operation["requestBody"]["content"]["application/json"]["schema"]);
        let has_parameter = parameters(operation)
            .iter()
            .any(|parameter| parameter["name"] == "include");
        assert_eq!(
            body["properties"]["include"].is_object(),
            has_parameter,
            "{method} {path}"
        );
    }
}
