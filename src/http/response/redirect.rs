//! The address that redirects HTTP to HTTPS, and answers HTTP-01 challenges of an ACME authority.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use quarry_app::App;
use quarry_config::CertificateSource;
use quarry_domain::administration::setting::Setting;
use std::sync::Arc;

/// Path at which an authority requests the answer to its challenge.
const CHALLENGES: &str = "/.well-known/acme-challenge/";

/// Returns the answer to a challenge.
pub type Challenges = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

#[derive(Clone)]
struct Redirect {
    app: Arc<App>,
    challenges: Challenges,
}

/// Returns the routes.
pub fn routes(app: Arc<App>, challenges: Challenges) -> Router {
    Router::new()
        .fallback(redirect)
        .with_state(Redirect { app, challenges })
}

async fn redirect(State(redirect): State<Redirect>, request: Request) -> Response {
    let uri = request.uri();
    if let Some(token) = uri.path().strip_prefix(CHALLENGES) {
        return match (redirect.challenges)(token) {
            Some(answer) => {
                ([(header::CONTENT_TYPE, "application/octet-stream")], answer).into_response()
            }
            None => StatusCode::NOT_FOUND.into_response(),
        };
    }
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    match host(&redirect.app) {
        Some(host) if path.starts_with('/') => (
            StatusCode::PERMANENT_REDIRECT,
            [(header::LOCATION, format!("https://{host}{path}"))],
        )
            .into_response(),
        _ => (
            StatusCode::BAD_REQUEST,
            "Write https:// in place of http://.\n",
        )
            .into_response(),
    }
}

/// Returns the host name of the service: that of the settings, or the first of the certificate.
/// That of the request is ignored, because clients can choose it.
fn host(app: &App) -> Option<String> {
    let catalogue = app.store.catalogue().ok()?;
    let name = catalogue.setting(Setting::HostName);
    // The path of the request already has the path that can follow the host name.
    if let Some(host) = name.split('/').next().filter(|host| !host.is_empty()) {
        return Some(host.to_owned());
    }
    match &app.config.tls.as_ref()?.certificate {
        CertificateSource::Acme(acme) => acme.domains.first().cloned(),
        CertificateSource::Files { .. } => None,
    }
}
