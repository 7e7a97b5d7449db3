//! The form at the end of each column of a project's board, which adds an issue with the values of
//! that column and lane.

use super::columns::value_text;
use crate::prelude::*;
use quarry_actions::issues::{self, Editable, assignable};
use quarry_domain::ids::{PrincipalId, VersionId};
use quarry_domain::issues::issue::IssueChange;
use quarry_domain::projects::version::Version;
use quarry_domain::query::board::BoardField;
use quarry_domain::values::patch::Patch;
use quarry_http::resources::board_cells::BoardFields;
use quarry_store::issues::board::Cell;

/// Adds issues to a project.
pub struct CardForm<'c> {
    /// The address to which the forms are sent.
    pub path: String,
    /// Where they lead back to.
    pub back: String,
    fields: BoardFields,
    issue: Editable<'c>,
    /// To whom the issue can be assigned.
    assignable: Vec<PrincipalId>,
    catalogue: &'c Catalogue,
}

impl<'c> CardForm<'c> {
    /// Returns the form if the viewer may add issues to the project.
    pub fn new(
        request: &RequestContext,
        db: &'c Read<'_>,
        project: &Project,
        fields: BoardFields,
    ) -> Result<Option<CardForm<'c>>, Error> {
        let viewer = request.viewer();
        let has_author = viewer.author_id(db.catalogue()).is_some();
        if !has_author || !viewer.may(Permission::AddIssues, project.id) {
            return Ok(None);
        }
        let change = IssueChange {
            project: Patch::Set(project.id.to_string()),
            ..IssueChange::default()
        };
        let issue = issues::new(db, viewer, &change)?;
        Ok(issue.map(|issue| CardForm {
            path: format!("{}/issues/new", paths::project(project)),
            back: request.path_and_query(),
            fields,
            issue,
            assignable: assignable::list(db.catalogue(), project.id),
            catalogue: db.catalogue(),
        }))
    }

    fn is_open(&self, version: VersionId) -> bool {
        let version = self.catalogue.versions.get(&version);
        version.is_some_and(Version::is_open)
    }

    /// Returns the hidden fields for a new card in this cell; `None` if no new issue can be there.
    pub fn values(&self, (column, lane): Cell) -> Option<Vec<(String, String)>> {
        let values = [(Some(self.fields.0), column), (self.fields.1, lane)];
        let fields = values
            .into_iter()
            .filter_map(|(field, value)| Some((field?, value)));
        fields
            .map(|(field, value)| {
                let text = value.map_or_else(String::new, |_| value_text(value));
                let name = format!("issue[{}_id]", field.name());
                self.is_possible(field, value).then_some((name, text))
            })
            .collect()
    }

    /// Whether a new issue can have this value, as far as the workflow and the trackers decide.
    fn is_possible(&self, field: BoardField, value: Option<i64>) -> bool {
        let may_set = value.is_none() || self.issue.may_set(&format!("{}_id", field.name()));
        match field {
            BoardField::Status => self.issue.statuses.iter().any(|id| Some(id.0) == value),
            BoardField::Tracker => self.issue.trackers.iter().any(|id| Some(id.0) == value),
            BoardField::Version => value.is_none_or(|id| self.is_open(VersionId(id))) && may_set,
            // Without a choice, an issue gets the default assignee.
            BoardField::Assignee if value.is_none() => self.issue.issue.assignee.is_none(),
            BoardField::Assignee => {
                let person = value.map(PrincipalId);
                may_set && person.is_some_and(|person| self.assignable.contains(&person))
            }
            _ => may_set,
        }
    }
}
