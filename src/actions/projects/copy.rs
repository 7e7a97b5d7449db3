//! Creates a project like another one: with the fields of its issues, its members, versions,
//! categories and forums.

use super::create::create;
use crate::accounts::memberships;
use crate::prelude::*;
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::content::board::Board;
use quarry_domain::ids::{CategoryId, CustomFieldId, VersionId};
use quarry_domain::projects::category::Category;
use quarry_domain::projects::project::ProjectChange;
use quarry_domain::projects::version::Version;
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::content::boards;
use quarry_store::projects;
use quarry_store::projects::{categories, versions};
use std::collections::HashMap;
use std::sync::Arc;

/// What a new project takes over from another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopiedParts {
    pub members: bool,
    pub versions: bool,
    pub categories: bool,
    pub boards: bool,
}

/// Creates a project and copies parts of another one, in one transaction. Returns its id.
///
/// # Errors
/// `NotFound` if there is no project to copy from.
pub fn create_copy(
    db: &mut Write<'_>,
    viewer: &Viewer,
    change: &ProjectChange,
    from: ProjectId,
    parts: CopiedParts,
) -> Result<ProjectId, ActionError> {
    if !viewer.admin {
        return Err(ActionError::Forbidden);
    }
    if !db.catalogue().projects.contains_key(&from) {
        return Err(ActionError::NotFound);
    }
    let fields: Vec<CustomFieldId> = db
        .catalogue()
        .custom_fields_of(Customized::Issue)
        .filter(|field| !field.is_for_all && field.projects.contains(&from))
        .map(|field| field.id)
        .collect();
    let id = create(db, viewer, change)?;
    projects::set_issue_fields(db, id, &fields)?;
    if parts.members {
        memberships::copy_to_new_project(db, viewer, from, id)?;
    }
    if parts.versions {
        copy_versions(db, from, id)?;
    }
    if parts.categories {
        copy_categories(db, from, id)?;
    }
    if parts.boards {
        copy_boards(db, from, id)?;
    }
    Ok(id)
}

fn copy_versions(db: &mut Write<'_>, from: ProjectId, to: ProjectId) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let mut originals: Vec<&Version> = catalogue
        .versions
        .values()
        .filter(|version| version.project == from)
        .collect();
    originals.stable_sort_by_key(|version| version.id);
    for original in originals {
        let copy = Version {
            id: VersionId(0),
            project: to,
            wiki_page_title: None,
            created_on: db.now(),
            updated_on: db.now(),
            ..original.clone()
        };
        versions::insert(db, &copy)?;
    }
    Ok(())
}

fn copy_categories(db: &mut Write<'_>, from: ProjectId, to: ProjectId) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let mut originals: Vec<&Category> = catalogue
        .categories
        .values()
        .filter(|category| category.project == from)
        .collect();
    originals.stable_sort_by_key(|category| category.id);
    for original in originals {
        let copy = Category {
            id: CategoryId(0),
            project: to,
            ..original.clone()
        };
        categories::insert(db, &copy)?;
    }
    Ok(())
}

fn copy_boards(db: &mut Write<'_>, from: ProjectId, to: ProjectId) -> Result<(), ActionError> {
    let originals = boards::list(db, from)?;
    let mut copies: HashMap<i64, i64> = HashMap::new();
    for original in &originals {
        let copy = Board {
            id: 0,
            project: to,
            parent: None,
            ..original.clone()
        };
        let id = boards::insert(db, &copy)?;
        copies.insert(original.id, id);
    }
    for original in &originals {
        let parent = original.parent.and_then(|parent| copies.get(&parent));
        let id = copies.get(&original.id);
        if let (Some(parent), Some(id)) = (parent, id) {
            let copy = Board {
                id: *id,
                project: to,
                parent: Some(*parent),
                ..original.clone()
            };
            boards::update(db, &copy)?;
        }
    }
    Ok(())
}
