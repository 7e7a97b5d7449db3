//! `/my/notifications`: what one is told of.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{choice, typed};
use crate::components::form_page::FormPage;
use crate::form::choices;
use crate::form::{save, user};
use crate::frame::Frame;
use crate::prelude::*;
use quarry_actions::accounts::account;
use quarry_actions::accounts::account::AccountChange;
use quarry_domain::accounts::preferences::PreferencesChange;
use quarry_domain::accounts::user::MAIL_NOTIFICATIONS;
use quarry_domain::administration::setting::Setting;
use quarry_domain::notices::digest::Digest;
use quarry_domain::validation::ValidationError;
use quarry_domain::values::patch::Patch;
use quarry_store::accounts::users;

const PATH: &str = "/my/notifications";
/// The field with the projects of which one wants every event.
const PROJECTS: &str = "notified_project_ids[]";
/// The field with how often one gets a digest.
const DIGEST: &str = "mail_digest";

/// `GET`: the form.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, ValidationErrors::new())
}

/// `POST`: saves the preferences. What the form does not have stays as it is.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    save(
        request,
        || {
            let change = parse_form(request)?;
            let projects = projects(request)?;
            request.write(move |db, viewer| {
                account::update_notifications(db, viewer, &change, projects.as_deref())
            })
        },
        |()| Ok((PATH.to_owned(), "Your notifications were saved.".to_owned())),
        |db, errors| page(request, db, errors),
    )
}

fn parse_form(request: &RequestContext) -> Result<AccountChange, Error> {
    let form = &request.body;
    let is_on = |name| typed(form, name).map(|value| value == "1");
    Ok(AccountChange {
        mail_notification: typed(form, "mail_notification").map_or(Patch::Unset, Patch::Set),
        preferences: PreferencesChange {
            mails_own_events: is_on("mail_own_events"),
            follows_high_priority: is_on("high_priority"),
            digest: digest(request)?,
            gets_reminders: is_on("mail_reminders"),
            ..PreferencesChange::default()
        },
        ..AccountChange::default()
    })
}

/// Returns the chosen digest.
fn digest(request: &RequestContext) -> Result<Patch<Digest>, Error> {
    match typed(&request.body, DIGEST).as_deref() {
        None => Ok(Patch::Unset),
        Some("") => Ok(Patch::Clear),
        Some(name) => name.parse().map(Patch::Set).map_err(|_| {
            let message = "Choose from the list.";
            Error::Invalid(ValidationError::new(DIGEST, "", message).into())
        }),
    }
}

/// Returns the chosen projects; `None` if the form does not have the field.
fn projects(request: &RequestContext) -> Result<Option<Vec<ProjectId>>, Error> {
    let Some(sent) = typed(&request.body, PROJECTS) else {
        return Ok(None);
    };
    let ids = sent.lines().filter(|line| !line.is_empty()).map(|line| {
        let id = line.parse().map(ProjectId);
        id.map_err(|_| {
            let message = "Choose from your projects.";
            Error::Invalid(ValidationError::new(PROJECTS, "", message).into())
        })
    });
    ids.collect::<Result<_, _>>().map(Some)
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    let user = user(request, db)?;
    let catalogue = db.catalogue();
    let form = FieldBuilder::without_object(&request.body);
    let preferences = users::preferences(db, user.id)?;
    let default = catalogue.setting(Setting::DefaultNotificationOption);
    let default = MAIL_NOTIFICATIONS
        .iter()
        .find(|(name, _)| *name == default)
        .map_or("", |(_, label)| label);
    let projects = account::own_projects(catalogue, request.viewer());
    let chosen = projects.iter().filter(|project| {
        let selected = &catalogue.notice_preferences.selected;
        let users = selected.get(&project.id);
        users.is_some_and(|users| users.contains(&user.id))
    });
    let chosen: Vec<ProjectId> = chosen.map(|project| project.id).collect();
    let mut fields = vec![
        choices::mail_notification(form, &user.mail_notification).with_hint(format!(
            "It decides what you are told of, in the inbox and by mail. Texts that mention you are in the inbox in any case, unless an administrator has switched off such events for everybody. The default is: {default}."
        )),
    ];
    if !projects.is_empty() {
        let choices = projects
            .iter()
            .map(|project| choice(project.id, &project.name));
        fields.push(
            form.checkboxes("notified_project_ids", "Selected projects", chosen, choices)
                .with_attribute(PROJECTS)
                .with_hint("For the choice of selected projects: those of which you want to be told everything."),
        );
    }
    fields.extend([
        form.switch(
            "high_priority",
            "Tell me of all issues with a high priority",
            preferences.follows_high_priority,
        )
        .with_hint("Of your projects, with a priority above the default."),
        form.switch(
            "mail_own_events",
            "Mail me about what I do myself",
            preferences.mails_own_events,
        )
        .with_hint("It is never in the inbox."),
    ]);
    let hour = catalogue.integer_setting(Setting::DailyMailHour);
    let digests = [
        ("", "A mail about each thread".to_owned()),
        ("daily", format!("One mail a day, at {hour}:00")),
        ("weekly", format!("One mail a week, on Monday at {hour}:00")),
    ];
    let digest = preferences.digest.map_or("", Digest::name);
    fields.extend([
        form.select(
            DIGEST,
            "How often I get mail",
            digest,
            digests.map(|(value, label)| choice(value, label)),
        )
        .with_hint("Mentions of you and issues that become yours are mailed at once in any case."),
        form.switch(
            "mail_reminders",
            "Remind me of due issues by mail",
            preferences.gets_reminders,
        )
        .with_hint("Of open ones that are assigned to you, where administrators have switched reminders on."),
    ]);
    let frame = Frame::new(request, db, "Notifications").below("My account", "/my/account");
    FormPage::new(frame, PATH, fields)
        .with_paragraph("What you watch automatically is a choice under My account.")
        .with_cancel("/my/inbox")
        .with_errors(errors)
        .render()
}
