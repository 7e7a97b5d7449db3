//! Changes of a saved query, and which of them are valid (compatibility 13.7).

use crate::administration::{apply_name, validate_name};
use crate::prelude::*;
use jiff::Timestamp;
use quarry_domain::ids::{QueryId, RoleId};
use quarry_domain::query::filter;
use quarry_domain::query::filter::{Context, MAX_TEXT_LENGTH, MAX_TOTAL_VALUES};
use quarry_domain::query::saved::{Audience, QueryKind, SavedFilter, SavedQuery};
use quarry_domain::query::{columns, issues};
use quarry_domain::validation::ValidationError;

/// Maximum length of a name and of a description in characters.
const MAX_LENGTH: usize = 255;
/// Maximum number of filters.
const MAX_FILTERS: usize = 100;

/// The requested attributes of a query. Unset ones stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryChange {
    pub name: Patch<String>,
    pub description: Patch<String>,
    /// The name of an [`Audience`].
    pub visibility: Patch<String>,
    /// The roles that may use it, with the visibility `roles`.
    pub roles: Patch<Vec<RoleId>>,
    /// Id or identifier of its project; cleared for all projects.
    pub project: Patch<String>,
    /// The filters; cleared for the default ones of the list.
    pub filters: Patch<Vec<SavedFilter>>,
    /// The names of the columns.
    pub columns: Patch<Vec<String>>,
    /// The sort criteria: a column each, with `:asc` or `:desc` after it.
    pub order: Patch<Vec<String>>,
    /// The column that groups the list.
    pub group_by: Patch<String>,
    /// The columns to sum.
    pub totals: Patch<Vec<String>>,
}

impl QueryChange {
    /// Returns the query after the change. What does not change is not validated again: an import
    /// may have brought what is not known here.
    ///
    /// # Errors
    /// `Forbidden` if the viewer may save no query in the new project.
    pub(super) fn apply_to(
        &self,
        catalogue: &Catalogue,
        viewer: &Viewer,
        before: &SavedQuery,
        now: Timestamp,
    ) -> Result<SavedQuery, ActionError> {
        let mut errors = ValidationErrors::new();
        let project = self.project(&mut errors, catalogue, viewer, before)?;
        let name = apply_name(&self.name, &before.name);
        if name != before.name || before.id == QueryId(0) {
            validate_name(&mut errors, &name, MAX_LENGTH, std::iter::empty());
        }
        let description = self
            .description
            .apply_to(Some(before.description.clone()))
            .unwrap_or_default();
        if description != before.description {
            errors.limit_text("description", "Description", &description, MAX_LENGTH);
        }
        let audience = self.audience(&mut errors, catalogue, viewer, (before, project));
        let filters = match before.kind {
            QueryKind::Searches => self.search_parameters(&mut errors, before),
            _ => self.filters(&mut errors, catalogue, viewer, (before, project), now),
        };
        let columns = names(
            &mut errors,
            ("column_names", "Column names"),
            (&before.columns, &self.columns),
            |name| columns::is_column(catalogue, viewer, name),
        );
        let order = self.order(&mut errors, catalogue, viewer, before);
        let group_by = self
            .group_by
            .apply_to(Some(before.group_by.clone()))
            .unwrap_or_default();
        if group_by != before.group_by
            && !group_by.is_empty()
            && !columns::is_groupable(catalogue, viewer, &group_by)
        {
            errors.add(
                "group_by",
                "Group by",
                &format!("is invalid (issues cannot be grouped by {group_by})"),
            );
        }
        let totals = names(
            &mut errors,
            ("totalable_names", "Totalable names"),
            (&before.totals, &self.totals),
            |name| columns::is_summable(catalogue, viewer, name),
        );
        errors.into_result().map_err(ActionError::Invalid)?;
        let id = before.id;
        let kind = before.kind;
        let owner = before.owner;
        Ok(SavedQuery {
            id,
            kind,
            name,
            description,
            project,
            owner,
            audience,
            filters,
            columns,
            order,
            group_by,
            totals,
        })
    }

    /// Returns the project after the change.
    fn project(
        &self,
        errors: &mut ValidationErrors,
        catalogue: &Catalogue,
        viewer: &Viewer,
        before: &SavedQuery,
    ) -> Result<Option<ProjectId>, ActionError> {
        let project = match &self.project {
            Patch::Unset => before.project,
            Patch::Clear => None,
            Patch::Set(reference) => match catalogue
                .project_by(reference.trim())
                .filter(|project| viewer.sees(project.id))
            {
                Some(project) => Some(project.id),
                None => {
                    errors.add("project_id", "Project", "is invalid");
                    return Ok(before.project);
                }
            },
        };
        let is_new = before.id == QueryId(0) || project != before.project;
        let may_view =
            project.is_none_or(|project| viewer.may(before.kind.view_permission(), project));
        if is_new && !(may_view && Audience::any_is_savable_by(viewer, project)) {
            return Err(ActionError::Forbidden);
        }
        Ok(project)
    }

    /// Returns who may use the query after the change.
    fn audience(
        &self,
        errors: &mut ValidationErrors,
        catalogue: &Catalogue,
        viewer: &Viewer,
        (before, project): (&SavedQuery, Option<ProjectId>),
    ) -> Audience {
        let visibility = self
            .visibility
            .apply_to(Some(before.audience.name().to_owned()));
        let roles = self
            .roles
            .apply_to(Some(before.audience.roles().to_vec()))
            .unwrap_or_default();
        let audience = match visibility.as_deref() {
            None | Some("private") => Audience::Owner,
            Some("public") => Audience::Everybody,
            Some("roles") => Audience::Roles(roles.clone()),
            Some(_) => {
                errors.add(
                    "visibility",
                    "Visibility",
                    "is not included in the list (private, roles, public)",
                );
                return before.audience.clone();
            }
        };
        let is_new = before.id == QueryId(0);
        let is_same_kind = audience.name() == before.audience.name();
        if (is_new || !is_same_kind || project != before.project)
            && !audience.is_savable_by(viewer, project)
        {
            let reason = match (&audience, project) {
                (Audience::Owner, _) => "private queries need the permission save_queries",
                (_, Some(_)) => {
                    "sharing a query needs the permission manage_public_queries in the project"
                }
                (_, None) => "only administrators share queries for all projects",
            };
            errors.add(
                "visibility",
                "Visibility",
                &format!("is invalid ({reason})"),
            );
        } else if audience == Audience::Owner
            && !is_same_kind
            && !viewer.admin
            && viewer.user != before.owner
        {
            errors.add(
                "visibility",
                "Visibility",
                "is invalid (only its author can make it private)",
            );
        }
        if roles.iter().any(|role| catalogue.role(*role).is_none()) {
            errors.add("role_ids", "Roles", "is invalid");
        }
        match audience {
            Audience::Roles(_)
                if roles.is_empty()
                    && (self.visibility.is_present() || self.roles.is_present()) =>
            {
                errors.add("role_ids", "Roles", "cannot be blank");
            }
            Audience::Roles(_) => {
                let existing = catalogue
                    .roles
                    .iter()
                    .map(|role| role.id)
                    .filter(|role| roles.contains(role));
                let mut existing: Vec<RoleId> = existing.collect();
                existing.sort_unstable();
                return Audience::Roles(existing);
            }
            _ if self.roles.value().is_some_and(|roles| !roles.is_empty()) => {
                errors.add(
                    "role_ids",
                    "Roles",
                    "is invalid (only queries with the visibility roles have roles)",
                );
            }
            _ => {}
        }
        audience
    }

    /// Returns the filters after the change. Those that the viewer cannot see stay, unless the
    /// request clears all.
    fn filters(
        &self,
        errors: &mut ValidationErrors,
        catalogue: &Catalogue,
        viewer: &Viewer,
        (before, project): (&SavedQuery, Option<ProjectId>),
        now: Timestamp,
    ) -> Option<Vec<SavedFilter>> {
        let requested = match &self.filters {
            Patch::Unset => return before.filters.clone(),
            Patch::Clear => return None,
            Patch::Set(requested) => requested,
        };
        let value_count: usize = requested.iter().map(|filter| filter.values.len()).sum();
        if requested.len() > MAX_FILTERS {
            errors.push(filters_error(&format!(
                "are too many (maximum is {MAX_FILTERS})"
            )));
        } else if value_count > MAX_TOTAL_VALUES {
            errors.push(filters_error(&format!(
                "have too many values (maximum is {MAX_TOTAL_VALUES})"
            )));
        } else {
            let (hidden, shown): (Vec<&SavedFilter>, Vec<&SavedFilter>) = before
                .filters
                .iter()
                .flatten()
                .partition(|filter| filter.is_hidden_from(viewer, catalogue));
            let known = issues::filter_fields(catalogue, viewer, project.is_some());
            let context = Context::new(viewer, catalogue, now);
            for (index, filter) in requested.iter().enumerate() {
                let values: Vec<&str> = filter.values.iter().map(String::as_str).collect();
                if requested[..index]
                    .iter()
                    .any(|earlier| earlier.name == filter.name)
                {
                    errors.push(filters_error(&format!(
                        "is invalid ({} occurs twice)",
                        filter.name
                    )));
                } else if shown.contains(&filter) {
                } else if values
                    .iter()
                    .any(|value| value.chars().nth(MAX_TEXT_LENGTH).is_some())
                {
                    errors.push(filters_error(&format!(
                        "is invalid (a value of {} is longer than {MAX_TEXT_LENGTH} characters)",
                        filter.name
                    )));
                } else if let Some(field) = known.iter().find(|field| field.name == filter.name) {
                    let parsed = filter::parse(
                        field.kind,
                        &field.label,
                        &filter.operator,
                        &values,
                        &context,
                    );
                    parsed
                        .err()
                        .into_iter()
                        .for_each(|message| errors.add_message(&message));
                } else {
                    errors.push(filters_error(&format!(
                        "is invalid (unknown filter {})",
                        filter.name
                    )));
                }
            }
            return Some(requested.iter().chain(hidden).cloned().collect());
        }
        before.filters.clone()
    }
}

/// Returns the names of columns after a change, each once.
fn names(
    errors: &mut ValidationErrors,
    (attribute, label): (&str, &str),
    (before, change): (&Vec<String>, &Patch<Vec<String>>),
    is_valid: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in change.apply_to(Some(before.clone())).unwrap_or_default() {
        if !before.contains(&name) && !is_valid(&name) {
            errors.add(
                attribute,
                label,
                &format!("is invalid (unknown column {name})"),
            );
            break;
        }
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn filters_error(message: &str) -> ValidationError {
    ValidationError::new("filters", "Filters", message)
}
