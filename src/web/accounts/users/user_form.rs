//! The form of a user: its fields, and the change that it requests.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{Choice, FieldKind, FormField, choice, sort_by_label, typed};
use crate::components::form_page::Section;
use crate::form::choices;
use crate::form::custom_fields::rows_of_user;
use crate::form::{PASSWORDS_DIFFER, field, is_checked};
use crate::prelude::*;
use quarry_actions::accounts::users::{NewPassword, UserChange};
use quarry_domain::accounts::preferences::PreferencesChange;
use quarry_domain::accounts::user::User;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::ids::PrincipalId;
use quarry_domain::validation::ValidationError;
use quarry_domain::values::patch::Patch;
use quarry_store::administration::custom_fields;

/// Maximum number of groups that the form offers. With more, groups are left as they are.
const MAX_GROUPS: usize = 200;

const NO_PASSWORD: &str = "Enter a password, or let one be generated.";

/// Returns the fields about the person, for an existing user or a new one.
pub fn profile(
    db: &Read<'_>,
    user: Option<&User>,
    form: FieldBuilder<'_>,
) -> Result<Vec<Section>, Error> {
    let catalogue = db.catalogue();
    let (values, hides_mail) = match user {
        Some(user) => (
            custom_fields::find_values(db, Customized::User, user.id.0)?,
            user.hides_mail,
        ),
        None => (
            Values::defaults(catalogue.custom_fields_of(Customized::User)),
            true,
        ),
    };
    let mut stored = User::default();
    if let Some(user) = user {
        stored.clone_from(user);
    }
    let person = vec![
        form.line("login", "Login", stored.login).required(),
        form.line("firstname", "First name", stored.firstname)
            .required(),
        form.line("lastname", "Last name", stored.lastname)
            .required(),
        form.email("mail", "Email", stored.mail).required(),
        choices::language(form, &stored.language),
        choices::time_zone(form, &stored.time_zone, db.now()).with_hint("Times are shown in it."),
    ];
    let mut others = vec![
        form.switch(
            "hide_mail",
            "Hide the email address from others",
            hides_mail,
        )
        .with_hint("Administrators always see it."),
        choices::mail_notification(form, &stored.mail_notification),
    ];
    others.extend(rows_of_user(catalogue, &values, form.sent(), true));
    let groups: Vec<_> = catalogue.groups.values().collect();
    if !groups.is_empty() && groups.len() <= MAX_GROUPS {
        let chosen = groups
            .iter()
            .filter(|group| user.is_some_and(|user| group.users.contains(&user.id)));
        let mut offered: Vec<Choice> = groups
            .iter()
            .map(|group| choice(group.id, &group.name))
            .collect();
        sort_by_label(&mut offered);
        others.push(form.checkboxes("groups", "Groups", chosen.map(|group| group.id), offered));
    }
    Ok(vec![
        Section::new("Profile", person).with_columns(),
        Section::new("", others),
    ])
}

/// Returns the switch of administrators, and the password that it needs.
pub fn rights(form: FieldBuilder<'_>, is_admin: bool, password_hint: &str) -> [FormField; 2] {
    [
        form.switch("admin", "Administrator", is_admin)
            .with_hint("May see and change everything, and manage other users."),
        FormField::own_password(password_hint),
    ]
}

/// Returns the fields for a password that somebody else will use.
pub fn new_password_fields(form: FieldBuilder<'_>, must_change: &str) -> [FormField; 4] {
    let password = |name, label| FormField::new(FieldKind::NewPassword, name, label, "");
    [
        password("new_password", "Password").with_attribute("password"),
        password("new_password_confirmation", "Password again"),
        form.switch("generate_password", "Generate a password", true)
            .with_hint("It is shown once. The fields above are then ignored."),
        form.switch("must_change_passwd", must_change, true),
    ]
}

/// Returns the password that was typed, or that one is generated.
pub fn new_password(request: &RequestContext) -> Result<NewPassword, Error> {
    let typed = field(request, "new_password");
    if is_checked(request, "generate_password") {
        return Ok(NewPassword::Generated);
    }
    if typed.is_empty() {
        let error = ValidationError::new("password", "", NO_PASSWORD);
        return Err(Error::Invalid(error.into()));
    }
    if typed != field(request, "new_password_confirmation") {
        let attribute = "new_password_confirmation";
        let error = ValidationError::new(attribute, "", PASSWORDS_DIFFER);
        return Err(Error::Invalid(error.into()));
    }
    Ok(NewPassword::Given(typed))
}

/// Returns the change that a form requests, without the password. Fields that it does not have stay as
/// they are.
pub fn parse_user(form: &Input) -> Result<UserChange, Error> {
    let mut body = BodyFields::from_input(form, "user")?;
    let custom = body.custom_fields();
    body.check()?;
    let groups = form.get("groups").and_then(Input::as_list);
    let text = |name| typed(form, name).map_or(Patch::Unset, Patch::Set);
    let switch = |name| typed(form, name).map(|value| value == "1");
    Ok(UserChange {
        login: text("login"),
        firstname: text("firstname"),
        lastname: text("lastname"),
        mail: text("mail"),
        hides_mail: switch("hide_mail"),
        password: None,
        must_change_password: switch("must_change_passwd"),
        admin: switch("admin"),
        status: None,
        language: text("language"),
        time_zone: text("time_zone"),
        mail_notification: text("mail_notification"),
        preferences: PreferencesChange::default(),
        groups: groups.map(|ids| ids.iter().filter_map(parse_id).collect()),
        custom,
    })
}

fn parse_id(item: &Input) -> Option<PrincipalId> {
    item.as_text()
        .and_then(|text| text.trim().parse().ok())
        .map(PrincipalId)
}
