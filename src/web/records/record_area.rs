//! Where the list and the forms of a kind of records are: in the administration, or in the settings of a
//! project.

use crate::access;
use crate::frame::Frame;
use crate::prelude::*;

/// Where the list and the forms of a kind of records are, and for whom.
pub trait RecordArea {
    /// What the records belong to.
    type Parent;

    /// Returns the parent in the path. Fails when the viewer may not create a record there.
    fn parent(
        &self,
        request: &RequestContext,
        catalogue: &Catalogue,
    ) -> Result<Self::Parent, Error>;

    /// Returns the frame of a page with this title.
    fn frame(
        &self,
        request: &RequestContext,
        db: &Read<'_>,
        parent: Self::Parent,
        title: &str,
    ) -> Result<Frame, Error>;

    /// Returns the address of the list.
    fn list_path(&self, catalogue: &Catalogue, parent: Self::Parent) -> String;

    /// Returns the address of the form of a new record.
    fn new_path(&self, catalogue: &Catalogue, parent: Self::Parent) -> String;
}

/// A part of the administration. The routes of its pages are for administrators.
pub struct AdministrationArea {
    /// What people call the list.
    pub label: &'static str,
    /// The address of the list, such as `/trackers`.
    pub path: &'static str,
}

impl RecordArea for AdministrationArea {
    type Parent = ();

    fn parent(&self, _request: &RequestContext, _catalogue: &Catalogue) -> Result<(), Error> {
        Ok(())
    }

    fn frame(
        &self,
        request: &RequestContext,
        db: &Read<'_>,
        (): (),
        title: &str,
    ) -> Result<Frame, Error> {
        Ok(Frame::for_administration(request, db, title).below(self.label, self.path))
    }

    fn list_path(&self, _catalogue: &Catalogue, (): ()) -> String {
        self.path.to_owned()
    }

    fn new_path(&self, _catalogue: &Catalogue, (): ()) -> String {
        format!("{}/new", self.path)
    }
}

/// A part of the settings of a project.
pub struct ProjectSettingsArea {
    /// What people call the list.
    pub label: &'static str,
    /// The address of the list below that of the project, such as `/settings/versions`.
    pub list: &'static str,
    /// The address of the form of a new record below that of the project, such as `/versions/new`.
    pub new: &'static str,
    /// Who may see and change the records.
    pub permission: Permission,
}

impl RecordArea for ProjectSettingsArea {
    type Parent = ProjectId;

    fn parent(&self, request: &RequestContext, catalogue: &Catalogue) -> Result<ProjectId, Error> {
        Ok(access::managed_project(request, catalogue, self.permission)?.id)
    }

    fn frame(
        &self,
        request: &RequestContext,
        db: &Read<'_>,
        project: ProjectId,
        title: &str,
    ) -> Result<Frame, Error> {
        let project = access::by_id(request, db.catalogue(), project)?;
        Ok(Frame::for_project_settings(
            request, db, project, self.label, title,
        ))
    }

    fn list_path(&self, catalogue: &Catalogue, project: ProjectId) -> String {
        paths::below_project(catalogue, project, self.list)
    }

    fn new_path(&self, catalogue: &Catalogue, project: ProjectId) -> String {
        paths::below_project(catalogue, project, self.new)
    }
}
