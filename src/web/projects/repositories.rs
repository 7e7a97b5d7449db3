//! `/projects/:id/settings/repositories`: the repositories of a project, how a hook sends their
//! changesets, and the forms.

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
use quarry_actions::projects::repositories as actions;
use quarry_actions::projects::repositories::{RepositoryChange, SCMS};
use quarry_domain::projects::repository::Repository;
use quarry_store::projects::repositories;

/// Returns the routes of repositories.
pub fn routes() -> Routes {
    project_routes::<RepositoryPages>("repositories", list)
}

fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = RepositoryPages::AREA.parent(request, catalogue)?;
    let rows = repositories::list(db, project)?
        .into_iter()
        .map(|repository| {
            let id = repository.id;
            let name = RepositoryPages::name(&repository).to_owned();
            let notes = repository.is_default.then(|| "Main".to_owned());
            vec![
                Cell::Record(
                    Link::new(name, edit_path::<RepositoryPages>(id)),
                    notes.into_iter().collect(),
                ),
                Cell::Text(scm_name(&repository.scm).to_owned()),
                Cell::Text(repository.url),
                Cell::Links(vec![Link::new(
                    "Delete",
                    delete_path::<RepositoryPages>(id),
                )]),
            ]
        });
    let rows = rows.collect();
    let hook = paths::below_project(
        catalogue,
        project,
        "/repository/<identifier>/revisions.json",
    );
    let frame = RepositoryPages::AREA.frame(request, db, project, "Repositories")?;
    ListPage::new(frame, &["Identifier", "Type", "Address", ""], rows)
        .with_heading("Repositories")
        .with_introduction(format!("A hook of the repository sends each commit to {}{hook}, with the API key of a user who may commit (see the documentation of the API).", request.base_url()))
        .with_button("New repository", RepositoryPages::AREA.new_path(catalogue, project))
        .with_empty("There is no repository yet.", "Commits that a hook sends are searched, and refer to issues.")
        .render()
}

/// Returns the type of a repository as people call it.
fn scm_name(scm: &str) -> &str {
    scm.strip_prefix("Repository::").unwrap_or(scm)
}

/// The fields of a form, for a new repository and for a change: the type cannot change.
struct RepositoryFields {
    new: Repository,
    change: RepositoryChange,
}

impl FromBody for RepositoryFields {
    const OBJECT: &'static str = Repository::OBJECT;

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        let new = Repository::from_fields(body)?;
        body.check()?;
        let change = RepositoryChange::from_fields(body)?;
        Ok(RepositoryFields { new, change })
    }
}

struct RepositoryPages;

impl Resource for RepositoryPages {
    type Id = i64;
    type Parent = ProjectId;
    type Change = RepositoryFields;

    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        project: ProjectId,
        fields: &RepositoryFields,
    ) -> Result<i64, ActionError> {
        let catalogue = db.catalogue();
        let project = catalogue.projects.get(&project);
        let identifier = project.ok_or(ActionError::NotFound)?.identifier.clone();
        actions::create(db, viewer, &identifier, &fields.new)
    }

    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: i64,
        fields: &RepositoryFields,
    ) -> Result<(), ActionError> {
        actions::update(db, viewer, id, &fields.change)
    }

    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: i64,
        _replacement: Option<i64>,
    ) -> Result<(), ActionError> {
        actions::delete(db, viewer, id)
    }
}

impl RecordPages for RepositoryPages {
    type Resource = Self;
    type Record = Repository;
    type Parent = ProjectId;
    type Area = ProjectSettingsArea;

    const NOUN: &'static str = "repository";
    const PATH: &'static str = "/repositories";
    const AREA: ProjectSettingsArea = ProjectSettingsArea {
        label: "Repositories",
        list: "/settings/repositories",
        new: "/repositories/new",
        permission: Permission::ManageRepository,
    };

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<Repository, Error> {
        let repository = repositories::find_by_id(db, request.id_param("id")?)?;
        let repository = repository.ok_or_else(|| access::missing(request))?;
        let permission = Permission::ManageRepository;
        access::managed_by_id(request, db.catalogue(), repository.project, permission)?;
        Ok(repository)
    }

    fn parent_of(repository: &Repository) -> ProjectId {
        repository.project
    }

    fn id(repository: &Repository) -> i64 {
        repository.id
    }

    fn name(repository: &Repository) -> &str {
        match repository.identifier.as_str() {
            "" => "Main repository",
            identifier => identifier,
        }
    }

    fn sections(
        _request: &RequestContext,
        _db: &Read<'_>,
        _project: ProjectId,
        repository: Option<&Repository>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<Section>, Error> {
        let scm = SCMS.map(|scm| choice(scm, scm));
        let is_new = repository.is_none();
        let repository = repository.cloned().unwrap_or_default();
        let mut fields = Vec::new();
        if repository.identifier.is_empty() {
            let identifier = form.line("identifier", "Identifier", "");
            fields.push(identifier.with_hint(
                "Part of the address of its commits, and cannot be changed later. The main repository needs none.",
            ));
        }
        if is_new {
            fields.push(form.select("scm", "Type", SCMS[0], scm));
        }
        fields.extend([
            form.line("url", "Address", repository.url)
                .with_hint("For people: nothing is read from there."),
            form.switch("is_default", "Main repository", repository.is_default),
        ]);
        Ok(vec![Section::new("", fields)])
    }

    fn deletion_effects(
        _db: &Read<'_>,
        _repository: &Repository,
    ) -> Result<DeletionEffects, Error> {
        Ok(DeletionEffects {
            notes: vec!["Its commits are deleted here with it, and issues no longer refer to them. The repository itself stays as it is.".to_owned()],
            ..DeletionEffects::default()
        })
    }
}
