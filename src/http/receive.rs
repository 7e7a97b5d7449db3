//! Bodies that are files: they go to disk while they come in, whatever their size, and are judged before their first byte.

use super::body::{BodyReader, announced};
use super::error::Error;
use super::format::Wanted;
use super::handler::{HttpState, admit, context, error_response, for_viewer, run_blocking};
use super::limits::ClientId;
use super::reply::Reply;
use super::server::Connection;
use super::{Ask, render};
use crate::app::App;
use crate::store::Read;
use crate::store::contents::{Arriving, Whole};
use crate::wire::Input;
use axum::body::Body;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::Response;
use axum::http::request::Parts;
use std::pin::Pin;
use std::sync::Arc;

/// How many bytes are gathered before they are written.
const GATHERED: usize = 256 * 1024;

/// How much is taken, and what is said of more.
pub struct Bound {
    /// The most bytes that are taken.
    pub most: u64,
    /// The answer to a body with more.
    pub beyond: Error,
}

/// Decides who may send a body, before it is read.
type Judges = fn(&Ask, &Read<'_>) -> Result<Bound, Error>;
/// Does something with a body that is on disk.
type Takes = fn(&Ask, Whole) -> Result<Reply, Error>;

/// A route that takes a file.
#[derive(Clone, Copy)]
pub struct Receiving {
    judge: Judges,
    take: Takes,
}

/// A route whose body is a file: `judge` decides before the first byte is read, `take` gets it when it is whole.
pub fn receiving(judge: Judges, take: Takes) -> Receiving {
    Receiving { judge, take }
}

impl Handler<(), Arc<HttpState>> for Receiving {
    type Future = Pin<Box<dyn Future<Output = Response<Body>> + Send>>;

    fn call(self, request: Request, state: Arc<HttpState>) -> Self::Future {
        Box::pin(async move {
            let wanted = request.extensions().get::<Wanted>().copied().unwrap_or(Wanted::Page);
            let outcome = receive(&state, request, self, wanted).await;
            outcome.unwrap_or_else(|error| error_response(&error, wanted))
        })
    }
}

async fn receive(state: &Arc<HttpState>, request: Request, route: Receiving, wanted: Wanted) -> Result<Response<Body>, Error> {
    let (parts, body) = request.into_parts();
    let body = BodyReader::new(body, &parts.headers, state.transfer);
    let length = announced(&parts.headers);
    let connection = parts.extensions.get::<Arc<Connection>>().cloned();
    let working = connection.as_ref().map(Connection::work);
    let (ask, bound, client) = match check(state, parts, route.judge, wanted).await {
        Ok(checked) => checked,
        Err(error) => {
            body.drain().await;
            return Err(error);
        }
    };
    if length.is_some_and(|length| length > bound.most) {
        body.drain().await;
        return Err(bound.beyond);
    }
    let _upload = state.uploads_of_client.acquire(client).await?;
    // While the client is waited for, its connection may be closed for another one.
    drop(working);
    let arriving = store_body(&state.app, body, bound).await?;
    let _working = connection.as_ref().map(Connection::work);
    let _slot = state.write_slot(client).await?;
    run_blocking(|| {
        let reply = (route.take)(&ask, arriving.finish()?).map_err(|error| for_viewer(error, ask.viewer().user))?;
        Ok(render::reply(reply, wanted, None))
    })
}

/// Whose request it is, and how much that person may send.
async fn check(state: &Arc<HttpState>, parts: Parts, judge: Judges, wanted: Wanted) -> Result<(Ask, Bound, ClientId), Error> {
    let (head, user) = admit(state, parts, wanted).await?;
    let client = ClientId::new(user, head.address);
    let check = |deadline| {
        state.app.store.read_until(deadline, |db| {
            let ask = context(&state.app, db, &head, user, Input::Null, wanted)?;
            let bound = judge(&ask, db).map_err(|error| for_viewer(error, user))?;
            Ok((ask, bound, client))
        })
    };
    state.reads.run(client, check).await
}

/// Writes the body to disk as it comes. When it breaks off or is too large, nothing of it stays.
async fn store_body(app: &App, mut body: BodyReader, bound: Bound) -> Result<Arriving, Error> {
    let mut arriving = run_blocking(|| Ok(Arriving::begin(app.store.folder())?))?;
    let mut gathered = Vec::new();
    while let Some(data) = body.next().await? {
        gathered.extend_from_slice(&data);
        if arriving.size() + gathered.len() as u64 > bound.most {
            drop(arriving);
            body.drain().await;
            return Err(bound.beyond);
        }
        if gathered.len() >= GATHERED {
            run_blocking(|| Ok(arriving.take(&gathered)?))?;
            gathered.clear();
        }
    }
    run_blocking(|| Ok(arriving.take(&gathered)?))?;
    Ok(arriving)
}
