//! `/admin/audit/export`: the events as CSV or JSON, with the filters of the list.

use super::filter::Params;
use crate::csv::CsvTable;
use crate::prelude::*;
use axum::http::header;
use quarry_domain::administration::audit::{AuditEvent, RecordType, StoredEvent};
use quarry_http::resources::audit::{CHANGES, COLUMNS, cells, describe};
use quarry_http::resources::export::load_first;
use quarry_store::administration::audit_events;
use quarry_wire::{self as wire, Format};
use std::cell::Cell;

/// Maximum number of events of an export in the browser. `quarry audit export` writes all.
const MAX_EVENTS: i64 = 20_000;
/// No more events follow after this size of their texts in bytes.
const MAX_BYTES: usize = 16 << 20;

/// Sends the latest events that match, and records that somebody has them now.
pub fn export(request: &RequestContext) -> Result<Reply, Error> {
    let params = Params::parse(request)?;
    let format = request.query_param("format").unwrap_or_default();
    if !["csv", "json"].contains(&format.as_ref()) {
        return Err(Error::invalid("format must be csv or json"));
    }
    // What is wrong with its parameters is found before the export is recorded.
    let table = match format.as_ref() {
        "csv" => {
            let columns = COLUMNS.into_iter().chain([CHANGES]).map(str::to_owned);
            Some(CsvTable::new(request, columns)?)
        }
        _ => None,
    };
    let filter = params.filter();
    let (catalogue, events) = request.app.read(|db| -> Result<_, Error> {
        let bytes = Cell::new(0);
        let load = |offset, limit| {
            if bytes.get() > MAX_BYTES {
                return Ok(Vec::new());
            }
            let page = audit_events::list(db, &filter, offset, limit)?;
            bytes.set(bytes.get() + page.iter().map(StoredEvent::size).sum::<usize>());
            Ok(page)
        };
        Ok((db.catalogue().clone(), load_first(MAX_EVENTS, load)?))
    })?;
    let details = format!("audit log, {format}, {} events", events.len());
    request.record(AuditEvent::new(RecordType::Export, 0, "downloaded").with_details(details));
    if let Some(mut table) = table {
        for event in &events {
            table.push_row(cells(&catalogue, event).into_iter());
        }
        return Ok(table.reply("audit-log.csv"));
    }
    let text = wire::list(
        Format::Json,
        "audit_events",
        "audit_event",
        &events,
        |w, event| describe(&catalogue, w, event),
        &[],
    );
    Ok(Reply::json(text).with_header(
        header::CONTENT_DISPOSITION,
        "attachment; filename=\"audit-log.json\"",
    ))
}
