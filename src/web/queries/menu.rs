//! The menu of saved queries above a list, and what the viewer may do with the one in use.

use super::address::ListAddress;
use super::kinds::list_path;
use crate::prelude::*;
use quarry_domain::query::saved::{Audience, QueryKind, SavedQuery};
use quarry_http::resources::issue_list::IssueList;
use quarry_store as store;
use quarry_store::accounts::users;

/// Maximum number of links; the query in use has one in any case.
const MAX_LINKS: usize = 100;

/// The queries to choose from, the one in use, and what the viewer may do.
pub struct QueryMenu {
    /// The viewer's own queries that can be used for this list.
    pub own: Vec<QueryLink>,
    /// Those of others.
    pub shared: Vec<QueryLink>,
    /// The query in use, if the viewer may change it.
    pub editable: Option<EditableQuery>,
    /// The forms that make the query in use the default of the viewer or of the project, or take
    /// that back.
    pub defaults: Vec<DefaultForm>,
    /// The address of the form that saves what is shown, if the viewer may save it.
    pub save_path: Option<String>,
}

/// A link to a query.
pub struct QueryLink {
    pub name: String,
    /// The list with it.
    pub path: String,
    /// Whether it is in use.
    pub is_current: bool,
}

/// A form with one button, for a default query.
pub struct DefaultForm {
    pub path: String,
    /// The id of the query; empty for none.
    pub query: String,
    pub label: String,
}

/// The query in use.
pub struct EditableQuery {
    pub name: String,
    /// The address to which the list is sent to replace what the query says; `None` if it says the
    /// same.
    pub update_path: Option<String>,
    /// The address of the form for its name and users.
    pub edit_path: String,
}

impl QueryMenu {
    /// Loads the queries for a list. `based_on` is the query from which its filters come.
    pub fn load(
        request: &RequestContext,
        db: &Read<'_>,
        list: &IssueList,
        address: &ListAddress,
        based_on: Option<&SavedQuery>,
    ) -> Result<QueryMenu, Error> {
        let catalogue = db.catalogue();
        let viewer = request.viewer();
        let project = list.project;
        let current = list.saved.as_ref().or(based_on);
        let path = list_path(catalogue, project);
        let mut own = Vec::new();
        let mut shared = Vec::new();
        for query in store::lists::queries::list(db, QueryKind::Issues, viewer.user)? {
            let is_current = current.is_some_and(|current| current.id == query.id);
            let links = if query.owner.is_some() && query.owner == viewer.user {
                &mut own
            } else {
                &mut shared
            };
            if (links.len() < MAX_LINKS || is_current)
                && query.is_listed_for(viewer)
                && query.is_usable_by(viewer, project)
            {
                links.push(QueryLink {
                    path: format!("{path}?query_id={}", query.id),
                    name: query.name,
                    is_current,
                });
            }
        }
        let parameters = address.with(&[("page", None), ("offset", None)]);
        let editable = current.filter(|query| query.is_editable_by(viewer));
        let editable = editable.map(|query| EditableQuery {
            name: query.name.clone(),
            update_path: address
                .changes_query()
                .then(|| format!("{}{parameters}", paths::query(query.id))),
            edit_path: format!("{}/edit", paths::query(query.id)),
        });
        let may_save = viewer.user.is_some() && Audience::any_is_savable_by(viewer, project);
        let base = path.trim_end_matches("/issues");
        Ok(QueryMenu {
            own,
            shared,
            editable,
            defaults: match current {
                Some(query) => default_forms(request, db, project, query)?,
                None => Vec::new(),
            },
            save_path: may_save.then(|| format!("{base}/queries/new{parameters}")),
        })
    }

    /// Whether there is anything in the menu.
    pub fn is_needed(&self) -> bool {
        !self.own.is_empty()
            || !self.shared.is_empty()
            || self.editable.is_some()
            || !self.defaults.is_empty()
    }
}

/// Returns the forms that make the query the default of the viewer, and of the project if the viewer
/// may change that.
fn default_forms(
    request: &RequestContext,
    db: &Read<'_>,
    project: Option<ProjectId>,
    query: &SavedQuery,
) -> Result<Vec<DefaultForm>, Error> {
    let mut forms = Vec::new();
    if let Some(user) = request.viewer().user {
        let is_default = users::preferences(db, user)?.default_query == Some(query.id);
        forms.push(DefaultForm {
            path: "/queries/default".to_owned(),
            query: match is_default {
                true => String::new(),
                false => query.id.to_string(),
            },
            label: match is_default {
                true => format!("Stop using {} as my default query", query.name),
                false => format!("Make {} my default query", query.name),
            },
        });
    }
    let of_project =
        project.and_then(|project| project_form(request, db.catalogue(), project, query));
    forms.extend(of_project);
    Ok(forms)
}

/// Returns the form that makes the query the default of the project, if the viewer may.
fn project_form(
    request: &RequestContext,
    catalogue: &Catalogue,
    project: ProjectId,
    query: &SavedQuery,
) -> Option<DefaultForm> {
    let may_edit = request.viewer().may(Permission::EditProject, project);
    let project = catalogue.projects.get(&project).filter(|_| may_edit)?;
    let is_default = project.default_query == Some(query.id);
    if !is_default && !query.can_be_default_of(project.id) {
        return None;
    }
    Some(DefaultForm {
        path: format!("{}/queries/default", paths::project(project)),
        query: if is_default {
            String::new()
        } else {
            query.id.to_string()
        },
        label: if is_default {
            format!(
                "Stop using {} as the default query of the project",
                query.name
            )
        } else {
            format!("Make {} the default query of the project", query.name)
        },
    })
}
