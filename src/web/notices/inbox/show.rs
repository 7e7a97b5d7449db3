//! `GET /my/inbox`: the threads of which the viewer was told.

use super::entries::{EntryRow, MAX_EVENTS, rows};
use super::update::PATH;
use crate::assets;
use crate::components::pager::Pager;
use crate::components::tabs::Tab;
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::notices::inbox;
use quarry_actions::notices::inbox::{InboxFilter, InboxState};
use quarry_domain::notices::filter::{Condition, FilterWord};
use quarry_http::Pagination;

#[derive(Template)]
#[template(path = "notices/inbox/show.html")]
struct InboxPage {
    frame: Frame,
    /// The address of the script of the inbox.
    script: &'static str,
    tabs: Vec<Tab>,
    /// The filter as typed.
    query: String,
    /// What is wrong with it.
    error: Option<String>,
    chips: Vec<FilterChip>,
    rows: Vec<EntryRow>,
    /// The id of the latest notice that was read for the page.
    last: i64,
    /// Whether a button marks everything as read: where all that is unread is shown.
    may_read_all: bool,
    /// Whether a button puts everything away: where everything is shown.
    may_put_all_away: bool,
    /// Whether the entries are put away.
    is_done: bool,
    empty: (&'static str, &'static str),
    pager: Pager,
    json: String,
}

/// A word of the filter, and the address without it.
struct FilterChip {
    text: String,
    remove: String,
}

/// Shows the entries that match the filter in `q`.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_user()?;
    let viewer = request.viewer();
    let query = request.query_param("q").unwrap_or_default().into_owned();
    let parsed = inbox::parse_filter(db.catalogue(), viewer, &query);
    let (filter, words, error) = match parsed {
        Ok((filter, words)) => (filter, words, None),
        Err(message) => (InboxFilter::default(), Vec::new(), Some(message)),
    };
    let found = match error {
        None => inbox::list(db, viewer, &filter)?,
        Some(_) => inbox::Inbox::default(),
    };
    let pagination = Pagination::from_query(&request.query);
    let (mut entries, total) = pagination.slice(found.entries);
    inbox::load_texts(db, viewer, &mut entries, MAX_EVENTS)?;
    let frame = Frame::new(request, db, "Inbox").with_width(Width::Medium);
    let unread = i64::try_from(frame.unread).ok().filter(|count| *count > 0);
    let is_filtered = !matches!(
        words.as_slice(),
        [] | [FilterWord {
            condition: Condition::State(_),
            ..
        }]
    );
    let page = InboxPage {
        script: assets::url("inbox.js"),
        tabs: tabs(filter.state, &words, unread),
        chips: chips(&words),
        rows: rows(request, db, &entries)?,
        last: found.last_notice,
        may_read_all: !is_filtered && matches!(filter.state, InboxState::Open | InboxState::Unread),
        may_put_all_away: !is_filtered && filter.state == InboxState::Open,
        is_done: filter.state == InboxState::Done,
        empty: empty(filter.state, is_filtered),
        pager: Pager::for_list(request, pagination.offset, pagination.limit, total),
        json: address(".json", &query),
        query,
        frame,
        error,
    };
    let reply = render(&page.frame, &page)?;
    Ok(match page.error {
        Some(_) => reply.with_status(StatusCode::UNPROCESSABLE_ENTITY),
        None => reply,
    })
}

/// Returns the address of the inbox with this filter.
fn address(suffix: &str, query: &str) -> String {
    match query.trim() {
        "" => format!("{PATH}{suffix}"),
        query => format!("{PATH}{suffix}?q={}", paths::encode(query)),
    }
}

/// Returns the parts of the inbox. They keep the other words of the filter.
fn tabs(state: InboxState, words: &[FilterWord], unread: Option<i64>) -> Vec<Tab> {
    let others = words
        .iter()
        .filter(|word| !matches!(word.condition, Condition::State(_)));
    let others: Vec<&str> = others.map(|word| word.text.as_str()).collect();
    let tab = |label: &str, word: &str, own: InboxState| {
        let query = [word, &others.join(" ")].join(" ");
        Tab::new(label, address("", &query), state == own)
    };
    let unread_tab = tab("Unread", "is:unread", InboxState::Unread);
    vec![
        tab("Inbox", "", InboxState::Open),
        Tab {
            count: unread,
            ..unread_tab
        },
        tab("Later", "is:later", InboxState::Later),
        tab("Done", "is:done", InboxState::Done),
    ]
}

fn chips(words: &[FilterWord]) -> Vec<FilterChip> {
    let without = |index: usize| {
        let others = words
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index);
        let others: Vec<&str> = others.map(|(_, word)| word.text.as_str()).collect();
        others.join(" ")
    };
    let chip = |(index, word): (usize, &FilterWord)| FilterChip {
        text: word.text.clone(),
        remove: address("", &without(index)),
    };
    words.iter().enumerate().map(chip).collect()
}

/// Returns what a page without entries says.
fn empty(state: InboxState, is_filtered: bool) -> (&'static str, &'static str) {
    if is_filtered {
        return (
            "Nothing matches the filter.",
            "Remove a word of the filter, or look into the other parts of the inbox.",
        );
    }
    match state {
        InboxState::Open => (
            "Your inbox is empty.",
            "You are told of issues that are assigned to you, that you wrote or watch, and of texts that mention you. What else is a choice under My account, Notifications.",
        ),
        InboxState::Unread => (
            "You have read everything.",
            "What is read stays in the inbox until you put it away.",
        ),
        InboxState::Read => ("Nothing here is read.", "Unread entries are in the inbox."),
        InboxState::Later => (
            "Nothing waits for later.",
            "Later hides an entry until tomorrow or next week.",
        ),
        InboxState::Done => (
            "Nothing is done yet.",
            "Done puts an entry away. It comes back when something happens.",
        ),
    }
}
