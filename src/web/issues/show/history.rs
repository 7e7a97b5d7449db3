//! The conversation of an issue: notes, and changes as sentences.

use super::notes;
use crate::components::avatar::Person;
use crate::components::reactions::{ReactionBar, Reactions};
use crate::components::tasks::Tasks;
use crate::components::time::Moment;
use crate::prelude::*;
use crate::text::{OwnFiles, TextRenderer};
use quarry_actions::issues::journals;
use quarry_domain::content::incoming_mail::MailedRecord;
use quarry_domain::content::reaction::ReactableType;
use quarry_domain::ids::JournalId;
use quarry_domain::issues::journal::Journal;
use quarry_http::resources::journal_changes::Change;
use quarry_markup::SafeHtml;
use quarry_store::accounts::users;
use quarry_store::content::received_mails;

/// Maximum number of entries on the page.
const MAX_ENTRIES: usize = 500;
/// Maximum size in bytes of their texts.
const MAX_BYTES: usize = 512 * 1024;

/// The entries of a page.
pub struct History {
    /// The newest entries, oldest first unless the viewer prefers the newest.
    pub entries: Vec<Entry>,
    /// The number of older entries that are left out.
    pub omitted: usize,
}

/// An entry.
pub struct Entry {
    /// Its number within the issue, from 1; `#note-3` leads to it.
    pub number: usize,
    pub id: JournalId,
    /// Whether the viewer may edit the note.
    pub may_edit: bool,
    /// Whether the viewer may make the note private or public.
    pub may_hide: bool,
    pub author: Person,
    /// When it was written.
    pub created: Moment,
    /// Whether only some may read the note.
    pub is_private: bool,
    /// Whether it came by mail that the viewer may read.
    pub is_mail: bool,
    /// What was changed.
    pub changes: Vec<Change>,
    pub note: SafeHtml,
    pub reactions: Option<ReactionBar>,
    pub tasks: Option<Tasks>,
}

impl Entry {
    /// Returns the address of the entry as a record.
    pub fn path(&self) -> String {
        paths::journal(self.id)
    }

    /// Returns the name of its element on the page.
    pub fn anchor(&self) -> String {
        format!("note-{}", self.number)
    }

    /// Returns what it is called.
    pub fn label(&self) -> String {
        format!("note {}", self.number)
    }
}

/// Loads the entries that the viewer may read, as many of the newest as fit.
pub fn load(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
    renderer: &TextRenderer<'_>,
) -> Result<History, Error> {
    let sizes = journals::sizes(db, request.viewer(), issue)?;
    let mut left = MAX_BYTES;
    let count = sizes
        .iter()
        .rev()
        .take(MAX_ENTRIES)
        .take_while(|(_, bytes): &&(_, usize)| {
            left = left.saturating_sub(*bytes);
            left > 0
        })
        .count()
        .max(1)
        .min(sizes.len());
    let omitted = sizes.len() - count;
    let ids: Vec<_> = sizes[omitted..].iter().map(|(id, _)| *id).collect();
    let number =
        |journal: &Journal| omitted + ids.iter().position(|id| *id == journal.id).unwrap_or(0) + 1;
    let entries = journals::list_by_ids(db, request.viewer(), issue, &ids)?;
    let notes = entries.iter().map(|journal| journal.notes.as_deref());
    renderer.preload(notes.flatten())?;
    let reactions = Reactions::load(
        request,
        db,
        issue.project,
        ReactableType::Journal,
        &ids.iter().map(|id| id.0).collect::<Vec<_>>(),
    )?;
    let by_mail = match request.viewer().user {
        Some(_) => received_mails::with_original(db, ids.iter().map(|id| MailedRecord::Note(*id)))?,
        None => Vec::new(),
    };
    let entries = entries.into_iter().map(|journal| -> Result<Entry, Error> {
        let reactions = reactions.bar(request, db, journal.id.0);
        Ok(Entry {
            reactions,
            is_mail: by_mail.contains(&journal.id.0),
            ..entry(request, db, issue, number(&journal), &journal, renderer)?
        })
    });
    let mut entries = entries.collect::<Result<Vec<Entry>, Error>>()?;
    let viewer = request.viewer().user;
    if viewer
        .map(|user| users::preferences(db, user))
        .transpose()?
        .is_some_and(|preferences| preferences.newest_first)
    {
        entries.reverse();
    }
    Ok(History { entries, omitted })
}

fn entry(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
    number: usize,
    journal: &Journal,
    renderer: &TextRenderer<'_>,
) -> Result<Entry, Error> {
    let catalogue = db.catalogue();
    let may_edit = journals::may_update(request.viewer(), issue, journal);
    Ok(Entry {
        number,
        id: journal.id,
        may_edit,
        may_hide: notes::may_hide(request.viewer(), issue, journal),
        author: Person::with_picture(request.viewer(), catalogue, journal.user.into()),
        created: Moment::new(journal.created_on),
        is_private: journal.private,
        is_mail: false,
        changes: journal
            .details
            .iter()
            .map(|detail| Change::new(catalogue, request.viewer(), detail))
            .collect(),
        note: renderer.render_with_files(
            journal.notes.as_deref().unwrap_or_default(),
            &format!("note-{number}-"),
            OwnFiles {
                attached: &journal.added_files(),
                ..OwnFiles::default()
            },
        )?,
        reactions: None,
        tasks: Tasks::new(
            may_edit,
            format!("/journals/{}", journal.id),
            journal.notes.as_deref().unwrap_or_default(),
        ),
    })
}
