//! The bar of a project: the projects above it, and tabs for the parts that the viewer may use.

use super::project_settings::settings_path;
use crate::components::breadcrumb::Crumb;
use crate::components::tabs::Tab;
use crate::prelude::*;
use quarry_domain::projects::module::Module;
use quarry_domain::projects::project::ProjectStatus;
use quarry_store::projects::contents;

/// A part of a project with a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectTab {
    Overview,
    Activity,
    Issues,
    Roadmap,
    Time,
    News,
    Documents,
    Wiki,
    Forums,
    Files,
    Repository,
    Settings,
}

impl ProjectTab {
    /// The tabs in their order: label, path below that of the project, and the permission that
    /// shows it. A permission holds only while its module is on.
    const TABLE: [(ProjectTab, &str, &str, Permission); 11] = [
        (
            ProjectTab::Overview,
            "Overview",
            "",
            Permission::ViewProject,
        ),
        (
            ProjectTab::Activity,
            "Activity",
            "/activity",
            Permission::ViewProject,
        ),
        (
            ProjectTab::Issues,
            "Issues",
            "/issues",
            Permission::ViewIssues,
        ),
        (
            ProjectTab::Roadmap,
            "Roadmap",
            "/roadmap",
            Permission::ViewIssues,
        ),
        (
            ProjectTab::Time,
            "Time",
            "/time_entries",
            Permission::ViewTimeEntries,
        ),
        (ProjectTab::News, "News", "/news", Permission::ViewNews),
        (
            ProjectTab::Documents,
            "Documents",
            "/documents",
            Permission::ViewDocuments,
        ),
        (ProjectTab::Wiki, "Wiki", "/wiki", Permission::ViewWikiPages),
        (
            ProjectTab::Forums,
            "Forums",
            "/boards",
            Permission::ViewMessages,
        ),
        (ProjectTab::Files, "Files", "/files", Permission::ViewFiles),
        (
            ProjectTab::Repository,
            "Repository",
            "/repository",
            Permission::ViewChangesets,
        ),
    ];
}

/// The module of a tab that is left out while the module is empty, unless the viewer may fill it.
const FILLED_BY: [(ProjectTab, Module, Permission); 6] = [
    (ProjectTab::News, Module::News, Permission::ManageNews),
    (
        ProjectTab::Documents,
        Module::Documents,
        Permission::AddDocuments,
    ),
    (ProjectTab::Wiki, Module::Wiki, Permission::EditWikiPages),
    (ProjectTab::Forums, Module::Boards, Permission::ManageBoards),
    (ProjectTab::Files, Module::Files, Permission::ManageFiles),
    (
        ProjectTab::Repository,
        Module::Repository,
        Permission::ManageRepository,
    ),
];

/// The bar of a project.
pub struct ProjectBar {
    pub name: String,
    /// The address of its overview.
    pub path: String,
    /// The visible projects above it, from the top.
    pub ancestors: Vec<Crumb>,
    /// The parts that the viewer may use.
    pub tabs: Vec<Tab>,
    /// Whether the project can only be read.
    pub is_closed: bool,
    /// Whether everybody may see it.
    pub is_public: bool,
}

impl ProjectBar {
    /// Returns the bar of a project for a viewer. Parts that are empty and that the viewer may not fill
    /// are left out, but for the current one.
    pub fn new(
        db: &Read<'_>,
        viewer: &Viewer,
        project: &Project,
        current: Option<ProjectTab>,
    ) -> ProjectBar {
        let catalogue = db.catalogue();
        let path = paths::project(project);
        let useless = useless(db, viewer, project);
        let above = catalogue
            .ancestors(project.id)
            .into_iter()
            .rev()
            .filter(|id| viewer.sees(*id));
        let above = above.filter_map(|id| catalogue.projects.get(&id));
        let tabs = ProjectTab::TABLE
            .iter()
            .filter(|tab| tab.0 == ProjectTab::Overview || viewer.may(tab.3, project.id))
            .filter(|tab| Some(tab.0) == current || !useless.contains(&tab.0));
        let mut tabs: Vec<Tab> = tabs
            .map(|(tab, label, below, _)| {
                Tab::new(*label, format!("{path}{below}"), Some(*tab) == current)
            })
            .collect();
        tabs.extend(
            settings_path(viewer, project)
                .map(|path| Tab::new("Settings", path, current == Some(ProjectTab::Settings))),
        );
        ProjectBar {
            tabs,
            name: project.name.clone(),
            ancestors: above
                .map(|project| Crumb {
                    label: project.name.clone(),
                    path: paths::project(project),
                })
                .collect(),
            is_closed: project.status == ProjectStatus::Closed,
            is_public: project.is_public,
            path,
        }
    }
}

/// Returns the tabs of parts that are empty and that the viewer may not fill.
fn useless(db: &Read<'_>, viewer: &Viewer, project: &Project) -> Vec<ProjectTab> {
    let closed_to_viewer = FILLED_BY
        .iter()
        .filter(|(_, _, fills)| !viewer.may(*fills, project.id));
    let candidates: Vec<_> = closed_to_viewer.collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let empty = contents::empty_modules(db, project.id).unwrap_or_else(|error| {
        tracing::warn!(%error, "empty parts of a project are not known");
        Vec::new()
    });
    let useless = candidates
        .into_iter()
        .filter(|(_, module, _)| empty.contains(module));
    useless.map(|(tab, ..)| *tab).collect()
}
