//! `GET /versions/:id`: a version with its progress and issues.

use super::burn_up::BurnUp;
use super::summary::VersionSummary;
use crate::access;
use crate::frame::render::render;
use crate::frame::{Frame, ProjectTab, Width};
use crate::issues::{IssueLink, links};
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::ids::VersionId;
use quarry_domain::query::filter::Predicate;
use quarry_domain::query::issues::{Condition, Field};
use quarry_http::resources::sentences::hours;
use quarry_store::issues;
use quarry_store::issues::IssueQuery;
use quarry_store::projects::version_progress::{days, progress};
use quarry_store::projects::versions;

/// Number of issues on the page.
const MAX_ISSUES: i64 = 100;

#[derive(Template)]
#[template(path = "projects/versions/show.html")]
struct VersionPage {
    frame: Frame,
    version: VersionSummary,
    /// The hours that its issues are estimated to take.
    estimated: Option<String>,
    /// The hours spent on its issues.
    spent: Option<String>,
    burn_up: Option<BurnUp>,
    issues: Vec<IssueLink>,
    /// The address of the form of the version, if the viewer may change it.
    edit_path: Option<String>,
}

/// Shows the version.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let id: VersionId = request.id_param("id")?;
    let version = catalogue
        .versions
        .get(&id)
        .filter(|version| viewer.may(Permission::ViewIssues, version.project));
    let version = version.ok_or_else(|| access::missing(request))?;
    let conditions = [Condition {
        field: Field::Version,
        predicate: Predicate::OneOf(vec![id.0]),
    }];
    let planned = issues::list(
        db,
        &IssueQuery {
            viewer,
            visible: visibility::issues(viewer),
            project: None,
            conditions: &conditions,
            order: &[],
            offset: 0,
            limit: MAX_ISSUES,
        },
    )?;
    let ids: Vec<i64> = planned.iter().map(|issue| issue.id.0).collect();
    let mut frame = Frame::new(request, db, &version.name).with_width(Width::Medium);
    if let Some(project) = catalogue.projects.get(&version.project) {
        let path = format!("{}/roadmap", paths::project(project));
        frame = frame
            .in_project(db, viewer, project, Some(ProjectTab::Roadmap))
            .below("Roadmap", path);
    }
    let today = db.now().to_zoned(frame.zone.clone()).date();
    let progress = progress(db, viewer, &[id])?.remove(&id).unwrap_or_default();
    let sees_time = viewer.may(Permission::ViewTimeEntries, version.project);
    let spent = if sees_time {
        Some(versions::spent_hours(db, viewer, id)?)
    } else {
        None
    };
    let estimated = versions::estimated_hours(db, viewer, id)?;
    let shown = |sum: &f64| *sum > 0.0;
    let may_edit = viewer.may(Permission::ManageVersions, version.project);
    let page = VersionPage {
        frame,
        version: VersionSummary::new(catalogue, viewer, version, progress, today),
        estimated: Some(estimated).filter(shown).map(hours),
        spent: spent.filter(shown).map(hours),
        burn_up: BurnUp::new(&days(db, viewer, id)?, version.due_date, today),
        issues: links(request, db, &ids)?,
        edit_path: may_edit.then(|| format!("{}/edit", paths::version(id))),
    };
    render(&page.frame, &page)
}
