//! `quarry user`: manages the users of a data folder.

pub(crate) mod new_user;

use super::arguments::UserCommand;
use super::output::table;
use super::output::usage_error::UsageError;
use super::{audit, data_folder};
use anyhow::Context;
use new_user::NewUser;
use quarry_actions::ActionError;
use quarry_actions::accounts::account;
use quarry_actions::accounts::users as actions;
use quarry_actions::accounts::users::{Actor, NewPassword, UserChange};
use quarry_config::Config;
use quarry_domain::accounts::password;
use quarry_domain::accounts::user::{User, UserStatus};
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::clock::SystemEntropy;
use quarry_domain::ids::UserId;
use quarry_domain::values::patch::Patch;
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::Store;
use quarry_store::accounts::users;
use quarry_wire as wire;
use quarry_wire::Format;
use std::io::{BufRead, Write};

/// Runs the command.
pub fn run(config: &Config, command: UserCommand, out: &mut dyn Write) -> anyhow::Result<()> {
    let store = data_folder::open(config)?;
    match command {
        UserCommand::List { json } => list(&store, json, out)?,
        UserCommand::Add(user) => add(&store, user, out)?,
        UserCommand::Password {
            login,
            password_stdin,
        } => password(&store, &login, password_stdin, out)?,
        UserCommand::Key { login, reset } => key(&store, &login, reset, out)?,
        UserCommand::Lock { login } => change_status(&store, &login, UserStatus::Locked, out)?,
        UserCommand::Unlock { login } => change_status(&store, &login, UserStatus::Active, out)?,
    }
    store.close();
    Ok(())
}

fn list(store: &Store, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let catalogue = store.catalogue()?;
    let mut users: Vec<&User> = catalogue.users.values().collect();
    users.stable_sort_by_key(|user| user.id);
    if json {
        let document = wire::list(Format::Json, "users", "user", users, describe, &[]);
        return Ok(writeln!(out, "{document}")?);
    }
    let mut rows =
        vec![["id", "login", "state", "administrator", "name", "mail"].map(str::to_owned)];
    rows.extend(users.into_iter().map(|user| {
        let admin = if user.admin { "yes" } else { "no" };
        let login = user.login.clone();
        let name = user.name.clone();
        let mail = user.mail.clone();
        [
            user.id.to_string(),
            login,
            status_name(user.status).to_owned(),
            admin.to_owned(),
            name,
            mail,
        ]
    }));
    Ok(table::write(out, &rows)?)
}

fn describe(w: &mut wire::Fields, user: &User) {
    w.field("id", user.id.0);
    w.field("login", &user.login);
    w.field("state", status_name(user.status));
    w.field("admin", user.admin);
    w.field("firstname", &user.firstname);
    w.field("lastname", &user.lastname);
    w.field("mail", &user.mail);
    w.field("created_on", user.created_on);
}

fn add(store: &Store, user: NewUser, out: &mut dyn Write) -> anyhow::Result<()> {
    let (password, is_generated) = read_or_generate_password(user.password_stdin)?;
    let login = user.login.clone();
    let change = UserChange {
        login: Patch::Set(user.login),
        firstname: Patch::Set(user.firstname),
        lastname: Patch::Set(user.lastname),
        mail: Patch::Set(user.mail),
        password: Some(NewPassword::Given(password.clone())),
        admin: Some(user.admin),
        ..UserChange::default()
    };
    let created = store.write(move |db| actions::create(db, Actor::Operator, &change))?;
    audit::log_user_changes(created.id, &login, &created.changes);
    let key = created.key;
    let mut rows = vec![["login".to_owned(), login], ["API key".to_owned(), key]];
    if is_generated {
        rows.insert(1, ["password".to_owned(), password]);
    }
    Ok(table::write(out, &rows)?)
}

fn password(
    store: &Store,
    login: &str,
    from_stdin: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let (user, stored_login) = find_user(store, login)?;
    let (password, is_generated) = read_or_generate_password(from_stdin)?;
    let change = UserChange {
        password: Some(NewPassword::Given(password.clone())),
        ..UserChange::default()
    };
    update(store, user, &stored_login, change)?;
    if is_generated {
        writeln!(out, "{password}")?
    } else {
        writeln!(out, "the password of {login} was changed")?
    }
    Ok(())
}

fn key(store: &Store, login: &str, reset: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let (user, stored_login) = find_user(store, login)?;
    let key = if reset {
        let key = store.write::<_, ActionError>(move |db| account::reset_key(db, user))?;
        audit::log_new_key(user, &stored_login);
        key
    } else {
        let key = store.read(|db| users::api_key(db, user))?;
        key.with_context(|| {
            format!("{login} has no API key that can be shown; create one with --reset")
        })?
    };
    if !reset {
        let event =
            AuditEvent::new(RecordType::User, user, "API key shown").with_name(&stored_login);
        store.record_event(event)?;
    }
    Ok(writeln!(out, "{key}")?)
}

fn change_status(
    store: &Store,
    login: &str,
    status: UserStatus,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let (user, stored_login) = find_user(store, login)?;
    update(
        store,
        user,
        &stored_login,
        UserChange {
            status: Some(status),
            ..UserChange::default()
        },
    )?;
    Ok(writeln!(out, "{login} is {}", status_name(status))?)
}

fn update(store: &Store, user: UserId, login: &str, change: UserChange) -> Result<(), ActionError> {
    let updated = store.write(move |db| actions::update(db, Actor::Operator, user, &change))?;
    audit::log_user_changes(user, login, &updated.changes);
    Ok(())
}

/// Returns the user with this login, in any case, and the login as it is stored.
fn find_user(store: &Store, login: &str) -> anyhow::Result<(UserId, String)> {
    let catalogue = store.catalogue()?;
    let user = catalogue
        .user_by_login(login)
        .map(|user| (user.id, user.login.clone()));
    user.ok_or_else(|| {
        UsageError::unknown(
            "user",
            login,
            catalogue.users.values().map(|user| user.login.as_str()),
        )
        .into()
    })
}

fn status_name(status: UserStatus) -> &'static str {
    match status {
        UserStatus::Active => "active",
        UserStatus::Registered => "registered",
        UserStatus::Locked => "locked",
        UserStatus::Anonymous => "anonymous",
    }
}

/// Returns the password from standard input or a random one, and whether it was generated.
fn read_or_generate_password(from_stdin: bool) -> anyhow::Result<(String, bool)> {
    if !from_stdin {
        return Ok((password::generate(&SystemEntropy), true));
    }
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .context("the password cannot be read from standard input")?;
    Ok((line.trim_end_matches(['\r', '\n']).to_owned(), false))
}
