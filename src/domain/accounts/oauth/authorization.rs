//! The authorization request, by which an application asks a user for consent (RFC 6749, section
//! 4.1.1; RFC 7636, section 4.3).

use super::{Application, Params, Scopes};
use strum::IntoStaticStr;

/// Length of a PKCE challenge: a SHA-256 in base64url without padding.
const CHALLENGE_LENGTH: usize = 43;

/// The parameters of an authorization request after `client_id` and `redirect_uri`, as they were
/// sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizationRequest<'p>(pub &'p Params);

/// A valid authorization request: what the user is asked to allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authorization {
    /// The scopes that the user is asked for.
    pub scopes: Scopes,
    /// The redirect URI of the request; `None` if the request had none. The exchange must repeat
    /// it.
    pub redirect_uri: Option<String>,
    /// The PKCE challenge; `None` if the request had none.
    pub challenge: Option<String>,
}

/// Why the application gets no code. The redirect to it has the error (RFC 6749, section 4.1.2.1).
#[derive(Clone, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum AuthorizationError {
    /// A parameter is missing, repeated or malformed, with the message.
    InvalidRequest(String),
    /// `response_type` is not `code`.
    UnsupportedResponseType,
    /// A scope is unknown, or the application may not request it, with the message.
    InvalidScope(String),
    /// The user has denied the request.
    AccessDenied,
}

impl AuthorizationError {
    /// Returns the error code of RFC 6749, section 4.1.2.1.
    pub fn code(&self) -> &'static str {
        self.into()
    }

    /// Returns the `error_description` for developers. It has only the characters that the RFC
    /// allows.
    pub fn description(&self) -> &str {
        match self {
            AuthorizationError::InvalidRequest(message)
            | AuthorizationError::InvalidScope(message) => message,
            AuthorizationError::UnsupportedResponseType => "response_type must be code",
            AuthorizationError::AccessDenied => "the user has denied the request",
        }
    }
}

impl AuthorizationRequest<'_> {
    /// Validates the request of an application whose redirect URI has been checked. A request
    /// without `scope` asks for all scopes of the application. The scope `admin` is left out for
    /// users who are not administrators (compatibility 4.1).
    ///
    /// # Errors
    /// `InvalidRequest` for a repeated or malformed parameter, and for a public application without
    /// PKCE; `UnsupportedResponseType` for anything but `code`; `InvalidScope` for scopes that are
    /// unknown or not registered, and if none is left.
    pub fn validate(
        &self,
        application: &Application,
        is_admin: bool,
    ) -> Result<Authorization, AuthorizationError> {
        if self.0.repeated().is_some() {
            return invalid_request("a parameter is repeated");
        }
        match self.0.get("response_type") {
            Some("code") => {}
            None => return invalid_request("response_type is missing"),
            Some(_) => return Err(AuthorizationError::UnsupportedResponseType),
        }
        let challenge = self.0.get("code_challenge");
        match (challenge, self.0.get("code_challenge_method")) {
            (None, None) if application.is_confidential => {}
            (None, None) => {
                return invalid_request(
                    "code_challenge is missing; public applications must use PKCE with S256",
                );
            }
            (None, Some(_)) => return invalid_request("code_challenge is missing"),
            // Without a method the RFC means `plain`, which does not protect the verifier (RFC
            // 9700, section 2.1.1).
            (Some(_), Some("S256")) if challenge.is_some_and(is_challenge) => {}
            (Some(_), Some("S256")) => {
                return invalid_request(
                    "code_challenge must be the SHA-256 of the verifier in base64url without padding",
                );
            }
            (Some(_), _) => return invalid_request("code_challenge_method must be S256"),
        }
        Ok(Authorization {
            scopes: self.scopes(application, is_admin)?,
            redirect_uri: self.0.get("redirect_uri").map(str::to_owned),
            challenge: challenge.map(str::to_owned),
        })
    }

    fn scopes(
        &self,
        application: &Application,
        is_admin: bool,
    ) -> Result<Scopes, AuthorizationError> {
        let scopes = match self.0.get("scope") {
            Some(text) => Scopes::parse(text).map_err(|_| {
                invalid_scope("a scope is unknown; scopes are names of permissions, and admin")
            })?,
            None => application.scopes,
        };
        if !scopes.is_subset_of(application.scopes) {
            return Err(invalid_scope(
                "the application is not registered for all of these scopes",
            ));
        }
        let scopes = Scopes {
            admin: scopes.admin && is_admin,
            ..scopes
        };
        if scopes.is_empty() {
            Err(invalid_scope("the user cannot allow any of these scopes"))
        } else {
            Ok(scopes)
        }
    }
}

fn invalid_scope(message: &str) -> AuthorizationError {
    AuthorizationError::InvalidScope(message.to_owned())
}

fn is_challenge(challenge: &str) -> bool {
    challenge.len() == CHALLENGE_LENGTH
        && challenge
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

fn invalid_request<T>(message: &str) -> Result<T, AuthorizationError> {
    Err(AuthorizationError::InvalidRequest(message.to_owned()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;
    use crate::ids::ApplicationId;

    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    fn application(is_confidential: bool) -> Application {
        Application {
            id: ApplicationId(1),
            client_id: "c".to_owned(),
            name: "Dashboard".to_owned(),
            redirect_uris: Vec::new(),
            scopes: Scopes::parse("view_issues add_issues admin").unwrap(),
            is_confidential,
            created_on: jiff::Timestamp::UNIX_EPOCH,
        }
    }

    fn validate(query: &str, is_confidential: bool) -> Result<Authorization, AuthorizationError> {
        AuthorizationRequest(&Params::parse(query.as_bytes()))
            .validate(&application(is_confidential), false)
    }

    #[test]
    fn request_without_scope_means_those_of_the_application() {
        assert_eq!(
            validate("response_type=code", true)
                .unwrap()
                .scopes
                .to_string(),
            "view_issues add_issues"
        );
        let params = Params::parse(b"response_type=code");
        let admin_authorization = AuthorizationRequest(&params)
            .validate(&application(true), true)
            .unwrap();
        assert_eq!(
            admin_authorization.scopes.to_string(),
            "view_issues add_issues admin"
        );
    }

    #[test]
    fn scopes_beyond_those_of_the_application_are_refused() {
        assert_eq!(
            validate("response_type=code&scope=view_issues", true)
                .unwrap()
                .scopes
                .to_string(),
            "view_issues"
        );
        for scope in ["delete_issues", "view_issues+delete_issues", "fly", "admin"] {
            let error = validate(&format!("response_type=code&scope={scope}"), true).unwrap_err();
            assert_eq!(error.code(), "invalid_scope", "{scope}");
        }
    }

    #[test]
    fn only_s256_is_accepted_and_public_applications_must_use_it() {
        let proof = format!("code_challenge={CHALLENGE}&code_challenge_method=S256");
        assert_eq!(
            validate_code(&proof, false).unwrap().challenge.as_deref(),
            Some(CHALLENGE)
        );
        assert_eq!(validate_code("", true).unwrap().challenge, None);
        for rest in [
            "",
            "code_challenge_method=S256",
            &format!("code_challenge={CHALLENGE}"),
            &format!("code_challenge={CHALLENGE}&code_challenge_method=plain"),
            "code_challenge=short&code_challenge_method=S256",
        ] {
            assert_eq!(
                validate_code(rest, false).unwrap_err().code(),
                "invalid_request",
                "{rest}"
            );
        }
        let plain = format!("code_challenge={CHALLENGE}&code_challenge_method=plain");
        assert!(
            validate_code(&plain, true).is_err(),
            "a confidential application must not fall back to plain either"
        );
    }

    fn validate_code(
        rest: &str,
        is_confidential: bool,
    ) -> Result<Authorization, AuthorizationError> {
        validate(&format!("response_type=code&{rest}"), is_confidential)
    }

    #[test]
    fn response_type_must_be_code() {
        assert_eq!(validate("", true).unwrap_err().code(), "invalid_request");
        assert_eq!(
            validate("response_type=token", true).unwrap_err().code(),
            "unsupported_response_type"
        );
        assert_eq!(
            validate(
                "response_type=code&scope=view_issues&scope=add_issues",
                true
            )
            .unwrap_err()
            .code(),
            "invalid_request"
        );
    }
}
