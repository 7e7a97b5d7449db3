//! The inbox of the user (docs/notices.md section 6).

use crate::prelude::*;
use axum::routing::{post, put};
use quarry_actions::notices::inbox;
use quarry_actions::notices::inbox::{InboxEntry, ThreadChange};
use quarry_domain::content::activity::EventType;
use quarry_domain::notices::notice::Thread;
use quarry_domain::notices::reasons::Reason;
use quarry_domain::values::text::{capitalize, shorten};
use quarry_http::resources::inbox::{context, record};
use quarry_http::resources::sentences::SentenceContext;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/my/inbox", get(read_handler(list)))
        .route("/my/inbox/read_all", post(write_handler(read_all)))
        .route("/my/inbox/{type}/{id}", put(write_handler(update)))
}

/// Maximum number of events of a thread.
const MAX_EVENTS: usize = 10;
/// Maximum number of characters of the text of an event.
const MAX_TEXT_CHARS: usize = 240;

/// An entry as it is written.
struct ThreadView {
    entry: InboxEntry,
    title: String,
    url: String,
    project: String,
    events: Vec<EventView>,
    now: jiff::Timestamp,
}

struct EventView {
    event_type: &'static str,
    id: i64,
    /// The version of a wiki page.
    version: Option<i64>,
    author: Option<(i64, String)>,
    created_on: jiff::Timestamp,
    sentence: String,
    text: String,
}

/// `GET /my/inbox` (docs/notices.md section 6).
///
/// Returns a page of the threads of which the user was told and that they may see now, unread ones
/// first. `q` is the filter.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_user()?;
    let viewer = request.viewer();
    let text = request.query_param("q").unwrap_or_default();
    let (filter, _) = inbox::parse_filter(db.catalogue(), viewer, &text).map_err(Error::invalid)?;
    let found = inbox::list(db, viewer, &filter)?;
    let unread = inbox::count_unread(db, viewer)?;
    let pagination = Pagination::from_query(&request.query);
    let (mut entries, total) = pagination.slice(found.entries);
    inbox::load_texts(db, viewer, &mut entries, MAX_EVENTS)?;
    let sentences = context(db, viewer, &entries, MAX_EVENTS)?;
    let base = request.base_url();
    let views: Vec<ThreadView> = entries
        .into_iter()
        .filter_map(|entry| view(&sentences, &base, db.now(), entry))
        .collect();
    let meta = pagination.meta(total, views.len());
    Ok(Reply::list_with(
        "threads",
        "thread",
        views,
        |w: &mut Fields, view: ThreadView| write_thread(w, &view),
        meta,
        move |w| {
            w.field("unread_count", i64::try_from(unread).unwrap_or(i64::MAX));
            w.field("last", found.last_notice);
        },
    ))
}

fn view(
    sentences: &SentenceContext<'_>,
    base: &str,
    now: jiff::Timestamp,
    entry: InboxEntry,
) -> Option<ThreadView> {
    let catalogue = sentences.catalogue;
    let record = record(sentences, &entry)?;
    let events = entry.events.iter().take(MAX_EVENTS).map(|visible| {
        let event = &visible.event;
        let sentence = sentences.sentence(event, &visible.changes);
        let author = event.author.map(|user| {
            let name = catalogue.principal_name(user.into()).unwrap_or_default();
            (user.0, name.to_owned())
        });
        EventView {
            event_type: event.key.event_type.name(),
            id: event.key.id,
            version: (event.key.event_type == EventType::WikiEdit).then_some(event.key.version),
            created_on: event.key.at,
            sentence: match &author {
                Some((_, name)) => format!("{name} {} {}", sentence.verb, sentence.label),
                None => format!("{} {}", capitalize(&sentence.verb), sentence.label),
            },
            author,
            text: shorten(&event.text, MAX_TEXT_CHARS),
        }
    });
    let project = catalogue.projects.get(&entry.project);
    Some(ThreadView {
        title: record.title,
        url: format!("{base}{}", record.path),
        project: project.map_or_else(String::new, |project| project.name.clone()),
        events: events.collect(),
        now,
        entry,
    })
}

fn write_thread(w: &mut Fields, view: &ThreadView) {
    let entry = &view.entry;
    w.field("type", entry.thread.type_name());
    w.field("id", entry.thread.id);
    w.field("title", view.title.as_str());
    w.field("url", view.url.as_str());
    w.reference("project", entry.project.0, &view.project);
    w.texts("reasons", "reason", entry.reasons.iter().map(Reason::name));
    w.field("unread", entry.is_unread);
    w.field("muted", entry.choice.is_muted);
    let until = entry.choice.hidden_until;
    w.field("later_until", until.filter(|until| *until > view.now));
    w.field("updated_on", entry.updated_on());
    w.field("last", entry.last_notice);
    w.items("events", "event", &view.events, |w, event| {
        w.field("type", event.event_type);
        w.field("id", event.id);
        w.maybe("version", event.version);
        let author = event.author.as_ref();
        w.maybe_reference("author", author.map(|(id, name)| (*id, name.as_str())));
        w.field("created_on", event.created_on);
        w.field("sentence", event.sentence.as_str());
        w.field("text", event.text.as_str());
    });
}

/// `PUT /my/inbox/:type/:id` (docs/notices.md section 6).
///
/// Changes the state of a thread: 204. What happened after the notice `last` stays unread.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    require_writer(request)?;
    let id = request.id_param("id")?;
    let thread = Thread::from_type_name(request.path_param("type"), id).ok_or(Error::NotFound)?;
    let mut body = BodyFields::from_body(request, "thread")?;
    let state = body.text("state", "State");
    let last = body.integer("last", "Last");
    body.check()?;
    let change = state
        .value()
        .and_then(|name| ThreadChange::from_name(name))
        .ok_or_else(|| {
            let names = ThreadChange::NAMES.map(|(name, _)| name);
            let message = format!("must be one of {}", names.join(", "));
            Error::invalid_attribute("state", "State", &message)
        })?;
    let last = last.value().copied().unwrap_or(i64::MAX);
    request.write(move |db, viewer| inbox::change(db, viewer, thread, last, change))?;
    Ok(Reply::no_content())
}

/// `POST /my/inbox/read_all` (docs/notices.md section 6).
///
/// Marks everything in the inbox as read, up to the notice `last`: 204.
fn read_all(request: &RequestContext) -> Result<Reply, Error> {
    require_writer(request)?;
    let mut body = BodyFields::from_body(request, "inbox")?;
    let last = body.integer("last", "Last");
    body.check()?;
    let last = last.value().copied().unwrap_or(i64::MAX);
    request.write(move |db, viewer| inbox::read_all(db, viewer, last))?;
    Ok(Reply::no_content())
}

/// Fails for anonymous, and with an access token that may only read (compatibility 4.1).
fn require_writer(request: &RequestContext) -> Result<(), Error> {
    request.require_user()?;
    match request.viewer().has_writing_scope() {
        true => Ok(()),
        false => Err(Error::Forbidden),
    }
}
