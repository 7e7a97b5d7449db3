//! From a request to an answer: every route runs through here.
//!
//! The bytes are read first; then one piece of work finds out who asks, runs the handler over one snapshot of the records and
//! writes the answer. Readers and writers wait in separate queues, so that neither starves the other.

use super::authentication::{authenticate, recognize};
use super::error::Error;
use super::format::Wanted;
use super::hearing::{Alone, done};
use super::queue::Queue;
use super::reply::Reply;
use super::{Ask, body, credentials, download, render};
use crate::app::App;
use crate::domain::ids::UserId;
use crate::domain::setting::Setting;
use crate::store::Read;
use crate::wire::{self, Input};
use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams, Request};
use axum::handler::Handler;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, Response, header};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// How long a search waits for the index to reach the last change. Usually some 20 ms are enough; on a machine that is busy
/// with other things they may be hundreds, and an answer that is late is better than one that lacks what was just saved.
const FRESH: Duration = Duration::from_secs(2);
/// How many requests may change something at once; they wait for the one writer of the store anyway.
const CHANGING: usize = 64;
/// How many passwords may be compared at once: that takes long on purpose, and nobody else shall wait for it.
const PASSWORDS: usize = 1;
/// The longest query string that is read, in bytes.
const LONGEST_QUERY: usize = 32 * 1024;

/// Said of a search that could not wait for the last changes.
const STALE: HeaderValue = HeaderValue::from_static("199 quarry \"the last changes are still being indexed\"");

/// A table of routes.
pub type Routes = Router<Arc<Gate>>;

/// What every route needs.
pub struct Gate {
    pub(super) app: Arc<App>,
    pub(super) readers: Queue,
    pub(super) changers: Semaphore,
    passwords: Semaphore,
}

impl Gate {
    /// The gate to this service.
    pub fn new(app: Arc<App>) -> Arc<Gate> {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Arc::new(Gate { app, readers: Queue::new(cores), changers: Semaphore::new(CHANGING), passwords: Semaphore::new(PASSWORDS) })
    }
}

/// A handler that reads, over one snapshot.
type Reads = fn(&Ask, &Read<'_>) -> Result<Reply, Error>;
/// A handler that changes something.
type Changes = fn(&Ask) -> Result<Reply, Error>;

#[derive(Clone, Copy)]
enum Work {
    Read(Reads),
    Change(Changes),
}

/// A handler as a route: what it does, and whether the index must have caught up before.
#[derive(Clone, Copy)]
pub struct Route {
    work: Work,
    fresh: bool,
    small: bool,
}

impl Route {
    /// A route that reads one record by its number: it answers on the spot, for to hand it to another thread and back costs as much as
    /// to read the record. With `include` it is as any other.
    #[must_use]
    pub fn small(self) -> Route {
        Route { small: true, ..self }
    }
}

/// A route that reads.
pub fn reading(handler: Reads) -> Route {
    Route { work: Work::Read(handler), fresh: false, small: false }
}

/// A route that changes something.
pub fn changing(handler: Changes) -> Route {
    Route { work: Work::Change(handler), fresh: false, small: false }
}

/// A route that searches: waits until the index knows of every change that was answered before.
pub fn searching(handler: Reads) -> Route {
    Route { work: Work::Read(handler), fresh: true, small: false }
}

impl Handler<(), Arc<Gate>> for Route {
    type Future = Pin<Box<dyn Future<Output = Response<Body>> + Send>>;

    fn call(self, request: Request, gate: Arc<Gate>) -> Self::Future {
        Box::pin(async move {
            let stale = self.fresh && !catch_up(&gate.app, request.extensions().get().copied()).await;
            answer(gate, request, self, stale).await
        })
    }
}

/// Whether the index knows of every change that was answered before.
async fn catch_up(app: &Arc<App>, alone: Option<Alone>) -> bool {
    let last = app.store.last_change();
    if app.search.has_reached(last) {
        return true;
    }
    let search = Arc::clone(&app.search);
    let reached = done(alone, move || search.wait_until(last, FRESH)).await.unwrap_or(false);
    if !reached {
        tracing::warn!(search.waited_for = last, "a search was answered before the index had the last changes");
    }
    reached
}

async fn answer(gate: Arc<Gate>, request: Request, route: Route, stale: bool) -> Response<Body> {
    let wanted = request.extensions().get::<Wanted>().copied().unwrap_or(Wanted::Page);
    let outcome = prepared(gate, request, route, wanted).await;
    let mut response = outcome.unwrap_or_else(|error| refused(&error, wanted));
    if stale {
        response.headers_mut().insert(header::WARNING, STALE);
    }
    response
}

async fn prepared(gate: Arc<Gate>, request: Request, route: Route, wanted: Wanted) -> Result<Response<Body>, Error> {
    if wanted == Wanted::Unknown {
        return Err(Error::Unspoken);
    }
    let (mut parts, body) = request.into_parts();
    let alone = parts.extensions.remove::<Alone>();
    let bytes = body::read(body, &parts.headers, gate.app.config.body_limit).await?;
    let places = places(&mut parts).await?;
    check_password(&gate, &parts).await?;
    let whole = Whole { app: Arc::clone(&gate.app), parts: Arc::new(parts), places, bytes, wanted };
    if route.small && !whole.parts.uri.query().is_some_and(|query| query.contains("include")) {
        let query = Arc::new(query(&whole.parts)?);
        if let Some(reply) = attempt(&whole, &query, route.work, None)? {
            return finished(&whole, reply);
        }
    }
    let work = route.work;
    let answered = move || handled(&whole, work).unwrap_or_else(|error| refused(&error, wanted));
    if let Work::Read(_) = work {
        return gate.readers.run(alone, answered).await;
    }
    let _permit = gate.changers.acquire().await.map_err(|error| Error::Broken(error.to_string()))?;
    done(alone, answered).await
}

/// Compares the password, if one was sent, in the queue for passwords; what was found right is remembered for the request.
pub(super) async fn check_password(gate: &Gate, parts: &Parts) -> Result<(), Error> {
    if !credentials::has_password(&parts.headers) {
        return Ok(());
    }
    let parts = parts.clone();
    let app = Arc::clone(&gate.app);
    let _alone = gate.passwords.acquire().await.map_err(|error| Error::Broken(error.to_string()))?;
    let checked = tokio::task::spawn_blocking(move || authenticate(&app, &query(&parts)?, &parts.headers).map(drop)).await;
    checked.map_err(|error| Error::Broken(error.to_string()))?
}

pub(super) async fn places(parts: &mut Parts) -> Result<Vec<(String, String)>, Error> {
    let raw = RawPathParams::from_request_parts(parts, &()).await;
    // The one reason is a path that is not UTF-8 once it is decoded.
    let raw = raw.map_err(|_| Error::Unreadable("The path is not valid UTF-8".to_owned()))?;
    Ok(raw.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// A request whose bytes are all here.
struct Whole {
    app: Arc<App>,
    parts: Arc<Parts>,
    places: Vec<(String, String)>,
    bytes: Vec<u8>,
    wanted: Wanted,
}

impl Whole {
    fn ask(&self, db: &Read<'_>, query: &Arc<Input>, user: Option<UserId>) -> Result<Ask, Error> {
        let parts = &self.parts;
        let body = if parts.method == Method::GET { Input::Null } else { body::parse(&self.bytes, &parts.headers)? };
        let (asker, places) = (self.app.asker(db.catalogue(), user), self.places.clone());
        let (app, query, parts) = (Arc::clone(&self.app), Arc::clone(query), Arc::clone(parts));
        Ok(Ask { app, asker, query, body, format: self.wanted.format(), places, parts })
    }
}

fn handled(whole: &Whole, work: Work) -> Result<Response<Body>, Error> {
    let (app, parts) = (&whole.app, &whole.parts);
    let query = Arc::new(query(parts)?);
    let reply = match attempt(whole, &query, work, None)? {
        Some(reply) => reply,
        None => {
            let user = authenticate(app, &query, &parts.headers)?;
            let reply = attempt(whole, &query, work, Some(user))?;
            reply.ok_or_else(|| Error::Broken("nobody knows who asks".to_owned()))?
        }
    };
    finished(whole, reply)
}

fn finished(whole: &Whole, reply: Reply) -> Result<Response<Body>, Error> {
    let (app, parts) = (&whole.app, &whole.parts);
    if let Some(download) = reply.file {
        return download::respond(download, parts);
    }
    let quiet = matches!(parts.method, Method::PUT | Method::PATCH | Method::DELETE) && to_the_letter(app)?;
    let known = (parts.method == Method::GET).then(|| parts.headers.get(header::IF_NONE_MATCH)).flatten();
    Ok(render::reply(if quiet { reply.quiet() } else { reply }, whole.wanted, known))
}

/// Finds out who asks, if that is not known yet, by the snapshot that is read anyway; `None` where that takes comparing a password.
fn attempt(whole: &Whole, query: &Arc<Input>, work: Work, user: Option<Option<UserId>>) -> Result<Option<Reply>, Error> {
    let asked = |db: &Read<'_>| -> Result<Option<Ask>, Error> {
        let user = match user {
            Some(user) => Some(user),
            None => recognize(&whole.app, db, query, &whole.parts.headers)?,
        };
        user.map(|user| whole.ask(db, query, user)).transpose()
    };
    let refused = |error: Error, ask: &Ask| for_asker(error, ask.viewer().user.is_none());
    match work {
        Work::Read(handler) => whole.app.store.read(|db| {
            let Some(ask) = asked(db)? else { return Ok(None) };
            handler(&ask, db).map(Some).map_err(|error| refused(error, &ask))
        }),
        Work::Change(handler) => {
            let Some(ask) = whole.app.store.read(asked)? else { return Ok(None) };
            handler(&ask).map(Some).map_err(|error| refused(error, &ask))
        }
    }
}

fn to_the_letter(app: &App) -> Result<bool, Error> {
    Ok(app.store.catalogue()?.is_on(Setting::RedmineCompatibility))
}

/// What is forbidden to somebody who is not logged in may be allowed after logging in (contract 2).
pub(super) fn for_asker(error: Error, anonymous: bool) -> Error {
    match error {
        Error::Forbidden if anonymous => {
            Error::Unauthenticated("Authentication is required for this; send an API key in the header X-Service-API-Key")
        }
        other => other,
    }
}

pub(super) fn query(parts: &Parts) -> Result<Input, Error> {
    let text = parts.uri.query().unwrap_or_default();
    if text.len() > LONGEST_QUERY {
        return Err(Error::Unreadable(format!("The query string is too long; at most {LONGEST_QUERY} bytes are read")));
    }
    let mut query = wire::from_query(text)?;
    if let (Input::Map(entries), Some(value)) = (&mut query, nometa(&parts.headers)) {
        entries.push(("nometa".to_owned(), Input::Text(value)));
    }
    Ok(query)
}

/// The header that stands for the parameter `nometa` (contract 1.3).
fn nometa(headers: &HeaderMap) -> Option<String> {
    let value = headers.get("x-service-nometa").or_else(|| headers.get("x-redmine-nometa"))?;
    value.to_str().ok().map(str::to_owned)
}

pub(super) fn refused(error: &Error, wanted: Wanted) -> Response<Body> {
    if let Error::Broken(problem) | Error::Full(problem) = error {
        tracing::error!(error = %problem, "a request could not be answered");
    }
    render::error(error, wanted)
}

/// What is answered where no route leads, or not with this verb (contract 1.4).
pub async fn no_route(request: Request) -> Response<Body> {
    let wanted = request.extensions().get::<Wanted>().copied().unwrap_or(Wanted::Page);
    render::error(if wanted == Wanted::Unknown { &Error::Unspoken } else { &Error::NotFound }, wanted)
}

/// What is answered when a handler breaks down.
pub fn broken(panic: Box<dyn std::any::Any + Send + 'static>) -> Response<Body> {
    refused(&Error::of_panic(panic), Wanted::Page)
}
