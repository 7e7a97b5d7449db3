//! The links at the side of the administration and of the settings of a project.

use super::project_settings::settings_of;
use super::{Frame, ProjectTab};
use crate::components::side_nav::{NavGroup, SideNav};
use crate::components::tabs::Tab;
use crate::prelude::*;

/// The pages of the administration: label and address, in groups.
const ADMINISTRATION: &[(&str, &[(&str, &str)])] = &[
    (
        "",
        &[("Overview", "/admin"), ("Projects", "/admin/projects")],
    ),
    (
        "People",
        &[
            ("Users", "/users"),
            ("Groups", "/groups"),
            ("Roles", "/roles"),
        ],
    ),
    (
        "Tracking",
        &[
            ("Trackers", "/trackers"),
            ("Statuses", "/issue_statuses"),
            ("Workflow", "/workflows"),
            ("Priorities, activities and categories", "/enumerations"),
            ("Custom fields", "/custom_fields"),
        ],
    ),
    (
        "Access",
        &[
            ("Authentication", "/settings?tab=authentication"),
            ("API", "/settings?tab=api"),
            ("OAuth applications", "/oauth/applications"),
        ],
    ),
    (
        "Service",
        &[
            ("Settings", "/settings"),
            ("Mail", "/admin/mail"),
            ("Search index", "/admin/index"),
            ("Audit log", "/admin/audit"),
        ],
    ),
];

/// Returns the pages of the administration: label and address.
pub fn administration_links() -> impl Iterator<Item = (&'static str, &'static str)> {
    ADMINISTRATION
        .iter()
        .flat_map(|(_, links)| links.iter().copied())
}

impl Frame {
    /// Returns the frame of a page for administrators.
    pub fn for_administration(
        request: &RequestContext,
        db: &Read<'_>,
        title: impl Into<String>,
    ) -> Frame {
        let mut frame = Frame::new(request, db, title);
        frame
            .links
            .iter_mut()
            .for_each(|link| link.is_current = link.path == "/admin");
        let current = current_path(&frame.path);
        let groups = ADMINISTRATION.iter().map(|(title, links)| NavGroup {
            title,
            links: links
                .iter()
                .map(|(label, path)| Tab::new(*label, *path, Some(*path) == current))
                .collect(),
        });
        let nav = SideNav {
            label: "Administration".to_owned(),
            groups: groups.collect(),
        };
        frame.with_side_nav(nav)
    }

    /// Returns the frame of a page of the settings of a project. `section` is the label of the
    /// settings that the page belongs to.
    pub fn for_project_settings(
        request: &RequestContext,
        db: &Read<'_>,
        project: &Project,
        section: &str,
        title: &str,
    ) -> Frame {
        let viewer = request.viewer();
        let links = settings_of(viewer, project).map(|link| {
            Tab::new(
                link.label,
                format!("{}{}", paths::project(project), link.path),
                link.label == section,
            )
        });
        let nav = SideNav {
            label: format!("Settings of {}", project.name),
            groups: vec![NavGroup {
                title: "",
                links: links.collect(),
            }],
        };
        Frame::new(request, db, format!("{title} · {}", project.name))
            .in_project(db, viewer, project, Some(ProjectTab::Settings))
            .with_side_nav(nav)
    }
}

/// Returns the address of the administration that a page belongs to: the longest one that its
/// address begins with.
fn current_path(path: &str) -> Option<&'static str> {
    let links = ADMINISTRATION.iter().flat_map(|(_, links)| *links);
    links
        .map(|(_, target)| *target)
        .filter(|target| {
            path.strip_prefix(target)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '&']))
        })
        .max_by_key(|target| target.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_specific_page_is_current() {
        assert_eq!(current_path("/users/3/edit"), Some("/users"));
        assert_eq!(current_path("/settings"), Some("/settings"));
        assert_eq!(current_path("/settings?tab=issues"), Some("/settings"));
        assert_eq!(current_path("/settings?tab=api"), Some("/settings?tab=api"));
        assert_eq!(current_path("/admin/index"), Some("/admin/index"));
        assert_eq!(current_path("/projects"), None);
    }
}
