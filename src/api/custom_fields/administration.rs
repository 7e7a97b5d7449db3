//! The fields of a custom field that Redmine's list does not have (compatibility 14).

use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{CustomField, Customized, Format};
use crate::domain::position::position_in;
use crate::wire::Fields;

/// Writes the further fields.
pub fn fields(w: &mut Fields, field: &CustomField, catalogue: &Catalogue) {
    let siblings = catalogue.custom_fields_of(field.customized);
    w.field("position", position_in(siblings.map(|sibling| sibling.id), field.id));
    if field.customized != Customized::Issue {
        let roles = catalogue.roles.iter().filter(|role| field.roles.contains(&role.id));
        w.items("roles", "role", roles, |w, role| {
            w.attribute("id", role.id.0);
            w.attribute("name", &role.name);
        });
    }
    if field.format == Format::Enumeration {
        w.items("enumerations", "enumeration", &field.enumeration, |w, (id, name, active)| {
            w.field("id", *id);
            w.field("name", name);
            w.field("active", *active);
        });
    }
}

/// Writes the projects that have a field of issues, in the order of the tree. Not for lists, which they would make very long.
pub fn projects(w: &mut Fields, field: &CustomField, catalogue: &Catalogue) {
    if field.customized != Customized::Issue {
        return;
    }
    let projects = catalogue.tree.iter().filter_map(|id| catalogue.projects.get(id));
    w.items("projects", "project", projects.filter(|project| field.projects.contains(&project.id)), |w, project| {
        w.attribute("id", project.id.0);
        w.attribute("name", &project.name);
    });
}
