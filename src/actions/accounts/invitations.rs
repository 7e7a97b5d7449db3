//! Invitations: an administrator creates a user without a password, and hands over a link with
//! which that user chooses one.
//!
//! Invariants: a link works once, for three days, and only while the user is active and has no
//! password. May import: `domain`, `store`.

use crate::accounts::users::{Actor, CreatedUser, UserChange};
use crate::accounts::{account, account_links, memberships, users};
use crate::notices::outbox;
use crate::prelude::*;
use quarry_domain::accounts::invitation::{Invitation, LIFETIME};
use quarry_domain::accounts::invited_person::InvitedPerson;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::mail::{MailKind, NewMail};
use quarry_domain::ids::RoleId;
use quarry_domain::validation::ValidationError;
use quarry_store::accounts::invitations;
use quarry_store::accounts::users as stored_users;
use std::collections::HashMap;

/// Maximum number of people who are invited at once.
const MAX_PEOPLE: usize = 100;
const LINE_FORMS: &str = "write an address, First Last <address>, or address, First, Last";
const INVITE_ALONE: &str = "invite this person alone, with another login";

/// An invited user, with the token of the link.
#[derive(Debug)]
pub struct Invited {
    pub user: CreatedUser,
    /// The token, which is not stored; `None` if the link is sent by mail.
    pub token: Option<String>,
}

/// How the link gets to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The administrator hands it over.
    Link,
    /// By mail, if mail is on.
    Mail,
}

/// A project that invited users become members of, with their roles.
pub type InitialMembership<'a> = (ProjectId, &'a [RoleId]);

/// Creates a user without a password, and makes them a member of a project with these roles, if
/// there is one.
///
/// # Errors
/// `Invalid` with the messages of a new user, and of a new membership.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    change: &UserChange,
    membership: Option<InitialMembership<'_>>,
    delivery: Delivery,
) -> Result<Invited, ActionError> {
    // All messages are shown at once.
    let mut errors = check_membership(db, membership)?;
    let user = match create_user(db, viewer, change) {
        Err(ActionError::Invalid(invalid)) => {
            errors.extend(invalid);
            return Err(ActionError::Invalid(errors));
        }
        created => created?,
    };
    errors.into_result().map_err(ActionError::Invalid)?;
    invite(db, viewer, user, change, membership, delivery)
}

/// Creates users without passwords, one for each line of the text, all or none. `shared` has what all
/// of them get.
///
/// # Errors
/// `Invalid` with what is wrong in each line, and with the messages of a new membership.
pub fn create_several(
    db: &mut Write<'_>,
    viewer: &Viewer,
    text: &str,
    shared: &UserChange,
    membership: Option<InitialMembership<'_>>,
    delivery: Delivery,
) -> Result<Vec<Invited>, ActionError> {
    if !viewer.admin {
        return Err(ActionError::Forbidden);
    }
    let mut errors = check_membership(db, membership)?;
    let mut users = Vec::new();
    // The line that has an address, and the one that has a login.
    let mut mails: HashMap<String, usize> = HashMap::new();
    let mut logins: HashMap<String, usize> = HashMap::new();
    for (number, line) in lines(text)? {
        let Some(person) = InvitedPerson::parse(line) else {
            errors.add_message(&format!("Line {number} cannot be read: {LINE_FORMS}"));
            continue;
        };
        let login = person.login().to_owned();
        let mail = person.mail.to_lowercase();
        let name = login.to_lowercase();
        let prefix = format!("Line {number}, {}", person.mail);
        if let Some(first) = mails.get(&mail) {
            errors.add_message(&format!("{prefix}: the address is that of line {first}"));
            continue;
        }
        if let Some(first) = logins.get(&name) {
            errors.add_message(&format!(
                "{prefix}: the login {login} is that of line {first}; {INVITE_ALONE}"
            ));
            continue;
        }
        mails.insert(mail, number);
        logins.insert(name, number);
        let change = UserChange {
            login: Patch::Set(login),
            firstname: Patch::Set(person.firstname),
            lastname: Patch::Set(person.lastname),
            mail: Patch::Set(person.mail),
            ..shared.clone()
        };
        match create_user(db, viewer, &change) {
            Ok(user) => users.push((user, change)),
            Err(ActionError::Invalid(invalid)) => add_errors(&mut errors, &prefix, invalid),
            Err(error) => return Err(error),
        }
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    users
        .into_iter()
        .map(|(user, change)| invite(db, viewer, user, &change, membership, delivery))
        .collect()
}

/// Returns the lines that are not blank, with their numbers.
fn lines(text: &str) -> Result<Vec<(usize, &str)>, ActionError> {
    let lines: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| (index + 1, line))
        .collect();
    let message = match lines.len() {
        0 => "cannot be blank".to_owned(),
        1..=MAX_PEOPLE => return Ok(lines),
        count => format!("are too many: {count} (maximum is {MAX_PEOPLE} at once)"),
    };
    let error = ValidationError::new("people", "People", &message);
    Err(ActionError::Invalid(error.into()))
}

/// Adds what is wrong in a line. What is wrong for all of them is added once, to its field.
fn add_errors(errors: &mut ValidationErrors, prefix: &str, invalid: ValidationErrors) {
    for error in invalid {
        if let Some(field) = error.custom_field() {
            if errors
                .iter()
                .all(|error| error.custom_field() != Some(field))
            {
                errors.push(error);
            }
        } else if error.is_about("login") {
            errors.add_message(&format!("{prefix}: {error}; {INVITE_ALONE}"));
        } else {
            errors.add_message(&format!("{prefix}: {error}"));
        }
    }
}

fn check_membership(
    db: &Read<'_>,
    membership: Option<InitialMembership<'_>>,
) -> Result<ValidationErrors, ActionError> {
    let mut errors = ValidationErrors::new();
    if let Some((project, roles)) = membership {
        match memberships::check_new_roles(db, roles) {
            Err(ActionError::Invalid(invalid)) => errors.extend(invalid),
            checked => checked?,
        }
        if !db.catalogue().projects.contains_key(&project) {
            errors.add("project_id", "Project", "is invalid");
        }
    }
    Ok(errors)
}

/// Creates a user without a password and without rights.
fn create_user(
    db: &mut Write<'_>,
    viewer: &Viewer,
    change: &UserChange,
) -> Result<CreatedUser, ActionError> {
    let change = UserChange {
        password: None,
        must_change_password: Some(false),
        admin: Some(false),
        status: None,
        ..change.clone()
    };
    users::create(db, Actor::Viewer(viewer), &change)
}

/// Makes a new user a member, and creates or sends the link.
fn invite(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: CreatedUser,
    change: &UserChange,
    membership: Option<InitialMembership<'_>>,
    delivery: Delivery,
) -> Result<Invited, ActionError> {
    if let Some((project, roles)) = membership {
        memberships::create_for_new_user(db, viewer, project, user.id, roles)?;
    }
    let mail = NewMail::to_user(MailKind::Invitation, user.id);
    let is_sent = delivery == Delivery::Mail && outbox::insert(db, &[mail])? > 0;
    let token = if is_sent {
        None
    } else {
        Some(insert(db, user.id)?)
    };
    db.audit(
        AuditEvent::new(RecordType::Invitation, user.id, "created")
            .with_name(&change.login.apply_trimmed(""))
            .of_principal(user.id.into()),
    );
    Ok(Invited { user, token })
}

fn insert(db: &mut Write<'_>, user: UserId) -> Result<String, ActionError> {
    let token = account_links::fresh_token(db.entropy());
    let now = db.now();
    let invitation = Invitation {
        user,
        created_on: now,
        expires_on: now.saturating_add(LIFETIME).unwrap_or(now),
    };
    invitations::replace(db, &token, &invitation)?;
    Ok(token)
}

/// Creates a new link for a user who has no password; the former one stops working. Returns the
/// token.
///
/// # Errors
/// `Invalid` for a user who has a password or is not active.
pub fn renew(db: &mut Write<'_>, viewer: &Viewer, user: UserId) -> Result<String, ActionError> {
    if !viewer.admin {
        return Err(ActionError::Forbidden);
    }
    if !db.catalogue().users.contains_key(&user) {
        return Err(ActionError::NotFound);
    }
    if !may_be_invited(db, user)? {
        return Err(ActionError::invalid(
            "The user has a password, is an administrator, or is not active",
        ));
    }
    let token = insert(db, user)?;
    db.audit(AuditEvent::new(RecordType::Invitation, user, "renewed"));
    Ok(token)
}

/// Creates a link while its mail is sent. The former one stops working. Returns the token; `None` if
/// the user can no longer be invited.
pub fn create_link(db: &mut Write<'_>, user: UserId) -> Result<Option<String>, ActionError> {
    if may_be_invited(db, user)? {
        insert(db, user).map(Some)
    } else {
        Ok(None)
    }
}

/// Whether the user is active, has no password, and is no administrator: a password of an
/// administrator needs that of the one who sets it.
pub fn may_be_invited(db: &Read<'_>, user: UserId) -> Result<bool, ActionError> {
    let is_active = db
        .catalogue()
        .users
        .get(&user)
        .is_some_and(|user| user.status == UserStatus::Active && !user.admin);
    Ok(is_active && stored_users::password_hash(db, user)?.is_empty())
}

/// Returns the user to whom a link belongs, while it can be used.
pub fn find(db: &Read<'_>, token: &str) -> Result<Option<UserId>, ActionError> {
    let Some(invitation) = invitations::find(db, token)? else {
        return Ok(None);
    };
    let is_valid = !invitation.is_expired(db.now()) && may_be_invited(db, invitation.user)?;
    Ok(is_valid.then_some(invitation.user))
}

/// Sets the first password of the user to whom a link belongs, and returns the user. The link stops
/// working.
///
/// # Errors
/// `NotFound` if the link cannot be used; `Invalid` for a password that is too short.
pub fn accept(db: &mut Write<'_>, token: &str, password: &str) -> Result<UserId, ActionError> {
    let user = find(db, token)?.ok_or(ActionError::NotFound)?;
    account::set_password(db, user, password)?;
    db.audit(AuditEvent::new(RecordType::Invitation, user, "accepted"));
    Ok(user)
}
