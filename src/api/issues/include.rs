//! What the parameter `include` adds to issues (compatibility 6.1).

use super::history::{self, History};
use crate::attachments::write_attachment;
use crate::journals::write_journal;
use crate::prelude::*;
use crate::relations::write_relation_of_issue;
use quarry_actions as actions;
use quarry_domain::content::attachment::Attachment;
use quarry_domain::ids::{IssueId, JournalId, PrincipalId, StatusId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::issue::Issue;
use quarry_domain::issues::relation;
use quarry_domain::issues::relation::Relation;
use quarry_domain::projects::changeset::Changeset;
use quarry_store::content::{attachments, watchers};
use quarry_store::issues::relations;
use quarry_store::issues::subtasks;
use quarry_store::issues::subtasks::Subtask;
use quarry_store::projects::changesets as stored_changesets;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::Arc;

/// The values of the parameter `include` for a single issue.
const INCLUDES: [&str; 7] = [
    "children",
    "attachments",
    "relations",
    "changesets",
    "journals",
    "watchers",
    "allowed_statuses",
];

/// Its values for a list.
const LIST_INCLUDES: [&str; 2] = ["attachments", "relations"];

/// Included data of the issues of one response.
pub struct Included {
    catalogue: Arc<Catalogue>,
    base: String,
    attachments: Option<HashMap<i64, Vec<Attachment>>>,
    relations: Option<Vec<Relation>>,
    /// Whether an empty list of relations is written: in lists, but not for a single issue
    /// (compatibility 6.1).
    with_empty_relations: bool,
    single: SingleIssue,
}

/// Included data of a single issue.
#[derive(Default)]
struct SingleIssue {
    children: HashMap<IssueId, Vec<Subtask>>,
    changesets: Option<Vec<Changeset>>,
    journals: Option<History>,
    watchers: Option<Vec<PrincipalId>>,
    allowed_statuses: Option<Vec<StatusId>>,
}

impl Included {
    /// Loads what lists support: attachments and relations.
    pub fn for_list(
        request: &RequestContext,
        db: &Read<'_>,
        page: &[impl Borrow<Issue>],
    ) -> Result<Included, Error> {
        let [attachments, relations] = request.includes(LIST_INCLUDES);
        Ok(Included {
            with_empty_relations: true,
            ..Included::load(request, db, page, attachments, relations)?
        })
    }

    /// Loads what a single issue supports.
    pub fn for_issue(
        request: &RequestContext,
        db: &Read<'_>,
        issue: &Issue,
    ) -> Result<Included, Error> {
        let [
            children,
            attachments,
            relations,
            changesets,
            journals,
            watchers,
            allowed_statuses,
        ] = request.includes(INCLUDES);
        let viewer = request.viewer();
        let mut included = Included::load(
            request,
            db,
            std::slice::from_ref(issue),
            attachments,
            relations,
        )?;
        let single = &mut included.single;
        if children {
            for child in subtasks::list(db, viewer, issue.id)? {
                single.children.entry(child.parent).or_default().push(child);
            }
        }
        if changesets {
            single.changesets = Some(stored_changesets::list_by_issue(db, viewer, issue.id)?);
        }
        if journals {
            single.journals = Some(history::load(db, &request.viewer_context, issue)?);
        }
        if watchers && viewer.may(Permission::ViewIssueWatchers, issue.project) {
            single.watchers = Some(watchers::list(db, issue.id.into())?);
        }
        if allowed_statuses {
            single.allowed_statuses = Some(actions::issues::allowed_statuses(db, viewer, issue)?);
        }
        Ok(included)
    }

    fn load(
        request: &RequestContext,
        db: &Read<'_>,
        page: &[impl Borrow<Issue>],
        with_attachments: bool,
        with_relations: bool,
    ) -> Result<Included, Error> {
        let ids: Vec<i64> = page.iter().map(|issue| issue.borrow().id.0).collect();
        let load_if = |is_included: bool| is_included && !ids.is_empty();
        Ok(Included {
            catalogue: Arc::clone(db.catalogue()),
            base: request.base_url(),
            attachments: if load_if(with_attachments) {
                Some(attachments::list_by_container(db, Kind::Issue, &ids)?)
            } else {
                None
            },
            relations: if load_if(with_relations) {
                Some(relations::list_visible(db, request.viewer(), &ids)?)
            } else {
                None
            },
            with_empty_relations: false,
            single: SingleIssue::default(),
        })
    }

    /// Returns the parts of a history that is streamed.
    pub fn history_parts(&self) -> Option<&[Vec<JournalId>]> {
        match &self.single.journals {
            Some(History::Parts(parts)) => Some(parts),
            Some(History::Complete(_)) | None => None,
        }
    }

    /// Writes the included fields, in the order of compatibility 6.1.
    pub fn write(&self, w: &mut Fields, issue: &Issue) {
        let catalogue = &self.catalogue;
        self.write_children(w, issue.id);
        if let Some(files) = &self.attachments {
            let files = files.get(&issue.id.0).map_or(&[][..], Vec::as_slice);
            w.items("attachments", "attachment", files, |w, file| {
                write_attachment(w, file, catalogue, &self.base)
            });
        }
        if let Some(all) = &self.relations {
            let relations = relation::of_issue(issue.id, all);
            if self.with_empty_relations || !relations.is_empty() {
                w.items("relations", "relation", relations, write_relation_of_issue);
            }
        }
        if let Some(changesets) = &self.single.changesets {
            w.items("changesets", "changeset", changesets, |w, changeset| {
                w.attribute("revision", &changeset.revision);
                let user = changeset
                    .user
                    .and_then(|id| Some((id.0, catalogue.principal_name(id.into())?)));
                w.maybe_reference("user", user);
                w.field("comments", &changeset.comments);
                w.field("committed_on", changeset.committed_on);
            });
        }
        if let Some(journals) = &self.single.journals {
            match journals {
                History::Complete(entries) => {
                    w.items("journals", "journal", entries, |w, journal| {
                        write_journal(w, journal, catalogue)
                    });
                }
                History::Parts(_) => w.deferred_items("journals"),
            }
        }
        if let Some(watchers) = &self.single.watchers {
            w.references(
                "watchers",
                "user",
                watchers
                    .iter()
                    .map(|id| (id.0, catalogue.principal_name(*id).unwrap_or_default())),
            );
        }
        if let Some(allowed) = &self.single.allowed_statuses {
            let statuses = allowed.iter().filter_map(|id| catalogue.status(*id));
            w.items("allowed_statuses", "status", statuses, |w, status| {
                w.attribute("id", status.id.0);
                w.attribute("name", &status.name);
                w.attribute("is_closed", status.is_closed);
            });
        }
    }

    /// Writes the subtasks recursively; nothing when there are none. The store limits the depth.
    fn write_children(&self, w: &mut Fields, parent: IssueId) {
        let Some(children) = self.single.children.get(&parent) else {
            return;
        };
        w.items("children", "issue", children, |w, child| {
            w.attribute("id", child.id.0);
            w.reference(
                "tracker",
                child.tracker.0,
                self.catalogue
                    .tracker(child.tracker)
                    .map_or("", |tracker| &tracker.name),
            );
            w.field("subject", &child.subject);
            self.write_children(w, child.id);
        });
    }
}
