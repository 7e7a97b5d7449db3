//! `/projects/:id/settings/versions`: the versions of a project, and the forms.

use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::choice;
use crate::components::form_page::Section;
use crate::components::list_page::{Cell, Link, ListPage};
use crate::form::custom_fields::rows_in_project;
use crate::prelude::*;
use crate::records::record_area::{ProjectSettingsArea, RecordArea};
use crate::records::record_pages::{RecordPages, delete_path, edit_path};
use crate::records::record_routes::project_routes;
use quarry_actions::projects::versions as actions;
use quarry_actions::projects::versions::VersionChange;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::ids::VersionId;
use quarry_domain::projects::version::{Sharing, Version};
use quarry_domain::values::stable_sort::StableSort;
use quarry_domain::values::text::date;
use quarry_store::administration::custom_fields;
use std::cmp::Reverse;

/// The statuses with what they mean.
const STATUSES: [(&str, &str); 3] = [
    ("open", "Open"),
    ("locked", "Locked: takes no more issues"),
    (
        "closed",
        "Closed: takes no more issues, and those of others cannot be reopened",
    ),
];

/// Returns the routes of versions.
pub fn routes() -> Routes {
    project_routes::<VersionPages>("versions", list)
}

fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = VersionPages::AREA.parent(request, catalogue)?;
    let default = catalogue
        .projects
        .get(&project)
        .and_then(|project| project.default_version);
    let versions = catalogue.versions.values();
    let mut versions: Vec<&Version> = versions
        .filter(|version| version.project == project)
        .collect();
    // Those in work first, the latest first.
    versions.stable_sort_by_key(|version| {
        let is_closed = version.status == "closed";
        (is_closed, Reverse(version.due_date), Reverse(version.id))
    });
    let sees_page = request.viewer().may(Permission::ViewIssues, project);
    let rows = versions.into_iter().map(|version| {
        let id = version.id.0;
        let notes = (default == Some(version.id)).then(|| "Default".to_owned());
        vec![
            Cell::Record(
                Link::new(&version.name, edit_path::<VersionPages>(id)),
                notes.into_iter().collect(),
            ),
            Cell::Text(version.status.clone()),
            Cell::Text(version.due_date.map(date).unwrap_or_default()),
            Cell::Text(match version.sharing {
                Sharing::None => String::new(),
                sharing => sharing_label(sharing).to_owned(),
            }),
            Cell::Links(
                sees_page
                    .then(|| Link::new("Show", paths::version(id)))
                    .into_iter()
                    .chain([Link::new("Delete", delete_path::<VersionPages>(id))])
                    .collect(),
            ),
        ]
    });
    let rows = rows.collect();
    let frame = VersionPages::AREA.frame(request, db, project, "Versions")?;
    ListPage::new(frame, &["Name", "Status", "Due", "Shared", ""], rows)
        .with_heading("Versions")
        .with_button(
            "New version",
            VersionPages::AREA.new_path(catalogue, project),
        )
        .with_button(
            "Close completed",
            paths::below_project(catalogue, project, "/versions/close_completed"),
        )
        .with_empty(
            "There is no version yet.",
            "Versions are the releases or milestones that issues are planned for.",
        )
        .with_json(paths::below_project(catalogue, project, "/versions.json"))
        .render()
}

fn sharing_label(sharing: Sharing) -> &'static str {
    match sharing {
        Sharing::None => "Not shared",
        Sharing::Descendants => "With subprojects",
        Sharing::Hierarchy => "With subprojects and the projects above",
        Sharing::Tree => "With all projects of the tree",
        Sharing::System => "With all projects",
    }
}

struct VersionPages;

impl RecordPages for VersionPages {
    type Resource = Version;
    type Record = Version;
    type Parent = ProjectId;
    type Area = ProjectSettingsArea;

    const NOUN: &'static str = "version";
    const PATH: &'static str = "/versions";
    const AREA: ProjectSettingsArea = ProjectSettingsArea {
        label: "Versions",
        list: "/settings/versions",
        new: "/versions/new",
        permission: Permission::ManageVersions,
    };

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<Version, Error> {
        let catalogue = db.catalogue();
        let id: VersionId = request.id_param("id")?;
        let version = catalogue.versions.get(&id);
        let version = version.ok_or_else(|| access::missing(request))?;
        access::managed_by_id(
            request,
            catalogue,
            version.project,
            Permission::ManageVersions,
        )?;
        Ok(version.clone())
    }

    fn parent_of(version: &Version) -> ProjectId {
        version.project
    }

    fn id(version: &Version) -> i64 {
        version.id.0
    }

    fn name(version: &Version) -> &str {
        &version.name
    }

    fn sections(
        request: &RequestContext,
        db: &Read<'_>,
        project: ProjectId,
        version: Option<&Version>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<Section>, Error> {
        let catalogue = db.catalogue();
        let values = match version {
            Some(version) => custom_fields::find_values(db, Customized::Version, version.id.0)?,
            None => Values::defaults(catalogue.custom_fields_of(Customized::Version)),
        };
        let is_default = version.is_some_and(|version| {
            let project = catalogue.projects.get(&version.project);
            project.is_some_and(|project| project.default_version == Some(version.id))
        });
        let version = version.cloned().unwrap_or_else(|| Version {
            project,
            status: "open".to_owned(),
            ..Version::default()
        });
        let sharings = actions::sharings(catalogue, request.viewer(), &version);
        let sharings: Vec<_> = sharings
            .map(|sharing| choice(sharing.name(), sharing_label(sharing)))
            .collect();
        let statuses = STATUSES.map(|(value, label)| choice(value, label));
        let mut fields = vec![
            form.line("name", "Name", version.name).required(),
            form.line(
                "description",
                "Description",
                version.description.unwrap_or_default(),
            ),
            form.select("status", "Status", version.status, statuses),
            form.date("due_date", "Due date", version.due_date),
            form.select("sharing", "Sharing", version.sharing.name(), sharings),
            form.line(
                "wiki_page_title",
                "Wiki page",
                version.wiki_page_title.unwrap_or_default(),
            )
            .with_hint("The title of the page that describes the version."),
            form.switch(
                "default_project_version",
                "Default target of new issues",
                is_default,
            ),
        ];
        let kind = (Customized::Version, VersionChange::OBJECT);
        let sent = form.sent();
        fields.extend(rows_in_project(
            request, catalogue, kind, project, &values, sent,
        ));
        Ok(vec![Section::new("", fields)])
    }
}
