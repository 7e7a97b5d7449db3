//! `GET /time_entries.csv`: the list as a table for spreadsheets.

use super::rows::RowContext;
use super::time_entry_pages;
use crate::csv::{CsvTable, PARAMETERS};
use crate::prelude::*;
use quarry_domain::administration::custom_field::{CustomField, Customized};
use quarry_domain::administration::setting::Setting;
use quarry_domain::issues::time_entry::round;
use quarry_domain::query::time_entries::custom_fields;
use quarry_http::resources::custom_values;
use quarry_store::administration::custom_fields as store_fields;

/// The columns before those of custom fields.
const COLUMNS: [&str; 8] = [
    "Date", "Person", "Activity", "Project", "Issue", "Subject", "Comment", "Hours",
];

/// Returns the time entries of the list that the viewer may see, at most as many as an export may
/// have.
pub fn csv(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    time_entry_pages::project(request, catalogue)?;
    let list = time_entry_pages::parse_list(request, db, &PARAMETERS)?;
    let limit = catalogue.integer_setting(Setting::IssuesExportLimit);
    let entries = list.load_first(db, viewer, limit)?;
    let context = RowContext::load(db, viewer, &entries)?;
    let ids: Vec<i64> = entries.iter().map(|entry| entry.id.0).collect();
    let values = store_fields::list_values(db, Customized::TimeEntry, &ids)?;
    let fields: Vec<&CustomField> = custom_fields(catalogue, viewer).collect();
    let names = fields.iter().map(|field| field.name.clone());
    let header = COLUMNS.iter().map(|name| (*name).to_owned()).chain(names);
    let mut table = CsvTable::new(request, header)?;
    for entry in &entries {
        let issue = context.issue(entry);
        let of_entry = values.get(&entry.id.0);
        let custom = fields.iter().map(|field| {
            let of_entry = of_entry.filter(|_| field.is_visible_to(viewer, entry.project))?;
            custom_values::list(catalogue, std::iter::once(*field), of_entry).pop()
        });
        let cells = [
            entry.spent_on.to_string(),
            context.person_name(entry).to_owned(),
            context.activity(entry).to_owned(),
            catalogue.project_name(entry.project).to_owned(),
            issue.map(|issue| issue.id.to_string()).unwrap_or_default(),
            issue.map(|issue| issue.title.clone()).unwrap_or_default(),
            context.comments(entry).to_owned(),
            round(entry.hours).to_string(),
        ];
        let custom = custom.map(|value| value.map(|value| value.text).unwrap_or_default());
        table.push_row(cells.into_iter().chain(custom));
    }
    Ok(table.reply("time_entries.csv"))
}
