//! Forms that a browser has sent in vain, such as without a valid session: their fields are kept, so
//! that nothing is lost by logging in again, or because a right is gone.

use super::form_body;
use super::render::{PageCharge, UNCHARGED_REPLY, error_response};
use crate::error::Error;
use crate::request::body::BodyReader;
use crate::request::client::{Peer, client_address};
use crate::request::credentials;
use crate::request::credentials::Credentials;
use crate::request::format::{PAGES, ResponseFormat};
use crate::request::{form_encoding, multipart, session};
use crate::server::limits::client_id::ClientId;
use crate::server::state::HttpState;
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Response, header};
use percent_encoding::percent_decode_str;
use quarry_wire as wire;
use std::net::IpAddr;
use std::sync::Arc;

/// Copies of a form that a page needs: the form, and the page around it.
const FORM_COPIES: usize = 2;

/// An extension of an error for a browser: what it can do about it.
#[derive(Clone, Debug)]
pub enum PagePrompt {
    /// Log in, and then go to the page.
    Login,
    /// Log in, and then send the form again. The login form sends this token, with this cookie if
    /// the browser has none yet.
    Resume {
        /// The form.
        form: PostedForm,
        /// The token of the login form.
        csrf_token: String,
        /// The `Set-Cookie` value that belongs to it.
        cookie: Option<String>,
    },
    /// Send the form again, with this token.
    Confirm(PostedForm, String),
    /// Copy what was written from the form that is refused.
    Copy(PostedForm),
}

/// A form as it was sent.
#[derive(Clone, Debug)]
pub struct PostedForm {
    /// The path and query string to which it was sent.
    pub path: String,
    /// The fields, as a form without files encodes them, in the shortest way. Files are not kept.
    pub body: String,
}

/// What is known about a request before it is authenticated.
pub struct FormRequest {
    headers: HeaderMap,
    peer: Peer,
    address: IpAddr,
    path: String,
    format: ResponseFormat,
    is_page: bool,
    is_safe: bool,
    has_credentials: bool,
}

impl FormRequest {
    /// Captures the head of a request.
    pub fn new(state: &HttpState, parts: &Parts, format: ResponseFormat) -> FormRequest {
        let is_safe = matches!(parts.method, Method::GET | Method::HEAD);
        let peer = Peer::from_extensions(&parts.extensions);
        let address = client_address(
            &state.app.config.trusted_proxies,
            peer.address,
            &parts.headers,
        );
        let none = FormRequest {
            headers: HeaderMap::new(),
            peer,
            address,
            path: String::new(),
            format,
            is_page: false,
            is_safe,
            has_credentials: false,
        };
        if format != ResponseFormat::Page {
            return none;
        }
        let query = wire::from_query(parts.uri.query().unwrap_or_default()).unwrap_or_default();
        let path = parts.uri.path();
        let path = path
            .strip_prefix(PAGES)
            .map_or(path, |path| if path.is_empty() { "/" } else { path });
        FormRequest {
            headers: parts.headers.clone(),
            path: parts
                .uri
                .query()
                .map_or_else(|| path.to_owned(), |query| format!("{path}?{query}")),
            is_page: true,
            has_credentials: credentials::parse(&query, &parts.headers) != Credentials::None,
            ..none
        }
    }

    /// Renders the error of a request whose body was not read. The body is read only to keep a
    /// form.
    pub async fn refuse(
        &self,
        state: &HttpState,
        error: Error,
        body: BodyReader,
    ) -> Response<Body> {
        let is_kept = self.is_page
            && self.is_form()
            && !self.has_credentials
            && matches!(error, Error::Unauthenticated(_));
        if !is_kept {
            body.drain().await;
            return self.error(state, &error, &[], None);
        }
        let limit = state.app.config.body_limit;
        let mut charge = state
            .body_memory
            .reservation(ClientId::new(None, self.address));
        let bytes = match multipart::boundary(&self.headers) {
            Some(boundary) => {
                form_body::read_fields(state, boundary, limit, body, &mut charge).await
            }
            None => body.read_all(&self.headers, limit, &mut charge).await,
        };
        match bytes {
            Ok(bytes) => self.error(state, &error, &bytes, None),
            // The browser still has the form, and can send it again later.
            Err(busy @ Error::Overloaded) => self.error(state, &busy, &[], None),
            Err(_) => self.error(state, &error, &[], None),
        }
    }

    /// Renders an error, with what the browser can do about it.
    pub fn error(
        &self,
        state: &HttpState,
        error: &Error,
        bytes: &[u8],
        csrf_token: Option<String>,
    ) -> Response<Body> {
        let mut response = error_response(error, self.format);
        if !self.is_page || self.has_credentials {
            return response;
        }
        let form = match (error, &csrf_token) {
            (Error::InvalidCsrfToken, None) => None,
            _ => self.form(bytes),
        };
        let size = form
            .as_ref()
            .map_or(0, |form| form.body.len() * FORM_COPIES);
        if size > UNCHARGED_REPLY {
            // Until the page is sent, which may take a client long.
            let mut charge = state
                .reply_memory
                .reservation(ClientId::new(None, self.address));
            if let Err(busy) = charge.try_reserve(size) {
                return error_response(&busy, self.format);
            }
            response
                .extensions_mut()
                .insert(PageCharge(Arc::new(charge)));
        }
        let prompt = match (error, form, csrf_token) {
            (Error::Unauthenticated(_), Some(form), _) => self.resume(state, form),
            (Error::Unauthenticated(_), None, _) => Some(PagePrompt::Login),
            (Error::InvalidCsrfToken, Some(form), Some(token)) => {
                Some(PagePrompt::Confirm(form, token))
            }
            (_, Some(form), Some(_)) => Some(PagePrompt::Copy(form)),
            _ => None,
        };
        prompt.map(|prompt| response.extensions_mut().insert(prompt));
        response
    }

    /// Returns the prompt for a login that goes on with the form.
    fn resume(&self, state: &HttpState, form: PostedForm) -> Option<PagePrompt> {
        let app = &state.app;
        let catalogue = app.store.catalogue().ok()?;
        let is_secure = session::is_secure(app, &catalogue, self.peer, &self.headers);
        let (csrf_token, cookie) = match session::login_value(&self.headers, is_secure) {
            Some(value) => (session::csrf_token(app.store.secrets(), &value), None),
            None => {
                let value = session::fresh_login_value(app.entropy.as_ref());
                (
                    session::csrf_token(app.store.secrets(), &value),
                    Some(session::login_cookie(&value, is_secure)),
                )
            }
        };
        Some(PagePrompt::Resume {
            form,
            csrf_token,
            cookie,
        })
    }

    fn is_form(&self) -> bool {
        let content_type = self
            .headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let is_form = content_type.starts_with("application/x-www-form-urlencoded")
            || content_type.starts_with("multipart/form-data");
        !self.is_safe && is_form
    }

    /// Returns the form, unless it is none or has a password or another secret.
    fn form(&self, bytes: &[u8]) -> Option<PostedForm> {
        let body = std::str::from_utf8(bytes).ok()?;
        let mut names = body.split('&').map(|field| {
            let name = field.split('=').next().unwrap_or_default();
            percent_decode_str(name).decode_utf8_lossy().to_lowercase()
        });
        let has_secret = names.any(|name| name.contains("password") || name.contains("secret"));
        let is_kept = self.is_form() && !has_secret && !bytes.is_empty();
        let form = is_kept
            .then(|| String::from_utf8(form_encoding::shorten(bytes)).ok())
            .flatten()?;
        Some(PostedForm {
            path: self.path.clone(),
            body: form,
        })
    }
}
