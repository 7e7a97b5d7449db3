//! Bodies that are files: they go to disk while they come in, whatever their size, and are judged before their first byte.

use super::answer::{Gate, check_password, for_asker, places, query, refused};
use super::authentication::authenticate;
use super::body::{announced, drain};
use super::error::Error;
use super::format::Wanted;
use super::hearing::done;
use super::reply::Reply;
use super::{Ask, render};
use crate::app::App;
use crate::store::Read;
use crate::store::contents::{Arriving, Whole};
use crate::wire::Input;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::Response;
use axum::http::request::Parts;
use http_body_util::BodyExt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// How many bytes are gathered before a thread is asked to write them.
const GATHERED: usize = 256 * 1024;
/// How long the next bytes may take.
const PATIENCE: Duration = Duration::from_secs(60);

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

impl Handler<(), Arc<Gate>> for Receiving {
    type Future = Pin<Box<dyn Future<Output = Response<Body>> + Send>>;

    fn call(self, request: Request, gate: Arc<Gate>) -> Self::Future {
        Box::pin(async move {
            let wanted = request.extensions().get::<Wanted>().copied().unwrap_or(Wanted::Page);
            let outcome = received(gate, request, self, wanted).await;
            outcome.unwrap_or_else(|error| refused(&error, wanted))
        })
    }
}

async fn received(gate: Arc<Gate>, request: Request, route: Receiving, wanted: Wanted) -> Result<Response<Body>, Error> {
    let (parts, body) = request.into_parts();
    let length = announced(&parts.headers);
    let (ask, bound) = match judged(&gate, parts, route.judge, wanted).await {
        Ok(judged) => judged,
        Err(error) => {
            drain(body).await;
            return Err(error);
        }
    };
    if length.is_some_and(|length| length > bound.most) {
        drain(body).await;
        return Err(bound.beyond);
    }
    let arriving = arrived(&gate.app, body, bound).await?;
    let _permit = gate.changers.acquire().await.map_err(|error| Error::Broken(error.to_string()))?;
    blocking(move || {
        let reply = (route.take)(&ask, arriving.finish()?).map_err(|error| for_asker(error, ask.viewer().user.is_none()))?;
        Ok(render::reply(reply, wanted, None))
    })
    .await
}

/// Who asks, and how much that person may send.
async fn judged(gate: &Arc<Gate>, mut parts: Parts, judge: Judges, wanted: Wanted) -> Result<(Ask, Bound), Error> {
    if wanted == Wanted::Unknown {
        return Err(Error::Unspoken);
    }
    let places = places(&mut parts).await?;
    check_password(gate, &parts).await?;
    let app = Arc::clone(&gate.app);
    let judged = move || {
        let query = query(&parts)?;
        let user = authenticate(&app, &query, &parts.headers)?;
        app.store.read(|db| {
            let asker = app.asker(db.catalogue(), user);
            let (body, format) = (Input::Null, wanted.format());
            let ask = Ask { app: Arc::clone(&app), asker, query: Arc::new(query), body, format, places, parts: Arc::new(parts) };
            let bound = judge(&ask, db).map_err(|error| for_asker(error, user.is_none()))?;
            Ok((ask, bound))
        })
    };
    gate.readers.run(None, judged).await?
}

/// Writes the body to disk as it comes. When it breaks off or is too large, nothing of it stays.
async fn arrived(app: &Arc<App>, mut body: Body, bound: Bound) -> Result<Arriving, Error> {
    let beginning = Arc::clone(app);
    let mut arriving = blocking(move || Ok(Arriving::begin(beginning.store.folder())?)).await?;
    let mut gathered = Vec::new();
    while let Some(data) = next(&mut body).await? {
        gathered.extend_from_slice(&data);
        if arriving.size() + gathered.len() as u64 > bound.most {
            drop(arriving);
            drain(body).await;
            return Err(bound.beyond);
        }
        if gathered.len() >= GATHERED {
            (arriving, gathered) = written(arriving, gathered).await?;
        }
    }
    Ok(written(arriving, gathered).await?.0)
}

/// The next bytes; `None` at the end.
async fn next(body: &mut Body) -> Result<Option<Bytes>, Error> {
    let broken = || Error::Unreadable("The body ended before it was complete".to_owned());
    loop {
        let frame = tokio::time::timeout(PATIENCE, body.frame()).await.map_err(|_| broken())?;
        match frame.transpose().map_err(|_| broken())? {
            None => return Ok(None),
            Some(frame) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
        }
    }
}

async fn written(mut arriving: Arriving, mut gathered: Vec<u8>) -> Result<(Arriving, Vec<u8>), Error> {
    blocking(move || {
        arriving.take(&gathered)?;
        gathered.clear();
        Ok((arriving, gathered))
    })
    .await
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Error> + Send + 'static) -> Result<T, Error> {
    done(None, work).await?
}
