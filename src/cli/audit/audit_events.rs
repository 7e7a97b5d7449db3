//! `quarry audit`: prints and exports the events of the audit log.

use crate::cli::data_folder;
use crate::cli::output::table;
use crate::cli::output::usage_error::UsageError;
use clap::{Subcommand, ValueEnum};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quarry_config::Config;
use quarry_domain::administration::audit::{AuditEvent, EventFilter, RecordType, StoredEvent};
use quarry_domain::catalogue::Catalogue;
use quarry_http::resources::audit::{CHANGES, COLUMNS, cells, describe, user_name};
use quarry_store::administration::audit_events;
use quarry_store::{Store, StoreError};
use quarry_web::csv::CsvTable;
use quarry_wire::{self as wire, Format};
use std::io::Write;

/// Number of events per read of an export.
const EVENTS_PER_READ: i64 = 1_000;
/// Maximum number of events that `quarry audit list` prints.
const MAX_LISTED: u32 = 10_000;

/// The commands of `quarry audit`.
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Print the latest events: who changed what, when and from where
    List {
        /// Maximum number of events
        #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_LISTED)))]
        limit: u32,
        #[command(flatten)]
        filter: FilterArguments,
        /// Print JSON, with the values before and after
        #[arg(long)]
        json: bool,
    },
    /// Write all events that match to standard output, with the values before and after
    Export {
        /// Format of the output
        #[arg(long, value_name = "FORMAT", default_value = "json")]
        format: ExportFormat,
        #[command(flatten)]
        filter: FilterArguments,
    },
}

/// Options that select events.
#[derive(Debug, clap::Args)]
pub struct FilterArguments {
    /// Type of record, such as user, role or login
    #[arg(long, value_name = "KIND", value_parser = clap::builder::PossibleValuesParser::new(RecordType::NAMES))]
    pub kind: Option<String>,
    /// Who did it, or whose account it is about
    #[arg(long, value_name = "LOGIN")]
    pub user: Option<String>,
    /// First day, in UTC
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub from: Option<Date>,
    /// Last day, in UTC
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub to: Option<Date>,
}

/// The format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    Csv,
    Json,
}

/// Runs the command.
pub fn run(config: &Config, command: AuditCommand, out: &mut dyn Write) -> anyhow::Result<()> {
    let store = data_folder::open(config)?;
    match command {
        AuditCommand::List {
            limit,
            filter,
            json,
        } => list(&store, limit, &filter, json, out)?,
        AuditCommand::Export { format, filter } => export(&store, format, &filter, out)?,
    }
    store.close();
    Ok(())
}

fn filter(catalogue: &Catalogue, arguments: &FilterArguments) -> Result<EventFilter, UsageError> {
    let start = |day: Date| {
        let start = day.to_zoned(TimeZone::UTC);
        start.map_or(Timestamp::MAX, |start| start.timestamp())
    };
    let user = match &arguments.user {
        None => None,
        Some(login) => {
            let user = catalogue.user_by_login(login);
            let unknown = || {
                let logins = catalogue.users.values().map(|user| user.login.as_str());
                UsageError::unknown("user", login, logins)
            };
            Some(user.ok_or_else(unknown)?.id)
        }
    };
    Ok(EventFilter {
        record: arguments.kind.clone(),
        user,
        from: arguments.from.map(start),
        until: arguments
            .to
            .map(|day| start(day.tomorrow().unwrap_or(Date::MAX))),
        text: None,
    })
}

fn list(
    store: &Store,
    limit: u32,
    arguments: &FilterArguments,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let catalogue = store.catalogue()?;
    let filter = filter(&catalogue, arguments)?;
    let events = store.read(|db| audit_events::list(db, &filter, 0, i64::from(limit)))?;
    if json {
        let describe = |w: &mut wire::Fields, event| describe(&catalogue, w, event);
        let document = wire::list(
            Format::Json,
            "audit_events",
            "audit_event",
            &events,
            describe,
            &[],
        );
        return Ok(writeln!(out, "{document}")?);
    }
    let mut rows = vec![["time", "user", "by", "address", "change", "details"].map(str::to_owned)];
    rows.extend(events.iter().map(|event| row(&catalogue, event)));
    table::write(out, &rows)?;
    Ok(())
}

fn row(catalogue: &Catalogue, event: &StoredEvent) -> [String; 6] {
    let details = event.details_with_names(catalogue).unwrap_or_else(|| {
        let fields = event.changes.iter().map(|change| change.field.as_str());
        let mut names: Vec<&str> = fields.collect();
        // A long list has several changes of the same field.
        names.dedup();
        names.join(", ")
    });
    [
        event.created_on.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        user_name(catalogue, event.user),
        event.origin.clone(),
        event.address.clone(),
        format!("{}: {}", event.subject(catalogue), event.change),
        details,
    ]
}

fn export(
    store: &Store,
    format: ExportFormat,
    arguments: &FilterArguments,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let catalogue = store.catalogue()?;
    let filter = filter(&catalogue, arguments)?;
    let header = match format {
        ExportFormat::Csv => {
            let mut table = CsvTable::empty();
            table.push_row(COLUMNS.into_iter().chain([CHANGES]).map(str::to_owned));
            table.into_text()
        }
        ExportFormat::Json => "{\"audit_events\":[".to_owned(),
    };
    out.write_all(header.as_bytes())?;
    let mut before = i64::MAX;
    let mut count = 0;
    loop {
        let events = store.read(|db| -> Result<_, StoreError> {
            audit_events::list_before(db, &filter, before, EVENTS_PER_READ)
        })?;
        let Some(last) = events.last() else { break };
        before = last.id;
        let text = match format {
            ExportFormat::Csv => {
                let mut table = CsvTable::empty();
                for event in &events {
                    table.push_row(cells(&catalogue, event).into_iter());
                }
                table.into_text()
            }
            ExportFormat::Json => wire::items(
                Format::Json,
                "audit_event",
                count == 0,
                &events,
                |w, event| describe(&catalogue, w, event),
            ),
        };
        out.write_all(text.as_bytes())?;
        count += events.len();
    }
    if format == ExportFormat::Json {
        writeln!(out, "]}}")?;
    }
    out.flush()?;
    let event = AuditEvent::new(RecordType::Export, 0, "written");
    let details = format!("audit log, {count} events");
    Ok(store.record_event(event.with_details(details))?)
}
