//! Labels of scopes, grouped by module.

use crate::domain::module::Module;
use crate::domain::oauth::{ADMIN_SCOPE, Scopes};
use crate::domain::permission::{Permission, PermissionSet};
use crate::web::choices::Choice;

/// The scopes of one module, as the consent page lists them.
pub struct ScopeGroup {
    /// The module.
    pub heading: &'static str,
    /// The labels of its scopes.
    pub labels: Vec<String>,
}

/// The scopes of one module, as checkboxes of the form of an application.
pub struct ScopeChoices {
    /// The module.
    pub heading: &'static str,
    /// One for each scope.
    pub choices: Vec<Choice>,
}

/// Returns the label of a scope: `view_issues` becomes "View issues".
pub fn label(scope: &str) -> String {
    if scope == ADMIN_SCOPE {
        return "Everything that administrators can do".to_owned();
    }
    let words = scope.replace('_', " ");
    let mut characters = words.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
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
    let groups = |reads: bool| {
        let in_module = |module: Option<Module>| -> Vec<String> {
            let names = permissions.iter().filter(|permission| {
                permission.module() == module && is_view_permission(*permission) == reads
            });
            names.map(|permission| label(permission.name())).collect()
        };
        let groups = modules().map(|module| ScopeGroup {
            heading: heading(module),
            labels: in_module(module),
        });
        groups.filter(|group| !group.labels.is_empty()).collect()
    };
    (groups(true), groups(false))
}

/// Returns a checkbox for each scope, checked if it is selected. Those without a module, which most
/// applications need, come first.
pub fn choices(selected: Scopes) -> Vec<ScopeChoices> {
    let choice = |name: &'static str, is_selected: bool| Choice {
        value: name.to_owned(),
        label: label(name),
        is_selected,
    };
    let groups = modules().map(|module| ScopeChoices {
        heading: heading(module),
        choices: Permission::all()
            .filter(|permission| permission.module() == module)
            .map(|permission| choice(permission.name(), selected.permissions.contains(permission)))
            .collect(),
    });
    let admin = ScopeChoices {
        heading: "Administration",
        choices: vec![choice(ADMIN_SCOPE, selected.admin)],
    };
    groups.chain(std::iter::once(admin)).collect()
}

fn modules() -> impl Iterator<Item = Option<Module>> {
    std::iter::once(None).chain(Module::ALL.iter().copied().map(Some))
}

fn heading(module: Option<Module>) -> &'static str {
    match module {
        None => "Projects",
        Some(Module::IssueTracking) => "Issues",
        Some(Module::TimeTracking) => "Time entries",
        Some(Module::News) => "News",
        Some(Module::Documents) => "Documents",
        Some(Module::Files) => "Files",
        Some(Module::Wiki) => "Wiki",
        Some(Module::Repository) => "Repositories",
        Some(Module::Boards) => "Forums",
        Some(Module::Calendar) => "Calendar",
        Some(Module::Gantt) => "Gantt chart",
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
        let labels = |groups: Vec<ScopeGroup>| -> Vec<String> {
            groups.into_iter().flat_map(|group| group.labels).collect()
        };
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

    #[test]
    fn label_is_the_name_in_words() {
        assert_eq!(label("edit_own_issue_notes"), "Edit own issue notes");
    }
}
