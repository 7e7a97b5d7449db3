//! The OpenAPI description of the REST API: one file per resource, with its operations and the
//! schemas of its records.
//!
//! Invariant: every route of `api` is described, and every response has a described status and fits
//! its schema; the integration tests compare each response that they receive. May import: `wire`.

use crate::wire;
use std::sync::OnceLock;

/// Info, authentication, and what the resources share.
const MAIN: &str = include_str!("main.json");

/// Error responses of every operation: 400 for a query string or body that cannot be parsed, 412
/// for an invalid user to switch to.
const SHARED_RESPONSES: &str = r##"{
    "400": {"$ref": "#/components/responses/BadRequest"},
    "412": {"$ref": "#/components/responses/InvalidSwitchUser"}
}"##;

/// The resources, by tag.
const RESOURCES: &[&str] = &[
    include_str!("attachments.json"),
    include_str!("boards.json"),
    include_str!("custom_fields.json"),
    include_str!("documents.json"),
    include_str!("email_addresses.json"),
    include_str!("enumerations.json"),
    include_str!("files.json"),
    include_str!("groups.json"),
    include_str!("issue_categories.json"),
    include_str!("issue_statuses.json"),
    include_str!("issues.json"),
    include_str!("journals.json"),
    include_str!("memberships.json"),
    include_str!("messages.json"),
    include_str!("my.json"),
    include_str!("news.json"),
    include_str!("openapi.json"),
    include_str!("projects.json"),
    include_str!("queries.json"),
    include_str!("reactions.json"),
    include_str!("relations.json"),
    include_str!("repositories.json"),
    include_str!("roles.json"),
    include_str!("search.json"),
    include_str!("settings.json"),
    include_str!("time_entries.json"),
    include_str!("trackers.json"),
    include_str!("uploads.json"),
    include_str!("users.json"),
    include_str!("versions.json"),
    include_str!("watchers.json"),
    include_str!("wiki.json"),
    include_str!("workflows.json"),
];

/// Returns the document for a service at this address.
pub fn document(base_url: &str) -> String {
    static MERGED: OnceLock<String> = OnceLock::new();
    let merged = MERGED.get_or_init(|| {
        let merged = wire::merge_json(std::iter::once(&MAIN).chain(RESOURCES));
        wire::add_to_each(&merged, &["paths", "*", "*", "responses"], SHARED_RESPONSES)
    });
    merged
        .replace("{base_url}", base_url)
        .replace("{app_version}", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::{MAIN, RESOURCES};
    use serde_json::Value;
    use std::collections::HashSet;

    #[test]
    fn every_schema_is_defined_once() {
        let mut names = HashSet::new();
        for text in std::iter::once(&MAIN).chain(RESOURCES) {
            let file: Value = serde_json::from_str(text).unwrap();
            for name in file["components"]["schemas"]
                .as_object()
                .into_iter()
                .flat_map(|schemas| schemas.keys())
            {
                assert!(names.insert(name.clone()), "{name} is defined twice");
            }
        }
    }
}
