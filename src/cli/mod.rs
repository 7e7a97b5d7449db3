//! The command line: one file per command.
//!
//! Invariant: the output of a command goes to standard output, everything else to standard error. A
//! failure is one sentence; the exit code is 2 for a usage error, and 1 for an error while the
//! command runs. May import: everything. Only this module and `main` use anyhow.

mod arguments;
mod audit;
mod backup;
mod completion;
mod config;
mod data_folder;
mod demo;
pub mod doctor;
#[cfg(test)]
mod documentation;
mod healthcheck;
mod http_client;
mod import;
mod index;
mod mail;
mod man;
mod oauth;
mod options;
mod output;
mod restore;
mod search;
mod secret;
mod serve;
mod setting;
mod store;
mod user;

use crate::telemetry;
use arguments::{Arguments, Command, MailCommand};
use audit::audit_events;
use clap::{CommandFactory, Parser};
use config::ConfigCommand;
use data_folder::folder_owner::FolderOwner;
use output::usage_error;
use quarry_config::{Config, ConfigValues, Environment};
use quarry_domain::values::text::escape_controls;
use quarry_store::data_folder::file_mode;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// The default data folder.
const DEFAULT_FOLDER: &str = "data";
/// The default data folder of `quarry demo`.
const DEMO_FOLDER: &str = "demo-data";

/// Runs the command, and returns the exit code of the process.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> ExitCode {
    file_mode::restrict_new_files();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let is_receive = mail::receive::is_mail_receive(&arguments);
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version arrive here too. A failure to print them cannot be reported.
            let _ = error.print();
            if is_receive && error.use_stderr() {
                return mail::receive::try_again_later();
            }
            return u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from);
        }
    };
    // The mail server returns mails whose command fails in another way, so nothing is loaded that this
    // command does not need.
    if let Command::Mail {
        command: MailCommand::Receive(options),
    } = &arguments.command
    {
        return mail::receive::run(options);
    }
    // Container runtimes reserve the other exit codes of a health check.
    let is_healthcheck = matches!(arguments.command, Command::Healthcheck(_));
    match run_command(arguments, variables, &mut std::io::stdout().lock()) {
        Ok(code) => code,
        Err(error) if usage_error::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quarry: {}", escape_lines(&format!("{error:#}")));
            if is_healthcheck {
                return ExitCode::FAILURE;
            }
            ExitCode::from(usage_error::exit_code(&error))
        }
    }
}

/// Returns an error message for the terminal. It keeps its lines; values in it can be those of others.
fn escape_lines(message: &str) -> String {
    let lines = message.split('\n').map(escape_controls);
    lines.collect::<Vec<_>>().join("\n")
}

fn run_command(
    arguments: Arguments,
    variables: impl IntoIterator<Item = (OsString, OsString)>,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        Command::Completion(options) => {
            completion::run(options, Arguments::command(), out)?;
            return Ok(ExitCode::SUCCESS);
        }
        Command::Man(options) => {
            man::run(options, Arguments::command(), out)?;
            return Ok(ExitCode::SUCCESS);
        }
        _ => {}
    }
    let environment = Environment::from_variables(variables)?;
    let folder = if matches!(arguments.command, Command::Demo(_)) {
        DEMO_FOLDER
    } else {
        DEFAULT_FOLDER
    };
    let values = ConfigValues::load(&arguments.flags(), &environment, folder)?;
    values.check_base_path(&quarry_http::first_segments(&crate::routes()))?;
    if let Command::Config {
        command: ConfigCommand::Print(options),
    } = &arguments.command
    {
        config::print(options, &values, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let config = Config::from_values(&values)?;
    if arguments.command.needs_mail_passwords() {
        config.check_passwords()?;
    }
    // A failed import prints one sentence; log events of the store appear only when they are
    // requested.
    let log = if matches!(arguments.command, Command::Import { .. }) && !config.has_custom_log() {
        "off"
    } else {
        &config.log
    };
    telemetry::init(log, config.log_format)
        .map_err(|error| usage_error::UsageError(error.to_string()))?;
    let _owner = arguments
        .command
        .may_create_files()
        .then(|| FolderOwner::find(&config));
    match arguments.command {
        Command::Serve(_) => serve::serve(&config, &environment, out)?,
        Command::Demo(_) => demo::demo(&config, out)?,
        Command::Setting { command } => setting::run(&config, command, out)?,
        Command::User { command } => user::run(&config, command, out)?,
        Command::Oauth { command } => oauth::run(&config, command, out)?,
        Command::Mail { command } => return mail::run(&config, &command, out),
        Command::Secret { command } => secret::run(&config, &command, out)?,
        Command::Import { command } => return import::run(&config, &environment, &command, out),
        Command::Store { command } => return store::run(&config, &command, out),
        Command::Backup(arguments) => return backup::run(&config, &arguments, out),
        Command::Restore(arguments) => restore::run(&config, &arguments, out)?,
        Command::Doctor(options) => return doctor::run(&config, &options, out),
        Command::Audit { command } => audit_events::run(&config, command, out)?,
        Command::Index { command } => return index::run(&config, &command, out),
        Command::Search(arguments) => search::run(&config, &arguments, out)?,
        Command::Healthcheck(options) => healthcheck::run(&config, &options, out)?,
        Command::Config { .. } | Command::Completion(_) | Command::Man(_) => {}
    }
    Ok(ExitCode::SUCCESS)
}
