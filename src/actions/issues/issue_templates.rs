//! Templates of issues: what new issues of a tracker begin with in a project. Those who may edit
//! the project manage them; everybody who may add issues there uses them.

use crate::prelude::*;
use quarry_domain::ids::{IssueTemplateId, TrackerId};
use quarry_domain::issues::template::{
    IssueTemplate, MAX_TEMPLATE_LENGTH, MAX_TEMPLATE_NAME_LENGTH, MAX_TEMPLATE_SUBJECT_LENGTH,
    MAX_TEMPLATES,
};
use quarry_domain::validation::ValidationError;
use quarry_domain::values::text::is_blank;
use quarry_store::issues::templates;
use std::sync::Arc;

/// The attributes of a template in a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IssueTemplateChange {
    pub tracker: Patch<TrackerId>,
    pub name: Patch<String>,
    pub subject: Patch<String>,
    pub description: Patch<String>,
    pub is_default: Patch<bool>,
}

impl IssueTemplateChange {
    /// Returns the template after the change.
    fn apply_to(&self, before: IssueTemplate) -> IssueTemplate {
        IssueTemplate {
            tracker: self.tracker.value().copied().unwrap_or(before.tracker),
            name: self.name.apply_trimmed(&before.name),
            subject: self.subject.apply_to_text(&before.subject),
            description: self.description.apply_to_text(&before.description),
            is_default: self
                .is_default
                .value()
                .copied()
                .unwrap_or(before.is_default),
            ..before
        }
    }
}

/// Returns the template if the viewer may manage it.
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer may not edit its project.
pub fn find(
    db: &Read<'_>,
    viewer: &Viewer,
    id: IssueTemplateId,
) -> Result<IssueTemplate, ActionError> {
    let template = templates::find(db, id)?.ok_or(ActionError::NotFound)?;
    require(viewer, template.project)?;
    Ok(template)
}

fn require(viewer: &Viewer, project: ProjectId) -> Result<(), ActionError> {
    if viewer.may(Permission::EditProject, project) {
        Ok(())
    } else {
        Err(ActionError::Forbidden)
    }
}

/// Returns the templates of a project by name, for its settings.
///
/// # Errors
/// `Forbidden` if the viewer may not edit the project.
pub fn list(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
) -> Result<Vec<IssueTemplate>, ActionError> {
    require(viewer, project)?;
    Ok(templates::list(db, project)?)
}

/// Returns the templates for new issues of the viewer in a project, of all trackers, by name; none
/// where the viewer may not add issues.
pub fn list_usable(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
) -> Result<Vec<IssueTemplate>, ActionError> {
    if !viewer.may(Permission::AddIssues, project) {
        return Ok(Vec::new());
    }
    Ok(templates::list(db, project)?)
}

impl Resource for IssueTemplate {
    type Id = IssueTemplateId;
    type Parent = ProjectId;
    type Change = IssueTemplateChange;

    /// Creates a template, and returns its id.
    ///
    /// # Errors
    /// `Invalid`, also if the project has the maximum number of templates.
    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        project: ProjectId,
        change: &IssueTemplateChange,
    ) -> Result<IssueTemplateId, ActionError> {
        require(viewer, project)?;
        if templates::list(db, project)?.len() >= MAX_TEMPLATES {
            let message = format!("There are {MAX_TEMPLATES} templates already. Delete one first.");
            return Err(ActionError::Invalid(
                ValidationError::for_record(&message).into(),
            ));
        }
        let template = change.apply_to(IssueTemplate {
            project,
            ..IssueTemplate::default()
        });
        validate(db, None, &template)?;
        Ok(templates::insert(db, &template)?)
    }

    /// Updates a template.
    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: IssueTemplateId,
        change: &IssueTemplateChange,
    ) -> Result<(), ActionError> {
        let before = find(db, viewer, id)?;
        let template = change.apply_to(before.clone());
        validate(db, Some(&before), &template)?;
        Ok(templates::update(db, &template)?)
    }

    /// Deletes a template.
    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: IssueTemplateId,
        _replacement: Option<IssueTemplateId>,
    ) -> Result<(), ActionError> {
        find(db, viewer, id)?;
        Ok(templates::delete(db, id)?)
    }
}

fn validate(
    db: &Write<'_>,
    before: Option<&IssueTemplate>,
    template: &IssueTemplate,
) -> Result<(), ActionError> {
    let catalogue: Arc<Catalogue> = Arc::clone(db.catalogue());
    let mut errors = ValidationErrors::new();
    errors.require_text("name", "Name", &template.name, MAX_TEMPLATE_NAME_LENGTH);
    let project = catalogue.projects.get(&template.project);
    if !project.is_some_and(|project| project.trackers.contains(&template.tracker)) {
        errors.add("tracker_id", "Tracker", "is not included in the list");
    }
    let max = MAX_TEMPLATE_SUBJECT_LENGTH;
    errors.limit_text("subject", "Subject", &template.subject, max);
    let old_name = before.map(|before| before.name.as_str());
    errors.refuse_line_breaks("name", "Name", &template.name, old_name);
    let old_subject = before.map(|before| before.subject.as_str());
    errors.refuse_line_breaks("subject", "Subject", &template.subject, old_subject);
    errors.limit_text(
        "description",
        "Description",
        &template.description,
        MAX_TEMPLATE_LENGTH,
    );
    if is_blank(&template.subject) && is_blank(&template.description) {
        errors.add("description", "Description", "cannot be blank");
    }
    let others = templates::list(db, template.project)?;
    let mut others = others.iter().filter(|other| other.id != template.id);
    if others.any(|other| other.tracker == template.tracker && other.name == template.name) {
        errors.add("name", "Name", "has already been taken");
    }
    errors.into_result().map_err(ActionError::Invalid)
}
