//! The form of an OAuth application: its values, the choice of scopes, and the errors of its
//! fields.

use crate::choices::Choice;
use crate::form::field;
use crate::permission_labels;
use crate::permission_labels::{heading, modules, permissions_of};
use quarry_domain::access::permission::{Permission, PermissionSet};
use quarry_domain::accounts::oauth::{ADMIN_SCOPE, Application, ApplicationChange, Scopes};
use quarry_domain::validation::ValidationErrors;
use quarry_http::{Error, RequestContext};
use quarry_store::Read;
use quarry_store::accounts::oauth::applications;
use quarry_wire::Input;

/// Maximum number of lines that are parsed as redirect URIs. Fewer are permitted; see
/// [`quarry_domain::accounts::oauth::MAX_REDIRECT_URIS`].
const MAX_LINES: usize = 100;

/// The values of the form.
pub struct ApplicationForm {
    pub name: String,
    /// The redirect URIs, one per line.
    pub redirect_uris: String,
    pub scopes: Vec<ScopeChoices>,
    /// Whether the application can keep a secret.
    pub is_confidential: bool,
    /// The error messages of the fields.
    pub errors: Errors,
}

/// The error messages of the fields.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    /// About the name.
    pub name: Option<String>,
    /// About the redirect URIs.
    pub redirect_uris: Option<String>,
    /// About the scopes.
    pub scopes: Option<String>,
    /// About the password of the administrator.
    pub password: Option<String>,
    /// About anything else.
    pub other: Option<String>,
}

impl Errors {
    /// Sorts the errors of an action by field. Each field shows its first one.
    pub fn new(invalid: ValidationErrors) -> Errors {
        let mut errors = Errors::default();
        for error in invalid {
            let field = match error.attribute.as_deref() {
                Some("name") => &mut errors.name,
                Some("redirect_uri") => &mut errors.redirect_uris,
                Some("scopes") => &mut errors.scopes,
                _ => &mut errors.other,
            };
            field.get_or_insert(error.to_string());
        }
        errors
    }

    /// Returns the error of a wrong password.
    pub fn password(message: String) -> Errors {
        Errors {
            password: Some(message),
            ..Errors::default()
        }
    }
}

impl ApplicationForm {
    /// Returns the form for a new application: a confidential one that may read issues and
    /// projects.
    pub fn new() -> ApplicationForm {
        let default_scopes = [
            "view_project",
            "search_project",
            "view_members",
            "view_issues",
        ];
        let scopes = default_scopes
            .into_iter()
            .fold(Scopes::default(), |scopes, name| {
                scopes.with(name).unwrap_or(scopes)
            });
        ApplicationForm {
            name: String::new(),
            redirect_uris: String::new(),
            scopes: choices(scopes),
            is_confidential: true,
            errors: Errors::default(),
        }
    }

    /// Returns the form with the submitted values.
    pub fn from_change(change: &ApplicationChange, errors: Errors) -> ApplicationForm {
        let scopes = change
            .scopes
            .iter()
            .fold(Scopes::default(), |scopes, name| {
                scopes.with(name).unwrap_or(scopes)
            });
        ApplicationForm {
            name: change.name.clone(),
            redirect_uris: change.redirect_uris.join("\n"),
            scopes: choices(scopes),
            is_confidential: change.is_confidential,
            errors,
        }
    }

    /// Returns the form with the stored values.
    pub fn from_application(application: &Application) -> ApplicationForm {
        let uris: Vec<String> = application
            .redirect_uris
            .iter()
            .map(ToString::to_string)
            .collect();
        ApplicationForm {
            name: application.name.clone(),
            redirect_uris: uris.join("\n"),
            scopes: choices(application.scopes),
            is_confidential: application.is_confidential,
            errors: Errors::default(),
        }
    }
}

/// Parses the submitted form.
pub fn parse(request: &RequestContext) -> ApplicationChange {
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
pub fn find(request: &RequestContext, db: &Read<'_>) -> Result<Application, Error> {
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

/// The scopes of one module, as checkboxes of the form of an application.
pub struct ScopeChoices {
    /// The module.
    pub heading: &'static str,
    /// One for each scope.
    pub choices: Vec<Choice>,
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

/// Returns a checkbox for each scope, checked if it is selected. Those without a module, which most
/// applications need, come first.
pub fn choices(selected: Scopes) -> Vec<ScopeChoices> {
    let groups = modules().map(|module| ScopeChoices {
        heading: heading(module),
        choices: permissions_of(module)
            .map(|permission| {
                scope_choice(permission.name(), selected.permissions.contains(permission))
            })
            .collect(),
    });
    let admin = ScopeChoices {
        heading: "Administration",
        choices: vec![scope_choice(ADMIN_SCOPE, selected.admin)],
    };
    groups.chain(std::iter::once(admin)).collect()
}

fn scope_choice(name: &'static str, is_selected: bool) -> Choice {
    Choice {
        value: name.to_owned(),
        label: label(name),
        is_selected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_has_one_checkbox() {
        let values: Vec<String> = choices(Scopes::default())
            .into_iter()
            .flat_map(|group| group.choices)
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
