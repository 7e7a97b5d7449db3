//! The fields of the set-up: what was typed, the rows of the form, and the messages beside them.

use crate::components::form_field::{FieldKind, FormField, choice};
use crate::components::form_page::Section;
use crate::form::field;
use quarry_actions::administration::setup::{FirstProject, NewInstallation};
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

/// Returns the fields, with these values.
pub fn sections(form: SetupForm, min_password_length: usize) -> Vec<Section> {
    let line = |name: &str, label: &str, value: String| {
        FormField::new(FieldKind::Line, name, label, value)
    };
    let switch = |name: &str, label: &str, is_on: bool| {
        let value = if is_on { "1" } else { "0" };
        FormField::new(FieldKind::Switch, name, label, value)
    };
    let password = |name: &str, label: &str| {
        FormField::new(FieldKind::NewPassword, name, label, "").required()
    };
    let administrator = vec![
        line("login", "Login", form.login)
            .required()
            .with_autocomplete("username"),
        FormField::new(FieldKind::Email, "mail", "Email", form.mail)
            .required()
            .with_autocomplete("email"),
        line("firstname", "First name", form.firstname)
            .required()
            .with_autocomplete("given-name"),
        line("lastname", "Last name", form.lastname)
            .required()
            .with_autocomplete("family-name"),
        password("password", "Password")
            .with_hint(format!("At least {min_password_length} characters.")),
        password("password_confirmation", "Password again"),
        FormField::new(FieldKind::Hidden, "code", "Code", form.code),
    ];
    let installation = vec![
        line("app_title", "Title", form.app_title).with_hint("In the header of every page."),
        line("host_name", "Host name", form.host_name).with_hint(
            "For links, such as projects.example.net. Empty: the address at which the service \
             listens.",
        ),
        FormField::new(FieldKind::Select, "protocol", "Protocol", form.protocol)
            .with_choices([choice("http", "HTTP"), choice("https", "HTTPS")])
            .with_hint(
                "HTTPS when a proxy with TLS is in front. With a host name, logging in then works \
                 over TLS only.",
            ),
        switch("rest_api_enabled", "Enable REST web service", form.rest_api)
            .with_hint("For scripts, with API keys, HTTP Basic or OAuth. Pages work either way."),
    ];
    let project = vec![
        line("project_name", "Name", form.project_name).with_attribute("name"),
        line("project_identifier", "Identifier", form.project_identifier)
            .with_attribute("identifier")
            .with_hint("In its address, such as my-project. Empty: made from the name."),
        switch("project_is_public", "Public", form.project_is_public)
            .with_hint("Every user can see it, not only its members."),
    ];
    vec![
        Section::new("Administrator", administrator).with_columns(),
        Section::new("Installation", installation),
        Section::new("First project", project)
            .with_hint("Leave it empty to create projects later, or to import them."),
    ]
}

/// Returns the errors of a form that was filled in. The form has labels of its own for settings,
/// where sentences have their names.
pub fn beside_fields(errors: ValidationErrors) -> ValidationErrors {
    let assign = |error: ValidationError| match error.attribute.as_deref().and_then(Setting::parse)
    {
        Some(setting) => ValidationError::new(setting.name(), "", &capitalize(&error.message)),
        None => error,
    };
    let mut errors = ValidationErrors::from(errors.into_iter().map(assign).collect::<Vec<_>>());
    if errors.iter().any(|error| {
        error
            .attribute
            .as_deref()
            .is_some_and(|name| name != "code")
    }) {
        errors.add_message(
            "Nothing was saved. Correct what is marked below, and enter the password again.",
        );
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_this_machine_are_not_suggested() {
        assert!(is_local("127.0.0.1:3000") && is_local("localhost:3000") && is_local("[::1]:80"));
        assert!(!is_local("projects.example.net"));
    }
}
