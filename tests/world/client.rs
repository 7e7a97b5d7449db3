//! A client that calls the router of a [`World`] in memory.

use crate::html_lines;
use crate::wait::TIMEOUT;
use crate::{Response, World};
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request};
use base64::Engine;
use futures_util::stream;
use quarry::app::App;
use quarry::http::PeerAddress;
use serde_json::Value;
use std::net::IpAddr;
use std::sync::{Arc, LazyLock};
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// The runtime of all tests of the process. Handlers block their thread while they read the store,
/// so it has several.
pub static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .unwrap()
});

/// Sends requests with the credentials of one user, or with none.
#[derive(Clone)]
pub struct Client<'w> {
    pub(crate) world: &'w World,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) waits_for_index: bool,
    pub(crate) address: Option<IpAddr>,
}

impl Client<'_> {
    /// Leaves waiting for the index to the service. Otherwise the client waits before each search
    /// until the index has all changes, however busy the machine is.
    pub fn without_waiting(mut self) -> Self {
        self.waits_for_index = false;
        self
    }

    /// Sends the requests from this address.
    pub fn at_address(mut self, address: [u8; 4]) -> Self {
        self.address = Some(address.into());
        self
    }

    /// Adds a header to each request.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds HTTP Basic credentials to each request.
    pub fn basic(self, login: &str, password: &str) -> Self {
        let encoded =
            base64::engine::general_purpose::STANDARD.encode(format!("{login}:{password}"));
        self.with("Authorization", &format!("Basic {encoded}"))
    }

    /// Sends a GET request.
    #[must_use = "assert the status"]
    pub fn get(&self, path: &str) -> Response {
        self.send(Method::GET, path, None, Vec::new())
    }

    /// Returns the `total_count` of a list or a search.
    #[track_caller]
    pub fn total_count(&self, path: &str) -> i64 {
        self.get(path).assert_status(200).integer("/total_count")
    }

    /// Sends a DELETE request.
    #[must_use = "assert the status"]
    pub fn delete(&self, path: &str) -> Response {
        self.send(Method::DELETE, path, None, Vec::new())
    }

    /// Sends a POST request with the content type JSON.
    #[must_use = "assert the status"]
    pub fn post(&self, path: &str, json: impl JsonBody) -> Response {
        self.send(
            Method::POST,
            path,
            Some("application/json"),
            json.to_bytes(),
        )
    }

    /// Sends a PUT request with the content type JSON.
    #[must_use = "assert the status"]
    pub fn put(&self, path: &str, json: impl JsonBody) -> Response {
        self.send(Method::PUT, path, Some("application/json"), json.to_bytes())
    }

    /// Sends a request. A search first waits until the index has all changes.
    #[must_use = "assert the status"]
    pub fn send(
        &self,
        method: Method,
        path: &str,
        content_type: Option<&str>,
        body: Vec<u8>,
    ) -> Response {
        let is_search = ["search", "similar", "completions"]
            .iter()
            .any(|name| path.contains(name));
        if self.waits_for_index && is_search {
            let app = &self.world.app;
            assert!(
                app.search.wait_until(app.store.last_change(), TIMEOUT),
                "the index does not catch up"
            );
        }
        self.call(method, path, content_type, Body::from(body))
    }

    /// Sends a request whose body arrives only after something else has happened, when the head has
    /// been checked.
    #[must_use = "assert the status"]
    pub fn send_after(
        &self,
        method: Method,
        path: &str,
        content_type: &str,
        body: Vec<u8>,
        meanwhile: impl FnOnce(&App) + Send + 'static,
    ) -> Response {
        let app = Arc::clone(&self.world.app);
        let body = stream::once(async move {
            tokio::task::block_in_place(|| meanwhile(&app));
            Ok::<_, std::convert::Infallible>(body)
        });
        self.call(method, path, Some(content_type), Body::from_stream(body))
    }

    fn call(&self, method: Method, path: &str, content_type: Option<&str>, body: Body) -> Response {
        let mut request = Request::builder()
            .method(method.clone())
            .uri(path)
            .header("Host", "quarry.test");
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if let Some(content_type) = content_type {
            request = request.header("Content-Type", content_type);
        }
        if let Some(address) = self.address {
            request = request.extension(PeerAddress(address));
        }
        let request = request.body(body).unwrap();
        // Spawned, so that handlers and bodies run on a thread of the runtime.
        let response = RUNTIME.spawn(self.world.router.clone().oneshot(request));
        RUNTIME.block_on(async {
            let response = response.await.unwrap().unwrap();
            let (parts, body) = response.into_parts();
            // Compressed bodies are not text.
            let body =
                String::from_utf8_lossy(&to_bytes(body, usize::MAX).await.unwrap()).into_owned();
            let content_type = parts
                .headers
                .get("content-type")
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default();
            crate::openapi::check(
                method.as_str(),
                path,
                parts.status.as_u16(),
                content_type,
                &body,
            );
            let body = match content_type.starts_with("text/html") {
                true => html_lines::join(&body),
                false => body,
            };
            Response {
                status: parts.status.as_u16(),
                headers: parts.headers,
                body,
            }
        })
    }
}

/// The body of a request with the content type JSON. Text is sent as it is, so that it may be
/// malformed.
pub trait JsonBody {
    /// Returns the bytes to send.
    fn to_bytes(&self) -> Vec<u8>;
}

impl JsonBody for Value {
    fn to_bytes(&self) -> Vec<u8> {
        self.to_string().into_bytes()
    }
}

impl JsonBody for str {
    fn to_bytes(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }
}

impl JsonBody for String {
    fn to_bytes(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }
}

impl<T: JsonBody + ?Sized> JsonBody for &T {
    fn to_bytes(&self) -> Vec<u8> {
        (**self).to_bytes()
    }
}
