//! Error pages in the frame of all pages, and compression of pages and static files.

use super::{Frame, Width};
use crate::accounts::sessions::{login_page, resume_page, written_texts};
use askama::Template;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use quarry_app::App;
use quarry_domain::administration::setting::Setting;
use quarry_http::resources::paths;
use quarry_http::{
    PageError, PagePrompt, PageViewer, REQUEST_ID, as_page, cookies, with_base_path,
};
use std::sync::Arc;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};

/// Minimum size in bytes of a response that is compressed.
const MIN_COMPRESSED: u64 = 512;
/// Media types that are compressed. Responses of the API are left as they are.
const COMPRESSED: [&str; 4] = ["text/html", "text/css", "text/javascript", "image/svg+xml"];

#[derive(Template)]
#[template(path = "frame/errors/error.html")]
struct ErrorPage {
    frame: Frame,
    status: StatusCode,
    messages: Vec<String>,
    /// The texts of the form that is refused.
    texts: Vec<String>,
}

/// Adds the layers of pages around the service: errors for browsers become pages, the base path is
/// removed from requests and added to links, and pages are compressed.
pub fn with_pages(service: Router, app: Arc<App>) -> Router {
    let compression =
        CompressionLayer::new().compress_when(SizeAbove::new(MIN_COMPRESSED).and(is_compressed));
    let pages = service.layer(from_fn_with_state(Arc::clone(&app), render_error));
    with_base_path(pages, app).layer(compression)
}

fn is_compressed(
    _: StatusCode,
    _: axum::http::Version,
    headers: &HeaderMap,
    _: &axum::http::Extensions,
) -> bool {
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    COMPRESSED
        .iter()
        .any(|prefix| content_type.starts_with(prefix))
}

/// Replaces the body of an error for a browser by a page.
async fn render_error(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let uri = request.uri().clone();
    let request_cookies = request_cookies(request.headers());
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let mut response = next.run(request).await;
    let Some(error) = response.extensions_mut().remove::<PageError>() else {
        return response;
    };
    let prompt = response.extensions_mut().remove::<PagePrompt>();
    let viewer = response.extensions_mut().remove::<PageViewer>();
    if let (Some(PagePrompt::Login), true, StatusCode::UNAUTHORIZED) =
        (&prompt, is_read, error.status)
    {
        let mut redirect = login_redirect(&uri);
        if let Some(id) = response.headers_mut().remove(REQUEST_ID) {
            redirect.headers_mut().insert(REQUEST_ID, id);
        }
        return redirect;
    }
    if let Some(PagePrompt::Resume {
        cookie: Some(cookie),
        ..
    }) = &prompt
        && let Ok(cookie) = HeaderValue::try_from(cookie)
    {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    let target = RequestTarget { uri: &uri, is_read };
    match tokio::task::block_in_place(|| {
        page(&app, target, &request_cookies, error, prompt, viewer)
    }) {
        Some(html) => {
            response.headers_mut().remove(header::CONTENT_LENGTH);
            let mut page = as_page(response, html);
            page.headers_mut()
                .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            page
        }
        None => response,
    }
}

/// Redirects to the login form, which leads back to the page.
fn login_redirect(uri: &Uri) -> Response {
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let location = if path == "/" {
        "/login".to_owned()
    } else {
        paths::login(path)
    };
    let mut response = Response::new(axum::body::Body::empty());
    *response.status_mut() = StatusCode::FOUND;
    if let Ok(location) = HeaderValue::try_from(location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn request_cookies(headers: &HeaderMap) -> HeaderMap {
    headers
        .iter()
        .filter(|(name, _)| **name == header::COOKIE)
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// What was requested.
#[derive(Clone, Copy)]
struct RequestTarget<'a> {
    uri: &'a Uri,
    /// Whether the request only reads.
    is_read: bool,
}

/// Returns the page of an error; `None` when even the settings cannot be read. Without a viewer,
/// because the error came before the session was checked, it is the page for anonymous.
fn page(
    app: &App,
    target: RequestTarget<'_>,
    request_cookies: &HeaderMap,
    error: PageError,
    prompt: Option<PagePrompt>,
    viewer: Option<PageViewer>,
) -> Option<String> {
    let catalogue = app.store.catalogue().ok()?;
    let PageViewer {
        user,
        scopes,
        csrf_token,
    } = viewer.unwrap_or_default();
    let context = app.viewer_context(&catalogue, user, scopes);
    let path = target
        .uri
        .path_and_query()
        .map_or_else(|| "/".to_owned(), ToString::to_string);
    let mut texts = Vec::new();
    let mut frame = Frame::with_cookies(
        &catalogue,
        &context.viewer,
        |name| cookies::find(request_cookies, name).map(str::to_owned),
        path,
        title(error.status, target.is_read).to_owned(),
    );
    (frame.flash, frame.csrf_token) = (None, csrf_token);
    match prompt {
        Some(PagePrompt::Resume {
            form, csrf_token, ..
        }) => {
            frame.title = "Log in".to_owned();
            let mut page = login_page(
                frame,
                csrf_token,
                catalogue.integer_setting(Setting::Autologin),
            );
            page.posted = Some(form);
            return page.render().ok();
        }
        Some(PagePrompt::Confirm(form, token)) => {
            let page = resume_page(frame, &form, token, false, &catalogue, &context.viewer);
            return page.render().ok();
        }
        Some(PagePrompt::Copy(form)) => texts = written_texts(&form),
        Some(PagePrompt::Login) | None => {}
    }
    let page = ErrorPage {
        frame: frame.with_width(Width::Narrow),
        status: error.status,
        messages: error.messages,
        texts,
    };
    page.render().ok()
}

/// Returns the title of the error page.
fn title(status: StatusCode, is_read: bool) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST => "This request cannot be understood",
        StatusCode::UNAUTHORIZED => "Log in to see this page",
        StatusCode::FORBIDDEN if is_read => "You are not allowed to see this page",
        StatusCode::FORBIDDEN => "You are not allowed to do this",
        StatusCode::NOT_FOUND => "Page not found",
        StatusCode::NOT_ACCEPTABLE => "This format is not supported",
        StatusCode::CONFLICT => "Somebody else has changed this in the meantime",
        StatusCode::PAYLOAD_TOO_LARGE => "This is too large",
        StatusCode::UNPROCESSABLE_ENTITY => "This request could not be carried out",
        StatusCode::TOO_MANY_REQUESTS => "Too many attempts",
        StatusCode::SERVICE_UNAVAILABLE => "The service is busy",
        StatusCode::INSUFFICIENT_STORAGE => "The disk of the service is full or cannot be written",
        status if status.is_server_error() => "Something went wrong",
        _ => "This request failed",
    }
}
