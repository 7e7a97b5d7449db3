//! `quarry oauth`: manages the OAuth applications of a data folder.

use super::output::table;
use super::output::usage_error::UsageError;
use super::{audit, data_folder};
use clap::{Args, Subcommand};
use quarry_actions::accounts::oauth;
use quarry_actions::accounts::users::Actor;
use quarry_config::Config;
use quarry_domain::accounts::oauth::{Application, ApplicationChange, RedirectUri, Scopes};
use quarry_domain::values::edit_distance::nearest;
use quarry_store::Store;
use quarry_store::accounts::oauth::applications;
use quarry_wire as wire;
use quarry_wire::Format;
use std::io::Write;

/// The commands of `quarry oauth`.
#[derive(Debug, Subcommand)]
pub enum OAuthCommand {
    /// Manage applications
    App {
        /// The command.
        #[command(subcommand)]
        command: ApplicationCommand,
    },
}

/// The commands of `quarry oauth app`.
#[derive(Debug, Subcommand)]
pub enum ApplicationCommand {
    /// Print all applications
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Register an application; prints its client id and its secret, which is not stored
    Add(NewApplication),
    /// Remove an application; its tokens stop working
    Remove {
        /// The client id
        // A random one may begin with a hyphen.
        #[arg(value_name = "CLIENT_ID", allow_hyphen_values = true)]
        client_id: String,
    },
}

/// The arguments of a new application.
#[derive(Debug, Args)]
pub struct NewApplication {
    /// The name that people see when the application asks for their consent
    pub name: String,
    /// Where people are sent back: https, or http to a loopback address; with `http://127.0.0.1`
    /// and `http://[::1]`, any port is accepted
    #[arg(long = "redirect-uri", value_name = "URI", required = true, num_args = 1.., value_parser = parse_redirect_uri)]
    pub redirect_uris: Vec<String>,
    /// What it may ask for: names of permissions such as view_issues, and admin
    #[arg(long = "scope", value_name = "SCOPE", required = true, num_args = 1.., value_parser = parse_scopes)]
    pub scopes: Vec<String>,
    /// Without a secret, for programs on the devices of their users; PKCE is then required
    #[arg(long)]
    pub public: bool,
    /// Print JSON: client_id and client_secret
    #[arg(long)]
    pub json: bool,
}

fn parse_redirect_uri(text: &str) -> Result<String, &'static str> {
    RedirectUri::parse(text).map(|uri| uri.to_string())
}

/// Accepts several scopes in one argument, as in a request.
fn parse_scopes(text: &str) -> Result<String, String> {
    Scopes::parse(text)
        .map(|_| text.to_owned())
        .map_err(|name| {
            let hint = nearest(&name, Scopes::all().names())
                .map_or(String::new(), |name| format!(", did you mean {name}?"));
            format!("there is no scope {name:?}{hint}")
        })
}

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
