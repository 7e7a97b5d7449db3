//! The permissions: name, module, which roles can have it, and whether it applies in closed
//! projects.
//!
//! The names are Redmine's own, so that imported roles keep their meaning (compatibility 5).

use crate::projects::module::{Module, ModuleSet};

/// The roles that can have a permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// Every role has it.
    Public,
    /// Every role can have it.
    None,
    /// Every role but Anonymous can have it.
    LoggedIn,
    /// Every role but Anonymous and Non member can have it.
    Member,
}

/// Whether the permission is effective in a closed project: only those that read are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Reads,
    Writes,
}
use Effect::{Reads, Writes};

macro_rules! permissions {
    ($($variant:ident $name:literal $module:expr, $requirement:ident, $effect:ident;)*) => {
        /// Something that a role allows in a project: the name in Redmine, in camel case.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Permission { $($variant),* }

        const TABLE: &[(Permission, &str, Option<Module>, Requirement, Effect)] =
            &[$((Permission::$variant, $name, $module, Requirement::$requirement, $effect)),*];
    };
}

const PROJECT: Option<Module> = None;
const ISSUES: Option<Module> = Some(Module::IssueTracking);
const TIME: Option<Module> = Some(Module::TimeTracking);
const NEWS: Option<Module> = Some(Module::News);
const DOCUMENTS: Option<Module> = Some(Module::Documents);
const FILES: Option<Module> = Some(Module::Files);
const WIKI: Option<Module> = Some(Module::Wiki);
const REPOSITORY: Option<Module> = Some(Module::Repository);
const BOARDS: Option<Module> = Some(Module::Boards);
const CALENDAR: Option<Module> = Some(Module::Calendar);
const GANTT: Option<Module> = Some(Module::Gantt);

permissions! {
    ViewProject             "view_project"                PROJECT, Public, Reads;
    SearchProject           "search_project"              PROJECT, Public, Reads;
    ViewMembers             "view_members"                PROJECT, Public, Reads;
    AddProject              "add_project"                 PROJECT, LoggedIn, Writes;
    EditProject             "edit_project"                PROJECT, Member, Writes;
    CloseProject            "close_project"               PROJECT, Member, Reads;
    DeleteProject           "delete_project"              PROJECT, Member, Reads;
    SelectProjectPublicity  "select_project_publicity"    PROJECT, Member, Writes;
    SelectProjectModules    "select_project_modules"      PROJECT, Member, Writes;
    ManageMembers           "manage_members"              PROJECT, Member, Writes;
    ManageVersions          "manage_versions"             PROJECT, Member, Writes;
    AddSubprojects          "add_subprojects"             PROJECT, Member, Writes;
    ManagePublicQueries     "manage_public_queries"       PROJECT, Member, Writes;
    SaveQueries             "save_queries"                PROJECT, LoggedIn, Writes;
    ViewIssues              "view_issues"                 ISSUES, None, Reads;
    AddIssues               "add_issues"                  ISSUES, None, Writes;
    EditIssues              "edit_issues"                 ISSUES, None, Writes;
    EditOwnIssues           "edit_own_issues"             ISSUES, None, Writes;
    CopyIssues              "copy_issues"                 ISSUES, None, Writes;
    ManageIssueRelations    "manage_issue_relations"      ISSUES, None, Writes;
    ManageSubtasks          "manage_subtasks"             ISSUES, None, Writes;
    SetIssuesPrivate        "set_issues_private"          ISSUES, None, Writes;
    SetOwnIssuesPrivate     "set_own_issues_private"      ISSUES, LoggedIn, Writes;
    AddIssueNotes           "add_issue_notes"             ISSUES, None, Writes;
    EditIssueNotes          "edit_issue_notes"            ISSUES, LoggedIn, Writes;
    EditOwnIssueNotes       "edit_own_issue_notes"        ISSUES, LoggedIn, Writes;
    ViewPrivateNotes        "view_private_notes"          ISSUES, Member, Reads;
    SetNotesPrivate         "set_notes_private"           ISSUES, Member, Writes;
    DeleteIssues            "delete_issues"               ISSUES, Member, Writes;
    ImportIssues            "import_issues"               ISSUES, None, Writes;
    ViewIssueWatchers       "view_issue_watchers"         ISSUES, None, Reads;
    AddIssueWatchers        "add_issue_watchers"          ISSUES, None, Writes;
    DeleteIssueWatchers     "delete_issue_watchers"       ISSUES, None, Writes;
    ManageCategories        "manage_categories"           ISSUES, Member, Writes;
    ViewTimeEntries         "view_time_entries"           TIME, None, Reads;
    LogTime                 "log_time"                    TIME, LoggedIn, Writes;
    EditTimeEntries         "edit_time_entries"           TIME, Member, Writes;
    EditOwnTimeEntries      "edit_own_time_entries"       TIME, LoggedIn, Writes;
    ManageProjectActivities "manage_project_activities"   TIME, Member, Writes;
    LogTimeForOtherUsers    "log_time_for_other_users"    TIME, Member, Writes;
    ImportTimeEntries       "import_time_entries"         TIME, None, Writes;
    ViewNews                "view_news"                   NEWS, None, Reads;
    ManageNews              "manage_news"                 NEWS, Member, Writes;
    CommentNews             "comment_news"                NEWS, None, Writes;
    ViewDocuments           "view_documents"              DOCUMENTS, None, Reads;
    AddDocuments            "add_documents"               DOCUMENTS, LoggedIn, Writes;
    EditDocuments           "edit_documents"              DOCUMENTS, LoggedIn, Writes;
    DeleteDocuments         "delete_documents"            DOCUMENTS, LoggedIn, Writes;
    ViewFiles               "view_files"                  FILES, None, Reads;
    ManageFiles             "manage_files"                FILES, LoggedIn, Writes;
    ViewWikiPages           "view_wiki_pages"             WIKI, None, Reads;
    ViewWikiEdits           "view_wiki_edits"             WIKI, None, Reads;
    ExportWikiPages         "export_wiki_pages"           WIKI, None, Reads;
    EditWikiPages           "edit_wiki_pages"             WIKI, None, Writes;
    RenameWikiPages         "rename_wiki_pages"           WIKI, Member, Writes;
    DeleteWikiPages         "delete_wiki_pages"           WIKI, Member, Writes;
    DeleteWikiPagesAttachments "delete_wiki_pages_attachments" WIKI, None, Writes;
    ViewWikiPageWatchers    "view_wiki_page_watchers"     WIKI, None, Reads;
    AddWikiPageWatchers     "add_wiki_page_watchers"      WIKI, None, Writes;
    DeleteWikiPageWatchers  "delete_wiki_page_watchers"   WIKI, None, Writes;
    ProtectWikiPages        "protect_wiki_pages"          WIKI, Member, Writes;
    ManageWiki              "manage_wiki"                 WIKI, Member, Writes;
    ViewChangesets          "view_changesets"             REPOSITORY, None, Reads;
    BrowseRepository        "browse_repository"           REPOSITORY, None, Reads;
    CommitAccess            "commit_access"               REPOSITORY, None, Writes;
    ManageRelatedIssues     "manage_related_issues"       REPOSITORY, None, Writes;
    ManageRepository        "manage_repository"           REPOSITORY, Member, Writes;
    ViewMessages            "view_messages"               BOARDS, None, Reads;
    AddMessages             "add_messages"                BOARDS, None, Writes;
    EditMessages            "edit_messages"               BOARDS, Member, Writes;
    EditOwnMessages         "edit_own_messages"           BOARDS, LoggedIn, Writes;
    DeleteMessages          "delete_messages"             BOARDS, Member, Writes;
    DeleteOwnMessages       "delete_own_messages"         BOARDS, LoggedIn, Writes;
    ViewMessageWatchers     "view_message_watchers"       BOARDS, None, Reads;
    AddMessageWatchers      "add_message_watchers"        BOARDS, None, Writes;
    DeleteMessageWatchers   "delete_message_watchers"     BOARDS, None, Writes;
    ManageBoards            "manage_boards"               BOARDS, Member, Writes;
    ViewCalendar            "view_calendar"               CALENDAR, None, Reads;
    ViewGantt               "view_gantt"                  GANTT, None, Reads;
}

impl Permission {
    /// Returns the permission with this name.
    pub fn parse(name: &str) -> Option<Permission> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Returns all permissions.
    pub fn all() -> impl Iterator<Item = Permission> {
        TABLE.iter().map(|row| row.0)
    }

    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// Returns the module that must be enabled; `None` if it belongs to no module.
    pub fn module(self) -> Option<Module> {
        TABLE[self as usize].2
    }

    /// Returns the roles that can have it.
    pub fn requirement(self) -> Requirement {
        TABLE[self as usize].3
    }

    /// Whether it is effective in a closed project too.
    pub fn is_read_only(self) -> bool {
        TABLE[self as usize].4 == Effect::Reads
    }
}

/// A set of permissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PermissionSet(u128);

const _: () = assert!(TABLE.len() <= 128, "a permission set has 128 bits");

impl PermissionSet {
    /// The empty set.
    pub const NONE: PermissionSet = PermissionSet(0);

    /// Returns the set of all permissions.
    pub fn all() -> Self {
        Permission::all().collect()
    }

    /// Returns the permissions for which `keep` returns true.
    pub fn matching(keep: impl Fn(Permission) -> bool) -> Self {
        Permission::all()
            .filter(|permission| keep(*permission))
            .collect()
    }

    /// Whether `permission` is in the set.
    pub fn contains(self, permission: Permission) -> bool {
        self.0 & (1 << permission as u32) != 0
    }

    /// Returns the set with `permission` added.
    #[must_use]
    pub fn with(self, permission: Permission) -> Self {
        Self(self.0 | 1 << permission as u32)
    }

    /// Returns the permissions that are in either set.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the permissions that are in both sets.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the permissions in the order of their declaration.
    pub fn iter(self) -> impl Iterator<Item = Permission> {
        Permission::all().filter(move |permission| self.contains(*permission))
    }

    /// Returns the permissions that belong to no module or to one of `modules`.
    pub fn in_modules(modules: ModuleSet) -> Self {
        Self::matching(|permission| {
            permission
                .module()
                .is_none_or(|module| modules.contains(module))
        })
    }

    /// Returns the permissions that are effective in a closed project.
    pub fn read_only() -> Self {
        Self::matching(Permission::is_read_only)
    }
}

impl FromIterator<Permission> for PermissionSet {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Self {
        permissions
            .into_iter()
            .fold(Self::NONE, PermissionSet::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_variants() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.0 as usize, index, "{}", row.1);
        }
    }

    #[test]
    fn names_can_be_parsed() {
        for permission in Permission::all() {
            assert_eq!(Permission::parse(permission.name()), Some(permission));
        }
    }

    #[test]
    fn closed_project_can_be_reopened_and_deleted() {
        let read_only = PermissionSet::read_only();
        assert!(
            read_only.contains(Permission::CloseProject)
                && read_only.contains(Permission::DeleteProject)
        );
        assert!(!read_only.contains(Permission::EditProject));
    }
}
