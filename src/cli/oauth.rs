//! `quarry oauth`: manages the OAuth applications of a data folder.

use super::arguments::{ApplicationCommand, NewApplication, OAuthCommand};
use super::usage_error::UsageError;
use super::{audit, data_folder, table};
use quarry_actions::oauth;
use quarry_actions::users::Actor;
use quarry_config::Config;
use quarry_domain::accounts::oauth::{Application, ApplicationChange};
use quarry_store::Store;
use quarry_store::accounts::oauth::applications;
use quarry_wire as wire;
use quarry_wire::Format;
use std::io::Write;

/// Runs the command.
pub fn run(config: &Config, command: OAuthCommand, out: &mut dyn Write) -> anyhow::Result<()> {
    let OAuthCommand::App { command } = command;
    let store = data_folder::open(config)?;
    match command {
        ApplicationCommand::List { json } => list(&store, json, out)?,
        ApplicationCommand::Add(application) => add(&store, application, out)?,
        ApplicationCommand::Remove { client_id } => remove(&store, &client_id, out)?,
    }
    store.close();
    Ok(())
}

fn list(store: &Store, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let applications = store.read(applications::list)?;
    if json {
        return Ok(writeln!(
            out,
            "{}",
            wire::list(
                Format::Json,
                "applications",
                "application",
                &applications,
                describe,
                &[]
            )
        )?);
    }
    let mut rows =
        vec![["client_id", "name", "type", "redirect_uris", "scopes"].map(str::to_owned)];
    rows.extend(applications.iter().map(|application| {
        let kind = if application.is_confidential {
            "confidential"
        } else {
            "public"
        };
        let uris: Vec<String> = application
            .redirect_uris
            .iter()
            .map(ToString::to_string)
            .collect();
        [
            application.client_id.clone(),
            application.name.clone(),
            kind.to_owned(),
            uris.join(" "),
            application.scopes.to_string(),
        ]
    }));
    Ok(table::write(out, &rows)?)
}

fn describe(w: &mut wire::Fields, application: &Application) {
    let uris: Vec<String> = application
        .redirect_uris
        .iter()
        .map(ToString::to_string)
        .collect();
    let scopes: Vec<&str> = application.scopes.names().collect();
    w.field("client_id", &application.client_id);
    w.field("name", &application.name);
    w.field("confidential", application.is_confidential);
    w.texts("redirect_uris", "uri", &uris);
    w.texts("scopes", "scope", &scopes);
    w.field("created_on", application.created_on);
}

fn add(store: &Store, new: NewApplication, out: &mut dyn Write) -> anyhow::Result<()> {
    let change = ApplicationChange {
        name: new.name,
        redirect_uris: new.redirect_uris,
        scopes: new
            .scopes
            .iter()
            .flat_map(|scopes| scopes.split_ascii_whitespace())
            .map(str::to_owned)
            .collect(),
        is_confidential: !new.public,
    };
    let (application, secret) =
        store.write(move |db| oauth::create(db, Actor::Operator, &change))?;
    audit::log_application(&application.client_id, "created");
    if new.json {
        let document = wire::object_without_root(|w| {
            w.field("client_id", &application.client_id);
            w.maybe("client_secret", secret.as_deref());
        });
        return Ok(writeln!(out, "{document}")?);
    }
    let mut rows = vec![["client ID".to_owned(), application.client_id]];
    rows.extend(secret.map(|secret| ["client secret".to_owned(), secret]));
    Ok(table::write(out, &rows)?)
}

fn remove(store: &Store, client_id: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let applications = store.read(applications::list)?;
    let Some(application) = applications
        .iter()
        .find(|application| application.client_id == client_id)
    else {
        let known = applications
            .iter()
            .map(|application| application.client_id.as_str());
        return Err(UsageError::unknown("application", client_id, known).into());
    };
    let id = application.id;
    let name = application.name.clone();
    store.write(move |db| oauth::delete(db, Actor::Operator, id).map(drop))?;
    audit::log_application(client_id, "deleted");
    Ok(writeln!(out, "{name} was deleted with all its tokens")?)
}
