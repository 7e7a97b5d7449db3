//! Issue categories of a project: `/projects/:id/settings/categories`, and the forms.

use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::choice;
use crate::components::form_page::Section;
use crate::components::list_page::{Cell, Link, ListPage};
use crate::prelude::*;
use crate::records::deletions::DeletionEffects;
use crate::records::record_area::{ProjectSettingsArea, RecordArea};
use crate::records::record_pages::{RecordPages, delete_path, edit_path};
use crate::records::record_routes::project_routes;
use quarry_actions::issues::assignable;
use quarry_domain::ids::CategoryId;
use quarry_domain::projects::category::Category;
use quarry_domain::values::stable_sort::StableSort;

/// Returns the routes of categories.
pub fn routes() -> Routes {
    project_routes::<CategoryPages>("categories", list)
}

fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = CategoryPages::AREA.parent(request, catalogue)?;
    let rows = in_project(catalogue, project).into_iter().map(|category| {
        let assignee = category
            .assignee
            .and_then(|id| catalogue.principal_name(id));
        vec![
            Cell::record(&category.name, edit_path::<CategoryPages>(category.id.0)),
            Cell::Text(assignee.unwrap_or_default().to_owned()),
            Cell::Links(vec![Link::new(
                "Delete",
                delete_path::<CategoryPages>(category.id.0),
            )]),
        ]
    });
    let rows = rows.collect();
    let frame = CategoryPages::AREA.frame(request, db, project, "Categories")?;
    ListPage::new(frame, &["Name", "Default assignee", ""], rows)
        .with_heading("Categories")
        .with_button(
            "New category",
            CategoryPages::AREA.new_path(catalogue, project),
        )
        .with_empty(
            "There is no category yet.",
            "Categories divide the issues of a project, and can have a default assignee.",
        )
        .render()
}

/// Returns the categories of a project by name.
fn in_project(catalogue: &Catalogue, project: ProjectId) -> Vec<&Category> {
    let categories = catalogue.categories.values();
    let mut categories: Vec<&Category> = categories
        .filter(|category| category.project == project)
        .collect();
    categories.stable_sort_by_key(|category| category.name.to_lowercase());
    categories
}

struct CategoryPages;

impl RecordPages for CategoryPages {
    type Resource = Category;
    type Record = Category;
    type Parent = ProjectId;
    type Area = ProjectSettingsArea;

    const NOUN: &'static str = "category";
    const PATH: &'static str = "/issue_categories";
    const AREA: ProjectSettingsArea = ProjectSettingsArea {
        label: "Categories",
        list: "/settings/categories",
        new: "/issue_categories/new",
        permission: Permission::ManageCategories,
    };

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<Category, Error> {
        let catalogue = db.catalogue();
        let id: CategoryId = request.id_param("id")?;
        let category = catalogue.categories.get(&id);
        let category = category.ok_or_else(|| access::missing(request))?;
        access::managed_by_id(
            request,
            catalogue,
            category.project,
            Permission::ManageCategories,
        )?;
        Ok(category.clone())
    }

    fn parent_of(category: &Category) -> ProjectId {
        category.project
    }

    fn id(category: &Category) -> i64 {
        category.id.0
    }

    fn name(category: &Category) -> &str {
        &category.name
    }

    fn sections(
        _request: &RequestContext,
        db: &Read<'_>,
        project: ProjectId,
        category: Option<&Category>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<Section>, Error> {
        let catalogue = db.catalogue();
        let category = category.cloned().unwrap_or_default();
        let current = category.assignee.map(|id| {
            let name = catalogue.principal_name(id).unwrap_or_default();
            (id.to_string(), format!("{name} (cannot be assigned now)"))
        });
        let people = assignable::list(catalogue, project)
            .into_iter()
            .map(|id| choice(id, catalogue.principal_name(id).unwrap_or_default()));
        let fields = vec![
            form.line("name", "Name", category.name).required(),
            form.select_or_keep(
                "assigned_to_id",
                "Default assignee",
                current,
                [choice("", "Nobody")].into_iter().chain(people),
            )
            .with_hint("Gets the new issues of this category to which nobody else is assigned."),
        ];
        Ok(vec![Section::new("", fields)])
    }

    fn deletion_effects(db: &Read<'_>, category: &Category) -> Result<DeletionEffects, Error> {
        let others = in_project(db.catalogue(), category.project).into_iter();
        let others = others.filter(|other| other.id != category.id);
        Ok(DeletionEffects {
            notes: vec![
                "Issues of this category get the one that replaces it, or none.".to_owned(),
            ],
            replacements: others.map(|other| choice(other.id, &other.name)).collect(),
            ..DeletionEffects::default()
        })
    }
}
