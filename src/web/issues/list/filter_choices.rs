//! The values to choose from in the form of a filter: only what the viewer may see.

use crate::components::form_field::{Choice, choice, sort_by_label};
use quarry_domain::access::permission::Permission;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::{CustomField, Format};
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{CustomFieldId, PrincipalId, ProjectId};
use quarry_domain::query::associations::ValueField;
use quarry_domain::query::issues::Field;

/// The context of the choices.
#[derive(Clone, Copy)]
pub struct FilterChoices<'a> {
    pub viewer: &'a Viewer,
    pub catalogue: &'a Catalogue,
    /// The project of the list.
    pub project: Option<ProjectId>,
}

impl FilterChoices<'_> {
    /// Returns the choices for a field; `None` if its values are typed.
    pub fn of(&self, field: Field) -> Option<Vec<Choice>> {
        let catalogue = self.catalogue;
        let choices = match field {
            Field::Status => {
                let statuses = catalogue.statuses.iter();
                statuses
                    .map(|status| choice(status.id, &status.name))
                    .collect()
            }
            Field::Tracker => self.trackers(),
            Field::Priority => {
                let priorities = catalogue.enumerations_of(EnumerationKind::IssuePriority);
                priorities
                    .map(|priority| choice(priority.id, &priority.name))
                    .collect()
            }
            Field::Project | Field::Subproject => self.projects(field),
            Field::Author | Field::Watcher | Field::UpdatedBy | Field::LastUpdatedBy => {
                self.people(|id| catalogue.users.contains_key(&id.0.into()))
            }
            Field::Assignee => self.people(|_| true),
            Field::AuthorGroup | Field::AssigneeGroup => {
                let groups = self.principals();
                let groups = groups
                    .into_iter()
                    .filter(|id| catalogue.groups.contains_key(id));
                self.named(groups)
            }
            Field::AuthorRole | Field::AssigneeRole => {
                let roles = catalogue.roles.iter();
                roles.map(|role| choice(role.id, &role.name)).collect()
            }
            Field::Category => self.categories(),
            Field::Version => self.versions(),
            Field::VersionStatus | Field::OfValue(_, ValueField::VersionStatus) => {
                vec![
                    choice("open", "open"),
                    choice("locked", "locked"),
                    choice("closed", "closed"),
                ]
            }
            Field::ProjectStatus => vec![choice(1, "active"), choice(5, "closed")],
            Field::Private => vec![choice(1, "yes"), choice(0, "no")],
            Field::Custom(id)
            | Field::OfAssociation(_, id)
            | Field::OfValue(_, ValueField::Custom(id)) => return self.custom(id),
            _ => return None,
        };
        Some(choices)
    }

    fn trackers(&self) -> Vec<Choice> {
        let project = self.project.and_then(|id| self.catalogue.projects.get(&id));
        let trackers = self.catalogue.trackers.iter();
        trackers
            .filter(|tracker| {
                project.is_none_or(|project| {
                    project.trackers.is_empty() || project.trackers.contains(&tracker.id)
                })
            })
            .map(|tracker| choice(tracker.id, &tracker.name))
            .collect()
    }

    /// Returns the projects in the order of the tree. Projects whose issues the viewer cannot see
    /// have nothing to list.
    pub fn projects(&self, field: Field) -> Vec<Choice> {
        let mut choices = Vec::new();
        if field != Field::Subproject && self.viewer.user.is_some() {
            choices.push(choice("mine", "my projects"));
            choices.push(choice("bookmarks", "my bookmarks"));
        }
        let subtree = self.project.map(|root| self.catalogue.subtree(root));
        let projects = self.catalogue.tree.iter().filter(|id| {
            let is_below = subtree.as_ref().is_none_or(|ids| ids.contains(id));
            let is_in_scope = match field {
                Field::Subproject => is_below && self.project != Some(**id),
                Field::Project => is_below,
                _ => true,
            };
            is_in_scope && self.viewer.may(Permission::ViewIssues, **id)
        });
        choices.extend(projects.map(|id| choice(id, self.catalogue.project_name(*id))));
        choices
    }

    fn principals(&self) -> Vec<PrincipalId> {
        let ids = visibility::principals(self.viewer, self.catalogue);
        ids.as_slice().iter().copied().map(PrincipalId).collect()
    }

    /// Returns the viewer as `me`, then the others by name.
    fn people(&self, is_offered: impl Fn(&PrincipalId) -> bool) -> Vec<Choice> {
        let mut choices = Vec::new();
        if self.viewer.user.is_some() {
            choices.push(choice("me", "me"));
        }
        let people = self.principals().into_iter().filter(is_offered);
        choices.extend(self.named(people));
        choices
    }

    fn named(&self, ids: impl Iterator<Item = PrincipalId>) -> Vec<Choice> {
        let mut choices: Vec<Choice> = ids
            .filter_map(|id| Some(choice(id, self.catalogue.principal_name(id)?)))
            .collect();
        sort_by_label(&mut choices);
        choices
    }

    fn categories(&self) -> Vec<Choice> {
        let catalogue = self.catalogue;
        let categories = catalogue.categories.values().filter(|category| {
            self.project.map_or_else(
                || self.viewer.may(Permission::ViewIssues, category.project),
                |project| category.project == project,
            )
        });
        let mut choices: Vec<Choice> = categories
            .map(|category| {
                choice(
                    category.id,
                    self.with_project(category.project, &category.name),
                )
            })
            .collect();
        sort_by_label(&mut choices);
        choices
    }

    fn versions(&self) -> Vec<Choice> {
        let catalogue = self.catalogue;
        let versions = visibility::versions(self.viewer, catalogue).filter(|version| {
            self.project
                .is_none_or(|id| catalogue.is_shared_with(version, id))
        });
        let mut choices: Vec<Choice> = versions
            .map(|version| {
                choice(
                    version.id,
                    self.with_project(version.project, &version.name),
                )
            })
            .collect();
        sort_by_label(&mut choices);
        choices
    }

    /// Returns a name with its project, unless that is the one of the list.
    fn with_project(&self, project: ProjectId, name: &str) -> String {
        if self.project == Some(project) {
            name.to_owned()
        } else {
            format!("{} – {name}", self.catalogue.project_name(project))
        }
    }

    fn custom(&self, id: CustomFieldId) -> Option<Vec<Choice>> {
        let field: &CustomField = self
            .catalogue
            .custom_fields
            .iter()
            .find(|field| field.id == id)?;
        match field.format {
            Format::List => {
                let values = field.possible_values.iter();
                Some(values.map(|value| choice(value, value.clone())).collect())
            }
            Format::Enumeration => {
                let values = field.enumeration.iter();
                Some(
                    values
                        .map(|(id, name, _)| choice(id, name.clone()))
                        .collect(),
                )
            }
            Format::Bool => Some(vec![choice(1, "yes"), choice(0, "no")]),
            Format::User => Some(self.people(|id| self.catalogue.users.contains_key(&id.0.into()))),
            Format::Version => Some(self.versions()),
            _ => None,
        }
    }
}
