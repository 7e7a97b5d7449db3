//! `POST /my/inbox`, `POST /my/inbox/:type/:id`: what a person does with threads.

use crate::access;
use crate::components::form_field::typed;
use crate::form::field;
use crate::frame::Flash;
use crate::frame::local_path::local_path;
use crate::frame::render::redirect_with;
use crate::prelude::*;
use quarry_actions::notices::inbox;
use quarry_actions::notices::inbox::ThreadChange;
use quarry_domain::notices::notice::Thread;
use quarry_domain::values::text::parse_digits;

/// The address of the inbox.
pub const PATH: &str = "/my/inbox";
/// Maximum number of threads that are changed at once: those of a page.
const MAX_THREADS: usize = 100;
/// The field with the chosen threads, each as type, id and latest notice.
const THREADS: &str = "threads[]";

/// Changes one thread: `state` says how, `last` is the latest notice that the page showed.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let id = request.id_param("id")?;
    let thread = Thread::from_type_name(request.path_param("type"), id).ok_or(Error::NotFound)?;
    let change = ThreadChange::from_name(&field(request, "state"))
        .ok_or_else(|| Error::BadRequest("state must be one of the buttons".to_owned()))?;
    let last = last(request)?;
    access::found(
        request,
        request.write(move |db, viewer| inbox::change(db, viewer, thread, last, change)),
    )?;
    let message = match change {
        ThreadChange::Read => "Marked as read.",
        ThreadChange::Unread => "Marked as unread.",
        ThreadChange::Done | ThreadChange::Reopen => "Done. It comes back when something happens.",
        ThreadChange::Later(_) => "It comes back later.",
        ThreadChange::Mute => {
            "Muted: you are told only of what mentions you or is assigned to you."
        }
        ThreadChange::Unmute => "Not muted any more.",
    };
    Ok(back(request, message.to_owned()))
}

/// Changes everything (`do=read_all`, `do=done_all`) up to the notice `last`, or the chosen threads
/// (`do=read`, `do=done`).
pub fn update_several(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let what = field(request, "do");
    match what.as_str() {
        "read_all" | "done_all" => {
            let last = last(request)?;
            request.write(move |db, viewer| match what.as_str() {
                "read_all" => inbox::read_all(db, viewer, last),
                _ => inbox::put_all_away(db, viewer, last),
            })?;
            Ok(back(request, "The inbox was changed.".to_owned()))
        }
        "read" | "done" => {
            let change = ThreadChange::from_name(&what).unwrap_or(ThreadChange::Read);
            let threads = chosen(request)?;
            if threads.is_empty() {
                let flash = Flash::error("Nothing was changed: choose an entry first.");
                return Ok(redirect_with(request, back_path(request), &flash));
            }
            let count = access::found(
                request,
                request.write(move |db, viewer| -> Result<usize, ActionError> {
                    for (thread, last) in &threads {
                        inbox::change(db, viewer, *thread, *last, change)?;
                    }
                    Ok(threads.len())
                }),
            )?;
            let message = match count {
                1 => "1 entry was changed.".to_owned(),
                count => format!("{count} entries were changed."),
            };
            Ok(back(request, message))
        }
        _ => Err(Error::BadRequest(
            "do must be one of the buttons".to_owned(),
        )),
    }
}

/// Returns the chosen threads, each with the latest notice that the page showed.
fn chosen(request: &RequestContext) -> Result<Vec<(Thread, i64)>, Error> {
    let sent = typed(&request.body, THREADS).unwrap_or_default();
    let parse = |line: &str| -> Option<(Thread, i64)> {
        let mut parts = line.split('/');
        let name = parts.next()?;
        let id = parse_digits(parts.next()?)?;
        let last = parse_digits(parts.next()?)?;
        Some((Thread::from_type_name(name, id)?, last))
    };
    let lines = sent.lines().filter(|line| !line.is_empty());
    let mut threads: Vec<(Thread, i64)> = Vec::new();
    for line in lines.take(MAX_THREADS) {
        let (thread, last) = parse(line).ok_or(Error::NotFound)?;
        if !threads.iter().any(|(chosen, _)| *chosen == thread) {
            threads.push((thread, last));
        }
    }
    Ok(threads)
}

fn last(request: &RequestContext) -> Result<i64, Error> {
    match field(request, "last").as_str() {
        "" => Ok(i64::MAX),
        text => parse_digits(text)
            .ok_or_else(|| Error::BadRequest("last must be the id of a notice".to_owned())),
    }
}

fn back_path(request: &RequestContext) -> String {
    let address = field(request, "back_url");
    local_path(&address).unwrap_or(PATH).to_owned()
}

fn back(request: &RequestContext, message: String) -> Reply {
    redirect_with(request, back_path(request), &Flash::notice(message))
}
