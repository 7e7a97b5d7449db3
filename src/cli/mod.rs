//! What can be asked on the command line?
//!
//! One file a command; each puts config, store and actions together and says the outcome. Invariant: what was asked for goes
//! to standard output, everything else to standard error; a failure is one sentence, and the exit code tells a mistake in
//! the command (2) from one that happened on the way (1).
//! May import: everything. With `main`, the only room that says anyhow.

mod arguments;
pub mod demo;
mod first_start;
mod folder;
mod import;
mod index;
mod misuse;
mod secret;
mod serve;
mod setting;
mod stop;
mod table;
mod user;

use crate::config::{Config, Environment};
use crate::store::file_mode;
use crate::telemetry;
use arguments::{Arguments, Command};
use clap::Parser;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Where `quarry serve` keeps its records when nothing else is said.
const OWN_FOLDER: &str = "data";
/// Where `quarry demo` does.
const DEMO_FOLDER: &str = "demo-data";

/// Does what the arguments say; the exit code of the process.
pub fn run(arguments: impl IntoIterator<Item = OsString>, variables: impl IntoIterator<Item = (OsString, OsString)>) -> ExitCode {
    file_mode::restrict_new_files();
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(shown) => {
            // Help and version come this way too. There is nobody left to tell when they cannot be written.
            let _ = shown.print();
            return u8::try_from(shown.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from);
        }
    };
    match obey(arguments, variables, &mut std::io::stdout().lock()) {
        Ok(code) => code,
        Err(problem) if misuse::is_closed_pipe(&problem) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("quarry: {problem:#}");
            ExitCode::from(misuse::exit_code(&problem))
        }
    }
}

fn obey(arguments: Arguments, variables: impl IntoIterator<Item = (OsString, OsString)>, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let environment = Environment::of(variables)?;
    let folder = if matches!(arguments.command, Command::Demo(_)) { DEMO_FOLDER } else { OWN_FOLDER };
    let config = Config::load(&arguments.given(), &environment, folder)?;
    // A move that fails says so in one sentence; what the store logs besides is for those who ask for it.
    let log = if matches!(arguments.command, Command::Import { .. }) && !config.log_is_said() { "off" } else { &config.log };
    telemetry::begin(log, config.log_format).map_err(|error| misuse::Misuse(error.to_string()))?;
    match arguments.command {
        Command::Serve(_) => serve::serve(&config, &environment, out)?,
        Command::Demo(_) => demo::demo(&config, out)?,
        Command::Setting { what } => setting::obey(&config, what, out)?,
        Command::User { what } => user::obey(&config, what, out)?,
        Command::Secret { what } => secret::run(&config, &what, out)?,
        Command::Import { what } => return import::obey(&config, &environment, &what, out),
        Command::Index { what } => return index::obey(&config, &what, out),
    }
    Ok(ExitCode::SUCCESS)
}
