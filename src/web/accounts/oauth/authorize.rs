//! `/oauth/authorize`: the consent page, where users allow or deny what an application requests
//! (RFC 6749, section 4.1.1; RFC 9207 for `iss`).

use super::application_form::{ScopeGroup, reads_and_writes};
use crate::components::form_field::FormField;
use crate::form::check_password;
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use axum::http::{StatusCode, header};
use quarry_actions::accounts::oauth;
use quarry_domain::accounts::oauth::{
    Application, Authorization, AuthorizationError, AuthorizationRequest, Params, RedirectUri,
};
use quarry_domain::accounts::user::User;
use quarry_domain::administration::setting::Setting;
use quarry_http::policy_with_form_action;
use quarry_store::accounts::oauth::applications;

/// The parameters of the authorization request that the form repeats.
const PARAMS: [&str; 7] = [
    "client_id",
    "redirect_uri",
    "response_type",
    "scope",
    "state",
    "code_challenge",
    "code_challenge_method",
];

const DISABLED: &str =
    "Applications cannot be used: the REST API is disabled (Administration → Settings → API)";

const UNKNOWN_CLIENT: &str =
    "This application is not registered here; ask its provider for the correct client ID";

const UNKNOWN_URI: &str = "The redirect URI of the request is not registered for this application, so nothing was sent there; ask its provider or an administrator \
     to correct it";

#[derive(Template)]
#[template(path = "accounts/oauth/authorize.html")]
struct ConsentPage {
    frame: Frame,
    application: String,
    host: String,
    name: String,
    login: String,
    is_admin: bool,
    reads: Vec<ScopeGroup>,
    writes: Vec<ScopeGroup>,
    params: Vec<(&'static str, String)>,
    /// The password, which an application with all rights needs.
    password: Option<FormField>,
}

/// A request of a known application, with a redirect URI that is registered for it.
struct Client {
    application: Application,
    redirect_uri: RedirectUri,
    state: Option<String>,
    issuer: String,
}

impl Client {
    /// Returns the application and the redirect URI of the request. As long as they are not known
    /// to be right, errors are shown here and nothing is redirected (RFC 6749, section 4.1.2.1).
    fn find(request: &RequestContext, db: &Read<'_>, params: &Params) -> Result<Client, Error> {
        if !db.catalogue().is_on(Setting::RestApiEnabled) {
            return Err(refuse(DISABLED));
        }
        if let Some("client_id" | "redirect_uri") = params.repeated() {
            return Err(refuse("client_id and redirect_uri must not be repeated"));
        }
        let application =
            applications::find_by_client_id(db, params.get("client_id").unwrap_or_default())?;
        let application = application.ok_or_else(|| refuse(UNKNOWN_CLIENT))?;
        let redirect_uri = application
            .redirect_uri(params.get("redirect_uri"))
            .ok_or_else(|| refuse(UNKNOWN_URI))?;
        Ok(Client {
            application,
            redirect_uri,
            state: params.get("state").map(str::to_owned),
            issuer: request.base_url(),
        })
    }

    /// Redirects the browser to the application, with `state` and `iss`.
    fn redirect(&self, params: &[(&str, &str)]) -> Reply {
        let state = self.state.iter().map(|state| ("state", state.as_str()));
        let params = params
            .iter()
            .copied()
            .chain(state)
            .chain([("iss", self.issuer.as_str())]);
        Reply::see_other(self.redirect_uri.with_params(params))
    }

    fn redirect_error(&self, error: &AuthorizationError) -> Reply {
        self.redirect(&[
            ("error", error.code()),
            ("error_description", error.description()),
        ])
    }
}

fn refuse(message: &str) -> Error {
    Error::BadRequest(message.to_owned())
}

/// Returns the user of the session; `None` without one. Other credentials of the request, such as
/// API keys, do not count.
fn session_user<'c>(request: &RequestContext, db: &'c Read<'_>) -> Option<&'c User> {
    let session = request.session()?;
    db.catalogue()
        .users
        .get(&session.session.user)
        .filter(|user| request.viewer().user == Some(user.id))
}

/// `GET /oauth/authorize`: asks for consent; without a session, redirects to the login first.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let params = Params::parse(request.raw_query().as_bytes());
    let client = Client::find(request, db, &params)?;
    let Some(user) = session_user(request, db) else {
        let back = request.path_and_query().replace('\\', "%5C");
        return Ok(Reply::redirect(format!(
            "/login?back_url={}",
            paths::encode(&back)
        )));
    };
    match AuthorizationRequest(&params).validate(&client.application, user.admin) {
        Ok(authorization) => page(request, db, &client, user, &authorization, &params, None),
        Err(error) => Ok(client.redirect_error(&error)),
    }
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    client: &Client,
    user: &User,
    authorization: &Authorization,
    params: &Params,
    password_error: Option<String>,
) -> Result<Reply, Error> {
    let (reads, writes) = reads_and_writes(authorization.scopes.permissions);
    let page = ConsentPage {
        frame: Frame::new(request, db, "Authorize an application")
            .with_width(Width::Narrow)
            .without_search(),
        application: client.application.name.clone(),
        host: client.redirect_uri.host(),
        name: user.name.clone(),
        login: user.login.clone(),
        is_admin: authorization.scopes.admin,
        reads,
        writes,
        password: authorization.scopes.admin.then(|| FormField {
            error: password_error,
            ..FormField::own_password("To allow this.")
        }),
        params: PARAMS
            .into_iter()
            .filter_map(|name| params.get(name).map(|value| (name, value.to_owned())))
            .collect(),
    };
    // Browsers apply the policy of the form also to the redirect that answers it.
    let policy = policy_with_form_action(&client.redirect_uri.origin());
    Ok(render(&page.frame, &page)?
        .without_caching()
        .with_header(header::CONTENT_SECURITY_POLICY, policy))
}

/// `POST /oauth/authorize`: redirects to the application with an authorization code, or with the
/// error. What an administrator may do is given only with the password, as on the pages and not
/// with a session alone in the API.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let params = Params::parse(request.raw_body());
    let checked = request.app.read(|db| -> Result<_, Error> {
        let client = Client::find(request, db, &params)?;
        // For anonymous this becomes a 401, whose page leads through the login and back to this
        // form.
        let user = session_user(request, db).ok_or(Error::Forbidden)?;
        let authorization = AuthorizationRequest(&params).validate(&client.application, user.admin);
        Ok((client, user.id, authorization))
    });
    let (client, user, authorization) = checked?;
    let authorization = match authorization {
        Ok(authorization) if params.get("decision") == Some("approve") => authorization,
        Ok(_) => return Ok(client.redirect_error(&AuthorizationError::AccessDenied)),
        Err(error) => return Ok(client.redirect_error(&error)),
    };
    if authorization.scopes.admin
        && let Some(error) = check_password(request)?
    {
        let reply = request.app.read(|db| {
            let user = session_user(request, db).ok_or(Error::Forbidden)?;
            page(
                request,
                db,
                &client,
                user,
                &authorization,
                &params,
                Some(error),
            )
        })?;
        return Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY));
    }
    let code = approve(request, user, &client.application, authorization)?;
    Ok(client.redirect(&[("code", &code)]))
}

fn approve(
    request: &RequestContext,
    user: UserId,
    application: &Application,
    authorization: Authorization,
) -> Result<String, Error> {
    let id = application.id;
    let scopes = authorization.scopes.to_string();
    let code = request.write(move |db, _| oauth::approve(db, user, id, &authorization))?;
    tracing::info!(
        target: "audit",
        { user.id = user.0, client.address = %request.address(), oauth.client = %application.client_id, oauth.scopes = %scopes },
        "granted an OAuth application access"
    );
    Ok(code)
}
