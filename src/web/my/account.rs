//! `/my/account`: names, mail address, API key, second factor and sessions.

use crate::choices;
use crate::choices::Choice;
use crate::components::time::Moment;
use crate::form::{audit, check_password, field, is_checked, show_again, user};
use crate::frame::{Flash, Frame, Width};
use crate::oauth::scope_label;
use crate::render::{redirect_with, render};
use askama::Template;
use quarry_actions::accounts;
use quarry_actions::accounts::AccountChange;
use quarry_actions::{ActionError, oauth, sessions};
use quarry_domain::accounts::preferences::{Preferences, PreferencesChange};
use quarry_domain::accounts::two_factor::TwoFactorPolicy;
use quarry_domain::validation::ValidationErrors;
use quarry_domain::values::patch::Patch;
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;
use quarry_store::accounts::{two_factor, users};

const SAVED: &str = "Your account is saved.";

/// Number of characters of the API key that the page shows without a click.
const KEY_TAIL: usize = 4;

#[derive(Template)]
#[template(path = "my/account.html")]
struct AccountPage {
    frame: Frame,
    login: String,
    firstname: String,
    lastname: String,
    mail: String,
    languages: Vec<Choice>,
    time_zones: Vec<Choice>,
    hides_mail: bool,
    preferences: Preferences,
    errors: Errors,
    /// The end of the API key; `None` when there is no key that can be shown.
    key_tail: Option<String>,
    /// The whole key, after a click.
    key: Option<String>,
    /// Whether the settings allow a second factor.
    offers_second_factor: bool,
    has_second_factor: bool,
    recovery_codes: i64,
    sessions: Vec<SessionRow>,
    applications: Vec<ApplicationRow>,
}

#[derive(Default)]
struct Errors {
    firstname: Option<String>,
    lastname: Option<String>,
    mail: Option<String>,
    language: Option<String>,
    time_zone: Option<String>,
    password: Option<String>,
    /// The message about the password for the API key.
    key_password: Option<String>,
    other: Option<String>,
}

struct ApplicationRow {
    id: i64,
    name: String,
    /// What it may do.
    labels: Vec<String>,
    is_admin: bool,
    used_on: Moment,
}

impl ApplicationRow {
    /// Whether its scopes are folded, because they are too many for a line.
    fn is_long(&self) -> bool {
        self.labels.len() > 6
    }
}

struct SessionRow {
    id: i64,
    is_current: bool,
    agent: String,
    address: String,
    used_on: Moment,
}

/// The profile as typed.
struct Profile {
    firstname: String,
    lastname: String,
    mail: String,
    language: String,
    time_zone: String,
    hides_mail: bool,
    preferences: Preferences,
}

impl Profile {
    /// Returns what was sent.
    fn sent(request: &RequestContext) -> Profile {
        Profile {
            firstname: field(request, "firstname"),
            lastname: field(request, "lastname"),
            mail: field(request, "mail"),
            language: field(request, "language"),
            time_zone: field(request, "time_zone"),
            hides_mail: is_checked(request, "hide_mail"),
            preferences: Preferences {
                newest_first: field(request, "comments_sorting") == "desc",
                watches_contributions: is_checked(request, "watch_contributions"),
            },
        }
    }

    /// Returns the requested change. A form may leave out everything but the names and the mail
    /// address.
    fn to_change(&self, request: &RequestContext) -> AccountChange {
        AccountChange {
            firstname: Patch::Set(self.firstname.clone()),
            lastname: Patch::Set(self.lastname.clone()),
            mail: Patch::Set(self.mail.clone()),
            language: optional(request, "language", &self.language),
            time_zone: optional(request, "time_zone", &self.time_zone),
            hides_mail: request
                .body
                .get("hide_mail")
                .is_some()
                .then_some(self.hides_mail),
            preferences: PreferencesChange {
                newest_first: request
                    .body
                    .get("comments_sorting")
                    .is_some()
                    .then_some(self.preferences.newest_first),
                watches_contributions: request
                    .body
                    .get("comments_sorting")
                    .is_some()
                    .then_some(self.preferences.watches_contributions),
            },
            ..AccountChange::default()
        }
    }
}

fn optional(request: &RequestContext, name: &str, text: &str) -> Patch<String> {
    if request.body.get(name).is_some() {
        Patch::Set(text.to_owned())
    } else {
        Patch::Unset
    }
}

/// `GET /my/account`.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, None, Errors::default(), None)
}

/// Renders the account with the API key, or with a message about the password for it.
pub fn show_key(
    request: &RequestContext,
    key: Option<String>,
    error: Option<String>,
) -> Result<Reply, Error> {
    request.app.read(|db| {
        page(
            request,
            db,
            None,
            Errors {
                key_password: error,
                ..Errors::default()
            },
            key,
        )
    })
}

/// `POST /my/account`: changes names, mail address and preferences. A new mail address needs the
/// password.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id = request.require_user()?;
    let profile = Profile::sent(request);
    let before = request
        .app
        .read(|db| user(request, db).map(|user| user.mail.clone()))?;
    let is_new_mail = profile.mail.trim() != before;
    if is_new_mail && let Some(error) = check_password(request)? {
        return show_again(request, |db| {
            page(
                request,
                db,
                Some(profile),
                Errors {
                    password: Some(error),
                    ..Errors::default()
                },
                None,
            )
        });
    }
    let change = profile.to_change(request);
    match request
        .app
        .store
        .write(move |db| accounts::update_own(db, id, &change))
    {
        Ok(()) => {}
        Err(ActionError::Invalid(invalid)) => {
            return show_again(request, |db| {
                page(request, db, Some(profile), errors_by_field(invalid), None)
            });
        }
        Err(error) => return Err(error.into()),
    }
    if is_new_mail {
        audit(request, "mail");
    }
    Ok(redirect_with(
        request,
        "/my/account".to_owned(),
        &Flash::notice(SAVED),
    ))
}

fn errors_by_field(invalid: ValidationErrors) -> Errors {
    let mut errors = Errors::default();
    for error in invalid {
        let field = match error.attribute.as_deref() {
            Some("firstname") => &mut errors.firstname,
            Some("lastname") => &mut errors.lastname,
            Some("mail") => &mut errors.mail,
            Some("language") => &mut errors.language,
            Some("time_zone") => &mut errors.time_zone,
            _ => &mut errors.other,
        };
        field.get_or_insert(error.to_string());
    }
    errors
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    profile: Option<Profile>,
    errors: Errors,
    key: Option<String>,
) -> Result<Reply, Error> {
    let user = user(request, db)?;
    let profile = match profile {
        Some(profile) => profile,
        None => Profile {
            firstname: user.firstname.clone(),
            lastname: user.lastname.clone(),
            mail: user.mail.clone(),
            language: user.language.clone(),
            time_zone: user.time_zone.clone(),
            hides_mail: user.hides_mail,
            preferences: users::preferences(db, user.id)?,
        },
    };
    let current = request.session().map(|session| session.session.id);
    let rows = sessions::list(db, user.id)?
        .into_iter()
        .map(|session| SessionRow {
            id: session.id.0,
            is_current: Some(session.id) == current,
            agent: agent_name(&session.user_agent),
            address: session.address,
            used_on: Moment::new(session.used_on),
        });
    let applications = oauth::grants(db, user.id)?
        .into_iter()
        .map(|grant| ApplicationRow {
            id: grant.application.0,
            name: grant.name,
            labels: grant.scopes.names().map(scope_label).collect(),
            is_admin: grant.scopes.admin,
            used_on: Moment::new(grant.used_on),
        });
    let stored = users::api_key(db, user.id)?;
    let page = AccountPage {
        frame: Frame::new(request, db, "My account").with_width(Width::Narrow),
        login: user.login.clone(),
        firstname: profile.firstname,
        lastname: profile.lastname,
        mail: profile.mail,
        languages: choices::languages(&profile.language),
        time_zones: choices::time_zones(&profile.time_zone, db.now()),
        hides_mail: profile.hides_mail,
        preferences: profile.preferences,
        errors,
        key_tail: stored.map(|key| {
            key.chars()
                .skip(key.chars().count().saturating_sub(KEY_TAIL))
                .collect()
        }),
        key,
        offers_second_factor: TwoFactorPolicy::from_catalogue(db.catalogue())
            != TwoFactorPolicy::Disabled,
        has_second_factor: user.has_second_factor(),
        recovery_codes: two_factor::recovery_code_count(db, user.id)?,
        sessions: rows.collect(),
        applications: applications.collect(),
    };
    render(&page.frame, &page)
}

/// Returns browser and system of a `User-Agent`, as far as they are known.
fn agent_name(agent: &str) -> String {
    const BROWSERS: [(&str, &str); 5] = [
        ("Firefox/", "Firefox"),
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    const SYSTEMS: [(&str, &str); 6] = [
        ("Android", "Android"),
        ("iPhone", "iOS"),
        ("iPad", "iOS"),
        ("Windows", "Windows"),
        ("Mac OS", "macOS"),
        ("Linux", "Linux"),
    ];
    match (find_part(agent, &BROWSERS), find_part(agent, &SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => "Unknown browser".to_owned(),
    }
}

fn find_part(agent: &str, table: &[(&str, &'static str)]) -> Option<&'static str> {
    table
        .iter()
        .find(|(part, _)| agent.contains(part))
        .map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::agent_name;

    #[test]
    fn browsers_are_named() {
        assert_eq!(
            agent_name("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
            "Firefox on Linux"
        );
        let edge = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0";
        assert_eq!(agent_name(edge), "Edge on Windows");
        assert_eq!(agent_name("curl/8"), "Unknown browser");
    }
}
