//! JSON and XML of saved queries (compatibility 13.7).

use crate::domain::catalogue::Catalogue;
use crate::domain::query::saved::SavedQuery;
use crate::domain::viewer::Viewer;
use crate::wire::Fields;

/// Writes the fields of a query, in the order of compatibility 13.7. Filters that would reveal
/// custom fields are left out.
pub fn query(w: &mut Fields, query: &SavedQuery, viewer: &Viewer, catalogue: &Catalogue) {
    w.field("id", query.id.0);
    w.field("name", &query.name);
    w.field("description", &query.description);
    w.maybe_reference(
        "project",
        query
            .project
            .map(|project| (project.0, catalogue.project_name(project))),
    );
    w.maybe_reference(
        "user",
        query
            .owner
            .and_then(|owner| Some((owner.0, catalogue.principal_name(owner.into())?))),
    );
    w.field("visibility", query.audience.name());
    let roles = query
        .audience
        .roles()
        .iter()
        .filter_map(|id| catalogue.role(*id));
    w.references(
        "roles",
        "role",
        roles.map(|role| (role.id.0, role.name.as_str())),
    );
    match &query.filters {
        None => w.field("filters", None::<&str>),
        Some(filters) => {
            let visible = filters
                .iter()
                .filter(|filter| !filter.is_hidden_from(viewer, catalogue));
            w.items("filters", "filter", visible, |w, filter| {
                w.field("field", &filter.name);
                w.field("operator", &filter.operator);
                w.texts("values", "value", &filter.values);
            });
        }
    }
    w.texts("column_names", "column_name", &query.columns);
    w.texts(
        "sort_criteria",
        "sort_criterion",
        query
            .order
            .iter()
            .map(|(name, direction)| criterion(name, direction)),
    );
    w.field(
        "group_by",
        Some(&query.group_by).filter(|name| !name.is_empty()),
    );
    w.texts("totalable_names", "totalable_name", &query.totals);
}

/// Returns a sort criterion as the parameter `sort` has it.
fn criterion(name: &str, direction: &str) -> String {
    if direction == "desc" {
        format!("{name}:desc")
    } else {
        name.to_owned()
    }
}
