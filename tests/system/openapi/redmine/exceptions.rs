//! Where responses differ from the description, each with its reason; docs/redmine-compatibility.md
//! explains them.

use serde_json::Value;

/// A difference that is accepted.
pub struct Exception {
    /// The `operationId`; empty stands for every operation.
    operation: &'static str,
    status: u16,
    /// What differs: `undescribed` (the status is), `never` (the status is never returned),
    /// `unknown` or `ignored` with a parameter or an attribute, `a body is not described`, or what a message about the schema
    /// contains.
    difference: &'static str,
    reason: &'static str,
}

const fn because(
    reason: &'static str,
    operation: &'static str,
    status: u16,
    difference: &'static str,
) -> Exception {
    Exception {
        operation,
        status,
        difference,
        reason,
    }
}

const SENTENCE: &str = "every error says in a sentence what is wrong and what to do";
const FILTER: &str =
    "an invalid value of a filter is an error, because an ignored filter returns wrong records";
const SOURCE: &str = "no directory authenticates users; imported users keep theirs";
const MAIL: &str = "no mail is sent";
const ADMINISTRATORS: &str = "what only administrators may change is ignored in the own account";
const ONE_PROJECT: &str = "one project has one state; Redmine ignores this filter there, too";
const BEFORE_7: &str = "clients of earlier versions do not know the field";
const FILE: &str = "a bad token is named";

/// All of them.
static ALL: &[Exception] = &[
    because(
        SENTENCE,
        "createTimeEntryUnderIssue",
        404,
        "('errors' was unexpected)",
    ),
    because(
        SENTENCE,
        "removeUserFromGroup",
        404,
        "a body is not described",
    ),
    because(BEFORE_7, "getWikiPage", 200, "/wiki_page/project"),
    because(BEFORE_7, "getWikiPageByVersion", 200, "/wiki_page/project"),
    because(FILTER, "getProjects", 422, "undescribed"),
    because(FILTER, "getTimeEntries", 422, "undescribed"),
    because(FILTER, "getTimeEntriesByProject", 422, "undescribed"),
    because(ONE_PROJECT, "getTimeEntries", 200, "unknown project.status"),
    because(
        ONE_PROJECT,
        "getTimeEntriesByProject",
        200,
        "unknown project.status",
    ),
    because(FILE, "createFile", 422, "undescribed"),
    because(
        "the bytes of a query are limited",
        "getSearch",
        422,
        "undescribed",
    ),
    because(
        "nothing hinders the deletion of a time entry",
        "deleteTimeEntry",
        422,
        "never",
    ),
    because(
        "subtasks of subtasks are shown, as by Redmine 5",
        "getIssue",
        200,
        "('children' was unexpected)",
    ),
    because(
        "changes made with a private note are an entry of their own without a note, as in Redmine 5",
        "getIssue",
        200,
        "/notes: null",
    ),
    because(
        "logins are for users who are logged in",
        "getUser",
        200,
        "\"login\" is a required",
    ),
    because(
        "lists of news have no include",
        "getNewsList",
        200,
        "/news/*/attachments",
    ),
    because(
        "lists of news have no include",
        "getNewsList",
        200,
        "/news/*/comments",
    ),
    because(
        "lists of news have no include",
        "getNewsListByProject",
        200,
        "/news/*/attachments",
    ),
    because(
        "lists of news have no include",
        "getNewsListByProject",
        200,
        "/news/*/comments",
    ),
    because(
        "the projects of all custom fields would make the list very long",
        "getCustomFields",
        200,
        "/custom_fields/*/projects",
    ),
    because(
        "default dates are fixed",
        "getCustomFields",
        200,
        "/custom_fields/*/default_value_mode",
    ),
    because(SOURCE, "createUser", 201, "ignored /user/auth_source_id"),
    because(
        MAIL,
        "createUser",
        201,
        "ignored /user/notified_project_ids",
    ),
    because(SOURCE, "updateUser", 204, "ignored /user/auth_source_id"),
    because(
        MAIL,
        "updateUser",
        204,
        "ignored /user/notified_project_ids",
    ),
    because(
        SOURCE,
        "updateMyAccount",
        204,
        "ignored /user/auth_source_id",
    ),
    because(
        MAIL,
        "updateMyAccount",
        204,
        "ignored /user/notified_project_ids",
    ),
    because(
        ADMINISTRATORS,
        "updateMyAccount",
        204,
        "ignored /user/login",
    ),
    because(
        ADMINISTRATORS,
        "updateMyAccount",
        204,
        "ignored /user/admin",
    ),
    because(
        ADMINISTRATORS,
        "updateMyAccount",
        204,
        "ignored /user/must_change_passwd",
    ),
    because(
        ADMINISTRATORS,
        "updateMyAccount",
        204,
        "ignored /user/generate_password",
    ),
    because(
        ADMINISTRATORS,
        "updateMyAccount",
        204,
        "ignored /user/status",
    ),
    because(
        ADMINISTRATORS,
        "updateMyAccount",
        204,
        "ignored /user/group_ids",
    ),
    because(
        "users who cannot watch are ignored, as by Redmine",
        "addWatcher",
        204,
        "ignored /user_id",
    ),
];

/// The exceptions that a run has used.
#[derive(Default)]
pub struct Used(Vec<&'static Exception>);

impl Used {
    /// Returns whether a difference is accepted, and remembers the exception.
    pub fn explains(&mut self, operation: &str, status: u16, difference: &str) -> bool {
        let found = ALL.iter().find(|exception| {
            (exception.operation.is_empty() || exception.operation == operation)
                && exception.status == status
                && difference.contains(exception.difference)
        });
        self.0.extend(found);
        found.is_some()
    }

    /// Returns exceptions for this operation that nothing needed. They would hide later
    /// differences.
    pub fn idle(&self, operation: &str) -> Vec<String> {
        let of_operation = ALL
            .iter()
            .filter(|exception| exception.operation == operation);
        let idle = of_operation
            .filter(|exception| !self.0.iter().any(|used| std::ptr::eq(*used, *exception)));
        idle.map(|exception| {
            format!(
                "{operation}: this exception explains nothing: {} {}",
                exception.status, exception.reason
            )
        })
        .collect()
    }
}

/// Checks the body of an error that is not described: it has sentences.
pub fn body_faults(status: u16, body: &str) -> Vec<String> {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let errors = body["errors"].as_array().cloned().unwrap_or_default();
    let sentences = !errors.is_empty()
        && errors
            .iter()
            .all(|error| error.as_str().is_some_and(|error| error.len() > 5));
    if sentences {
        Vec::new()
    } else {
        vec![format!("{status} without a sentence: {body}")]
    }
}
