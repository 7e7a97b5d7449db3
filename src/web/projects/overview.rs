//! `GET /projects/:id`: the overview of a project: description, latest changes, issues by tracker,
//! members, versions and news.

use super::chart::Chart;
use crate::access;
use crate::accounts::memberships::members_path;
use crate::components::avatar::Person;
use crate::components::time::Moment;
use crate::content::activity::{LatestEvent, latest};
use crate::frame::render::render;
use crate::frame::{Crumb, Frame, ProjectTab, Width};
use crate::prelude::*;
use crate::text::TextRenderer;
use jiff::{SignedDuration, Timestamp};
use quarry_domain::access::inheritance::role_ids_by_project;
use quarry_domain::access::visibility;
use quarry_domain::access::visible::Visible;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::ids::{PrincipalId, RoleId, TrackerId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::query::filter::Predicate;
use quarry_domain::query::issues::{Condition, Field};
use quarry_domain::values::stable_sort::StableSort;
use quarry_http::resources::project_scope;
use quarry_markup::SafeHtml;
use quarry_store::content::news;
use quarry_store::issues;
use quarry_store::issues::{IssueQuery, last_activity, weekly};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Number of weeks in the chart.
const WEEKS: usize = 12;
/// Maximum number of news.
const MAX_NEWS: i64 = 3;
/// Maximum number of latest changes.
const MAX_EVENTS: usize = 8;
/// Maximum number of members of a role, subprojects and versions.
const MAX_ROWS: usize = 50;

#[derive(Template)]
#[template(path = "projects/overview.html")]
struct OverviewPage<'a> {
    frame: Frame,
    /// The address of the form for a new issue, if the viewer may add one.
    new_issue: Option<String>,
    project: &'a Project,
    path: String,
    is_bookmarked: bool,
    homepage: Option<&'a str>,
    description: SafeHtml,
    trackers: Vec<TrackerRow<'a>>,
    chart: Option<Chart>,
    /// What happened last in the project and its subprojects.
    latest: Vec<LatestEvent>,
    members: Vec<(&'a str, Vec<Person>, usize)>,
    /// The address of all members, for those who may see them.
    members_path: Option<String>,
    may_manage_members: bool,
    subprojects: Vec<Crumb>,
    /// The address of the form for a new subproject, if the viewer may add one.
    new_subproject: Option<String>,
    versions: Vec<Crumb>,
    news: Vec<NewsRow>,
}

struct TrackerRow<'a> {
    name: &'a str,
    open: i64,
    total: i64,
    path: String,
}

struct NewsRow {
    path: String,
    title: String,
    summary: String,
    author: Person,
    created: Moment,
}

/// Shows the project.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = access::project(request, catalogue, Permission::ViewProject)?;
    let frame = Frame::new(request, db, &project.name).with_width(Width::TwoColumns);
    let scope = Arc::new(
        project_scope::projects(catalogue, project.id, std::iter::empty())
            .into_iter()
            .collect(),
    );
    let visible = visibility::issues(viewer).within_projects(scope);
    let subtree = catalogue.subtree(project.id).into_iter();
    let subtree = subtree.filter(|id| viewer.sees(*id)).map(|id| id.0);
    let latest = latest(request, db, Arc::new(subtree.collect()), MAX_EVENTS)?;
    let (trackers, chart) = if viewer.may(Permission::ViewIssues, project.id) {
        (
            tracker_rows(request, db, project, &visible)?,
            chart(db, &visible)?,
        )
    } else {
        (Vec::new(), None)
    };
    let subprojects = catalogue
        .tree
        .iter()
        .filter_map(|id| catalogue.projects.get(id));
    let subprojects = subprojects
        .filter(|child| child.parent == Some(project.id) && viewer.sees(child.id))
        .take(MAX_ROWS);
    let page = OverviewPage {
        frame: frame.in_project(db, viewer, project, Some(ProjectTab::Overview)),
        project,
        path: paths::project(project),
        is_bookmarked: catalogue.is_bookmarked(viewer.user, project.id),
        homepage: project
            .homepage
            .as_deref()
            .filter(|url| url.starts_with("https://") || url.starts_with("http://")),
        description: TextRenderer::new(request, db, project.id, &[])
            .render(project.description.as_deref().unwrap_or_default(), "")?,
        trackers,
        chart,
        latest,
        new_issue: viewer
            .may(Permission::AddIssues, project.id)
            .then(|| format!("{}/issues/new", paths::project(project))),
        members: if viewer.may(Permission::ViewMembers, project.id) {
            members(request, catalogue, project)
        } else {
            Vec::new()
        },
        members_path: viewer
            .may(Permission::ViewMembers, project.id)
            .then(|| members_path(project)),
        may_manage_members: viewer.may(Permission::ManageMembers, project.id),
        new_subproject: viewer
            .may(Permission::AddSubprojects, project.id)
            .then(|| paths::new_subproject(project.id)),
        subprojects: subprojects
            .map(|child| Crumb {
                label: child.name.clone(),
                path: paths::project(child),
            })
            .collect(),
        versions: if viewer.may(Permission::ViewIssues, project.id) {
            versions(catalogue, project)
        } else {
            Vec::new()
        },
        news: if viewer.may(Permission::ViewNews, project.id) {
            news_rows(request, db, project)?
        } else {
            Vec::new()
        },
    };
    render(&page.frame, &page)
}

fn tracker_rows<'c>(
    request: &RequestContext,
    db: &'c Read<'_>,
    project: &'c Project,
    visible: &Visible,
) -> Result<Vec<TrackerRow<'c>>, Error> {
    let count = |tracker: TrackerId, status: Option<Predicate>| {
        let tracker = Condition {
            field: Field::Tracker,
            predicate: Predicate::OneOf(vec![tracker.0]),
        };
        let status = status.map(|predicate| Condition {
            field: Field::Status,
            predicate,
        });
        let conditions: Vec<Condition> = std::iter::once(tracker).chain(status).collect();
        issues::count(
            db,
            &IssueQuery {
                viewer: request.viewer(),
                visible,
                project: None,
                conditions: &conditions,
                order: &[],
                offset: 0,
                limit: 0,
            },
        )
    };
    let path = paths::project(project);
    let trackers = db
        .catalogue()
        .trackers
        .iter()
        .filter(|tracker| project.trackers.contains(&tracker.id));
    let rows = trackers.map(|tracker| {
        let path = format!("{path}/issues?tracker_id={}", tracker.id);
        Ok(TrackerRow {
            name: &tracker.name,
            open: count(tracker.id, Some(Predicate::Open))?,
            total: count(tracker.id, None)?,
            path,
        })
    });
    rows.collect()
}

/// Returns the chart of the last weeks; when nothing happened in them, of the weeks to the last
/// activity.
fn chart(db: &Read<'_>, visible: &Visible) -> Result<Option<Chart>, Error> {
    let weeks_to = |last: Timestamp| {
        // The end of the weeks is not part of them.
        let end = last
            .checked_add(SignedDuration::from_secs(1))
            .map_err(internal)?;
        let days = i64::try_from(WEEKS).unwrap_or(0) * 7;
        Ok::<_, Error>(weekly(
            db,
            visible,
            end.checked_sub(SignedDuration::from_hours(days * 24))
                .map_err(internal)?,
            WEEKS,
        )?)
    };
    if let Some(chart) = Chart::new(&weeks_to(db.now())?, &format!("the last {WEEKS} weeks")) {
        return Ok(Some(chart));
    }
    let Some(last) = last_activity(db, visible)? else {
        return Ok(None);
    };
    Ok(Chart::new(
        &weeks_to(last)?,
        &format!(
            "the {WEEKS} weeks to {}, the last activity",
            last.strftime("%-d %b %Y")
        ),
    ))
}

fn internal(error: jiff::Error) -> Error {
    Error::Internal(error.to_string())
}

/// Returns the members by role, in the order of the roles: name of the role, the first members, and
/// the number of others.
fn members<'c>(
    request: &RequestContext,
    catalogue: &'c Catalogue,
    project: &Project,
) -> Vec<(&'c str, Vec<Person>, usize)> {
    let mut principals: Vec<PrincipalId> = catalogue
        .members
        .iter()
        .map(|member| member.principal)
        .collect();
    principals.sort_unstable();
    principals.dedup();
    let mut by_role: HashMap<RoleId, BTreeMap<&str, PrincipalId>> = HashMap::new();
    for principal in principals {
        let user = catalogue
            .users
            .get(&quarry_domain::ids::UserId(principal.0));
        let is_shown = user.is_none_or(|user| user.status == UserStatus::Active)
            && visibility::can_see_principal(request.viewer(), catalogue, principal);
        let Some(name) = catalogue.principal_name(principal).filter(|_| is_shown) else {
            continue;
        };
        for role in role_ids_by_project(catalogue, &[principal])
            .remove(&project.id)
            .unwrap_or_default()
        {
            by_role.entry(role).or_default().insert(name, principal);
        }
    }
    let roles = catalogue
        .roles
        .iter()
        .filter_map(|role| Some((role.name.as_str(), by_role.remove(&role.id)?)));
    roles
        .map(|(name, members)| {
            (
                name,
                people(catalogue, &members),
                members.len().saturating_sub(MAX_ROWS),
            )
        })
        .collect()
}

fn people(catalogue: &Catalogue, members: &BTreeMap<&str, PrincipalId>) -> Vec<Person> {
    members
        .values()
        .take(MAX_ROWS)
        .map(|id| Person::new(catalogue, *id))
        .collect()
}

fn versions(catalogue: &Catalogue, project: &Project) -> Vec<Crumb> {
    let mut versions: Vec<_> = catalogue
        .versions
        .values()
        .filter(|version| version.project == project.id && version.is_open())
        .collect();
    versions.stable_sort_by_key(|version| {
        (
            version.due_date.is_none(),
            version.due_date,
            version.name.clone(),
        )
    });
    versions.truncate(MAX_ROWS);
    versions
        .into_iter()
        .map(|version| Crumb {
            label: version.name.clone(),
            path: paths::version(version.id),
        })
        .collect()
}

fn news_rows(
    request: &RequestContext,
    db: &Read<'_>,
    project: &Project,
) -> Result<Vec<NewsRow>, Error> {
    let visible = visibility::of_kind(request.viewer(), Kind::News)
        .within_projects(Arc::new(std::iter::once(project.id).collect()));
    let rows = news::list(db, &visible, 0, MAX_NEWS)?
        .into_iter()
        .map(|item| NewsRow {
            path: paths::news(item.id),
            author: Person::new(db.catalogue(), item.author.into()),
            created: Moment::new(item.created_on),
            title: item.title,
            summary: item.summary.unwrap_or_default(),
        });
    Ok(rows.collect())
}
