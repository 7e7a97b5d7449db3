//! Checkboxes with all projects, for forms of administrators.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::choice;
use crate::components::form_page::Section;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::ProjectId;

/// Maximum number of projects that a form offers: a body has at most 1,000 parameters.
const MAX_PROJECTS: usize = 500;

/// Returns the field `project_ids`. With more projects than a form can send, it is missing, and the
/// projects stay as they are.
pub fn section(
    catalogue: &Catalogue,
    form: FieldBuilder<'_>,
    selected: impl Iterator<Item = ProjectId>,
    hint: &str,
) -> Section {
    let count = catalogue.tree.len();
    if count == 0 {
        return Section::new("Projects", Vec::new()).with_hint("There is no project yet.");
    }
    if count > MAX_PROJECTS {
        return Section::new("Projects", Vec::new()).with_hint(format!(
            "With {count} projects there are too many to choose from here. They stay as they are; the REST API changes them."
        ));
    }
    let projects = catalogue.tree.iter();
    let projects = projects.map(|id| choice(id, catalogue.project_name(*id)));
    let field = form.checkboxes("project_ids", "Selected projects", selected, projects);
    Section::new("Projects", vec![field]).with_hint(hint)
}
