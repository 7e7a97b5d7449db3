//! The request as handlers receive it: user, parameters and body.

use super::audit::log_event;
use super::format::{PAGES, ResponseFormat};
use super::head::RequestHead;
use super::multipart::{FormFile, FormFiles};
use super::render_budget::{LongTexts, RenderBudget};
use super::session::RequestSession;
use super::used_credential::UsedCredential;
use super::{client, cookies};
use crate::error::Error;
use crate::server::limits::logins::AttemptPermission;
use axum::body::Bytes;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use quarry_actions::accounts::pictures::Picture;
use quarry_app::{App, ViewerContext};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::audit::AuditEvent;
use quarry_domain::administration::setting::Setting;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{ProjectId, UserId};
use quarry_domain::values::text::parse_digits;
use quarry_store::{Read, Slot, StoreError, Write};
use quarry_wire::{Format, Input};
use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The values of the parameter `include` of [`RequestContext::includes_administration`].
const ADMINISTRATION_INCLUDES: [&str; 1] = ["administration"];

/// What a write of a request does in its transaction, as [`RequestContext::write`] describes.
type WriteWork = Box<dyn FnOnce(&mut Write<'_>, &Viewer) -> Result<(), Error> + Send>;

/// The context of a request: who sent it, what it contains, and the service that handles it.
pub struct RequestContext {
    /// The running service.
    pub app: Arc<App>,
    /// The viewer, and what was derived from the viewer's rights.
    pub viewer_context: Arc<ViewerContext>,
    /// The query string.
    pub query: Arc<Input>,
    pub body: Input,
    /// The format of the response; `None` for pages.
    pub format: Option<Format>,
    path_params: Vec<(String, String)>,
    parts: Arc<Parts>,
    address: IpAddr,
    session: Option<Arc<RequestSession>>,
    credential: Arc<UsedCredential>,
    is_secure: bool,
    attempt: Mutex<AttemptPermission>,
    files: Mutex<FormFiles>,
    raw_body: Bytes,
    has_written: AtomicBool,
    deletes: bool,
    render_budget: RenderBudget,
}

impl RequestContext {
    /// Creates the context of a request, with the rights that the user has in this snapshot. Fails
    /// with 401 when the account is not active any more.
    pub(crate) fn new(
        app: &Arc<App>,
        db: &Read<'_>,
        head: &RequestHead,
        user: Option<UserId>,
        body: Input,
        format: ResponseFormat,
    ) -> Result<RequestContext, Error> {
        require_active(db.catalogue(), user)?;
        if !head.parts.method.is_safe() {
            // The body may have arrived long after the head.
            head.credential.check(db)?;
        }
        let viewer_context = app.viewer_context(db.catalogue(), user, head.scopes);
        let query = Arc::clone(&head.query);
        let path_params = head.path_params.clone();
        let parts = Arc::clone(&head.parts);
        Ok(RequestContext {
            app: Arc::clone(app),
            viewer_context,
            query,
            body,
            format: format.data_format(),
            path_params,
            parts,
            address: head.address,
            session: head.session.clone(),
            credential: Arc::clone(&head.credential),
            is_secure: head.is_secure,
            attempt: Mutex::default(),
            files: Mutex::default(),
            raw_body: Bytes::new(),
            has_written: AtomicBool::new(false),
            deletes: false,
            render_budget: RenderBudget::default(),
        })
    }

    /// Adds the files of the form.
    pub(crate) fn with_files(self, files: FormFiles) -> RequestContext {
        RequestContext {
            files: Mutex::new(files),
            ..self
        }
    }

    /// Adds the permission to compare the secret of the request.
    pub(crate) fn with_attempt(self, attempt: AttemptPermission) -> RequestContext {
        RequestContext {
            attempt: Mutex::new(attempt),
            ..self
        }
    }

    /// Sets what happens to long texts of a page.
    pub(crate) fn with_long_texts(self, long_texts: LongTexts) -> RequestContext {
        RequestContext {
            render_budget: RenderBudget::new(long_texts),
            ..self
        }
    }

    /// Returns how much text this request may still render.
    pub fn render_budget(&self) -> &RenderBudget {
        &self.render_budget
    }

    /// Sets whether the route deletes something.
    pub(crate) fn with_deletion(self, deletes: bool) -> RequestContext {
        RequestContext { deletes, ..self }
    }

    /// Adds the bytes of the body.
    pub(crate) fn with_raw_body(self, raw_body: Bytes) -> RequestContext {
        RequestContext { raw_body, ..self }
    }

    /// Returns the bytes of the body.
    pub fn raw_body(&self) -> &[u8] {
        &self.raw_body
    }

    /// Returns the query string as the client sent it.
    pub fn raw_query(&self) -> &str {
        self.parts.uri.query().unwrap_or_default()
    }

    /// Takes the files of the form, and the messages about files that could not be stored.
    pub fn take_files(&self) -> (Vec<FormFile>, Vec<String>) {
        let files = std::mem::take(&mut *self.files.lock().unwrap_or_else(PoisonError::into_inner));
        (files.stored, files.errors)
    }

    /// Takes the picture of a form of a route [`with_picture`](crate::RouteHandler::with_picture).
    ///
    /// # Errors
    /// `Invalid` for a form without a file, and for a file of which no picture can be made.
    pub fn take_picture(&self) -> Result<Picture, Error> {
        let files = std::mem::take(&mut *self.files.lock().unwrap_or_else(PoisonError::into_inner));
        files.into_picture()
    }

    /// Returns the session of the request, even if it is incomplete.
    pub(super) fn head_session(&self) -> Option<&RequestSession> {
        self.session.as_deref()
    }

    /// Returns the header fields.
    pub(super) fn headers(&self) -> &HeaderMap {
        &self.parts.headers
    }

    /// Returns the method.
    pub(super) fn method(&self) -> &Method {
        &self.parts.method
    }

    /// Returns the value of a header, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.parts
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
    }

    /// Whether the cookies of this request are for TLS only.
    pub fn is_secure(&self) -> bool {
        self.is_secure
    }

    /// Returns the address of the client.
    pub fn address(&self) -> IpAddr {
        self.address
    }

    /// Takes the permission to compare the secret of the request; there is none a second time.
    pub(super) fn take_attempt(&self) -> AttemptPermission {
        std::mem::take(&mut *self.attempt.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the viewer.
    pub fn viewer(&self) -> &Viewer {
        &self.viewer_context.viewer
    }

    /// Returns the logged-in user. Fails for anonymous, which becomes a 401.
    pub fn require_user(&self) -> Result<UserId, Error> {
        self.viewer().user.ok_or(Error::Forbidden)
    }

    /// Returns the logged-in user, for what protects the account. Fails with an access token
    /// (compatibility 4.1).
    pub fn require_account(&self) -> Result<UserId, Error> {
        if self.viewer().is_delegated() {
            Err(Error::Forbidden)
        } else {
            self.require_user()
        }
    }

    /// Whether the response may have the API keys that the viewer may see. An access token never
    /// shows one, nor does a session: pages ask for the password first (compatibility 4).
    pub fn may_show_keys(&self) -> bool {
        !self.viewer().is_delegated() && self.session.is_none()
    }

    /// Fails unless the viewer is an administrator.
    pub fn require_admin(&self) -> Result<(), Error> {
        if self.viewer().admin {
            Ok(())
        } else {
            Err(Error::Forbidden)
        }
    }

    /// Returns which of these names the parameter `include` has, a list of names separated by
    /// commas, or repeated as `include[]`. It can also be in the body. Other names are ignored. The names are a constant
    /// `INCLUDES` of the handler, so that a test can compare them with its description.
    pub fn includes<const N: usize>(&self, names: [&str; N]) -> [bool; N] {
        let sent = self
            .query
            .get("include")
            .or_else(|| self.body.get("include"));
        let parts: Vec<Cow<'_, str>> = match sent {
            Some(Input::List(items)) => items.iter().filter_map(Input::as_text).collect(),
            Some(other) => other.as_text().into_iter().collect(),
            None => Vec::new(),
        };
        let included: Vec<&str> = parts
            .iter()
            .flat_map(|part| part.split(','))
            .map(str::trim)
            .collect();
        names.map(|name| included.contains(&name))
    }

    /// Whether `include=administration` asks for the fields that only administrators see
    /// (compatibility 14). Fails for others.
    pub fn includes_administration(&self) -> Result<bool, Error> {
        let [administration] = self.includes(ADMINISTRATION_INCLUDES);
        if administration {
            self.require_admin().map(|()| true)
        } else {
            Ok(false)
        }
    }

    /// Runs a write transaction. `write` receives the viewer with the rights at the time of the
    /// transaction, which may differ from those at the start of the request. The transaction is
    /// durable when this returns `Ok`, and rolled back when it fails.
    pub fn write<T, E>(
        &self,
        write: impl FnOnce(&mut Write<'_>, &Viewer) -> Result<T, E> + Send + 'static,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        E: Into<Error>,
    {
        let slot = Slot::default();
        let filled_slot = slot.clone();
        self.run_write(Box::new(move |db, viewer| {
            filled_slot.fill(write(db, viewer).map_err(E::into)?);
            Ok(())
        }))?;
        slot.take().ok_or_else(|| StoreError::Closed.into())
    }

    /// See [`RequestContext::write`]; compiled once for all writes.
    fn run_write(&self, write: WriteWork) -> Result<(), Error> {
        self.app.wait_before_write();
        let viewer_context = Arc::clone(&self.viewer_context);
        let credential = self.credential();
        let address = self.address.to_string();
        let transaction = move |db: &mut Write<'_>| -> Result<_, Error> {
            credential.check(db)?;
            db.set_actor(credential.actor(db, viewer_context.viewer.user, address)?);
            let catalogue = Arc::clone(db.catalogue());
            if catalogue.version == viewer_context.viewer.version {
                write(db, &viewer_context.viewer)?;
            } else {
                require_active(&catalogue, viewer_context.viewer.user)?;
                write(db, &viewer_context.viewer.renewed(&catalogue))?;
            }
            let logged = db.audit_events().iter().filter(|event| event.is_logged);
            let events: Vec<_> = logged.cloned().collect();
            Ok((db.own_change(), events))
        };
        let store = &self.app.store;
        let (own_change, audit_events) = if self.is_deletion() {
            store.write_with_reserve(transaction)?
        } else {
            store.write(transaction)?
        };
        audit_events
            .iter()
            .for_each(|event| log_event(self.viewer().user, self.address, event));
        self.has_written.store(true, Ordering::Relaxed);
        if let Some(change) = own_change {
            self.app.own_changes.record(self.viewer().user, change);
        }
        Ok(())
    }

    /// Runs a write transaction of a step of the login of this user, who is not the viewer yet. It succeeds
    /// on a full disk, too.
    pub fn write_login_step<T: Send + 'static>(
        &self,
        user: UserId,
        write: impl FnOnce(&mut Write<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let credential = self.credential();
        let address = self.address.to_string();
        self.app.store.write_with_reserve(move |db| {
            credential.check(db)?;
            db.set_actor(credential.actor(db, Some(user), address)?);
            write(db)
        })
    }

    /// Records an event of the request that changes no record, such as a login of its user.
    pub fn record(&self, event: AuditEvent) {
        let credential = self.credential();
        let user = self.viewer().user;
        let address = self.address.to_string();
        let stored: Result<(), Error> = self.app.store.write(move |db| {
            let actor = credential.actor(db, user, address)?;
            db.set_actor(actor);
            db.audit(event);
            Ok(())
        });
        if let Err(error) = stored {
            tracing::warn!(error = ?error, "an event of the audit log could not be stored");
        }
    }

    /// Whether the request deletes something, which makes room on a full disk. The route decides
    /// that: users choose parts of paths.
    fn is_deletion(&self) -> bool {
        self.deletes || self.parts.method == Method::DELETE
    }

    /// Returns what authenticated the request, to check it again in a transaction.
    pub fn credential(&self) -> Arc<UsedCredential> {
        Arc::clone(&self.credential)
    }

    /// Whether a transaction of this request is saved.
    pub(crate) fn has_written(&self) -> bool {
        self.has_written.load(Ordering::Relaxed)
    }

    /// Like [`RequestContext::write`]; fails with 404 when the project has been deleted meanwhile.
    pub fn write_in_project<T, E>(
        &self,
        project: ProjectId,
        write: impl FnOnce(&mut Write<'_>, &Viewer) -> Result<T, E> + Send + 'static,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        E: Into<Error>,
    {
        self.write(move |db, viewer| {
            if !db.catalogue().projects.contains_key(&project) {
                return Err(Error::NotFound);
            }
            write(db, viewer).map_err(E::into)
        })
    }

    /// Returns a parameter of the path; empty when the route has none of this name.
    pub fn path_param(&self, name: &str) -> &str {
        self.path_params
            .iter()
            .find(|param| param.0 == name)
            .map_or("", |param| &param.1)
    }

    /// Returns the id in a parameter of the path. Fails with 404 when it has anything but digits.
    pub fn id_param<Id: From<i64>>(&self, name: &str) -> Result<Id, Error> {
        parse_digits(self.path_param(name))
            .map(Id::from)
            .ok_or(Error::NotFound)
    }

    /// Returns a parameter of the query string, unless it is a list or a map.
    pub fn query_param(&self, name: &str) -> Option<std::borrow::Cow<'_, str>> {
        self.query.get(name).and_then(Input::as_text)
    }

    /// Returns a parameter of the query string by which a list is narrowed. Fails with 422 when it is
    /// a list or a map: were it ignored, the list would have more than was requested.
    pub fn filter_param(&self, name: &str) -> Result<Option<std::borrow::Cow<'_, str>>, Error> {
        match self.query.get(name) {
            Some(Input::List(_) | Input::Map(_)) => {
                Err(Error::invalid(format!("{name} must be a single value")))
            }
            _ => Ok(self.query_param(name)),
        }
    }

    /// Returns the value of a cookie.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        cookies::find(&self.parts.headers, name)
    }

    /// Returns the path with the query string, so that a page can link to itself. It never begins with
    /// `//`, which would be another host.
    pub fn path_and_query(&self) -> String {
        let path = self.parts.uri.path();
        let query = self.parts.uri.query();
        let path = match path.strip_prefix(PAGES) {
            Some("") => "/",
            Some(rest) => rest,
            None => path,
        };
        query.map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"))
    }

    /// Returns the host that the client has named, with its port. Clients can forge it, so it may
    /// only be suggested, never trusted.
    pub fn named_host(&self) -> Option<&str> {
        self.header(header::HOST.as_str())
    }

    /// Returns the media type of the body in lower case, without parameters.
    pub fn body_media_type(&self) -> String {
        let content_type = self
            .parts
            .headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        content_type
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase()
    }

    /// Whether the request has a `Range` header, as when a client resumes a download.
    pub fn has_range(&self) -> bool {
        self.parts.headers.contains_key(header::RANGE)
    }

    /// Whether responses must equal Redmine's exactly (compatibility 1.2).
    pub fn redmine_strict(&self, db: &Read<'_>) -> bool {
        db.catalogue().is_on(Setting::RedmineCompatibility)
    }

    /// Returns the URL of the service for absolute links: from the settings, or else the address at
    /// which the client reached it.
    pub fn base_url(&self) -> String {
        let config = &self.app.config;
        self.viewer_context.base_url.clone().unwrap_or_else(|| {
            let url = client::base_url(&config.trusted_proxies, &config.listen, &self.parts);
            config.base_path.append_to(url)
        })
    }
}

/// Fails with 401 when the account of the user is not active any more.
fn require_active(catalogue: &Catalogue, user: Option<UserId>) -> Result<(), Error> {
    let user = user.map(|user| catalogue.users.get(&user));
    if user.is_none_or(|user| user.is_some_and(|user| user.status == UserStatus::Active)) {
        Ok(())
    } else {
        Err(Error::Unauthenticated("The account is not active any more"))
    }
}
