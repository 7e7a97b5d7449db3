//! Applications, the clients of OAuth 2.0, which administrators register (RFC 6749, section 2;
//! compatibility 4.1).

use super::{RedirectUri, Scopes};
use crate::ids::ApplicationId;
use crate::validation::ValidationErrors;
use jiff::Timestamp;

/// Maximum number of characters of a name.
pub const MAX_NAME: usize = 255;
/// Maximum number of redirect URIs.
pub const MAX_REDIRECT_URIS: usize = 20;

/// A registered application, without its secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Application {
    pub id: ApplicationId,
    /// The public identifier that the application sends.
    pub client_id: String,
    /// The name that users see when they are asked for their consent.
    pub name: String,
    /// The URIs to which authorization codes may be sent.
    pub redirect_uris: Vec<RedirectUri>,
    /// The scopes that it may request.
    pub scopes: Scopes,
    /// Whether it has a secret. Applications that cannot keep one, such as native ones, are public
    /// and must use PKCE.
    pub is_confidential: bool,
    /// When it was registered.
    pub created_on: Timestamp,
}

impl Application {
    /// Returns the URI to which the response to an authorization request goes: the one of the
    /// request if it is registered; for a request without one, the registered one if it is the only
    /// one (RFC 6749, section 3.1.2.3).
    pub fn redirect_uri(&self, requested: Option<&str>) -> Option<RedirectUri> {
        match requested {
            Some(requested) => {
                let is_registered = self
                    .redirect_uris
                    .iter()
                    .any(|registered| registered.matches(requested));
                RedirectUri::parse(requested).ok().filter(|_| is_registered)
            }
            None => self
                .redirect_uris
                .first()
                .filter(|_| self.redirect_uris.len() == 1)
                .cloned(),
        }
    }
}

/// What an administrator enters for an application.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApplicationChange {
    pub name: String,
    pub redirect_uris: Vec<String>,
    /// The names of the scopes.
    pub scopes: Vec<String>,
    /// Whether it has a secret. It cannot be changed later.
    pub is_confidential: bool,
}

impl ApplicationChange {
    /// Validates the attributes, and returns the parsed redirect URIs, each once, and scopes. `old_name` is the name
    /// of a stored application.
    ///
    /// # Errors
    /// A message for each invalid attribute.
    pub fn validate(
        &self,
        old_name: Option<&str>,
    ) -> Result<(Vec<RedirectUri>, Scopes), ValidationErrors> {
        let mut errors = ValidationErrors::new();
        errors.require_text("name", "Name", &self.name, MAX_NAME);
        errors.refuse_line_breaks("name", "Name", &self.name, old_name);
        let mut redirect_uris: Vec<RedirectUri> = Vec::new();
        match self.redirect_uris.len() {
            0 => errors.add("redirect_uri", "Redirect URI", "cannot be blank"),
            1..=MAX_REDIRECT_URIS => {}
            _ => errors.add(
                "redirect_uri",
                "Redirect URI",
                &format!("has too many entries (maximum is {MAX_REDIRECT_URIS})"),
            ),
        }
        for text in self.redirect_uris.iter().take(MAX_REDIRECT_URIS) {
            match RedirectUri::parse(text) {
                Ok(uri) if redirect_uris.contains(&uri) => {}
                Ok(uri) => redirect_uris.push(uri),
                Err(problem) => errors.add("redirect_uri", "Redirect URI", problem),
            }
        }
        let mut scopes = Scopes::default();
        for name in &self.scopes {
            match scopes.with(name) {
                Some(extended) => scopes = extended,
                None => errors.add(
                    "scopes",
                    "Scope",
                    &format!("{} is unknown", name.chars().take(60).collect::<String>()),
                ),
            }
        }
        if self.scopes.is_empty() {
            errors.add("scopes", "Scope", "cannot be blank");
        }
        errors.into_result().map(|()| (redirect_uris, scopes))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    #[test]
    fn each_wrong_attribute_is_named() {
        let change = ApplicationChange {
            redirect_uris: vec!["http://app.example.net/".to_owned()],
            scopes: vec!["fly".to_owned()],
            ..ApplicationChange::default()
        };
        let errors = change.validate(None).unwrap_err().messages();
        assert_eq!(errors.len(), 3, "{errors:?}");
        assert_eq!(errors[0], "Name cannot be blank");
        assert!(
            errors[1].starts_with("Redirect URI must begin with https://"),
            "{errors:?}"
        );
        assert_eq!(errors[2], "Scope fly is unknown");
    }
}
