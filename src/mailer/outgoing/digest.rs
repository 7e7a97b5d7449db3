//! A digest: the events since the last one that the person may see now, by project and thread.

use super::content::{Block, Content};
use super::error::RenderError;
use super::event_texts::event_text;
use super::recipient::Recipient;
use quarry_actions::content::activity::{VisibleEvent, load_visible};
use quarry_actions::notices::notice_mails;
use quarry_app::App;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::administration::mail::Mail;
use quarry_domain::content::activity::EventReference;
use quarry_domain::notices::digest::Digest;
use quarry_domain::notices::notice::Thread;
use quarry_domain::notices::reasons::{Reason, Reasons};
use quarry_domain::values::stable_sort::StableSort;
use quarry_domain::values::text::shorten;
use quarry_http::resources::sentences::SentenceContext;
use quarry_store::lists::texts::Texts;
use quarry_store::{Read, StoreError};
use std::collections::{BTreeMap, HashMap};

/// Maximum number of threads of a digest, those with the latest events.
const MAX_THREADS: usize = 100;
/// Maximum number of events of a thread, the latest ones.
const MAX_EVENTS: usize = 5;
/// Maximum number of characters of the text of an event.
const MAX_TEXT_CHARS: usize = 200;

/// A thread with the events of which the person was told, the latest first.
struct DigestThread {
    events: Vec<VisibleEvent>,
    reasons: Reasons,
}

/// Returns the content; `None` if the person may see none of the events any more.
pub fn content(
    app: &App,
    recipient: &Recipient,
    mail: &Mail,
) -> Result<Option<Content>, RenderError> {
    let Some(user) = mail.user else {
        return Ok(None);
    };
    let content = app.store.read::<_, StoreError>(|db| {
        let viewer = Viewer::new(db.catalogue(), Some(user));
        let threads = threads(db, &viewer, mail)?;
        if threads.is_empty() {
            return Ok(None);
        }
        write(db, &viewer, recipient, mail, threads).map(Some)
    })?;
    Ok(content)
}

/// Returns the threads, the latest first.
fn threads(db: &Read<'_>, viewer: &Viewer, mail: &Mail) -> Result<Vec<DigestThread>, StoreError> {
    let told = notice_mails::find(db, mail)?;
    let references: Vec<EventReference> = told.iter().map(|notice| notice.event).collect();
    let texts = Texts::UpTo(MAX_TEXT_CHARS + 1);
    let mut events = load_visible(db, viewer, &references, texts)?;
    events.stable_sort_by_key(|visible| visible.event.key.sort_key());
    let mut reasons: HashMap<EventReference, Reasons> = HashMap::new();
    for notice in &told {
        let all = reasons.entry(notice.event).or_default();
        *all = all.union(notice.reasons);
    }
    let mut threads: Vec<DigestThread> = Vec::new();
    let mut index_of: HashMap<Thread, usize> = HashMap::new();
    for visible in events {
        let Some(thread) = Thread::of_event(&visible.event) else {
            continue;
        };
        let index = *index_of.entry(thread).or_insert_with(|| {
            threads.push(DigestThread {
                events: Vec::new(),
                reasons: Reasons::default(),
            });
            threads.len() - 1
        });
        if let Some(told) = threads.get_mut(index) {
            let of_event = reasons.get(&visible.event.key.reference());
            told.reasons = told.reasons.union(of_event.copied().unwrap_or_default());
            told.events.push(visible);
        }
    }
    Ok(threads)
}

fn write(
    db: &Read<'_>,
    viewer: &Viewer,
    recipient: &Recipient,
    mail: &Mail,
    threads: Vec<DigestThread>,
) -> Result<Content, StoreError> {
    let catalogue = db.catalogue();
    let count = threads.len();
    let mut by_project: BTreeMap<(String, i64), Vec<DigestThread>> = BTreeMap::new();
    for told in threads.into_iter().take(MAX_THREADS) {
        let project = told.events.first().map(|first| first.event.project);
        let name = project.map_or("", |id| catalogue.project_name(id));
        let key = (name.to_owned(), project.map_or(0, |id| id.0));
        by_project.entry(key).or_default().push(told);
    }
    let mut blocks = Vec::new();
    for ((project, _), threads) in by_project {
        blocks.push(Block::Heading(project));
        for told in threads {
            push_thread(db, viewer, recipient, &told, &mut blocks)?;
        }
    }
    if count > MAX_THREADS {
        blocks.push(Block::Text(format!(
            "These are the latest {MAX_THREADS}. The inbox has the others."
        )));
    }
    let (name, interval) = match notice_mails::digest(|name| mail.data(name).to_owned()) {
        Some(Digest::Weekly) => ("Weekly digest", "a week"),
        _ => ("Daily digest", "a day"),
    };
    let day = mail.created_on.to_zoned(recipient.zone.clone()).date();
    Ok(Content {
        title: format!("{name}, {day}"),
        blocks,
        reply_delimiter: None,
        reason: format!("You get this mail because you have chosen one mail {interval}."),
        links: vec![
            ("Inbox", format!("{}/my/inbox", recipient.base_url)),
            (
                "Mail preferences",
                format!("{}/my/notifications", recipient.base_url),
            ),
        ],
    })
}

/// Adds a thread: its title with a link to the earliest event, then the events, oldest first.
fn push_thread(
    db: &Read<'_>,
    viewer: &Viewer,
    recipient: &Recipient,
    told: &DigestThread,
    blocks: &mut Vec<Block>,
) -> Result<(), StoreError> {
    let catalogue = db.catalogue();
    let sentences = SentenceContext::load(db, viewer, &told.events)?;
    let mut title = String::new();
    let mut path = None;
    let mut lines = Vec::new();
    for visible in told.events.iter().take(MAX_EVENTS).rev() {
        let event = &visible.event;
        let author = event
            .author
            .and_then(|user| catalogue.principal_name(user.into()))
            .unwrap_or("Somebody");
        let sentence = sentences.sentence(event, &visible.changes);
        let at = event.key.at.to_zoned(recipient.zone.clone());
        let at = at.strftime("%Y-%m-%d %H:%M");
        let text = event_text(db, viewer, event)?;
        let text = shorten(text.trim(), MAX_TEXT_CHARS).replace(['\r', '\n'], " ");
        let text = if text.is_empty() {
            text
        } else {
            format!(": {text}")
        };
        lines.push(format!(
            "{author} {} {}, {at}{text}",
            sentence.verb, sentence.label
        ));
        title = sentence.label;
        path = path.or(sentence.path);
    }
    let more = told.events.len().saturating_sub(MAX_EVENTS);
    if more > 0 {
        lines.insert(0, format!("{more} earlier"));
    }
    let reasons: Vec<&str> = told.reasons.iter().map(Reason::label).collect();
    if !reasons.is_empty() {
        title = format!("{title} ({})", reasons.join(", "));
    }
    blocks.push(match path {
        Some(path) => recipient.link(&title, &path),
        None => Block::Event(title),
    });
    blocks.push(Block::List(lines));
    Ok(())
}
