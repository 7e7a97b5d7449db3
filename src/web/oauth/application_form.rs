//! The form of an OAuth application: its values, and the error messages of its fields.

use super::scope_groups::{ScopeChoices, choices};
use crate::domain::oauth::{Application, ApplicationChange, Scopes};
use crate::http::{Error, RequestContext};
use crate::store::{Read, oauth::applications};
use crate::web::access::require_admin;
use crate::web::form::field;
use crate::wire::Input;

/// Maximum number of lines that are parsed as redirect URIs. Fewer are permitted; see
/// [`crate::domain::oauth::MAX_REDIRECT_URIS`].
const MAX_LINES: usize = 100;

/// The values of the form.
pub struct ApplicationForm {
    /// The name.
    pub name: String,
    /// The redirect URIs, one per line.
    pub redirect_uris: String,
    /// The scopes.
    pub scopes: Vec<ScopeChoices>,
    /// Whether the application can keep a secret.
    pub is_confidential: bool,
    /// The error messages of the fields.
    pub errors: Errors,
}

/// The error messages of the fields.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    /// About the name.
    pub name: Option<String>,
    /// About the redirect URIs.
    pub redirect_uris: Option<String>,
    /// About the scopes.
    pub scopes: Option<String>,
    /// About the password of the administrator.
    pub password: Option<String>,
    /// About anything else.
    pub other: Option<String>,
}

impl Errors {
    /// Sorts the messages of an action by field. Each field shows its first message.
    pub fn new(messages: Vec<String>) -> Errors {
        let mut errors = Errors::default();
        for message in messages {
            let field = match () {
                () if message.starts_with("Name") => &mut errors.name,
                () if message.starts_with("Redirect URI") => &mut errors.redirect_uris,
                () if message.starts_with("Scope") => &mut errors.scopes,
                () => &mut errors.other,
            };
            field.get_or_insert(message);
        }
        errors
    }

    /// Returns the error of a wrong password.
    pub fn password(message: String) -> Errors {
        Errors {
            password: Some(message),
            ..Errors::default()
        }
    }
}

impl ApplicationForm {
    /// Returns the form for a new application: a confidential one that may read issues and
    /// projects.
    pub fn new() -> ApplicationForm {
        let default_scopes = [
            "view_project",
            "search_project",
            "view_members",
            "view_issues",
        ];
        let scopes = default_scopes
            .into_iter()
            .fold(Scopes::default(), |scopes, name| {
                scopes.with(name).unwrap_or(scopes)
            });
        ApplicationForm {
            name: String::new(),
            redirect_uris: String::new(),
            scopes: choices(scopes),
            is_confidential: true,
            errors: Errors::default(),
        }
    }

    /// Returns the form with the submitted values.
    pub fn from_change(change: &ApplicationChange, errors: Errors) -> ApplicationForm {
        let scopes = change
            .scopes
            .iter()
            .fold(Scopes::default(), |scopes, name| {
                scopes.with(name).unwrap_or(scopes)
            });
        ApplicationForm {
            name: change.name.clone(),
            redirect_uris: change.redirect_uris.join("\n"),
            scopes: choices(scopes),
            is_confidential: change.is_confidential,
            errors,
        }
    }

    /// Returns the form with the stored values.
    pub fn from_application(application: &Application) -> ApplicationForm {
        let uris: Vec<String> = application
            .redirect_uris
            .iter()
            .map(ToString::to_string)
            .collect();
        ApplicationForm {
            name: application.name.clone(),
            redirect_uris: uris.join("\n"),
            scopes: choices(application.scopes),
            is_confidential: application.is_confidential,
            errors: Errors::default(),
        }
    }
}

/// Parses the submitted form.
pub fn parse(request: &RequestContext) -> ApplicationChange {
    let scopes = request
        .body
        .get("scopes")
        .and_then(Input::as_list)
        .into_iter()
        .flatten()
        .filter_map(Input::as_text);
    let uris = field(request, "redirect_uris");
    ApplicationChange {
        name: field(request, "name"),
        redirect_uris: uris
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .take(MAX_LINES)
            .map(str::to_owned)
            .collect(),
        scopes: scopes
            .filter(|name| !name.is_empty())
            .map(|name| name.into_owned())
            .collect(),
        is_confidential: field(request, "confidential") != "0",
    }
}

/// Returns the application in the path, for administrators.
pub fn find(request: &RequestContext, db: &Read<'_>) -> Result<Application, Error> {
    require_admin(request)?;
    applications::find(db, request.id_param("id")?)?.ok_or(Error::NotFound)
}

/// Logs a change of an application.
pub fn audit(request: &RequestContext, client_id: &str, change: &str) {
    let user = request.viewer().user.map(|user| user.0);
    tracing::info!(
        target: "audit",
        { user.id = user, client.address = %request.address(), oauth.client = %client_id, oauth.change = change },
        "changed an OAuth application"
    );
}
