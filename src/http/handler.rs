//! The path of a request: origin, credentials, body, work, reply. Every route runs through here.
//!
//! Credentials are checked before the body is read. Work runs in place, in a thread of the runtime that hands its other tasks
//! over meanwhile; reads and writes have slots of their own, so that neither starves the other.

use super::authentication::authenticate;
use super::body::{self, BodyReader};
use super::client::{client_address, peer_address};
use super::error::Error;
use super::format::Wanted;
use super::limits::{ClientId, KeyedPermit, KeyedSlots, LoginThrottle, MemoryBudget, ReadLimiter, Slots};
use super::reply::Reply;
use super::server::{Connection, TransferLimit};
use super::{Ask, cross_site, download, render};
use crate::app::{App, Freshness};
use crate::config::Limit;
use crate::domain::ids::UserId;
use crate::domain::setting::Setting;
use crate::domain::user::UserStatus;
use crate::search::with_request_deadline;
use crate::store::Read;
use crate::wire::{self, Input};
use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{FromRequestParts, RawPathParams, Request};
use axum::handler::Handler;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, Response, header};
use http_body_util::BodyExt;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::OwnedSemaphorePermit;

/// How many requests may change something at once; they wait for the one writer of the store anyway.
const MAX_WRITES: usize = 64;
/// How many of them one client can have.
const MAX_WRITES_PER_CLIENT: usize = 16;
/// How many uploads of one client are received at once.
const MAX_UPLOADS_PER_CLIENT: usize = 4;
/// The longest query string that is read, in bytes.
const MAX_QUERY: usize = 32 * 1024;
/// Replies up to this size, in bytes, are sent whatever others hold of the memory for replies.
const UNCHARGED_REPLY: usize = 64 * 1024;

/// How often a search that waits for the index looks at it.
const INDEX_CHECK: Duration = Duration::from_millis(4);

/// Header of a search that lacks the last changes.
const STALE: HeaderValue = HeaderValue::from_static("199 quarry \"the last changes are still being indexed\"");

/// A table of routes.
pub type Routes = Router<Arc<HttpState>>;

/// What every route needs.
pub struct HttpState {
    pub(super) app: Arc<App>,
    pub(super) reads: ReadLimiter,
    writes: Slots,
    writes_of_client: KeyedSlots<ClientId>,
    pub(super) uploads_of_client: KeyedSlots<ClientId>,
    pub(super) logins: LoginThrottle,
    pub(super) transfer: Option<TransferLimit>,
    body_memory: Arc<MemoryBudget>,
    reply_memory: Arc<MemoryBudget>,
}

impl HttpState {
    /// The state for this service, with its configured limits.
    pub fn new(app: Arc<App>) -> Arc<HttpState> {
        let cpus = std::thread::available_parallelism().map_or(2, usize::from);
        let limits = &app.config.limits;
        let (queue, wait) = (limits.count(Limit::QueueLength), limits.duration(Limit::QueueTimeout));
        Arc::new(HttpState {
            reads: ReadLimiter::new(cpus, limits),
            writes: Slots::new(MAX_WRITES, queue, wait),
            writes_of_client: KeyedSlots::new(move || Slots::new(MAX_WRITES_PER_CLIENT, queue, wait)),
            uploads_of_client: KeyedSlots::new(move || Slots::new(MAX_UPLOADS_PER_CLIENT, queue, wait)),
            logins: LoginThrottle::new(cpus, limits),
            transfer: TransferLimit::new(limits),
            body_memory: MemoryBudget::new(limits.count(Limit::BodyMemory), wait),
            reply_memory: MemoryBudget::new(limits.count(Limit::ReplyMemory), wait),
            app,
        })
    }
}

impl HttpState {
    /// Waits for a slot to write.
    pub(super) async fn write_slot(&self, client: ClientId) -> Result<(KeyedPermit, OwnedSemaphorePermit), Error> {
        Ok((self.writes_of_client.acquire(client).await?, self.writes.acquire().await?))
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
}

/// A route that reads.
pub fn reading(handler: Reads) -> Route {
    Route { work: Work::Read(handler), fresh: false }
}

/// A route that changes something.
pub fn changing(handler: Changes) -> Route {
    Route { work: Work::Change(handler), fresh: false }
}

/// A route that searches: waits until the index has what the viewer saved before, and briefly for what others saved.
pub fn searching(handler: Reads) -> Route {
    Route { work: Work::Read(handler), fresh: true }
}

impl Handler<(), Arc<HttpState>> for Route {
    type Future = Pin<Box<dyn Future<Output = Response<Body>> + Send>>;

    fn call(self, request: Request, state: Arc<HttpState>) -> Self::Future {
        Box::pin(async move {
            let wanted = request.extensions().get::<Wanted>().copied().unwrap_or(Wanted::Page);
            let outcome = respond(&state, request, self, wanted).await;
            outcome.unwrap_or_else(|error| error_response(&error, wanted))
        })
    }
}

async fn respond(state: &Arc<HttpState>, request: Request, route: Route, wanted: Wanted) -> Result<Response<Body>, Error> {
    let (parts, body) = request.into_parts();
    let body = BodyReader::new(body, &parts.headers, state.transfer);
    let connection = parts.extensions.get::<Arc<Connection>>().cloned();
    let working = connection.as_ref().map(Connection::work);
    let (head, user) = match admit(state, parts, wanted).await {
        Ok(admitted) => admitted,
        Err(error) => {
            body.drain().await;
            return Err(error);
        }
    };
    // Before a slot is taken.
    let stale = route.fresh && !wait_for_index(&state.app, user).await;
    let client = ClientId::new(user, head.address);
    let mut charge = state.body_memory.reservation(client);
    // While the client is waited for, its connection may be closed for another one.
    drop(working);
    let bytes = body.read_all(&head.parts.headers, state.app.config.body_limit, &mut charge).await?;
    let _working = connection.as_ref().map(Connection::work);
    let whole = BufferedRequest { app: Arc::clone(&state.app), head, user, bytes, wanted };
    let mut response = match route.work {
        Work::Read(handler) => {
            state.reads.run(client, |deadline| whole.app.store.read_until(deadline, |db| whole.read(handler, db))).await?
        }
        Work::Change(handler) => {
            let _slot = state.write_slot(client).await?;
            run_blocking(|| whole.change(handler))?
        }
    };
    drop(charge);
    if stale {
        response.headers_mut().insert(header::WARNING, STALE);
    }
    charge_reply(state, client, response).await
}

/// What is known of a request before its body is read.
pub(super) struct Head {
    pub parts: Arc<Parts>,
    pub query: Arc<Input>,
    pub places: Vec<(String, String)>,
    pub address: IpAddr,
}

/// Reads the head, and finds out whose request it is.
pub(super) async fn admit(state: &HttpState, mut parts: Parts, wanted: Wanted) -> Result<(Head, Option<UserId>), Error> {
    if wanted == Wanted::Unknown {
        return Err(Error::Unspoken);
    }
    cross_site::check(&parts, || state.app.base_url())?;
    let places = places(&mut parts).await?;
    let query = query(&parts)?;
    let address = client_address(&state.app.config.trusted_proxies, peer_address(&parts.extensions), &parts.headers);
    let user = authenticate(state, &query, &parts.headers, address).await?;
    Ok((Head { parts: Arc::new(parts), query: Arc::new(query), places, address }, user))
}

/// Runs work that blocks, in place. Fails with [`Error::Broken`] when it panics.
pub(super) fn run_blocking<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    tokio::task::block_in_place(|| catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Error::of_panic(panic))))
}

/// Waits for the index on behalf of a search; whether it has every change that was committed before.
async fn wait_for_index(app: &App, viewer: Option<UserId>) -> bool {
    let (last, start) = (app.store.last_change(), Instant::now());
    loop {
        match app.freshness(last, viewer, start.elapsed()) {
            Freshness::Current => return true,
            Freshness::Stale => return false,
            Freshness::Wait => tokio::time::sleep(INDEX_CHECK).await,
        }
    }
}

async fn places(parts: &mut Parts) -> Result<Vec<(String, String)>, Error> {
    let raw = RawPathParams::from_request_parts(parts, &()).await;
    // The one reason is a path that is not UTF-8 once it is decoded.
    let raw = raw.map_err(|_| Error::Unreadable("The path is not valid UTF-8".to_owned()))?;
    Ok(raw.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// A request whose bytes are all here.
struct BufferedRequest {
    app: Arc<App>,
    head: Head,
    user: Option<UserId>,
    bytes: Vec<u8>,
    wanted: Wanted,
}

impl BufferedRequest {
    fn read(&self, handler: Reads, db: &Read<'_>) -> Result<Response<Body>, Error> {
        let ask = self.ask(db)?;
        let reply = with_request_deadline(db.deadline(), || handler(&ask, db)).map_err(|error| for_viewer(error, self.user))?;
        self.finish(reply, &ask)
    }

    fn change(&self, handler: Changes) -> Result<Response<Body>, Error> {
        let ask = self.app.store.read(|db| self.ask(db))?;
        let reply = handler(&ask).map_err(|error| for_viewer(error, self.user))?;
        self.finish(reply, &ask)
    }

    fn ask(&self, db: &Read<'_>) -> Result<Ask, Error> {
        let parts = &self.head.parts;
        let body = if parts.method == Method::GET { Input::Null } else { body::parse(&self.bytes, &parts.headers)? };
        context(&self.app, db, &self.head, self.user, body, self.wanted)
    }

    fn finish(&self, reply: Reply, ask: &Ask) -> Result<Response<Body>, Error> {
        let parts = &self.head.parts;
        if let Some(download) = reply.file {
            return download::respond(download, parts);
        }
        let quiet = matches!(parts.method, Method::PUT | Method::PATCH | Method::DELETE)
            && ask.app.store.catalogue()?.is_on(Setting::RedmineCompatibility);
        let known = (parts.method == Method::GET).then(|| parts.headers.get(header::IF_NONE_MATCH)).flatten();
        Ok(render::reply(if quiet { reply.quiet() } else { reply }, self.wanted, known))
    }
}

/// The request as handlers see it, with the rights that the user has in this snapshot.
pub(super) fn context(app: &Arc<App>, db: &Read<'_>, head: &Head, user: Option<UserId>, body: Input, wanted: Wanted) -> Result<Ask, Error> {
    let active = |user: UserId| db.catalogue().users.get(&user).is_some_and(|user| user.status == UserStatus::Active);
    if !user.is_none_or(active) {
        return Err(Error::Unauthenticated("The account is not active any more"));
    }
    let asker = app.asker(db.catalogue(), user);
    let (query, places, parts) = (Arc::clone(&head.query), head.places.clone(), Arc::clone(&head.parts));
    Ok(Ask { app: Arc::clone(app), asker, query, body, format: wanted.format(), places, parts })
}

/// Holds the reply's share of the memory for replies until the last byte is sent.
pub(super) async fn charge_reply(state: &HttpState, client: ClientId, response: Response<Body>) -> Result<Response<Body>, Error> {
    let Some(size) = response.size_hint().exact().and_then(|size| usize::try_from(size).ok()).filter(|size| *size > UNCHARGED_REPLY) else {
        return Ok(response);
    };
    let mut charge = state.reply_memory.reservation(client);
    // Waiting would hold the reply in memory, which is what there is too little of.
    charge.try_reserve(size)?;
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.map_err(|error| Error::Broken(error.to_string()))?.to_bytes();
    Ok(Response::from_parts(parts, Body::from(Bytes::from_owner(ChargedBytes { bytes, _charge: charge }))))
}

struct ChargedBytes {
    bytes: Bytes,
    _charge: super::limits::Charge,
}

impl AsRef<[u8]> for ChargedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// What is forbidden to somebody who is not logged in may be allowed after logging in (contract 2).
pub(super) fn for_viewer(error: Error, user: Option<UserId>) -> Error {
    match error {
        Error::Forbidden if user.is_none() => {
            Error::Unauthenticated("Authentication is required for this; send an API key in the header X-Service-API-Key")
        }
        other => other,
    }
}

fn query(parts: &Parts) -> Result<Input, Error> {
    let text = parts.uri.query().unwrap_or_default();
    if text.len() > MAX_QUERY {
        return Err(Error::Unreadable(format!("The query string is too long; at most {MAX_QUERY} bytes are read")));
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

pub(super) fn error_response(error: &Error, wanted: Wanted) -> Response<Body> {
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
pub fn panic_response(panic: Box<dyn std::any::Any + Send + 'static>) -> Response<Body> {
    error_response(&Error::of_panic(panic), Wanted::Page)
}
