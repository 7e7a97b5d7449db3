//! The commands, their arguments and help texts.

use super::audit::audit_events::AuditCommand;
use super::backup::BackupArguments;
use super::completion::CompletionOptions;
use super::config::ConfigCommand;
use super::doctor::DoctorOptions;
use super::healthcheck::HealthcheckOptions;
use super::index::IndexCommand;
use super::mail::receive::ReceiveOptions;
use super::mail::reminders::ReminderOptions;
use super::man::ManOptions;
use super::oauth::OAuthCommand;
use super::options::global_options::GlobalOptions;
use super::options::mail_options::MailOptions;
use super::options::service_options::ServiceOptions;
use super::restore::RestoreArguments;
use super::search::search_arguments::SearchArguments;
use super::store::StoreCommand;
use super::user::new_user::NewUser;
use clap::{Args, Parser, Subcommand};
use quarry_config::Flags;
use std::path::PathBuf;

/// A project-management service that is searched first.
///
/// Options of the configuration can also be set by an environment variable (--body-limit by
/// QUARRY_BODY_LIMIT, and so on) or in a TOML file (body_limit = "6MiB"). Flags take precedence
/// over the environment, and the environment over the file.
#[derive(Debug, Parser)]
#[command(name = "quarry", version, arg_required_else_help = true)]
pub struct Arguments {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    global: GlobalOptions,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start the service on your data folder
    ///
    /// An empty folder is initialized with roles, trackers, statuses, priorities, activities and a
    /// workflow. Open the printed address in a browser to create the administrator. With
    /// QUARRY_ADMIN_PASSWORD, the administrator `admin` is created at once, and the REST API is
    /// disabled until `quarry setting set rest_api_enabled 1`.
    Serve(ServiceOptions),
    /// Start the service with demonstration data, which is loaded at the first start
    Demo(ServiceOptions),
    /// Print and change settings; a running service uses the new value from the next request on
    Setting {
        /// The command.
        #[command(subcommand)]
        command: SettingCommand,
    },
    /// List, add, lock and unlock users, and change their passwords and API keys
    User {
        /// The command.
        #[command(subcommand)]
        command: UserCommand,
    },
    /// Register, list and remove the applications that may act for people (OAuth 2.0)
    Oauth {
        /// The command.
        #[command(subcommand)]
        command: OAuthCommand,
    },
    /// Replace the lost secret of a data folder
    Secret {
        /// The command.
        #[command(subcommand)]
        command: SecretCommand,
    },
    /// Try the configuration of mail, pass mails to the service, or remind people of due issues
    Mail {
        /// The command.
        #[command(subcommand)]
        command: MailCommand,
    },
    /// Import the data of another program
    Import {
        /// The source.
        #[command(subcommand)]
        command: ImportCommand,
    },
    /// Copy a whole store, such as from SQLite to PostgreSQL or back
    Store {
        /// The command.
        #[command(subcommand)]
        command: StoreCommand,
    },
    Backup(BackupArguments),
    Restore(RestoreArguments),
    /// Look for damage, contradictions and imminent failures; --fix repairs what is safe
    ///
    /// Without --fix, the command only reads. It works while a service runs. The exit code is 1 if
    /// there is any finding.
    Doctor(DoctorOptions),
    /// Print and export the audit log: who logged in, and who changed rights and settings
    Audit {
        /// The command.
        #[command(subcommand)]
        command: AuditCommand,
    },
    /// Compare the search index with the records, or rebuild it
    Index {
        /// The command.
        #[command(subcommand)]
        command: IndexCommand,
    },
    /// Search the records as a user would, to see what ranks where and why
    ///
    /// The command only reads, also while a service runs, and records nothing of what is searched. It
    /// finds what the user may see.
    Search(SearchArguments),
    /// Print the configuration
    Config {
        /// The command.
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Check that the running service answers; the exit code is 0 if it does, otherwise 1
    Healthcheck(HealthcheckOptions),
    /// Print the completions of this command line for a shell
    Completion(CompletionOptions),
    /// Print the man page, or write the pages of all commands into a folder
    Man(ManOptions),
}

/// The sources of an import.
#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// Import a Redmine, version 4.2 to 7.0, with all ids; run it again to import later changes
    ///
    /// The data folder must be new, or filled by an earlier import. Records that were edited here
    /// since are never overwritten. The exit code is 1 when some rows could not be imported.
    Redmine(Redmine),
}

/// The arguments of an import from Redmine.
#[derive(Debug, Args)]
pub struct Redmine {
    /// Database: sqlite:PATH, postgres://USER@HOST/NAME or mysql://USER@HOST/NAME
    ///
    /// The password comes from --database-password-file, from the environment variable
    /// QUARRY_IMPORT_PASSWORD, or the URL (USER:PASSWORD@), where other users of this machine can
    /// see it. With ?sslmode=require the connection is encrypted, with ?sslmode=verify-full the
    /// server must also present a certificate for its host name, issued by a public authority or by
    /// that in &sslrootcert=FILE.
    #[arg(long, value_name = "URL")]
    pub database: String,
    /// File whose first line is the database password
    #[arg(long, value_name = "FILE")]
    pub database_password_file: Option<PathBuf>,
    /// Folder of the files of Redmine, to import the contents of attachments
    #[arg(long, value_name = "DIR")]
    pub files: Option<PathBuf>,
    /// Report what would be imported, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Write the full report to this file, as JSON
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

/// The commands of `quarry setting`.
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
        /// New value; 1 or 0 for switches
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Print all settings
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// The commands of `quarry secret`.
#[derive(Debug, Subcommand)]
pub enum SecretCommand {
    /// Create a new secret when the file `secret` is lost
    ///
    /// Data that was encrypted with the lost one cannot be read any more: create new API keys with
    /// `quarry user key LOGIN --reset`.
    Reset,
}

/// The commands of `quarry mail`.
#[derive(Debug, Subcommand)]
pub enum MailCommand {
    /// Send a test mail, and print what the server answers
    Test {
        /// Where it is sent
        address: String,
        #[command(flatten)]
        options: MailOptions,
    },
    /// Pass a mail from standard input to the service, for the pipes of Postfix and Exim
    ///
    /// The exit code is 0 when it was accepted, 65 when it is refused, and 75 when the service cannot be
    /// reached, the key is wrong, or an option is, so that the mail server tries again later.
    Receive(ReceiveOptions),
    /// Remind people by mail of the open issues that are assigned to them and due
    Reminders(ReminderOptions),
}

/// The commands of `quarry user`.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Print all users with id, login, state and name
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Add a user and print the API key, and the password if it was generated
    Add(NewUser),
    /// Change the password of a user; without --password-stdin, generate one and print it
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
        /// Create a new key first; the old one stops working
        #[arg(long)]
        reset: bool,
    },
    /// Lock a user, who can no longer log in
    Lock {
        /// Login of the user
        login: String,
    },
    /// Unlock a locked user
    Unlock {
        /// Login of the user
        login: String,
    },
}

impl Command {
    /// Returns the options of the service; `None` for commands without them.
    fn service_options(&self) -> Option<&ServiceOptions> {
        match self {
            Command::Serve(options) | Command::Demo(options) => Some(options),
            Command::Config {
                command: ConfigCommand::Print(print),
            } => Some(&print.service),
            _ => None,
        }
    }

    /// Whether the command may create files in the data folder.
    pub fn may_create_files(&self) -> bool {
        !matches!(
            self,
            Command::Config { .. }
                | Command::Healthcheck(_)
                | Command::Completion(_)
                | Command::Man(_)
        )
    }

    /// Whether the command connects to mail servers, and thus needs their passwords.
    pub fn needs_mail_passwords(&self) -> bool {
        match self {
            Command::Serve(_) | Command::Demo(_) => true,
            Command::Mail { command } => matches!(command, MailCommand::Test { .. }),
            _ => false,
        }
    }
}

impl Arguments {
    /// Returns the configuration flags.
    pub fn flags(&self) -> Flags {
        let service = self.command.service_options();
        let mail = match &self.command {
            Command::Mail {
                command: MailCommand::Test { options, .. },
            } => Some(options),
            _ => None,
        };
        let healthcheck = match &self.command {
            Command::Healthcheck(options) => Some(options),
            _ => None,
        };
        let restore = match &self.command {
            Command::Restore(arguments) => Some(arguments),
            _ => None,
        };
        let values = healthcheck
            .into_iter()
            .flat_map(HealthcheckOptions::values)
            .chain(service.into_iter().flat_map(ServiceOptions::values))
            .chain(self.global.values())
            .chain(mail.into_iter().flat_map(MailOptions::values))
            .chain(restore.into_iter().flat_map(RestoreArguments::values))
            .filter_map(|(key, value)| Some((key, value?)))
            .collect();
        Flags {
            config: self.global.config.clone(),
            values,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use quarry_config::Key;

    #[test]
    fn clap_accepts_the_command_definitions() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn data_folder_can_be_specified_before_and_after_the_command() {
        for line in [
            ["quarry", "--data", "d", "setting", "list"],
            ["quarry", "setting", "list", "--data", "d"],
        ] {
            let arguments = Arguments::try_parse_from(line).unwrap();
            assert_eq!(arguments.flags().values, [(Key::Data, "d".to_owned())]);
        }
    }
}
