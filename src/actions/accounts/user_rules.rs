//! What a valid account is, in the words of compatibility 11.1.

use crate::prelude::*;
use quarry_domain::accounts::user::MAIL_NOTIFICATIONS;
use quarry_domain::administration::time_zone;
use quarry_domain::values::mail_address::is_valid_address;
use quarry_store::accounts::users;

/// Maximum number of characters of a login.
const MAX_LOGIN: usize = 60;
/// Maximum number of characters of a first or last name.
const MAX_NAME: usize = 30;
/// Maximum number of characters of a password.
const MAX_PASSWORD: usize = 255;
/// Maximum number of characters of a language.
const MAX_LANGUAGE: usize = 10;

/// Checks a mail address that is new for the user `id`; `None` for a user to be created.
pub(crate) fn check_mail(
    db: &Read<'_>,
    errors: &mut ValidationErrors,
    id: Option<UserId>,
    mail: &str,
) -> Result<(), StoreError> {
    if check_mail_format(errors, mail) && users::find_by_mail(db, mail, id)?.is_some() {
        errors.add("mail", "Email", "has already been taken");
    }
    Ok(())
}

/// Checks the form of a mail address, not whether it is taken. Returns whether it is valid.
pub(crate) fn check_mail_format(errors: &mut ValidationErrors, mail: &str) -> bool {
    let has_domain = mail
        .rsplit_once('@')
        .is_some_and(|(_, host)| host.contains('.'));
    if mail.is_empty() {
        errors.add("mail", "Email", "cannot be blank");
    } else if !is_valid_address(mail) || !has_domain {
        errors.add("mail", "Email", "is invalid");
    } else {
        return true;
    }
    false
}

/// Checks a login that is new for the user `id`; `None` for a user to be created.
pub(crate) fn check_login(
    catalogue: &Catalogue,
    errors: &mut ValidationErrors,
    id: Option<UserId>,
    login: &str,
) {
    errors.require_text("login", "Login", login, MAX_LOGIN);
    if catalogue
        .user_by_login(login)
        .is_some_and(|user| Some(user.id) != id)
    {
        errors.add("login", "Login", "has already been taken");
    } else if login
        .chars()
        .any(|c| c.is_control() || c.is_whitespace() || is_invisible(c))
    {
        errors.add("login", "Login", "is invalid");
    }
}

/// Whether a character is not seen, so that two logins that differ by it look the same.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Checks the names.
pub(crate) fn check_names(errors: &mut ValidationErrors, firstname: &str, lastname: &str) {
    for (attribute, label, name) in [
        ("firstname", "First name", firstname),
        ("lastname", "Last name", lastname),
    ] {
        errors.require_text(attribute, label, name, MAX_NAME);
        if name.chars().any(char::is_control) {
            errors.add(attribute, label, "is invalid");
        }
    }
}

/// Checks a new password.
pub(crate) fn check_password(catalogue: &Catalogue, errors: &mut ValidationErrors, password: &str) {
    let length = password.chars().count();
    let min = catalogue.min_password_length();
    if length < min {
        errors.add(
            "password",
            "Password",
            &format!("is too short (minimum is {min} characters)"),
        );
    } else if length > MAX_PASSWORD {
        errors.add(
            "password",
            "Password",
            &format!("is too long (maximum is {MAX_PASSWORD} characters)"),
        );
    }
}

/// Checks a new language: a tag such as `en` or `pt-BR`, or nothing.
pub(crate) fn check_language(errors: &mut ValidationErrors, language: &str) {
    if language.len() > MAX_LANGUAGE
        || !language
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    {
        errors.add("language", "Language", "is invalid");
    }
}

/// Checks a new time zone.
pub(crate) fn check_time_zone(errors: &mut ValidationErrors, name: &str) {
    if time_zone::find(name).is_none() {
        errors.add("time_zone", "Time zone", "is not included in the list");
    }
}

/// Checks a new choice of `mail_notification`.
pub(crate) fn check_mail_notification(errors: &mut ValidationErrors, choice: &str) {
    if !choice.is_empty() && !MAIL_NOTIFICATIONS.iter().any(|(name, _)| *name == choice) {
        errors.add(
            "mail_notification",
            "Email notifications",
            "is not included in the list",
        );
    }
}
