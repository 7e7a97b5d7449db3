//! The fields of the set-up, and what is wrong with them.

use crate::form::field;
use quarry_actions::setup::{FirstProject, NewInstallation};
use quarry_domain::administration::setting::Setting;
use quarry_domain::validation::{ValidationError, ValidationErrors};
use quarry_domain::values::text::capitalize;
use quarry_http::RequestContext;

/// The fields as typed.
#[derive(Clone, Default)]
pub struct SetupForm {
    pub code: String,
    pub login: String,
    pub firstname: String,
    pub lastname: String,
    pub mail: String,
    pub app_title: String,
    pub host_name: String,
    pub protocol: String,
    pub rest_api: bool,
    pub project_name: String,
    pub project_identifier: String,
    pub project_is_public: bool,
}

impl SetupForm {
    /// Returns the fields of the body.
    pub fn from_body(request: &RequestContext) -> SetupForm {
        SetupForm {
            code: trimmed(request, "code"),
            login: trimmed(request, "login"),
            firstname: trimmed(request, "firstname"),
            lastname: trimmed(request, "lastname"),
            mail: trimmed(request, "mail"),
            app_title: trimmed(request, "app_title"),
            host_name: trimmed(request, "host_name"),
            protocol: trimmed(request, "protocol"),
            rest_api: trimmed(request, "rest_api_enabled") == "1",
            project_name: trimmed(request, "project_name"),
            project_identifier: trimmed(request, "project_identifier"),
            project_is_public: trimmed(request, "project_is_public") == "1",
        }
    }

    /// Returns what the form shows at first, with this code. The host is that of the browser,
    /// unless it is of this machine only.
    pub fn with_code(request: &RequestContext, code: String) -> SetupForm {
        let is_https = request.base_url().starts_with("https:");
        let host = request
            .named_host()
            .filter(|host| !is_local(host))
            .unwrap_or_default();
        SetupForm {
            code,
            login: "admin".to_owned(),
            app_title: Setting::AppTitle.default_value().to_owned(),
            host_name: Setting::HostName.accept(host).unwrap_or_default(),
            protocol: if is_https { "https" } else { "http" }.to_owned(),
            ..SetupForm::default()
        }
    }

    /// Returns what is to be set up, with this password.
    pub fn installation(&self, password: String) -> NewInstallation {
        let has_project = !self.project_name.is_empty() || !self.project_identifier.is_empty();
        NewInstallation {
            login: self.login.clone(),
            firstname: self.firstname.clone(),
            lastname: self.lastname.clone(),
            mail: self.mail.clone(),
            password,
            settings: vec![
                (Setting::AppTitle, self.app_title.clone()),
                (Setting::HostName, self.host_name.clone()),
                (Setting::Protocol, self.protocol.clone()),
                (
                    Setting::RestApiEnabled,
                    if self.rest_api { "1" } else { "0" }.to_owned(),
                ),
            ],
            project: has_project.then(|| FirstProject {
                name: self.project_name.clone(),
                identifier: self.project_identifier.clone(),
                is_public: self.project_is_public,
            }),
        }
    }
}

fn trimmed(request: &RequestContext, name: &str) -> String {
    field(request, name).trim().to_owned()
}

/// Whether a host with an optional port means this machine.
fn is_local(host: &str) -> bool {
    ["localhost", "127.", "[::1]", "0.0.0.0"]
        .iter()
        .any(|local| host.starts_with(local))
}

/// The messages, each with the name of its field.
#[derive(Clone, Default)]
pub struct Errors(Vec<(&'static str, String)>);

impl Errors {
    /// Returns one message.
    pub fn one(field: &'static str, message: impl Into<String>) -> Errors {
        Errors(vec![(field, message.into())])
    }

    /// Assigns the errors of actions to their fields, by attribute.
    pub fn new(invalid: ValidationErrors) -> Errors {
        const FIELDS: [(&str, &str); 10] = [
            ("login", "login"),
            ("firstname", "firstname"),
            ("lastname", "lastname"),
            ("mail", "mail"),
            ("password", "password"),
            ("app_title", "app_title"),
            ("host_name", "host_name"),
            ("protocol", "protocol"),
            ("name", "project_name"),
            ("identifier", "project_identifier"),
        ];
        const UNNAMED: [&str; 3] = ["app_title", "host_name", "rest_api_enabled"];
        let assign = |error: ValidationError| {
            let field = FIELDS
                .iter()
                .find(|(attribute, _)| error.is_about(attribute))
                .map_or("other", |(_, field)| field);
            // The form has labels of its own for them, where sentences have their names.
            let is_setting = UNNAMED.iter().any(|name| error.is_about(name));
            if is_setting {
                (field, capitalize(&error.message))
            } else {
                (field, error.to_string())
            }
        };
        Errors(invalid.into_iter().map(assign).collect())
    }

    /// Returns the message of a field.
    pub fn of_field(&self, field: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(name, _)| *name == field)
            .map(|(_, message)| message.as_str())
    }

    /// Whether there is no message.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_find_their_fields() {
        let mut invalid = ValidationErrors::new();
        invalid.add("mail", "Email", "is invalid");
        invalid.push(Setting::HostName.error("must be a host name"));
        invalid.add("name", "Name", "cannot be blank");
        invalid.add_message("Something else");
        let errors = Errors::new(invalid);
        assert_eq!(errors.of_field("mail"), Some("Email is invalid"));
        assert_eq!(errors.of_field("host_name"), Some("Must be a host name"));
        assert_eq!(
            errors.of_field("project_name"),
            Some("Name cannot be blank")
        );
        assert_eq!(
            (errors.of_field("other"), errors.of_field("login")),
            (Some("Something else"), None)
        );
    }

    #[test]
    fn hosts_of_this_machine_are_not_suggested() {
        assert!(is_local("127.0.0.1:3000") && is_local("localhost:3000") && is_local("[::1]:80"));
        assert!(!is_local("projects.example.net"));
    }
}
