//! `/custom_fields`: the fields of one type of records, with tabs for the others.

use super::names::{PATH, TABS, address, edit_path, format_label, tab_label, values_link};
use crate::components::list_page::{Cell, Link, ListPage};
use crate::components::tabs::Tab;
use crate::frame::Frame;
use crate::prelude::*;
use quarry_actions::administration::custom_fields::FieldChange;
use quarry_domain::administration::custom_field::{CustomField, Customized};

/// `GET /custom_fields?tab=IssueCustomField`, for administrators.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let current = request
        .query_param("tab")
        .and_then(|name| Customized::from_name(&name))
        .unwrap_or_default();
    let fields: Vec<&CustomField> = catalogue.custom_fields_of(current).collect();
    let rows = fields.iter().enumerate().map(|(index, field)| {
        let edit = edit_path(field.id);
        let mut cells = vec![
            Cell::record(&field.name, &edit),
            Cell::Text(format_label(field.format).to_owned()),
            Cell::Check(field.required),
        ];
        if current == Customized::Issue {
            cells.push(Cell::Text(projects(field)));
        }
        cells.extend([
            Cell::order(edit, FieldChange::OBJECT, index, fields.len()),
            Cell::Links(links(field)),
        ]);
        cells
    });
    let tabs = TABS.into_iter().map(|customized| {
        let count = catalogue.custom_fields_of(customized).count();
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let path = address(customized);
        Tab {
            count: (count > 0).then_some(count),
            ..Tab::new(tab_label(customized), path, customized == current)
        }
    });
    let columns: &[&str] = if current == Customized::Issue {
        &["Name", "Format", "Required", "Projects", "Order", ""]
    } else {
        &["Name", "Format", "Required", "Order", ""]
    };
    let frame = Frame::for_administration(request, db, "Custom fields");
    ListPage::new(frame, columns, rows.collect())
        .with_introduction("Fields of your own, in addition to those that records always have.")
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

/// Returns the links to the possible values of a field, if they have pages, and to its deletion.
fn links(field: &CustomField) -> Vec<Link> {
    let delete = Link::new("Delete", format!("{PATH}/{}/delete", field.id));
    values_link(field).into_iter().chain([delete]).collect()
}

/// Returns which projects have a field of issues.
fn projects(field: &CustomField) -> String {
    if field.is_for_all {
        "all".to_owned()
    } else {
        field.projects.len().to_string()
    }
}
