//! What people call permissions and modules: of roles, and of the scopes of OAuth applications.

use quarry_domain::access::permission::Permission;
use quarry_domain::projects::module::Module;

/// Returns the label of a permission, which says what its owner can do.
pub fn label(permission: Permission) -> &'static str {
    match permission {
        Permission::ViewProject => "View the project",
        Permission::SearchProject => "Search the project",
        Permission::ViewMembers => "View the members",
        Permission::AddProject => "Create projects",
        Permission::EditProject => "Edit the project",
        Permission::CloseProject => "Close and reopen the project",
        Permission::DeleteProject => "Delete the project",
        Permission::SelectProjectPublicity => "Make the project public or private",
        Permission::SelectProjectModules => "Choose the modules of the project",
        Permission::ManageMembers => "Add and remove members",
        Permission::ManageVersions => "Manage versions",
        Permission::AddSubprojects => "Create subprojects",
        Permission::ManagePublicQueries => "Manage public queries",
        Permission::SaveQueries => "Save queries",
        Permission::ViewIssues => "View issues",
        Permission::AddIssues => "Create issues",
        Permission::EditIssues => "Edit issues",
        Permission::EditOwnIssues => "Edit own issues",
        Permission::CopyIssues => "Copy issues",
        Permission::ManageIssueRelations => "Relate issues",
        Permission::ManageSubtasks => "Manage subtasks",
        Permission::SetIssuesPrivate => "Make issues public or private",
        Permission::SetOwnIssuesPrivate => "Make own issues public or private",
        Permission::AddIssueNotes => "Comment on issues",
        Permission::EditIssueNotes => "Edit comments on issues",
        Permission::EditOwnIssueNotes => "Edit own comments on issues",
        Permission::ViewPrivateNotes => "View private comments",
        Permission::SetNotesPrivate => "Make comments private",
        Permission::DeleteIssues => "Delete issues",
        Permission::ImportIssues => "Import issues",
        Permission::ViewIssueWatchers => "View who watches an issue",
        Permission::AddIssueWatchers => "Add watchers to issues",
        Permission::DeleteIssueWatchers => "Remove watchers from issues",
        Permission::ManageCategories => "Manage issue categories",
        Permission::ViewTimeEntries => "View spent time",
        Permission::LogTime => "Log time",
        Permission::EditTimeEntries => "Edit time entries",
        Permission::EditOwnTimeEntries => "Edit own time entries",
        Permission::ManageProjectActivities => "Manage the activities of the project",
        Permission::LogTimeForOtherUsers => "Log time for other people",
        Permission::ImportTimeEntries => "Import time entries",
        Permission::ViewNews => "View news",
        Permission::ManageNews => "Manage news",
        Permission::CommentNews => "Comment on news",
        Permission::ViewDocuments => "View documents",
        Permission::AddDocuments => "Add documents",
        Permission::EditDocuments => "Edit documents",
        Permission::DeleteDocuments => "Delete documents",
        Permission::ViewFiles => "View files",
        Permission::ManageFiles => "Manage files",
        Permission::ViewWikiPages => "View wiki pages",
        Permission::ViewWikiEdits => "View the history of wiki pages",
        Permission::ExportWikiPages => "Export wiki pages",
        Permission::EditWikiPages => "Edit wiki pages",
        Permission::RenameWikiPages => "Rename wiki pages",
        Permission::DeleteWikiPages => "Delete wiki pages",
        Permission::DeleteWikiPagesAttachments => "Delete files of wiki pages",
        Permission::ViewWikiPageWatchers => "View who watches a wiki page",
        Permission::AddWikiPageWatchers => "Add watchers to wiki pages",
        Permission::DeleteWikiPageWatchers => "Remove watchers from wiki pages",
        Permission::ProtectWikiPages => "Protect wiki pages",
        Permission::ManageWiki => "Manage the wiki",
        Permission::ViewChangesets => "View commits",
        Permission::BrowseRepository => "Browse repositories",
        Permission::CommitAccess => "Commit to repositories",
        Permission::ManageRelatedIssues => "Link commits with issues",
        Permission::ManageRepository => "Manage repositories",
        Permission::ViewMessages => "View forums",
        Permission::AddMessages => "Write in forums",
        Permission::EditMessages => "Edit messages",
        Permission::EditOwnMessages => "Edit own messages",
        Permission::DeleteMessages => "Delete messages",
        Permission::DeleteOwnMessages => "Delete own messages",
        Permission::ViewMessageWatchers => "View who watches a topic",
        Permission::AddMessageWatchers => "Add watchers to topics",
        Permission::DeleteMessageWatchers => "Remove watchers from topics",
        Permission::ManageBoards => "Manage forums",
        Permission::ViewCalendar => "View the calendar",
        Permission::ViewGantt => "View the Gantt chart",
    }
}

/// Returns the heading of the permissions that need a module; `None` for those that need none.
pub fn heading(module: Option<Module>) -> &'static str {
    match module {
        None => "Projects",
        Some(Module::IssueTracking) => "Issues",
        Some(Module::TimeTracking) => "Time entries",
        Some(Module::News) => "News",
        Some(Module::Documents) => "Documents",
        Some(Module::Files) => "Files",
        Some(Module::Wiki) => "Wiki",
        Some(Module::Repository) => "Repositories",
        Some(Module::Boards) => "Forums",
        Some(Module::Calendar) => "Calendar",
        Some(Module::Gantt) => "Gantt chart",
    }
}

/// Returns the modules in the order of lists of permissions: first those without a module.
pub fn modules() -> impl Iterator<Item = Option<Module>> {
    std::iter::once(None).chain(Module::ALL.iter().copied().map(Some))
}

/// Returns the permissions that need this module.
pub fn permissions_of(module: Option<Module>) -> impl Iterator<Item = Permission> {
    Permission::all().filter(move |permission| permission.module() == module)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_permission_has_a_label_of_its_own() {
        let labels: HashSet<&str> = Permission::all().map(label).collect();
        assert_eq!(labels.len(), Permission::all().count());
    }

    #[test]
    fn modules_have_all_permissions_once() {
        let permissions = modules().flat_map(permissions_of);
        assert_eq!(permissions.count(), Permission::all().count());
    }
}
