//! The columns of the issue list that a saved query can name (compatibility 13.7).

use super::{issues, sort};
use crate::access::permission::Permission;
use crate::access::viewer::Viewer;
use crate::administration::custom_field::{CustomField, Customized, Format};
use crate::catalogue::Catalogue;
use crate::ids::CustomFieldId;

/// Columns other than those by which the list can be sorted.
const OTHERS: &[&str] = &[
    "attachments",
    "description",
    "last_notes",
    "parent.subject",
    "relations",
    "watcher_users",
];
/// The columns that can be summed, apart from custom fields.
const TOTALS: &[&str] = &["estimated_hours", "spent_hours"];
/// The records whose custom fields can be columns, and their types.
const RECORDS: &[(&str, &[Customized])] = &[
    ("project", &[Customized::Project]),
    ("author", &[Customized::User]),
    ("assigned_to", &[Customized::User, Customized::Group]),
    ("fixed_version", &[Customized::Version]),
];

/// Whether the list has a column with this name that the viewer may see.
pub fn is_column(catalogue: &Catalogue, viewer: &Viewer, name: &str) -> bool {
    OTHERS.contains(&name)
        || is_sortable(catalogue, viewer, name)
        || column_of_record(catalogue, viewer, name).is_some()
}

/// Returns the names of all columns that the viewer may see: those of issues, custom fields, and
/// custom fields of other records.
pub fn names(catalogue: &Catalogue, viewer: &Viewer) -> Vec<String> {
    let own = sort::names().chain(OTHERS.iter().copied());
    let mut names: Vec<String> = own.map(str::to_owned).collect();
    let custom = issues::custom_fields(catalogue, viewer);
    names.extend(custom.map(|field| format!("cf_{}", field.id)));
    for (record, types) in RECORDS {
        let fields = catalogue.custom_fields.iter().filter(|field| {
            types.contains(&field.customized) && field.is_visible_somewhere(viewer)
        });
        names.extend(fields.map(|field| format!("{record}.cf_{}", field.id)));
    }
    names
}

/// Returns the custom field of another record, such as `project.cf_3`.
fn column_of_record<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    name: &str,
) -> Option<&'c CustomField> {
    let (record, field) = name.split_once(".cf_")?;
    let types = RECORDS.iter().find(|row| row.0 == record)?.1;
    let field = CustomFieldId(field.parse().ok()?);
    let mut fields = catalogue
        .custom_fields
        .iter()
        .filter(|field| types.contains(&field.customized));
    fields.find(|candidate| candidate.id == field && candidate.is_visible_somewhere(viewer))
}

/// Whether the viewer can sort the list by the column with this name.
pub fn is_sortable(catalogue: &Catalogue, viewer: &Viewer, name: &str) -> bool {
    sort::is_sortable(name, |id| is_visible(catalogue, viewer, id))
}

/// Whether the viewer can group the list by the column with this name.
pub fn is_groupable(catalogue: &Catalogue, viewer: &Viewer, name: &str) -> bool {
    sort::is_groupable(name, |id| is_visible(catalogue, viewer, id))
}

/// Whether the column with this name has numbers that can be summed, and the viewer may see it.
pub fn is_summable(catalogue: &Catalogue, viewer: &Viewer, name: &str) -> bool {
    let id = name
        .strip_prefix("cf_")
        .and_then(|id| id.parse().ok())
        .map(CustomFieldId);
    let hidden = name == "spent_hours" && !viewer.may_somewhere(Permission::ViewTimeEntries);
    (TOTALS.contains(&name) && !hidden)
        || id.is_some_and(|id| is_numeric(catalogue, id) && is_visible(catalogue, viewer, id))
}

/// Whether the values of a custom field are numbers.
pub fn is_numeric(catalogue: &Catalogue, id: CustomFieldId) -> bool {
    catalogue
        .custom_fields
        .iter()
        .any(|field| field.id == id && matches!(field.format, Format::Integer | Format::Float))
}

fn is_visible(catalogue: &Catalogue, viewer: &Viewer, id: CustomFieldId) -> bool {
    issues::custom_fields(catalogue, viewer).any(|field| field.id == id)
}
