//! `/my/account`: names, mail address, API key, second factor and sessions.

use crate::accounts::oauth::scope_label;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{FormField, choice, typed};
use crate::components::form_page::{FormPage, Section};
use crate::components::picture_form::PictureForm;
use crate::components::time::Moment;
use crate::form::choices;
use crate::form::form_merge::merge;
use crate::form::{audit, require_password, save, user};
use crate::frame::Frame;
use crate::frame::render::render;
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::accounts::account;
use quarry_actions::accounts::account::AccountChange;
use quarry_actions::accounts::address_changes::wanted;
use quarry_actions::accounts::{oauth, sessions};
use quarry_actions::notices::outbox;
use quarry_domain::accounts::preferences::PreferencesChange;
use quarry_domain::accounts::two_factor::TwoFactorPolicy;
use quarry_domain::accounts::user::User;
use quarry_domain::ids::QueryId;
use quarry_domain::query::saved::QueryKind;
use quarry_domain::values::patch::Patch;
use quarry_http::resources::user_agent::agent_name;
use quarry_store::accounts::{address_changes, two_factor, users};
use quarry_store::lists::queries;

const SAVED: &str = "Your account was saved.";
const NEW_ADDRESS: &str =
    "Your account was saved. The new mail address is used once it is confirmed.";

/// The field with the query with which lists of issues start.
const DEFAULT_QUERY: &str = "default_issue_query";
/// What stands for a query in the list that its user can no longer use.
const UNUSABLE: &str = "the current one, which you can no longer use";
/// Maximum number of queries to choose from.
const MAX_QUERIES: usize = 500;

/// Number of characters of the API key that the page shows without a click.
const KEY_TAIL: usize = 4;

#[derive(Template)]
#[template(path = "accounts/my/account.html")]
struct AccountPage<'f> {
    frame: &'f Frame,
    form: &'f FormPage,
    picture: PictureForm<'f>,
    login: String,
    /// The mail address that is not confirmed.
    unconfirmed: Option<String>,
    /// Whether links for its confirmation are sent.
    sends_links: bool,
    /// The stored mail address.
    mail: String,
    /// The password for the API key.
    key_password: FormField,
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

/// What the other forms of the page have led to.
#[derive(Default)]
struct Outcome {
    /// The API key, to show it.
    key: Option<String>,
    /// The message about the password for the key.
    key_error: Option<String>,
    picture_errors: ValidationErrors,
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

/// Returns the change that a form requests. What it does not have stays as it is.
fn parse_form(form: &Input) -> AccountChange {
    let text = |name| typed(form, name).map_or(Patch::Unset, Patch::Set);
    let is_on = |name| typed(form, name).map(|value| value == "1");
    AccountChange {
        firstname: text("firstname"),
        lastname: text("lastname"),
        mail: text("mail"),
        language: text("language"),
        time_zone: text("time_zone"),
        hides_mail: is_on("hide_mail"),
        preferences: PreferencesChange {
            newest_first: typed(form, "comments_sorting").map(|order| order == "desc"),
            watches_contributions: is_on("watch_contributions"),
            default_query: match typed(form, DEFAULT_QUERY) {
                Some(id) => id
                    .parse()
                    .map_or(Patch::Clear, |id| Patch::Set(QueryId(id))),
                None => Patch::Unset,
            },
            watches_mentions: is_on("watch_mentions"),
            ..PreferencesChange::default()
        },
        ..AccountChange::default()
    }
}

/// `GET /my/account`.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let form = profile(request, db, &request.body)?;
    page(request, db, form, Outcome::default())
}

/// Returns the page with what is wrong with a picture.
pub fn with_picture_errors(
    request: &RequestContext,
    db: &Read<'_>,
    picture_errors: ValidationErrors,
) -> Result<Reply, Error> {
    let outcome = Outcome {
        picture_errors,
        ..Outcome::default()
    };
    page(request, db, profile(request, db, &Input::Null)?, outcome)
}

/// Renders the account with the API key, or with a message about the password for it.
pub fn show_key(
    request: &RequestContext,
    key: Option<String>,
    error: Option<String>,
) -> Result<Reply, Error> {
    let outcome = Outcome {
        key,
        key_error: error,
        ..Outcome::default()
    };
    request
        .app
        .read(|db| page(request, db, profile(request, db, &Input::Null)?, outcome))
}

/// `POST /my/account`: changes what differs from what the form was opened with: names, mail address
/// and preferences. A new mail address needs the password, and
/// counts once it is confirmed. Where the same field has been changed
/// elsewhere meanwhile, nothing is saved, and the form shows both values: 409.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id = request.require_user()?;
    let (before, merged) = request.app.read(|db| -> Result<_, Error> {
        let user = user(request, db)?;
        let saved = saved_fields(request, db, user)?;
        Ok((wanted(db, user)?, merge(&request.body, &saved)))
    })?;
    let form = |db: &Read<'_>| -> Result<FormPage, Error> {
        let form = profile(request, db, &merged.form)?;
        Ok(form.with_conflicts(&merged.conflicts))
    };
    if !merged.conflicts.is_empty() {
        let reply = request
            .app
            .read(|db| page(request, db, form(db)?, Outcome::default()))?;
        return Ok(reply.with_status(StatusCode::CONFLICT));
    }
    let is_new_mail = typed(&merged.form, "mail").is_some_and(|mail| mail.trim() != before);
    save(
        request,
        || {
            if is_new_mail {
                require_password(request)?;
            }
            let change = parse_form(&merged.form);
            request.write(move |db, _| account::update_own(db, id, &change))
        },
        |()| {
            if is_new_mail {
                audit(request, "mail");
            }
            let waiting = request.app.read(|db| address_changes::address(db, id))?;
            let saved = match waiting {
                Some(_) if is_new_mail => NEW_ADDRESS,
                _ => SAVED,
            };
            Ok(("/my/account".to_owned(), saved.to_owned()))
        },
        |db, errors| {
            let form = form(db)?.with_errors(errors);
            page(request, db, form, Outcome::default())
        },
    )
}

/// Returns the form of names, mail address and preferences.
fn profile(request: &RequestContext, db: &Read<'_>, sent: &Input) -> Result<FormPage, Error> {
    let user = user(request, db)?;
    let sections = sections(request, db, user, FieldBuilder::without_object(sent))?;
    let frame = Frame::new(request, db, "My account");
    let form = FormPage::with_sections(frame, "/my/account", sections);
    Ok(form.with_original(&saved_fields(request, db, user)?))
}

fn saved_fields(
    request: &RequestContext,
    db: &Read<'_>,
    user: &User,
) -> Result<Vec<FormField>, Error> {
    let form = FieldBuilder::without_object(&Input::Null);
    let sections = sections(request, db, user, form)?.into_iter();
    Ok(sections.flat_map(|section| section.fields).collect())
}

/// Returns the fields of an account.
fn sections(
    request: &RequestContext,
    db: &Read<'_>,
    user: &User,
    form: FieldBuilder<'_>,
) -> Result<Vec<Section>, Error> {
    let preferences = users::preferences(db, user.id)?;
    let profile = vec![
        form.line("firstname", "First name", &user.firstname)
            .required(),
        form.line("lastname", "Last name", &user.lastname)
            .required(),
        form.email("mail", "Email", wanted(db, user)?)
            .required()
            .with_hint("Changing it requires your password."),
        FormField {
            label: "Password".to_owned(),
            ..FormField::own_password("Only needed to change your email address.")
        },
        choices::language(form, &user.language),
        choices::time_zone(form, &user.time_zone, db.now())
            .with_hint("All times are shown in this time zone."),
    ];
    let order = if preferences.newest_first {
        "desc"
    } else {
        "asc"
    };
    let orders = [
        choice("asc", "Oldest first"),
        choice("desc", "Newest first"),
    ];
    let default_query = match preferences.default_query {
        Some(id) => {
            let query = queries::find(db, QueryKind::Issues, id)?;
            let query = query.filter(|query| query.is_usable_by(request.viewer(), query.project));
            let label = query.map_or(UNUSABLE.to_owned(), |query| query.name);
            Some((id.to_string(), label))
        }
        None => None,
    };
    let queries = queries::list(db, QueryKind::Issues, Some(user.id))?;
    let queries = queries
        .into_iter()
        .filter(|query| query.is_listed_for(request.viewer()))
        .take(MAX_QUERIES)
        .map(|query| choice(query.id, query.name));
    let queries = [choice("", "None")].into_iter().chain(queries);
    let preferences = vec![
        form.select("comments_sorting", "History of issues", order, orders),
        form.switch(
            "hide_mail",
            "Hide my email address from others",
            user.hides_mail,
        )
        .with_hint("Administrators always see it."),
        form.select_or_keep(DEFAULT_QUERY, "Default issue query", default_query, queries)
            .with_hint("Lists of issues open with this query wherever it applies."),
        form.switch(
            "watch_contributions",
            "Watch issues that I contribute to",
            preferences.watches_contributions,
        ),
        form.switch(
            "watch_mentions",
            "Watch issues in which I am mentioned",
            preferences.watches_mentions,
        ),
    ];
    Ok(vec![
        Section::new("Profile", profile).with_columns(),
        Section::new("Preferences", preferences),
    ])
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    form: FormPage,
    outcome: Outcome,
) -> Result<Reply, Error> {
    let user = user(request, db)?;
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
    let picture = (user, "/my/picture".to_owned());
    let page = AccountPage {
        frame: &form.frame,
        form: &form,
        picture: PictureForm::new(request, db, &form.frame, picture, outcome.picture_errors),
        login: user.login.clone(),
        mail: user.mail.clone(),
        sends_links: outbox::is_on(db)?,
        unconfirmed: address_changes::address(db, user.id)?,
        key_password: FormField {
            id: "key_password".to_owned(),
            label: "Password".to_owned(),
            error: outcome.key_error,
            ..FormField::own_password("To show or reset the key.").required()
        },
        key_tail: stored.map(|key| {
            key.chars()
                .skip(key.chars().count().saturating_sub(KEY_TAIL))
                .collect()
        }),
        key: outcome.key,
        offers_second_factor: TwoFactorPolicy::from_catalogue(db.catalogue())
            != TwoFactorPolicy::Disabled,
        has_second_factor: user.has_second_factor(),
        recovery_codes: two_factor::recovery_code_count(db, user.id)?,
        sessions: rows.collect(),
        applications: applications.collect(),
    };
    render(page.frame, &page)
}
