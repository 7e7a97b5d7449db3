//! The list of all pages. Tests of access, of hostile texts and in a real browser visit each of
//! them, so a new page is one line here.

use super::admin_pages::ADMIN_PAGES;
use super::issue_pages::ISSUE_PAGES;
use Access::{Admin, Creator, Editor, Everybody, Open, Own, Permitted, Project, User, Writer};

/// Who may see a page of the [complete world](quarry_world::complete_world).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody, even while a login is required.
    Open,
    /// Everybody, also anonymous as long as no login is required.
    Everybody,
    /// Users who are logged in.
    User,
    /// Everybody who sees the project `secret`.
    Project,
    /// Everybody who sees the project `secret` and has a permission there.
    Permitted,
    /// The same for a form; members without the permission are told that they may not send it.
    Writer,
    /// Users who see a record of the project `secret` and may change it.
    Editor,
    /// Users who may create projects; others are told that they may not.
    Creator,
    /// The user to whom the record belongs: admin.
    Own,
    /// Administrators.
    Admin,
}

/// A page of the complete world.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// The route.
    pub route: &'static str,
    /// An address.
    pub path: &'static str,
    /// Who may see it.
    pub access: Access,
    /// Whether it only leads to another page for users who are logged in.
    pub redirects: bool,
}

pub const fn page(route: &'static str, path: &'static str, access: Access) -> Page {
    Page {
        route,
        path,
        access,
        redirects: false,
    }
}

pub const fn redirect(route: &'static str, path: &'static str, access: Access) -> Page {
    Page {
        route,
        path,
        access,
        redirects: true,
    }
}

/// All pages. A route may have several addresses.
pub const PAGES: &[Page] = &[
    page("/", "/", Everybody),
    page("/activity", "/activity", Everybody),
    page("/activity", "/activity?user_id=2", Everybody),
    page("/account/register", "/account/register", Open),
    page("/account/activate", "/account/activate", Open),
    page("/account/lost_password", "/account/lost_password", Open),
    page("/attachments/{id}", "/attachments/1", Permitted),
    page("/attachments/{id}", "/attachments/2", Permitted),
    page("/attachments/{id}", "/attachments/7", Permitted),
    page("/attachments/{id}", "/attachments/8", Permitted),
    page("/attachments/{id}/delete", "/attachments/9/delete", Editor),
    page("/attachments/{id}/edit", "/attachments/4/edit", Editor),
    page("/boards/{id}", "/boards/1", Permitted),
    page("/boards/{board}/topics/new", "/boards/1/topics/new", Editor),
    page(
        "/boards/{board}/topics/{id}",
        "/boards/1/topics/1",
        Permitted,
    ),
    page("/boards/{id}/delete", "/boards/1/delete", Writer),
    page("/boards/{id}/edit", "/boards/1/edit", Writer),
    page("/documents/{id}", "/documents/1", Permitted),
    page("/documents/{id}/delete", "/documents/1/delete", Editor),
    page("/documents/{id}/edit", "/documents/1/edit", Editor),
    page("/invitation", "/invitation", Open),
    redirect("/login", "/login", Open),
    redirect("/login/code", "/login/code", Open),
    redirect("/login/password", "/login/password", Open),
    redirect("/login/two_factor", "/login/two_factor", Open),
    page("/logout", "/logout", Open),
    page("/memberships/{id}/delete", "/memberships/2/delete", Writer),
    page("/memberships/{id}/edit", "/memberships/2/edit", Writer),
    page("/messages/{id}/delete", "/messages/1/delete", Editor),
    page("/messages/{id}/edit", "/messages/1/edit", Editor),
    page("/messages/{id}/mail", "/messages/2/mail", Permitted),
    page("/messages/{id}/reply", "/messages/2/reply?quote=1", Editor),
    page("/my", "/my", User),
    page("/my/account", "/my/account", User),
    page("/my/address", "/my/address", User),
    page("/my/inbox", "/my/inbox", User),
    page("/my/inbox", "/my/inbox?q=is:read%20pump", User),
    page("/my/notifications", "/my/notifications", User),
    page("/my/page", "/my/page", User),
    page("/my/page/blocks", "/my/page/blocks", User),
    page("/my/timer", "/my/timer", User),
    page("/my/timer/discard", "/my/timer/discard", User),
    page("/my/password", "/my/password", User),
    page("/my/replies", "/my/replies", User),
    page("/my/replies/{id}/delete", "/my/replies/1/delete", Own),
    page("/my/replies/{id}/edit", "/my/replies/1/edit", Own),
    page("/my/replies/new", "/my/replies/new", User),
    page("/my/two_factor", "/my/two_factor", User),
    page("/news", "/news", Everybody),
    page("/news/{id}", "/news/1", Permitted),
    page("/news/{id}/comments/new", "/news/1/comments/new", Editor),
    page(
        "/news/{id}/comments/{comment_id}/delete",
        "/news/1/comments/1/delete",
        Editor,
    ),
    page("/news/{id}/delete", "/news/1/delete", Editor),
    page("/news/{id}/edit", "/news/1/edit", Editor),
    page(
        "/oauth/authorize",
        "/oauth/authorize?client_id=bridge&response_type=code&scope=view_project+view_issues&state=x",
        User,
    ),
    page(
        "/oauth/authorize",
        "/oauth/authorize?client_id=bridge&response_type=code",
        User,
    ),
    page("/openapi", "/openapi", Open),
    page("/palette", "/palette", Everybody),
    page("/palette", "/palette?from=/issues/1&q=st", Everybody),
    page(
        "/palette",
        "/palette?from=/projects/secret/wiki/Wiki",
        Everybody,
    ),
    page("/projects", "/projects", Everybody),
    page("/projects/new", "/projects/new?parent_id=open", Creator),
    page("/projects/{id}", "/projects/secret", Project),
    page("/projects/{id}", "/projects/1", Project),
    page(
        "/projects/{id}/activity",
        "/projects/secret/activity",
        Project,
    ),
    page(
        "/projects/{id}/boards",
        "/projects/secret/boards",
        Permitted,
    ),
    page(
        "/projects/{id}/documents",
        "/projects/secret/documents",
        Permitted,
    ),
    page("/projects/{id}/files", "/projects/secret/files", Permitted),
    page(
        "/projects/{id}/files/new",
        "/projects/secret/files/new",
        Writer,
    ),
    page(
        "/projects/{id}/memberships/copy",
        "/projects/secret/memberships/copy",
        Writer,
    ),
    page(
        "/projects/{id}/memberships/new",
        "/projects/secret/memberships/new",
        Writer,
    ),
    page("/projects/{id}/news", "/projects/secret/news", Permitted),
    page(
        "/projects/{id}/news/new",
        "/projects/secret/news/new",
        Writer,
    ),
    page(
        "/projects/{id}/documents/new",
        "/projects/secret/documents/new",
        Writer,
    ),
    page(
        "/projects/{id}/repository",
        "/projects/secret/repository",
        Permitted,
    ),
    page(
        "/projects/{id}/repository/revisions/{revision}",
        "/projects/secret/repository/revisions/12",
        Permitted,
    ),
    page(
        "/projects/{id}/repository/{repository}/revisions/{revision}",
        "/projects/secret/repository/tools/revisions/abc123",
        Permitted,
    ),
    page(
        "/projects/{id}/search",
        "/projects/secret/search?q=pump",
        Project,
    ),
    page(
        "/projects/{id}/boards/new",
        "/projects/secret/boards/new",
        Writer,
    ),
    page("/projects/{id}/close", "/projects/secret/close", Writer),
    page("/projects/{id}/delete", "/projects/secret/delete", Writer),
    page(
        "/projects/{id}/repositories/new",
        "/projects/secret/repositories/new",
        Writer,
    ),
    page("/projects/{id}/reopen", "/projects/secret/reopen", Writer),
    page(
        "/projects/{id}/settings",
        "/projects/secret/settings",
        Writer,
    ),
    page(
        "/projects/{id}/settings/activities",
        "/projects/secret/settings/activities",
        Writer,
    ),
    page(
        "/projects/{id}/settings/boards",
        "/projects/secret/settings/boards",
        Writer,
    ),
    page(
        "/projects/{id}/settings/issues",
        "/projects/secret/settings/issues",
        Writer,
    ),
    page(
        "/projects/{id}/settings/modules",
        "/projects/secret/settings/modules",
        Writer,
    ),
    page(
        "/projects/{id}/settings/queries",
        "/projects/secret/settings/queries",
        Writer,
    ),
    page(
        "/projects/{id}/settings/wiki",
        "/projects/secret/settings/wiki",
        Writer,
    ),
    page(
        "/projects/{id}/settings/repositories",
        "/projects/secret/settings/repositories",
        Writer,
    ),
    page(
        "/projects/{id}/settings/status",
        "/projects/secret/settings/status",
        Writer,
    ),
    page(
        "/projects/{id}/roadmap",
        "/projects/secret/roadmap?completed=1",
        Permitted,
    ),
    page(
        "/projects/{id}/settings/versions",
        "/projects/secret/settings/versions",
        Writer,
    ),
    page(
        "/projects/{id}/versions/close_completed",
        "/projects/secret/versions/close_completed",
        Writer,
    ),
    page(
        "/projects/{id}/versions/new",
        "/projects/secret/versions/new",
        Writer,
    ),
    page(
        "/projects/{id}/issue_categories/new",
        "/projects/secret/issue_categories/new",
        Writer,
    ),
    page(
        "/projects/{id}/issue_templates/new",
        "/projects/secret/issue_templates/new",
        Writer,
    ),
    page(
        "/projects/{id}/replies/new",
        "/projects/secret/replies/new",
        Writer,
    ),
    page(
        "/projects/{id}/settings/replies",
        "/projects/secret/settings/replies",
        Writer,
    ),
    page(
        "/projects/{id}/settings/templates",
        "/projects/secret/settings/templates",
        Writer,
    ),
    page("/replies/{id}/delete", "/replies/2/delete", Writer),
    page("/replies/{id}/edit", "/replies/2/edit", Writer),
    page(
        "/projects/{id}/settings/categories",
        "/projects/secret/settings/categories",
        Writer,
    ),
    page(
        "/projects/{id}/settings/members",
        "/projects/secret/settings/members",
        Project,
    ),
    page("/projects/{id}/wiki", "/projects/secret/wiki", Permitted),
    page(
        "/projects/{id}/wiki/date_index",
        "/projects/secret/wiki/date_index",
        Permitted,
    ),
    page(
        "/projects/{id}/wiki/index",
        "/projects/secret/wiki/index",
        Permitted,
    ),
    page(
        "/projects/{id}/wiki/{title}",
        "/projects/secret/wiki/Pump_room",
        Permitted,
    ),
    page(
        "/projects/{id}/wiki/new",
        "/projects/secret/wiki/new",
        Permitted,
    ),
    page(
        "/projects/{id}/wiki/{title}/delete",
        "/projects/secret/wiki/Wiki/delete",
        Permitted,
    ),
    page(
        "/projects/{id}/wiki/{title}/diff",
        "/projects/secret/wiki/Wiki/diff?version=2&version_from=1",
        Permitted,
    ),
    page(
        "/projects/{id}/wiki/{title}/edit",
        "/projects/secret/wiki/New_page/edit",
        Permitted,
    ),
    page(
        "/projects/{id}/wiki/{title}/edit",
        "/projects/secret/wiki/Wiki/edit",
        Permitted,
    ),
    page(
        "/projects/{id}/wiki/{title}/edit",
        "/projects/secret/wiki/Wiki/edit?section=2",
        Permitted,
    ),
    page(
        "/projects/{id}/wiki/{title}/history",
        "/projects/secret/wiki/Wiki/history",
        Permitted,
    ),
    page(
        "/projects/{id}/wiki/{title}/protect",
        "/projects/secret/wiki/Wiki/protect",
        Permitted,
    ),
    page(
        "/projects/{id}/wiki/{title}/rename",
        "/projects/secret/wiki/Wiki/rename",
        Permitted,
    ),
    page(
        "/projects/{id}/wiki/{title}/{version}",
        "/projects/secret/wiki/Wiki/1",
        Permitted,
    ),
    page(
        "/repositories/{id}/delete",
        "/repositories/1/delete",
        Writer,
    ),
    page("/repositories/{id}/edit", "/repositories/1/edit", Writer),
    page("/queries/{id}/delete", "/queries/1/delete", Permitted),
    page("/queries/{id}/edit", "/queries/1/edit", Permitted),
    page("/queries/new", "/queries/new?tracker_id=1", User),
    page(
        "/projects/{id}/queries/new",
        "/projects/secret/queries/new?tracker_id=1",
        Permitted,
    ),
    page("/search", "/search", Everybody),
    page("/search", "/search?q=pump", Everybody),
    page("/search", "/search?q=pumpp", Everybody),
    page("/search", "/search?q=pump+is:open", Everybody),
    page(
        "/search",
        "/search?q=pump+is:open&issues=1&sort=date&all_words=1&titles_only=1",
        Everybody,
    ),
    page("/search", "/search?q=pump&query_id=3", Everybody),
    page("/search", "/search?q=pump&issues=1&query_id=3", Everybody),
    page("/queries/new", "/queries/new?type=SearchQuery&q=pump", User),
    page("/search", "/search?q=%22", Everybody),
    page("/search", "/search?q=nothingatall", Everybody),
    redirect("/setup", "/setup", Open),
    redirect("/setup/import", "/setup/import", Open),
    redirect("/setup/import/progress", "/setup/import/progress", Open),
    redirect("/setup/import/upload", "/setup/import/upload", Open),
    page("/styleguide", "/styleguide", Everybody),
    page("/users/{id}", "/users/2", Everybody),
    page("/versions/{id}/delete", "/versions/1/delete", Writer),
    page("/versions/{id}/edit", "/versions/1/edit", Writer),
    page("/versions/{id}", "/versions/1", Permitted),
];

/// Returns all pages.
pub fn all() -> impl Iterator<Item = &'static Page> {
    debug_assert!(ADMIN_PAGES.iter().all(|page| page.access == Admin));
    PAGES.iter().chain(ISSUE_PAGES).chain(ADMIN_PAGES)
}

impl Page {
    /// Returns the address with every parameter of the route replaced by something that does not
    /// exist; `None` without parameters.
    pub fn missing(&self) -> Option<String> {
        // Pages for several issues have their ids in the query string.
        if self.route.starts_with("/issues/bulk_") && self.access == Access::Permitted {
            return Some(format!("{}?ids=999999", self.route));
        }
        self.replaced(|name| match name {
            "id" | "board" if !self.route.starts_with("/projects/") => "999999",
            _ => "nowhere",
        })
    }

    /// Returns the address with the project or board of the project `open` instead; `None` for
    /// pages without something that belongs to the project in the path.
    pub fn in_other_project(&self) -> Option<String> {
        // Every wiki can have a page of this title.
        if self.route.ends_with("/wiki/{title}/edit") {
            return None;
        }
        let mut parameters = self.route.split('/').filter(|part| part.starts_with('{'));
        let first = parameters.next()?;
        parameters.next()?;
        let other = if first == "{board}" { "2" } else { "open" };
        let (part, rest) = self
            .route
            .split('/')
            .zip(self.path.split('/'))
            .find(|(part, _)| *part == first)?;
        debug_assert!(part.starts_with('{'));
        Some(
            self.path
                .replacen(&format!("/{rest}"), &format!("/{other}"), 1),
        )
    }

    fn replaced(&self, value: impl Fn(&str) -> &'static str) -> Option<String> {
        if !self.route.contains('{') {
            return None;
        }
        let parts = self.route.split('/').map(|part| {
            match part
                .strip_prefix('{')
                .and_then(|part| part.strip_suffix('}'))
            {
                Some(name) => value(name),
                None => part,
            }
        });
        Some(parts.collect::<Vec<_>>().join("/"))
    }
}
