//! The events of which people are told. Each function is called in the transaction of its event,
//! after the record was written.

use super::recipients::{NewEvent, tell};
use crate::prelude::*;
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::content::activity::EventReference;
use quarry_domain::content::activity::EventType;
use quarry_domain::content::attachment::Attachment;
use quarry_domain::content::comment::Comment;
use quarry_domain::content::document::Document;
use quarry_domain::content::message::Message;
use quarry_domain::content::news::News;
use quarry_domain::content::watcher::{Watchable, WatchableType};
use quarry_domain::content::wiki::{WikiPage, WikiVersion};
use quarry_domain::ids::{JournalId, PrincipalId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::issue::Issue;
use quarry_domain::issues::journal::{Journal, JournalDetail};
use quarry_domain::notices::mentions::{added_mentions, mentioned_users};
use quarry_domain::notices::notice::Thread;
use quarry_domain::notices::notified_event::NotifiedEvent;
use quarry_domain::notices::recipients::IssueFacts;
use quarry_domain::projects::module::Module;
use quarry_store::issues::journals;
use quarry_store::{issues, notices, projects};

/// Tells people of a new issue.
pub fn issue_added(db: &mut Write<'_>, issue: &Issue) -> Result<(), StoreError> {
    let facts = IssueFacts {
        is_newly_assigned: issue.assignee.is_some(),
        ..issue_facts(db.catalogue(), issue)
    };
    tell(
        db,
        NewEvent {
            kinds: &[NotifiedEvent::IssueAdded],
            actor: Some(issue.author),
            mentioned: mentions_in(db, issue.description.as_deref().unwrap_or_default()),
            watchables: vec![issue.id.into()],
            issue: Some(facts),
            ..NewEvent::new(
                issue.project,
                Thread::new(Kind::Issue, issue.id.0),
                EventReference::new(EventType::Issue, issue.id.0),
            )
        },
    )
}

/// Inserts a journal of an issue, and tells people of it.
pub fn record_journal(db: &mut Write<'_>, journal: &Journal) -> Result<JournalId, StoreError> {
    let id = journals::insert(db, journal)?;
    let Some(issue) = issues::find_any(db, journal.issue)? else {
        return Ok(id);
    };
    let assignment = journal
        .details
        .iter()
        .find(|detail| detail.property == "attr" && detail.name == "assigned_to_id");
    // An edited description counts as well: it mentions people as a note does.
    let catalogue = db.catalogue();
    let mut mentioned = added_mentions(catalogue, None, journal.notes.as_deref());
    let mut details = journal.details.iter();
    if let Some(edit) =
        details.find(|detail| detail.property == "attr" && detail.name == "description")
    {
        mentioned.extend(added_mentions(
            catalogue,
            edit.old_value.as_deref(),
            edit.new_value.as_deref(),
        ));
    }
    let former = assignment.and_then(|detail| detail.old_value.as_deref()?.parse().ok());
    let facts = IssueFacts {
        is_newly_assigned: assignment.is_some_and(|detail| detail.new_value.is_some()),
        former_assignee: former.map(PrincipalId),
        ..issue_facts(db.catalogue(), &issue)
    };
    tell(
        db,
        NewEvent {
            kinds: &kinds_of_changes(journal),
            actor: Some(journal.user),
            mentioned,
            watchables: vec![issue.id.into()],
            issue: Some(facts),
            ..NewEvent::new(
                issue.project,
                Thread::new(Kind::Issue, issue.id.0),
                EventReference::new(EventType::IssueChange, id.0),
            )
        },
    )?;
    Ok(id)
}

/// Tells the people whom an edited note mentions and did not mention before its edit.
pub fn note_edited(
    db: &mut Write<'_>,
    issue: &Issue,
    before: &Journal,
    after: &Journal,
) -> Result<(), StoreError> {
    let event = EventReference::new(EventType::IssueChange, after.id.0);
    let thread = Thread::new(Kind::Issue, issue.id.0);
    let old_text = before.notes.as_deref();
    let new_text = after.notes.as_deref();
    let mut mentioned = added_mentions(db.catalogue(), old_text, new_text);
    // Somebody whom several edits of a note mention is told once.
    let told = notices::list_mentioned(db, thread, event)?;
    mentioned.retain(|user| !told.contains(user));
    tell(
        db,
        NewEvent {
            kinds: &kinds_of_changes(after),
            actor: after.updated_by,
            mentioned,
            only_mentioned: true,
            ..NewEvent::new(issue.project, thread, event)
        },
    )
}

/// Returns what the changes in a journal are in the setting `notified_events`.
fn kinds_of_changes(journal: &Journal) -> Vec<NotifiedEvent> {
    let mut kinds = vec![NotifiedEvent::IssueUpdated];
    if journal
        .notes
        .as_ref()
        .is_some_and(|notes| !notes.is_empty())
    {
        kinds.push(NotifiedEvent::IssueNoteAdded);
    }
    let of_detail = |detail: &JournalDetail| match (detail.property.as_str(), detail.name.as_str())
    {
        ("attr", "status_id") => Some(NotifiedEvent::IssueStatusUpdated),
        ("attr", "assigned_to_id") => Some(NotifiedEvent::IssueAssignedToUpdated),
        ("attr", "priority_id") => Some(NotifiedEvent::IssuePriorityUpdated),
        ("attr", "fixed_version_id") => Some(NotifiedEvent::IssueFixedVersionUpdated),
        ("attachment", _) => Some(NotifiedEvent::IssueAttachmentAdded),
        _ => None,
    };
    kinds.extend(journal.details.iter().filter_map(of_detail));
    kinds
}

fn mentions_in(db: &Write<'_>, text: &str) -> Vec<UserId> {
    mentioned_users(db.catalogue(), text)
}

fn issue_facts(catalogue: &Catalogue, issue: &Issue) -> IssueFacts {
    let default = catalogue
        .default_enumeration(EnumerationKind::IssuePriority)
        .map(|priority| priority.position);
    let priority = catalogue
        .enumeration(issue.priority)
        .map(|priority| priority.position);
    IssueFacts {
        author: issue.author,
        assignee: issue.assignee,
        has_high_priority: default.is_some() && priority > default,
        ..IssueFacts::default()
    }
}

/// Tells people of news.
pub fn news_added(db: &mut Write<'_>, news: &News) -> Result<(), StoreError> {
    let watchables = watched_news(db, news)?;
    tell(
        db,
        NewEvent {
            kinds: &[NotifiedEvent::NewsAdded],
            actor: Some(news.author),
            mentioned: mentions_in(db, &news.description),
            watchables,
            is_news: true,
            ..NewEvent::new(
                news.project,
                Thread::new(Kind::News, news.id),
                EventReference::new(EventType::News, news.id),
            )
        },
    )
}

/// Tells people of a comment on news.
pub fn comment_added(db: &mut Write<'_>, news: &News, comment: &Comment) -> Result<(), StoreError> {
    let watchables = watched_news(db, news)?;
    tell(
        db,
        NewEvent {
            kinds: &[NotifiedEvent::NewsCommentAdded],
            actor: Some(comment.author),
            mentioned: mentions_in(db, &comment.content),
            watchables,
            is_news: true,
            ..NewEvent::new(
                news.project,
                Thread::new(Kind::News, news.id),
                EventReference::new(EventType::NewsComment, comment.id.0),
            )
        },
    )
}

/// Returns the records whose watchers are told of a news item: the item, and all news of its project.
fn watched_news(db: &Read<'_>, news: &News) -> Result<Vec<Watchable>, StoreError> {
    let module = projects::find_module(db, news.project, Module::News)?;
    let module = module.map(|id| Watchable::new(WatchableType::EnabledModule, id));
    let item = Watchable::new(WatchableType::News, news.id);
    Ok(std::iter::once(item).chain(module).collect())
}

/// Tells people of a message on a board of the project.
pub fn message_posted(
    db: &mut Write<'_>,
    project: ProjectId,
    message: &Message,
) -> Result<(), StoreError> {
    let topic = message.topic.unwrap_or(message.id);
    tell(
        db,
        NewEvent {
            kinds: &[NotifiedEvent::MessagePosted],
            actor: message.author,
            mentioned: mentions_in(db, &message.content),
            watchables: vec![
                Watchable::new(WatchableType::Message, topic),
                Watchable::new(WatchableType::Board, message.board),
            ],
            ..NewEvent::new(
                project,
                Thread::new(Kind::Message, topic),
                EventReference::new(EventType::Message, message.id),
            )
        },
    )
}

/// Tells people of a version of a wiki page.
pub fn wiki_page_saved(
    db: &mut Write<'_>,
    page: &WikiPage,
    version: &WikiVersion,
    is_new: bool,
) -> Result<(), StoreError> {
    let kind = if is_new {
        NotifiedEvent::WikiContentAdded
    } else {
        NotifiedEvent::WikiContentUpdated
    };
    tell(
        db,
        NewEvent {
            kinds: &[kind],
            actor: version.author,
            mentioned: mentions_in(db, if is_new { &version.text } else { "" }),
            watchables: vec![
                page.id.into(),
                Watchable::new(WatchableType::Wiki, page.wiki),
            ],
            ..NewEvent::new(
                page.project,
                Thread::new(Kind::WikiPage, page.id.0),
                EventReference {
                    version: version.version,
                    ..EventReference::new(EventType::WikiEdit, page.id.0)
                },
            )
        },
    )
}

/// Tells people of a document, which was added by `actor`.
pub fn document_added(
    db: &mut Write<'_>,
    actor: Option<UserId>,
    document: &Document,
) -> Result<(), StoreError> {
    let event = EventReference::new(EventType::Document, document.id);
    let thread = Thread::new(Kind::Document, document.id);
    tell(
        db,
        NewEvent {
            kinds: &[NotifiedEvent::DocumentAdded],
            actor,
            mentioned: mentions_in(db, document.description.as_deref().unwrap_or_default()),
            ..NewEvent::new(document.project, thread, event)
        },
    )
}

/// Tells people of a file that was added to a project or to a version of it.
pub fn file_added(
    db: &mut Write<'_>,
    project: ProjectId,
    file: &Attachment,
) -> Result<(), StoreError> {
    let thread = Thread::new(Kind::Project, project.0);
    tell(
        db,
        NewEvent {
            kinds: &[NotifiedEvent::FileAdded],
            actor: Some(file.author),
            ..NewEvent::new(
                project,
                thread,
                EventReference::new(EventType::File, file.id.0),
            )
        },
    )
}
