//! Conditions on the custom fields of issues. A value counts where the issue has the field and the viewer may see it; elsewhere
//! it is as if there were none.

use super::{Kept, Reader, test_many};
use crate::domain::custom_field::{CustomField, Customized, Format};
use crate::domain::ids::CustomFieldId;
use crate::domain::query::filter::Test;
use crate::domain::query::issues;
use crate::domain::viewer::Viewer;
use crate::store::sql::Sql;

/// Whether the values in the field are as they are asked for.
pub fn condition(sql: &mut Sql, field: CustomFieldId, asked: &Test, reader: Reader<'_>) {
    let Some(field) = issues::custom_fields(reader.catalogue, reader.viewer).find(|known| known.id == field) else {
        sql.push("1 = 0");
        return;
    };
    let rows = |sql: &mut Sql| {
        sql.push("SELECT 1 FROM ");
        shown(sql, field, reader.viewer);
    };
    let (name, kept) = column(field.format);
    test_many(sql, rows, name, kept, asked, reader.catalogue);
}

/// How the values of a field are compared, over `custom_values x`.
pub fn column(format: Format) -> (&'static str, Kept) {
    match format {
        Format::Whole | Format::Number => ("CAST(x.value AS DOUBLE PRECISION)", Kept::Number),
        Format::Date => ("x.value", Kept::Date),
        _ => ("x.value", Kept::Text),
    }
}

/// The fields whose values are searched and which the viewer may see.
pub fn searched(reader: Reader<'_>) -> impl Iterator<Item = CustomFieldId> {
    issues::custom_fields(reader.catalogue, reader.viewer).filter(|field| field.searchable).map(|field| field.id)
}

/// The projects in which the viewer may see the values of the field.
pub fn projects_showing(field: &CustomField, viewer: &Viewer) -> Vec<i64> {
    viewer.projects().map(|(id, _)| id).filter(|id| field.is_visible_to(viewer, *id)).map(|id| id.0).collect()
}

/// Adds `custom_values x WHERE …`: the values that the listed issue has in the field and that the viewer may see, in a query over
/// `issues i`.
pub fn shown(sql: &mut Sql, field: &CustomField, viewer: &Viewer) {
    sql.push("custom_values x WHERE x.customized_type = ").bind(Customized::Issue.stored()).push(" AND x.customized_id = i.id");
    sql.push(" AND x.custom_field_id = ").bind(field.id).push(" AND x.value <> ''");
    let trackers: Vec<i64> = field.trackers.iter().map(|id| id.0).collect();
    sql.push(" AND i.tracker_id IN").bind_ids(&trackers);
    if !field.everywhere {
        let projects: Vec<i64> = field.projects.iter().map(|id| id.0).collect();
        sql.push(" AND i.project_id IN").bind_ids(&projects);
    }
    if !field.visible && !viewer.admin {
        sql.push(" AND i.project_id IN").bind_ids(&projects_showing(field, viewer));
    }
}
