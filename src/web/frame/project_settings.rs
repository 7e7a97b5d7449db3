//! The pages of the settings of a project, and who may use them.

use crate::prelude::*;

/// A page of the settings of a project.
pub struct SettingsLink {
    pub label: &'static str,
    /// Its path below that of the project.
    pub path: &'static str,
    /// Whether the viewer may use it.
    is_permitted: fn(&Viewer, ProjectId) -> bool,
}

const PROJECT_SETTINGS: [SettingsLink; 14] = [
    SettingsLink {
        label: "Information",
        path: "/settings",
        is_permitted: |viewer, id| viewer.may(Permission::EditProject, id),
    },
    SettingsLink {
        label: "Members",
        path: "/settings/members",
        is_permitted: |viewer, id| viewer.may(Permission::ManageMembers, id),
    },
    SettingsLink {
        label: "Modules",
        path: "/settings/modules",
        is_permitted: |viewer, id| {
            viewer.may(Permission::EditProject, id)
                && viewer.may(Permission::SelectProjectModules, id)
        },
    },
    SettingsLink {
        label: "Trackers and fields",
        path: "/settings/issues",
        is_permitted: |viewer, id| viewer.may(Permission::EditProject, id),
    },
    SettingsLink {
        label: "Issue templates",
        path: "/settings/templates",
        is_permitted: |viewer, id| viewer.may(Permission::EditProject, id),
    },
    SettingsLink {
        label: "Saved replies",
        path: "/settings/replies",
        is_permitted: |viewer, id| viewer.may(Permission::EditProject, id),
    },
    SettingsLink {
        label: "Versions",
        path: "/settings/versions",
        is_permitted: |viewer, id| viewer.may(Permission::ManageVersions, id),
    },
    SettingsLink {
        label: "Categories",
        path: "/settings/categories",
        is_permitted: |viewer, id| viewer.may(Permission::ManageCategories, id),
    },
    SettingsLink {
        label: "Activities",
        path: "/settings/activities",
        is_permitted: |viewer, id| viewer.may(Permission::ManageProjectActivities, id),
    },
    SettingsLink {
        label: "Wiki",
        path: "/settings/wiki",
        is_permitted: |viewer, id| viewer.may(Permission::ManageWiki, id),
    },
    SettingsLink {
        label: "Forums",
        path: "/settings/boards",
        is_permitted: |viewer, id| viewer.may(Permission::ManageBoards, id),
    },
    SettingsLink {
        label: "Repositories",
        path: "/settings/repositories",
        is_permitted: |viewer, id| viewer.may(Permission::ManageRepository, id),
    },
    SettingsLink {
        label: "Saved queries",
        path: "/settings/queries",
        is_permitted: |viewer, id| viewer.may(Permission::ManagePublicQueries, id),
    },
    SettingsLink {
        label: "Close or delete",
        path: "/settings/status",
        is_permitted: |viewer, id| {
            viewer.may(Permission::CloseProject, id) || viewer.may(Permission::DeleteProject, id)
        },
    },
];

/// Returns the address of the first settings that the viewer may change.
pub fn settings_path(viewer: &Viewer, project: &Project) -> Option<String> {
    let first = settings_of(viewer, project).next()?;
    Some(format!("{}{}", paths::project(project), first.path))
}

/// Returns the settings that the viewer may change, in their order.
pub fn settings_of(
    viewer: &Viewer,
    project: &Project,
) -> impl Iterator<Item = &'static SettingsLink> {
    PROJECT_SETTINGS
        .iter()
        .filter(|link| (link.is_permitted)(viewer, project.id))
}
