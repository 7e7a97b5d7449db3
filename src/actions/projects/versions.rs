//! Versions of projects (compatibility 11.8).
//!
//! Invariants: no issue, file or custom value refers to a deleted version. Issues and projects lose
//! a version that is no longer shared with them. May import: `domain`, `store`.

use crate::administration::custom_values;
use crate::prelude::*;
use jiff::civil::Date;
use quarry_domain::administration::custom_field::{Customized, RequestedValues, Values};
use quarry_domain::content::attachment::{Container, ContainerType};
use quarry_domain::ids::VersionId;
use quarry_domain::projects::version::{
    MAX_VERSION_NAME_LENGTH, MAX_VERSION_TEXT_LENGTH, Sharing, VERSION_STATUSES, Version,
};
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::administration::custom_fields;
use quarry_store::content::attachments;
use quarry_store::projects::versions;
use std::sync::Arc;

/// The status of versions that are no target of issues any longer.
const CLOSED: &str = "closed";

/// Returns the version if the viewer may see the issues of its project.
pub fn find<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    id: VersionId,
) -> Result<&'c Version, ActionError> {
    let version = catalogue.versions.get(&id).ok_or(ActionError::NotFound)?;
    if viewer.may(Permission::ViewIssues, version.project) {
        Ok(version)
    } else {
        Err(ActionError::Forbidden)
    }
}

/// Returns the versions of a project and those that are shared with it, by id.
///
/// # Errors
/// `Forbidden` if the viewer may not see the issues of the project.
pub fn list<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    project: ProjectId,
) -> Result<Vec<&'c Version>, ActionError> {
    if !viewer.may(Permission::ViewIssues, project) {
        return Err(ActionError::Forbidden);
    }
    let mut versions: Vec<&Version> = catalogue
        .versions
        .values()
        .filter(|version| catalogue.is_shared_with(version, project))
        .collect();
    versions.stable_sort_by_key(|version| version.id);
    Ok(versions)
}

/// Returns the version if the viewer may manage the versions of its project.
fn find_managed<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    id: VersionId,
) -> Result<&'c Version, ActionError> {
    let version = catalogue.versions.get(&id).ok_or(ActionError::NotFound)?;
    if viewer.may(Permission::ManageVersions, version.project) {
        Ok(version)
    } else {
        Err(ActionError::Forbidden)
    }
}

impl Resource for Version {
    type Id = VersionId;
    type Parent = ProjectId;
    type Change = VersionChange;

    /// Creates a version of the project, and returns its id.
    ///
    /// # Errors
    /// `Invalid` with the sentences of compatibility 11.8.
    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        project: ProjectId,
        change: &VersionChange,
    ) -> Result<VersionId, ActionError> {
        if !viewer.may(Permission::ManageVersions, project) {
            return Err(ActionError::Forbidden);
        }
        let catalogue = Arc::clone(db.catalogue());
        let now = db.now();
        let blank = Draft {
            version: Version {
                project,
                status: "open".to_owned(),
                description: Some(String::new()),
                created_on: now,
                updated_on: now,
                ..Version::default()
            },
            values: Values::defaults(catalogue.custom_fields_of(Customized::Version)),
        };
        let draft = change.apply_to(&catalogue, viewer, &blank, true)?;
        let id = versions::insert(db, &draft.version)?;
        custom_fields::update(db, Customized::Version, id.0, &draft.values)?;
        if change.is_default == Some(true) {
            versions::set_default(db, project, Some(id))?;
        }
        Ok(id)
    }

    /// Updates a version. Issues of projects with which it is no longer shared lose it as target
    /// version.
    ///
    /// # Errors
    /// `Invalid` with the sentences of compatibility 11.8.
    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: VersionId,
        change: &VersionChange,
    ) -> Result<(), ActionError> {
        let catalogue = Arc::clone(db.catalogue());
        let version = find_managed(&catalogue, viewer, id)?;
        let before = Draft {
            version: version.clone(),
            values: custom_fields::find_values(db, Customized::Version, id.0)?,
        };
        let mut after = change.apply_to(&catalogue, viewer, &before, false)?;
        if (&after.version, &after.values) != (&before.version, &before.values) {
            after.version.updated_on = db.now();
            versions::update(db, &after.version)?;
            custom_fields::update(db, Customized::Version, id.0, &after.values)?;
        }
        if after.version.sharing != before.version.sharing {
            let mut changed = (*catalogue).clone();
            changed.versions.insert(id, after.version);
            versions::detach_unshared(db, &changed)?;
        }
        let is_default = catalogue
            .projects
            .get(&version.project)
            .is_some_and(|project| project.default_version == Some(id));
        match change.is_default {
            Some(true) if !is_default => versions::set_default(db, version.project, Some(id))?,
            Some(false) if is_default => versions::set_default(db, version.project, None)?,
            _ => {}
        }
        Ok(())
    }

    /// Deletes a version that nothing refers to.
    ///
    /// # Errors
    /// `Invalid` while issues have it as target version, while it has files, and while it is the
    /// value of a custom field.
    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: VersionId,
        _replacement: Option<VersionId>,
    ) -> Result<(), ActionError> {
        let catalogue = Arc::clone(db.catalogue());
        find_managed(&catalogue, viewer, id)?;
        let container = Container {
            container_type: ContainerType::Version,
            id: id.0,
        };
        let use_of = if versions::is_target(db, id)? {
            Some("it is the target version of issues")
        } else if attachments::count_by_container(db, container)? > 0 {
            Some("it has files")
        } else if versions::is_custom_value(db, id)? {
            Some("it is the value of a custom field")
        } else {
            None
        };
        if let Some(use_of) = use_of {
            return Err(ActionError::invalid(format!(
                "The version cannot be deleted: {use_of}"
            )));
        }
        custom_fields::delete_values(db, Customized::Version, id.0)?;
        Ok(versions::delete(db, id)?)
    }
}

/// The requested attributes of a version. Unset ones stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VersionChange {
    pub name: Patch<String>,
    pub description: Patch<String>,
    /// `open`, `locked` or `closed`.
    pub status: Patch<String>,
    /// The due date as text.
    pub due_date: Patch<String>,
    /// The name of the sharing; ignored if the viewer may not share so widely.
    pub sharing: Patch<String>,
    /// The title of a wiki page.
    pub wiki_page_title: Patch<String>,
    /// Whether it is the default version of its project.
    pub is_default: Option<bool>,
    /// Values of custom fields.
    pub custom: RequestedValues,
}

/// A version with the values of its custom fields.
struct Draft {
    pub version: Version,
    pub values: Values,
}

impl VersionChange {
    /// Returns the version after the change. `is_new` tells that the required custom fields must
    /// have values.
    ///
    /// # Errors
    /// `Invalid` with the sentences of compatibility 11.8.
    fn apply_to(
        &self,
        catalogue: &Catalogue,
        viewer: &Viewer,
        before: &Draft,
        is_new: bool,
    ) -> Result<Draft, ActionError> {
        let mut version = before.version.clone();
        let mut errors = ValidationErrors::new();
        version.name = self.name.apply_to_text(&version.name);
        version.status = self.status.apply_to_text(&version.status);
        version.description = self.description.apply_to(version.description);
        version.wiki_page_title = self.wiki_page_title.apply_to(version.wiki_page_title);
        errors.require_text("name", "Name", &version.name, MAX_VERSION_NAME_LENGTH);
        errors.refuse_line_breaks("name", "Name", &version.name, Some(&before.version.name));
        let mut siblings = catalogue
            .versions
            .values()
            .filter(|sibling| sibling.project == version.project && sibling.id != version.id);
        if siblings.any(|sibling| sibling.name == version.name) {
            errors.add("name", "Name", "has already been taken");
        }
        if version.description != before.version.description {
            errors.limit_text(
                "description",
                "Description",
                version.description.as_deref().unwrap_or_default(),
                MAX_VERSION_TEXT_LENGTH,
            );
        }
        match self
            .due_date
            .value()
            .map(|text| text.parse::<Date>().ok().filter(|_| text.len() == 10))
        {
            Some(None) => errors.add("effective_date", "Due date", "is not a valid date"),
            Some(day) => version.due_date = day,
            None if self.due_date.is_present() => version.due_date = None,
            None => {}
        }
        if version.wiki_page_title != before.version.wiki_page_title {
            errors.limit_text(
                "wiki_page_title",
                "Wiki page",
                version.wiki_page_title.as_deref().unwrap_or_default(),
                MAX_VERSION_TEXT_LENGTH,
            );
        }
        if !VERSION_STATUSES.contains(&version.status.as_str()) {
            errors.add("status", "Status", "is not included in the list");
        }
        match self.sharing.value().map(|name| name.parse::<Sharing>()) {
            Some(Err(_)) => errors.add("sharing", "Sharing", "is not included in the list"),
            Some(Ok(sharing)) if may_share(catalogue, viewer, &before.version, sharing) => {
                version.sharing = sharing
            }
            Some(Ok(_)) | None => {}
        }
        let project = version.project;
        let fields =
            custom_values::settable_fields(catalogue, viewer, Customized::Version, project);
        let is_selectable =
            |field: &_, id| custom_values::is_version_or_user(catalogue, project, field, id);
        let values = custom_values::apply(
            catalogue,
            &mut errors,
            &fields,
            &before.values,
            &self.custom,
            is_new,
            is_selectable,
        );
        errors.into_result().map_err(ActionError::Invalid)?;
        Ok(Draft { version, values })
    }
}

/// Returns how widely the viewer may share a version.
pub fn sharings(
    catalogue: &Catalogue,
    viewer: &Viewer,
    version: &Version,
) -> impl Iterator<Item = Sharing> {
    let all = Sharing::ALL.iter().copied();
    all.filter(|sharing| may_share(catalogue, viewer, version, *sharing))
}

/// Whether the viewer may share the version so widely: with the whole tree if they manage the
/// versions of its root, with everybody as an administrator.
fn may_share(catalogue: &Catalogue, viewer: &Viewer, version: &Version, sharing: Sharing) -> bool {
    match sharing {
        Sharing::None | Sharing::Descendants => true,
        sharing if sharing == version.sharing => true,
        Sharing::Hierarchy | Sharing::Tree => {
            viewer.may(Permission::ManageVersions, catalogue.root(version.project))
        }
        Sharing::System => viewer.admin,
    }
}

/// Returns the versions of a project that are completed: they are not closed, their due date is
/// over, and all of their issues are closed.
pub fn completed<'c>(
    db: &'c Read<'_>,
    project: ProjectId,
    today: Date,
) -> Result<Vec<&'c Version>, StoreError> {
    let mut completed = Vec::new();
    for version in db.catalogue().versions.values() {
        let is_over = version.due_date.is_some_and(|date| date < today);
        if version.project == project
            && version.status != CLOSED
            && is_over
            && !versions::has_open_issues(db, version.id)?
        {
            completed.push(version);
        }
    }
    completed.stable_sort_by_key(|version| (version.due_date, version.id));
    Ok(completed)
}

/// Closes the versions of a project that are completed. Returns how many they are.
pub fn close_completed(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    today: Date,
) -> Result<usize, ActionError> {
    if !viewer.may(Permission::ManageVersions, project) {
        return Err(ActionError::Forbidden);
    }
    let finished: Vec<Version> = completed(db, project, today)?
        .into_iter()
        .cloned()
        .collect();
    for version in &finished {
        let closed = Version {
            status: CLOSED.to_owned(),
            updated_on: db.now(),
            ..version.clone()
        };
        versions::update(db, &closed)?;
    }
    Ok(finished.len())
}
