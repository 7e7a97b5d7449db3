//! What can be asked for along with issues, with `include` (contract 4.1).

use super::reply::divided;
use crate::actions::{self, journals};
use crate::api::attachments::view::attachment;
use crate::api::journals::view as journals_view;
use crate::api::relations::view as relations_view;
use crate::app::Asker;
use crate::domain::attachment::Attachment;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::{IssueId, JournalId, PrincipalId, StatusId};
use crate::domain::issue::Issue;
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::relation::Relation;
use crate::http::{Ask, Error};
use crate::store::journals::Journal;
use crate::store::page_size::MAX_PAGE_BYTES;
use crate::store::repositories::{self, Changeset};
use crate::store::subtasks::{self, Subtask};
use crate::store::{Read, attachments, relations, users, watchers};
use crate::wire::{self, Fields, Input};
use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::Arc;

/// How many bytes of a long history are read at once, beside one entry at least.
const HISTORY_PART: usize = 512 * 1024;

/// What was asked for, of the issues of one answer.
pub struct Included {
    catalogue: Arc<Catalogue>,
    base: String,
    attachments: Option<HashMap<i64, Vec<Attachment>>>,
    relations: Option<Vec<Relation>>,
    /// A list says that there are no relations; a single issue says nothing then (contract 4.1).
    with_no_relations: bool,
    more: More,
}

/// The history of an issue as the viewer sees it, in the order in which it is shown.
pub enum History {
    /// Its entries.
    Whole(Vec<Journal>),
    /// The entries of a long one, in parts that are read while they are sent.
    Parts(Vec<Vec<JournalId>>),
}

/// What is to be had of a single issue alone.
#[derive(Default)]
struct More {
    children: HashMap<IssueId, Vec<Subtask>>,
    changesets: Option<Vec<Changeset>>,
    journals: Option<History>,
    watchers: Option<Vec<PrincipalId>>,
    allowed: Option<Vec<StatusId>>,
}

impl Included {
    /// What a list can have: attachments and relations. Other names are passed over.
    pub fn of_list(ask: &Ask, db: &Read<'_>, page: &[impl Borrow<Issue>]) -> Result<Included, Error> {
        let ids: Vec<i64> = page.iter().map(|issue| issue.borrow().id.0).collect();
        let wanted = names(ask);
        let wants = |name: &str| wanted.iter().any(|wanted| wanted == name) && !ids.is_empty();
        Ok(Included {
            catalogue: Arc::clone(db.catalogue()),
            base: ask.base(),
            attachments: if wants("attachments") { Some(attachments::list_of(db, Kind::Issue, &ids)?) } else { None },
            relations: if wants("relations") { Some(relations::seen(db, ask.viewer(), &ids)?) } else { None },
            with_no_relations: true,
            more: More::default(),
        })
    }

    /// What a single issue can have.
    pub fn of_issue(ask: &Ask, db: &Read<'_>, issue: &Issue) -> Result<Included, Error> {
        let wanted = names(ask);
        let wants = |name: &str| wanted.iter().any(|wanted| wanted == name);
        let viewer = ask.viewer();
        let mut included = Included { with_no_relations: false, ..Included::of_list(ask, db, std::slice::from_ref(issue))? };
        let more = &mut included.more;
        if wants("children") {
            for child in subtasks::list(db, viewer, issue.id)? {
                more.children.entry(child.parent).or_default().push(child);
            }
        }
        if wants("changesets") {
            more.changesets = Some(repositories::changesets_of(db, viewer, issue.id)?);
        }
        if wants("journals") {
            more.journals = Some(history(db, &ask.asker, issue)?);
        }
        if wants("watchers") && viewer.may(Permission::ViewIssueWatchers, issue.project) {
            more.watchers = Some(watchers::list(db, issue.id)?);
        }
        if wants("allowed_statuses") {
            more.allowed = Some(actions::issues::allowed(db, viewer, issue)?);
        }
        Ok(included)
    }

    /// The parts of a history that is not read at once.
    pub fn history_parts(&self) -> Option<&[Vec<JournalId>]> {
        match &self.more.journals {
            Some(History::Parts(parts)) => Some(parts),
            Some(History::Whole(_)) | None => None,
        }
    }

    /// The fields that were asked for, in the order of the contract.
    pub fn describe(&self, w: &mut Fields, issue: &Issue) {
        let catalogue = &self.catalogue;
        self.children(w, issue.id);
        if let Some(files) = &self.attachments {
            let files = files.get(&issue.id.0).map_or(&[][..], Vec::as_slice);
            w.items("attachments", "attachment", files, |w, file| attachment(w, file, catalogue, &self.base));
        }
        if let Some(all) = &self.relations {
            let own = relations_view::of_issue(issue.id, all);
            if self.with_no_relations || !own.is_empty() {
                w.items("relations", "relation", own, relations_view::attributes);
            }
        }
        if let Some(changesets) = &self.more.changesets {
            w.items("changesets", "changeset", changesets, |w, changeset| {
                w.attribute("revision", &changeset.revision);
                let user = changeset.user.and_then(|id| Some((id.0, catalogue.principal_name(id.into())?)));
                w.maybe_reference("user", user);
                w.field("comments", &changeset.comments);
                w.field("committed_on", changeset.committed_on);
            });
        }
        if let Some(journals) = &self.more.journals {
            match journals {
                History::Whole(entries) => {
                    w.items("journals", "journal", entries, |w, journal| journals_view::journal(w, journal, catalogue));
                }
                History::Parts(_) => w.items_later("journals"),
            }
        }
        if let Some(watchers) = &self.more.watchers {
            w.items("watchers", "user", watchers, |w, id| {
                w.attribute("id", id.0);
                w.attribute("name", catalogue.principal_name(*id).unwrap_or_default());
            });
        }
        if let Some(allowed) = &self.more.allowed {
            let statuses = allowed.iter().filter_map(|id| catalogue.status(*id));
            w.items("allowed_statuses", "status", statuses, |w, status| {
                w.attribute("id", status.id.0);
                w.attribute("name", &status.name);
                w.attribute("is_closed", status.is_closed);
            });
        }
    }

    /// The subtasks, each with its own; nothing at all where there are none. The store bounds how deep this goes.
    fn children(&self, w: &mut Fields, parent: IssueId) {
        let Some(children) = self.more.children.get(&parent) else { return };
        w.items("children", "issue", children, |w, child| {
            w.attribute("id", child.id.0);
            w.reference("tracker", child.tracker.0, self.catalogue.tracker(child.tracker).map_or("", |tracker| &tracker.name));
            w.field("subject", &child.subject);
            self.children(w, child.id);
        });
    }
}

/// The history of the issue, whole where it is not longer than a page of a list.
fn history(db: &Read<'_>, asker: &Asker, issue: &Issue) -> Result<History, Error> {
    let newest_first = prefers_newest_first(db, asker)?;
    let mut sizes = journals::sizes(db, &asker.viewer, issue)?;
    if newest_first {
        sizes.reverse();
    }
    if let Some(parts) = divided(&sizes, MAX_PAGE_BYTES, HISTORY_PART) {
        return Ok(parts);
    }
    let mut entries = journals::list(db, &asker.viewer, issue)?;
    if newest_first {
        entries.reverse();
    }
    Ok(History::Whole(entries))
}

/// The names that `include` lists.
fn names(ask: &Ask) -> Vec<String> {
    let text = ask.parameter("include").or_else(|| ask.body.get("include").and_then(Input::as_text)).unwrap_or_default();
    text.split(',').map(|name| name.trim().to_owned()).collect()
}

/// Whether the user wants to read the newest first.
fn prefers_newest_first(db: &Read<'_>, asker: &Asker) -> Result<bool, Error> {
    let Some(user) = asker.viewer.user else { return Ok(false) };
    let kept = users::preferences(db, user)?.and_then(|text| wire::from_json(text.as_bytes()).ok());
    let sorting = kept.as_ref().and_then(|kept| kept.get("comments_sorting")).and_then(Input::as_text);
    Ok(sorting.is_some_and(|sorting| sorting == "desc"))
}
