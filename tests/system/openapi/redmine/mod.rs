//! Every operation that an outside description of Redmine 7 lists is called with valid and with
//! invalid requests, as an administrator, as a manager, as a user who is no member, and without
//! credentials, in JSON and in XML, with the setting `redmine_compatibility` on. Each response has
//! the expected status and fits the description: status, fields, types, and nothing else.
//! `exceptions.rs` lists where not.

mod attachments;
mod call;
mod complete;
mod description;
mod exceptions;
mod files;
mod groups;
mod issue_categories;
mod issues;
mod journals;
mod lists;
mod matrix;
mod memberships;
mod my;
mod news;
mod projects;
mod records;
mod relations;
mod revisions;
mod schema;
mod search;
mod time_entries;
mod uploads;
mod users;
mod versions;
mod watchers;
mod wiki;
mod xml;

use std::collections::BTreeSet;

/// Returns the rows of all resources.
fn all() -> Vec<matrix::Row> {
    let resources = [
        attachments::rows(),
        files::rows(),
        groups::rows(),
        issue_categories::rows(),
        issues::rows(),
        journals::rows(),
        lists::rows(),
        memberships::rows(),
        my::rows(),
        news::rows(),
        projects::rows(),
        relations::rows(),
        revisions::rows(),
        search::rows(),
        time_entries::rows(),
        uploads::rows(),
        users::rows(),
        versions::rows(),
        watchers::rows(),
        wiki::rows(),
    ];
    resources.into_iter().flatten().collect()
}

#[test]
fn every_described_operation_is_called_once() {
    let rows = all();
    let called: BTreeSet<&str> = rows.iter().map(|row| row.operation).collect();
    let described: BTreeSet<&str> = description::OPERATIONS.keys().copied().collect();
    assert_eq!(described.len(), 94);
    assert_eq!(called, described);
    assert_eq!(called.len(), rows.len(), "an operation has two rows");
}
