//! The form of an OAuth application: its fields, the choice of scopes, and the requested change.

use crate::administration::permission_labels;
use crate::administration::permission_labels::{heading, modules, permissions_of};
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{Choice, FieldKind, FormField, choice};
use crate::components::form_page::Section;
use crate::form::field;
use crate::prelude::*;
use quarry_domain::access::permission::PermissionSet;
use quarry_domain::accounts::oauth::{ADMIN_SCOPE, Application, ApplicationChange};
use quarry_store::accounts::oauth::applications;

/// Maximum number of lines that are parsed as redirect URIs. Fewer are permitted; see
/// [`quarry_domain::accounts::oauth::MAX_REDIRECT_URIS`].
const MAX_LINES: usize = 100;

/// The scopes of a new application.
const DEFAULT_SCOPES: [&str; 4] = [
    "view_project",
    "search_project",
    "view_members",
    "view_issues",
];

/// Returns the fields for an application, or for a new one: by default a confidential one that may
/// read issues and projects.
pub fn sections(application: Option<&Application>, form: FieldBuilder<'_>) -> Vec<Section> {
    let uris: Vec<String> = application
        .into_iter()
        .flat_map(|application| &application.redirect_uris)
        .map(ToString::to_string)
        .collect();
    let name = application.map_or("", |application| &application.name);
    let mut fields = vec![
        form.line("name", "Name", name)
            .required()
            .with_hint("People see it when the application asks for their consent."),
        form.long_text("redirect_uris", "Redirect URIs", uris.join("\n"))
            .required()
            .with_attribute("redirect_uri")
            .with_hint(
                "One per line: https, or http to a loopback address such as \
                 http://127.0.0.1/callback. With http://127.0.0.1 and http://[::1], any port is \
                 accepted.",
            ),
    ];
    if application.is_none() {
        let kinds = [
            choice(1, "Confidential: runs on a server and can keep a secret"),
            choice(
                0,
                "Public: runs on devices of its users; it has no secret and must use PKCE",
            ),
        ];
        let kind = form.field(FieldKind::Radios, "confidential", "Type", "1");
        fields.push(kind.with_choices(kinds));
    }
    let stored: Vec<&str> = match application {
        Some(application) => application.scopes.names().collect(),
        None => DEFAULT_SCOPES.into(),
    };
    let mut scopes: Vec<FormField> = scope_choices()
        .into_iter()
        .map(|(heading, choices)| form.checkboxes("scopes", heading, &stored, choices))
        .collect();
    // The message about all of them stands at the first.
    for field in scopes.iter_mut().skip(1) {
        field.attribute.clear();
    }
    vec![
        Section::new("", fields),
        Section::new("Scopes", scopes)
            .with_hint("What the application may ask for at most. A token never allows more than its user may do."),
        Section::new("", vec![FormField::own_password("").required()]),
    ]
}

/// Parses the submitted form.
pub fn parse_application(request: &RequestContext) -> ApplicationChange {
    let scopes = request
        .body
        .get("scopes")
        .and_then(Input::as_list)
        .into_iter()
        .flatten()
        .filter_map(Input::as_text);
    let uris = field(request, "redirect_uris");
    ApplicationChange {
        name: field(request, "name"),
        redirect_uris: uris
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .take(MAX_LINES)
            .map(str::to_owned)
            .collect(),
        scopes: scopes
            .filter(|name| !name.is_empty())
            .map(|name| name.into_owned())
            .collect(),
        is_confidential: field(request, "confidential") != "0",
    }
}

/// Returns the application in the path.
pub fn find_application(request: &RequestContext, db: &Read<'_>) -> Result<Application, Error> {
    applications::find(db, request.id_param("id")?)?.ok_or(Error::NotFound)
}

/// Logs a change of an application.
pub fn audit(request: &RequestContext, client_id: &str, change: &str) {
    let user = request.viewer().user.map(|user| user.0);
    tracing::info!(
        target: "audit",
        { user.id = user, client.address = %request.address(), oauth.client = %client_id, oauth.change = change },
        "changed an OAuth application"
    );
}

/// The scopes of one module, as the consent page lists them.
pub struct ScopeGroup {
    /// The module.
    pub heading: &'static str,
    pub labels: Vec<String>,
}

/// Returns the label of a scope, which is the name of a permission or `admin`.
pub fn label(scope: &str) -> String {
    if scope == ADMIN_SCOPE {
        return "Everything that administrators can do".to_owned();
    }
    match Permission::parse(scope) {
        Some(permission) => permission_labels::label(permission).to_owned(),
        None => scope.to_owned(),
    }
}

/// Whether the consent page lists the permission under what the application can see. Closing and
/// deleting a project count as read-only for closed projects, but change something.
fn is_view_permission(permission: Permission) -> bool {
    permission.is_read_only()
        && !matches!(
            permission,
            Permission::CloseProject | Permission::DeleteProject
        )
}

/// Returns the permissions to see something, and those to change something, by module.
pub fn reads_and_writes(permissions: PermissionSet) -> (Vec<ScopeGroup>, Vec<ScopeGroup>) {
    (
        scope_groups(&permissions, true),
        scope_groups(&permissions, false),
    )
}

fn scope_groups(permissions: &PermissionSet, reads: bool) -> Vec<ScopeGroup> {
    let groups = modules().map(|module| ScopeGroup {
        heading: heading(module),
        labels: {
            let names = permissions.iter().filter(|permission| {
                permission.module() == module && is_view_permission(*permission) == reads
            });
            names
                .map(|permission| permission_labels::label(permission).to_owned())
                .collect()
        },
    });
    groups.filter(|group| !group.labels.is_empty()).collect()
}

/// Returns the scopes by module, each with its heading. Those without a module, which most
/// applications need, come first.
fn scope_choices() -> Vec<(&'static str, Vec<Choice>)> {
    let scope = |name: &str| choice(name, label(name));
    let mut groups: Vec<_> = modules()
        .map(|module| {
            let permissions = permissions_of(module);
            let choices = permissions.map(|permission| scope(permission.name()));
            (heading(module), choices.collect())
        })
        .collect();
    groups.push(("Administration", vec![scope(ADMIN_SCOPE)]));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_domain::accounts::oauth::Scopes;

    #[test]
    fn every_scope_has_one_checkbox() {
        let values: Vec<String> = scope_choices()
            .into_iter()
            .flat_map(|(_, choices)| choices)
            .map(|choice| choice.value)
            .collect();
        let mut names: Vec<&str> = Scopes::all().names().collect();
        let mut offered: Vec<&str> = values.iter().map(String::as_str).collect();
        names.sort_unstable();
        offered.sort_unstable();
        assert_eq!(offered, names);
    }

    #[test]
    fn what_changes_something_is_not_among_what_can_be_seen() {
        let (reads, writes) = reads_and_writes(PermissionSet::all());
        let reads = labels(reads);
        let writes = labels(writes);
        assert_eq!(reads.len() + writes.len(), Permission::all().count());
        assert!(
            reads
                .iter()
                .all(|label| ["View", "Search", "Browse", "Export"]
                    .iter()
                    .any(|verb| label.starts_with(verb))),
            "{reads:?}"
        );
        assert!(
            !writes.iter().any(|label| label.starts_with("View")),
            "{writes:?}"
        );
    }

    fn labels(groups: Vec<ScopeGroup>) -> Vec<String> {
        groups.into_iter().flat_map(|group| group.labels).collect()
    }

    #[test]
    fn labels_are_those_of_permissions() {
        assert_eq!(label("edit_own_issue_notes"), "Edit own comments on issues");
    }
}
