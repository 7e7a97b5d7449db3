//! The record of a file: where it is shown, and what stands above it.

use crate::access;
use crate::frame::{Frame, ProjectTab, Width};
use crate::prelude::*;
use quarry_actions::content::{documents, messages, news};
use quarry_actions::issues;
use quarry_domain::content::attachment::{Attachment, Container, ContainerType};
use quarry_domain::ids::WikiPageId;
use quarry_domain::index_feed::kind::Kind;
use quarry_store::content::{attachment_parents, wiki};

/// The record that a file belongs to.
pub struct FileRecord {
    /// Its project; `None` for a file that belongs to no record.
    pub project: Option<ProjectId>,
    tab: Option<ProjectTab>,
    /// What people call it.
    name: String,
    /// Where it is shown, if it has a page.
    pub path: Option<String>,
}

impl FileRecord {
    /// Returns the record of a file that the viewer may see.
    pub fn find(
        request: &RequestContext,
        db: &Read<'_>,
        file: &Attachment,
    ) -> Result<FileRecord, Error> {
        let viewer = request.viewer();
        let mut record = FileRecord {
            project: None,
            tab: None,
            name: String::new(),
            path: None,
        };
        let Some(container) = file.container else {
            return Ok(record);
        };
        let parent = attachment_parents::find(db, container)?;
        record.project = parent.map(|parent| parent.project);
        let project = record
            .project
            .and_then(|id| db.catalogue().projects.get(&id));
        let Container { container_type, id } = container;
        let (tab, name, path) = match container_type {
            ContainerType::Record(Kind::Issue) => {
                let issue = access::found(request, issues::find(db, viewer, IssueId(id)))?;
                let name = format!("#{id}: {}", issue.subject);
                (ProjectTab::Issues, name, paths::issue(id))
            }
            ContainerType::Record(Kind::News) => {
                let item = access::found(request, news::find(db, viewer, id))?;
                (ProjectTab::News, item.title, paths::news(id))
            }
            ContainerType::Record(Kind::Document) => {
                let document = access::found(request, documents::find(db, viewer, id))?;
                (ProjectTab::Documents, document.title, paths::document(id))
            }
            ContainerType::Record(Kind::Message) => {
                let found = access::found(request, messages::find(db, viewer, id))?;
                let path = match found.message.topic {
                    Some(topic) => paths::reply(found.board.id, topic, id),
                    None => paths::topic(found.board.id, id),
                };
                (ProjectTab::Forums, found.message.subject, path)
            }
            ContainerType::Record(Kind::WikiPage) => {
                let Some(page) = wiki::find_by_id(db, WikiPageId(id))? else {
                    return Ok(record);
                };
                let identifier = project.map_or("", |project| &project.identifier);
                let path = paths::wiki_page(identifier, &page.title);
                (ProjectTab::Wiki, page.title.replace('_', " "), path)
            }
            ContainerType::Record(Kind::Project) | ContainerType::Version => {
                let path = project.map(paths::project).unwrap_or_default();
                let name = "Files".to_owned();
                (ProjectTab::Files, name, format!("{path}/files"))
            }
            ContainerType::Record(Kind::Changeset) | ContainerType::Other => return Ok(record),
        };
        record.tab = Some(tab);
        record.name = name;
        record.path = Some(path);
        Ok(record)
    }

    /// Returns the frame of a page about the file.
    pub fn frame(&self, request: &RequestContext, db: &Read<'_>, title: &str) -> Frame {
        let catalogue = db.catalogue();
        let viewer = request.viewer();
        let frame = Frame::new(request, db, title).with_width(Width::Narrow);
        let project = self.project.and_then(|id| catalogue.projects.get(&id));
        let project = project.filter(|project| viewer.sees(project.id));
        let frame = match project {
            Some(project) => frame.in_project(db, viewer, project, self.tab),
            None => frame,
        };
        match &self.path {
            Some(path) => frame.below(&self.name, path),
            None => frame,
        }
    }
}
