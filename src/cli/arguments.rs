//! The commands with their arguments and help texts.

use crate::config::{Given, Key, Limit};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// A project-management service that is searched first.
///
/// Every option can also be set by an environment variable (--body-limit by QUARRY_BODY_LIMIT, and so on) or in a TOML file
/// (body_limit = "6MiB"). Flags are stronger than the environment, and that is stronger than the file.
#[derive(Debug, Parser)]
#[command(name = "quarry", version, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    everywhere: Everywhere,
}

#[derive(Debug, Args)]
struct Everywhere {
    /// Folder with everything that is kept [default: data; for the demonstration demo-data]
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
    /// TOML file with the configuration [default: quarry.toml in the data folder, if there is one]
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Folder of the search index [default: index in the data folder]
    #[arg(long, value_name = "DIR", global = true)]
    index: Option<PathBuf>,
    /// What to log, such as info or quarry=debug,warn [default: info]
    #[arg(long, value_name = "FILTER", global = true)]
    log: Option<String>,
    /// How to log: text or json [default: text]
    #[arg(long, value_name = "FORMAT", global = true)]
    log_format: Option<String>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start the service on a data folder of your own
    ///
    /// An empty folder gets roles, trackers, statuses, priorities, activities and a workflow, and an administrator `admin`
    /// whose password is taken from QUARRY_ADMIN_PASSWORD, or made up and printed once. The REST API is off until
    /// `quarry setting set rest_api_enabled 1`.
    Serve(Listening),
    /// Start the service on a demonstration world, which is loaded on the first start
    Demo(Listening),
    /// Read and change settings; a running service sees the change with its next request
    Setting {
        /// What to do with settings.
        #[command(subcommand)]
        what: SettingCommand,
    },
    /// List, add, lock and unlock users, and change their passwords and API keys
    User {
        /// What to do with users.
        #[command(subcommand)]
        what: UserCommand,
    },
    /// Replace the lost secret of a data folder
    Secret {
        /// What to do with the secret.
        #[command(subcommand)]
        what: SecretCommand,
    },
    /// Move in from another program
    Import {
        /// From which.
        #[command(subcommand)]
        what: ImportCommand,
    },
    /// Compare the search index with the records, or make it anew
    Index {
        /// What to do with the index.
        #[command(subcommand)]
        what: IndexCommand,
    },
}

/// What to move in from.
#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// Take over a Redmine from 4.2 to 7.0, with every number kept; run it again to bring what has changed since
    ///
    /// The data folder is a new one, or one that was filled by this command. What was edited here since is never overwritten.
    /// The exit code is 1 when some rows could not be taken.
    Redmine(Redmine),
}

/// A Redmine.
#[derive(Debug, Args)]
pub struct Redmine {
    /// Its database: sqlite:PATH, postgres://USER@HOST/NAME or mysql://USER@HOST/NAME
    ///
    /// The password comes from --database-password-file, from the environment variable QUARRY_IMPORT_PASSWORD, or stands in the URL
    /// (USER:PASSWORD@), where other users of this machine can see it. With ?sslmode=require the connection is encrypted, with
    /// ?sslmode=verify-full the server must also have a certificate for its host name, from a public authority or from that in
    /// &sslrootcert=FILE.
    #[arg(long, value_name = "URL")]
    pub database: String,
    /// File whose first line is the password of the database
    #[arg(long, value_name = "FILE")]
    pub database_password_file: Option<PathBuf>,
    /// Its folder of files, to bring the contents of attachments along
    #[arg(long, value_name = "DIR")]
    pub files: Option<PathBuf>,
    /// Say what would be taken, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Write everything that is to be said into this file, as JSON
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

/// What to do with the search index.
#[derive(Debug, Subcommand)]
pub enum IndexCommand {
    /// Compare the index with the records: counts per type and project, and what differs
    ///
    /// The exit code is 1 when something differs. A running service may be a moment behind its last change.
    Verify {
        /// Print one JSON object instead of lines for people
        #[arg(long)]
        json: bool,
    },
    /// Make the index anew from the records; a running service goes on answering
    Rebuild,
}

/// How a service is reached.
#[derive(Debug, Args)]
pub struct Listening {
    /// Where to listen; port 0 takes a free one [default: 127.0.0.1:3000]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// Largest request body, such as 6MiB or a number of bytes [default: 6MiB]
    #[arg(long, value_name = "SIZE")]
    body_limit: Option<String>,
    /// Reverse proxies whose X-Forwarded-… headers count: IP addresses and CIDR ranges with commas between them [default: none]
    #[arg(long, value_name = "ADDRESSES")]
    trusted_proxies: Option<String>,
    /// Change a limit that protects the service, such as max_connections=2000; 0 switches it off (docs/operations.md lists them)
    #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = limit)]
    limits: Vec<(Limit, String)>,
}

fn limit(text: &str) -> Result<(Limit, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    let limit = Limit::ALL.into_iter().find(|limit| limit.name() == name);
    let limit = limit.ok_or_else(|| format!("the limits are {}", Limit::ALL.map(Limit::name).join(", ")))?;
    Ok((limit, value.to_owned()))
}

/// What to do with settings.
#[derive(Debug, Subcommand)]
pub enum SettingCommand {
    /// Print the value of a setting
    Get {
        /// Name of the setting, such as rest_api_enabled
        name: String,
    },
    /// Change a setting
    Set {
        /// Name of the setting
        name: String,
        /// Its new value; switches are 1 or 0
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Print every setting with its value
    List,
}

/// What to do with the secret of the data folder.
#[derive(Debug, Subcommand)]
pub enum SecretCommand {
    /// Create a new secret where the file `secret` is lost
    ///
    /// What was sealed under the lost one cannot be read any more: every API key must be made again with
    /// `quarry user key LOGIN --reset`.
    Reset,
}

/// What to do with users.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Print every user with id, login, state and name
    List,
    /// Add a user and print the API key, and the password if it was made up
    Add(NewUser),
    /// Change the password of a user: made up and printed, unless --password-stdin is given
    Password {
        /// Login of the user
        login: String,
        /// Read the password from standard input (its first line)
        #[arg(long)]
        password_stdin: bool,
    },
    /// Print the API key of a user
    Key {
        /// Login of the user
        login: String,
        /// Replace the key by a fresh one first; the old one is refused from then on
        #[arg(long)]
        reset: bool,
    },
    /// Shut a user out
    Lock {
        /// Login of the user
        login: String,
    },
    /// Let a locked user in again
    Unlock {
        /// Login of the user
        login: String,
    },
}

/// A user to be added.
#[derive(Debug, Args)]
pub struct NewUser {
    /// Name to log in with
    pub login: String,
    /// First name
    #[arg(long)]
    pub firstname: String,
    /// Last name
    #[arg(long)]
    pub lastname: String,
    /// Mail address
    #[arg(long)]
    pub mail: String,
    /// Make the user an administrator
    #[arg(long)]
    pub admin: bool,
    /// Read the password from standard input (its first line) instead of making one up
    #[arg(long)]
    pub password_stdin: bool,
}

impl Arguments {
    /// What the flags give to the configuration.
    pub fn given(&self) -> Given {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let listening = match &self.command {
            Command::Serve(listening) | Command::Demo(listening) => Some(listening),
            _ => None,
        };
        let limits = listening.into_iter().flat_map(|listening| &listening.limits);
        let limits = limits.map(|(limit, value)| (Key::Limit(*limit), Some(value.clone())));
        let of_service = |value: fn(&Listening) -> &Option<String>| listening.and_then(|listening| value(listening).clone());
        let Everywhere { data, config, index, log, log_format } = &self.everywhere;
        let values = [
            (Key::Data, path(data)),
            (Key::Index, path(index)),
            (Key::Listen, of_service(|listening| &listening.listen)),
            (Key::BodyLimit, of_service(|listening| &listening.body_limit)),
            (Key::TrustedProxies, of_service(|listening| &listening.trusted_proxies)),
            (Key::Log, log.clone()),
            (Key::LogFormat, log_format.clone()),
        ];
        let values = values.into_iter().chain(limits).filter_map(|(key, value)| Some((key, value?))).collect();
        Given { config: config.clone(), values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_commands_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_data_folder_can_be_named_before_and_after_the_command() {
        for line in [["quarry", "--data", "d", "setting", "list"], ["quarry", "setting", "list", "--data", "d"]] {
            let arguments = Arguments::try_parse_from(line).unwrap();
            assert_eq!(arguments.given().values, [(Key::Data, "d".to_owned())]);
        }
    }
}
