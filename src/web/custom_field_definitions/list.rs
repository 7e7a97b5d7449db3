//! `/custom_fields`: the fields of one type of records, with tabs for the others.

use super::names::{TABS, address, format_label, label};
use super::{FieldPages, values};
use crate::components::list_page::{Cell, Link, ListPage};
use crate::components::tabs::Tab;
use crate::frame::Frame;
use crate::record_pages::{RecordPages, delete_path, edit_path};
use quarry_domain::administration::custom_field::{CustomField, Customized};
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;
use quarry_store::administration::custom_fields as store;

pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let current = request
        .query_param("tab")
        .and_then(|name| Customized::from_name(&name))
        .unwrap_or_default();
    let fields: Vec<&CustomField> = catalogue.custom_fields_of(current).collect();
    let records = store::record_counts(db)?;
    let rows = fields.iter().enumerate().map(|(index, field)| {
        let id = field.id.0;
        let edit = edit_path::<FieldPages>(id);
        let mut cells = vec![
            Cell::record(&field.name, &edit),
            Cell::Text(format_label(field.format).to_owned()),
            Cell::Check(field.required),
        ];
        if current == Customized::Issue {
            cells.push(Cell::Text(projects(field)));
        }
        cells.extend([
            Cell::Number(records.get(&field.id).copied().unwrap_or(0)),
            Cell::order(edit, FieldPages::OBJECT, index, fields.len()),
            Cell::Links(links(field)),
        ]);
        cells
    });
    let tabs = TABS.into_iter().map(|customized| {
        let count = catalogue.custom_fields_of(customized).count();
        Tab::new(
            label(customized),
            address(customized),
            customized == current,
        )
        .with_count(i64::try_from(count).unwrap_or(i64::MAX))
    });
    let columns: &[&str] = if current == Customized::Issue {
        &[
            "Name", "Format", "Required", "Projects", "#Values", "Order", "",
        ]
    } else {
        &["Name", "Format", "Required", "#Values", "Order", ""]
    };
    let frame = Frame::for_administration(request, db, "Custom fields");
    ListPage::new(frame, columns, rows.collect())
        .with_introduction("Fields of your own, beside those that records always have.")
        .with_tabs(tabs.collect())
        .with_button(
            "New custom field",
            format!("/custom_fields/new?type={}", current.type_name()),
        )
        .with_empty(
            "There is no such field yet.",
            "A custom field holds what the standard fields have no place for.",
        )
        .with_json("/custom_fields.json")
        .render()
}

/// Returns the links to the values of a field, if they have names, and to its deletion.
fn links(field: &CustomField) -> Vec<Link> {
    let delete = Link::new("Delete", delete_path::<FieldPages>(field.id.0));
    values::link(field).into_iter().chain([delete]).collect()
}

/// Returns which projects have a field of issues.
fn projects(field: &CustomField) -> String {
    if field.is_for_all {
        "all".to_owned()
    } else {
        field.projects.len().to_string()
    }
}
