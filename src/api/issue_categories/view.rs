//! JSON and XML of issue categories (compatibility 6.8).

use crate::domain::catalogue::Catalogue;
use crate::domain::version::Category;
use crate::wire::Fields;

/// Writes the fields of a category, in the order of compatibility 6.8.
pub fn category(w: &mut Fields, category: &Category, catalogue: &Catalogue) {
    w.field("id", category.id.0);
    w.reference(
        "project",
        category.project.0,
        catalogue.project_name(category.project),
    );
    w.field("name", &category.name);
    w.maybe_reference(
        "assigned_to",
        category
            .assignee
            .map(|id| (id.0, catalogue.principal_name(id).unwrap_or_default())),
    );
}
