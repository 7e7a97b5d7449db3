//! `quarry mail reminders`: reminds people of due issues now.

use crate::cli::data_folder;
use crate::cli::output::usage_error::UsageError;
use clap::Args;
use quarry_actions::ActionError;
use quarry_actions::notices::outbox;
use quarry_actions::notices::reminders::{self, MAX_DAYS, ReminderFilter};
use quarry_config::Config;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{PrincipalId, ProjectId, TrackerId};
use std::io::Write;

/// The arguments.
#[derive(Debug, Args)]
pub struct ReminderOptions {
    /// How many days ahead issues are due; overdue ones always count
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(i64).range(0..=MAX_DAYS))]
    days: i64,
    /// Only issues of this project: its id or identifier
    #[arg(long, value_name = "PROJECT")]
    project: Option<String>,
    /// Only issues of these trackers: their ids or names
    #[arg(
        long = "tracker",
        alias = "trackers",
        value_name = "TRACKER",
        value_delimiter = ','
    )]
    trackers: Vec<String>,
    /// Only issues that are assigned to these users or groups: their ids, or logins of users
    #[arg(
        long = "user",
        alias = "users",
        value_name = "USER",
        value_delimiter = ','
    )]
    users: Vec<String>,
    /// Only issues whose target version has this name
    #[arg(long, value_name = "NAME")]
    version: Option<String>,
}

/// Runs the command.
pub fn run(config: &Config, options: &ReminderOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let store = data_folder::open(config)?;
    if !store.read(outbox::is_on)? {
        let message =
            "mail is off: start the service with `mail` and `mail_from` in its configuration";
        return Err(UsageError(message.to_owned()).into());
    }
    let filter = filter(&*store.catalogue()?, options)?;
    let count =
        store.write(move |db| -> Result<usize, ActionError> { reminders::queue(db, &filter) })?;
    let people = if count == 1 { "person" } else { "people" };
    writeln!(
        out,
        "{count} {people} with due issues: the service sends a mail to those who may see them"
    )?;
    store.close();
    Ok(())
}

fn filter(catalogue: &Catalogue, options: &ReminderOptions) -> Result<ReminderFilter, UsageError> {
    let project = options.project.as_deref();
    let trackers = options.trackers.iter();
    let users = options.users.iter();
    let version = options.version.as_deref();
    Ok(ReminderFilter {
        days: options.days,
        project: project
            .map(|name| find_project(catalogue, name))
            .transpose()?,
        trackers: trackers
            .map(|name| find_tracker(catalogue, name.trim()))
            .collect::<Result<_, _>>()?,
        assignees: users
            .map(|name| find_principal(catalogue, name.trim()))
            .collect::<Result<_, _>>()?,
        version: version
            .map(|name| find_version(catalogue, name))
            .transpose()?,
    })
}

fn find_project(catalogue: &Catalogue, name: &str) -> Result<ProjectId, UsageError> {
    let id = name.parse().ok().map(ProjectId);
    let mut projects = catalogue.projects.values();
    projects
        .find(|project| project.identifier == name || Some(project.id) == id)
        .map(|project| project.id)
        .ok_or_else(|| UsageError(format!("there is no project {name:?}")))
}

fn find_tracker(catalogue: &Catalogue, name: &str) -> Result<TrackerId, UsageError> {
    let id = name.parse().ok().map(TrackerId);
    let mut trackers = catalogue.trackers.iter();
    trackers
        .find(|tracker| tracker.name == name || Some(tracker.id) == id)
        .map(|tracker| tracker.id)
        .ok_or_else(|| UsageError(format!("there is no tracker {name:?}")))
}

fn find_principal(catalogue: &Catalogue, name: &str) -> Result<PrincipalId, UsageError> {
    if let Some(user) = catalogue.user_by_login(name) {
        return Ok(user.id.into());
    }
    let id = name.parse().ok().map(PrincipalId);
    id.filter(|id| catalogue.principal_name(*id).is_some())
        .ok_or_else(|| UsageError(format!("there is no user or group {name:?}")))
}

fn find_version(catalogue: &Catalogue, name: &str) -> Result<String, UsageError> {
    let mut versions = catalogue.versions.values();
    versions
        .find(|version| version.name == name)
        .map(|version| version.name.clone())
        .ok_or_else(|| UsageError(format!("there is no version {name:?}")))
}
