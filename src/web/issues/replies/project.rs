//! `/projects/:id/settings/replies`: the saved replies of a project.

use super::fields::{row, sections};
use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_page::Section;
use crate::components::list_page::ListPage;
use crate::prelude::*;
use crate::records::record_area::{ProjectSettingsArea, RecordArea};
use crate::records::record_pages::{RecordPages, delete_path, edit_path};
use crate::records::record_routes::project_routes;
use quarry_actions::issues::saved_replies as actions;
use quarry_domain::issues::saved_reply::{ReplyOwner, SavedReply};
use quarry_store::issues::saved_replies;

const SECTION: &str = "Saved replies";

/// Returns the routes of the replies of projects.
pub fn routes() -> Routes {
    project_routes::<ProjectReplyPages>("replies", list)
}

fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = ProjectReplyPages::AREA.parent(request, catalogue)?;
    let replies = actions::list(db, request.viewer(), ReplyOwner::Project(project))?;
    let rows = replies.iter().map(|reply| {
        row(
            reply,
            edit_path::<ProjectReplyPages>(reply.id.0),
            delete_path::<ProjectReplyPages>(reply.id.0),
        )
    });
    let rows = rows.collect();
    let frame = ProjectReplyPages::AREA.frame(request, db, project, SECTION)?;
    ListPage::new(frame, &["Name", "Text", ""], rows)
        .with_heading(SECTION)
        .with_introduction("Texts that everybody who comments on issues of the project can insert.")
        .with_button(
            "New saved reply",
            ProjectReplyPages::AREA.new_path(catalogue, project),
        )
        .with_empty(
            "The project has no saved reply yet.",
            "Save a text that many of you write often; it is chosen below a comment.",
        )
        .render()
}

struct ProjectReplyPages;

impl RecordPages for ProjectReplyPages {
    type Resource = SavedReply;
    type Record = SavedReply;
    type Parent = ProjectId;
    type Area = ProjectSettingsArea;

    const NOUN: &'static str = "saved reply";
    const PATH: &'static str = "/replies";
    const AREA: ProjectSettingsArea = ProjectSettingsArea {
        label: SECTION,
        list: "/settings/replies",
        new: "/replies/new",
        permission: Permission::EditProject,
    };

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<SavedReply, Error> {
        let reply = saved_replies::find(db, request.id_param("id")?)?;
        let reply = reply.ok_or_else(|| access::missing(request))?;
        let ReplyOwner::Project(project) = reply.owner else {
            return Err(access::missing(request));
        };
        access::managed_by_id(request, db.catalogue(), project, Permission::EditProject)?;
        Ok(reply)
    }

    fn parent_of(reply: &SavedReply) -> ProjectId {
        match reply.owner {
            ReplyOwner::Project(project) => project,
            ReplyOwner::User(_) => ProjectId::default(),
        }
    }

    fn id(reply: &SavedReply) -> i64 {
        reply.id.0
    }

    fn name(reply: &SavedReply) -> &str {
        &reply.name
    }

    fn sections(
        _request: &RequestContext,
        _db: &Read<'_>,
        project: ProjectId,
        reply: Option<&SavedReply>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<Section>, Error> {
        let preview = paths::preview("project", project);
        Ok(sections(reply, form, Some(preview)))
    }
}
