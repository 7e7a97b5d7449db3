//! The frame of every page: header with the search box, project bar, menu of the user, theme, flash
//! message.
//!
//! Each page has a field `frame` and extends `layout.html`, which renders it. A page says what it
//! is with [`Frame::new`] and the methods that follow; the rest comes from the request. Invariant:
//! the frame shows links only to what the viewer may use.

pub(crate) mod cookies;
pub(crate) mod error_pages;
mod flash;
pub(crate) mod local_path;
mod navigation;
mod project_bar;
mod project_settings;
pub(crate) mod render;
mod sidebar;
mod theme;

pub use flash::{COOKIE as FLASH_COOKIE, Flash, FlashKind};
pub use navigation::administration_links;
pub use project_bar::{ProjectBar, ProjectTab};
pub use theme::{COOKIE as THEME_COOKIE, Theme};

pub use super::components::breadcrumb::Crumb;

use super::components::avatar::Person;
use super::components::side_nav::SideNav;
use crate::prelude::*;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use quarry_actions::issues::time_entries::timers;
use quarry_actions::notices::inbox;
use quarry_domain::administration::setting::Setting;
use quarry_domain::administration::time_zone;
use sidebar::Sidebar;

/// Maximum length of the address of a list that is repeated in the link to the palette.
const MAX_LIST_ADDRESS: usize = 500;

/// The markup between the start of a page and its content: a template of its own, which is compiled
/// once and not into each page.
#[derive(Template)]
#[template(path = "frame/header.html")]
pub struct Header<'f> {
    frame: &'f Frame,
}

/// What `layout.html` shows around a page.
pub struct Frame {
    /// The title of the page, without the name of the application.
    pub title: String,
    /// The name of the application, from the settings.
    pub app_title: String,
    /// The path and query string of the page itself.
    pub path: String,
    /// The search box; `None` on the search page, which has its own.
    pub search: Option<SearchBox>,
    /// The main navigation.
    pub links: Vec<NavLink>,
    /// The other links of the sidebar.
    pub sidebar: Sidebar,
    /// The user who is logged in.
    pub user: Option<UserMenu>,
    /// The number of threads in the inbox with something unread.
    pub unread: usize,
    /// The time of the running timer, such as `0:35`.
    pub timer: Option<String>,
    /// The token that forms must send; `None` for anonymous.
    pub csrf_token: Option<String>,
    /// The colours that the viewer chose.
    pub theme: Theme,
    /// The project of the page.
    pub project: Option<ProjectBar>,
    /// Links to the pages above this one, except project and home.
    pub breadcrumb: Vec<Crumb>,
    /// Links to the pages beside this one.
    pub side_nav: Option<SideNav>,
    /// A message about what the viewer just did.
    pub flash: Option<Flash>,
    /// The address of the form for a new issue, for its key.
    pub new_issue: Option<String>,
    /// The columns of the page.
    pub width: Width,
    /// The markup of texts, as in the setting `text_formatting`.
    pub markup: String,
    /// The time zone in which times are shown.
    pub zone: TimeZone,
    /// The time to which those of the last days are shown relative; `None` to show days.
    pub now: Option<Timestamp>,
}

/// The search box in the header.
pub struct SearchBox {
    /// The address that the form is sent to.
    pub path: String,
    /// The query as typed.
    pub query: String,
    /// The scope, as in the API; `None` for everything.
    pub scope: Option<&'static str>,
    /// What is searched, as a label.
    pub label: String,
    /// The address of suggestions, with the scope.
    pub suggest: String,
}

/// A link of the main navigation.
pub struct NavLink {
    /// Its text.
    pub label: &'static str,
    /// Its address.
    pub path: &'static str,
    /// The name of its icon.
    pub icon: &'static str,
    /// Whether it leads to this page or to the part of the site in which the page is.
    pub is_current: bool,
}

/// The user who is logged in.
pub struct UserMenu {
    pub id: UserId,
    pub person: Person,
}

/// The layout of the main part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// One column over the full width.
    Full,
    /// A wide column and a column of facts at the right.
    TwoColumns,
    /// One column for forms and lists.
    Medium,
    /// One column for text.
    Narrow,
    /// One column for a small form.
    Slim,
}

impl Width {
    /// Returns the CSS class.
    pub fn class(self) -> &'static str {
        match self {
            Width::Full => "",
            Width::TwoColumns => "two",
            Width::Medium => "medium",
            Width::Narrow => "narrow",
            Width::Slim => "slim",
        }
    }
}

impl Frame {
    /// Returns the markup before the content of the page.
    pub fn header(&self) -> Header<'_> {
        Header { frame: self }
    }

    /// Returns the frame of a page with this title.
    pub fn new(request: &RequestContext, db: &Read<'_>, title: impl Into<String>) -> Frame {
        let frame = Frame::with_cookies(
            db.catalogue(),
            request.viewer(),
            |name| request.cookie(name).map(str::to_owned),
            request.path_and_query(),
            title.into(),
        );
        let now = request.app.clock.now();
        // A page does not fail because of its header.
        let unread = inbox::count_unread(db, request.viewer()).unwrap_or(0);
        let timer = timers::find(db, request.viewer()).ok().flatten();
        Frame {
            csrf_token: request.csrf_token(),
            unread,
            sidebar: Sidebar::load(db, request.viewer(), &frame.path),
            timer: timer.map(|timer| timer.elapsed(now)),
            now: Some(now),
            ..frame
        }
    }

    /// Returns the frame for a viewer, where there is no request context: for error pages.
    pub fn with_cookies(
        catalogue: &Catalogue,
        viewer: &Viewer,
        cookie: impl Fn(&str) -> Option<String>,
        path: String,
        title: String,
    ) -> Frame {
        let user = viewer.user.and_then(|id| catalogue.users.get(&id));
        let link = |label, target, icon| NavLink {
            label,
            path: target,
            icon,
            is_current: is_current(&path, target),
        };
        let mut links = vec![
            link("Projects", "/projects", "project"),
            link("Issues", "/issues", "issue"),
            link("Activity", "/activity", "changeset"),
        ];
        if viewer.may_somewhere(Permission::ViewTimeEntries) {
            links.push(link("Time", "/time_entries", "time"));
        }
        if user.is_some() {
            links.insert(0, link("My page", "/my/page", "user"));
        }
        if viewer.admin {
            links.push(link("Administration", "/admin", "settings"));
        }
        Frame {
            title,
            app_title: catalogue.setting(Setting::AppTitle).to_owned(),
            search: Some(SearchBox::everywhere()),
            links,
            user: user.map(|user| UserMenu {
                id: user.id,
                person: Person::with_picture(viewer, catalogue, user.id.into()),
            }),
            unread: 0,
            sidebar: Sidebar::default(),
            timer: None,
            csrf_token: None,
            theme: Theme::from_cookie(cookie(THEME_COOKIE).as_deref()),
            project: None,
            breadcrumb: Vec::new(),
            side_nav: None,
            flash: cookie(FLASH_COOKIE).and_then(|value| Flash::from_cookie(&value)),
            new_issue: (user.is_some() && viewer.may_somewhere(Permission::AddIssues))
                .then(|| "/issues/new".to_owned()),
            width: Width::Full,
            markup: catalogue.setting(Setting::TextFormatting).to_owned(),
            zone: time_zone::for_user(catalogue, user.map(|user| user.id)),
            now: None,
            path,
        }
    }

    /// Returns the title of the window: the title of the page, the name of its project and the title
    /// of the installation. The project is left out where the title of the page is its name or ends
    /// with it.
    pub fn window_title(&self) -> String {
        let project = self.project.as_ref().map(|project| project.name.as_str());
        let is_named = |name: &str| {
            let ends = [format!(" – {name}"), format!(" · {name}")];
            self.title == name || ends.iter().any(|end| self.title.ends_with(end))
        };
        let project = project.filter(|name| !is_named(name));
        let parts = [Some(self.title.as_str()), project, Some(&self.app_title)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" – ")
    }

    /// Adds the project bar, and limits the search box to the project and its subprojects.
    #[must_use]
    pub fn in_project(
        mut self,
        db: &Read<'_>,
        viewer: &Viewer,
        project: &Project,
        current: Option<ProjectTab>,
    ) -> Frame {
        self.project = Some(ProjectBar::new(db, viewer, project, current));
        // The tabs of the project say where one is.
        for link in &mut self.links {
            link.is_current = false;
        }
        self.search = Some(SearchBox::in_project(project));
        if self.new_issue.is_some() && viewer.may(Permission::AddIssues, project.id) {
            self.new_issue = Some(format!("{}/issues/new", paths::project(project)));
        }
        // The tab of the project is the current one.
        self.links
            .iter_mut()
            .for_each(|link| link.is_current = false);
        self
    }

    /// Returns the frame of a page in a project, or of the same page for all projects.
    pub fn in_optional_project(
        request: &RequestContext,
        db: &Read<'_>,
        title: &str,
        project: Option<&Project>,
        tab: ProjectTab,
    ) -> Frame {
        let Some(project) = project else {
            return Frame::new(request, db, title);
        };
        Frame::new(request, db, format!("{title} · {}", project.name)).in_project(
            db,
            request.viewer(),
            project,
            Some(tab),
        )
    }

    /// Adds a link to a page above this one.
    #[must_use]
    pub fn below(mut self, label: impl Into<String>, path: impl Into<String>) -> Frame {
        self.breadcrumb.push(Crumb {
            label: label.into(),
            path: path.into(),
        });
        self
    }

    /// Adds links to the pages beside this one.
    #[must_use]
    pub fn with_side_nav(self, nav: SideNav) -> Frame {
        Frame {
            side_nav: Some(nav),
            ..self
        }
    }

    /// Changes the layout of the main part.
    #[must_use]
    pub fn with_width(self, width: Width) -> Frame {
        Frame { width, ..self }
    }

    /// Removes the search box, for a page that has its own.
    #[must_use]
    pub fn without_search(self) -> Frame {
        Frame {
            search: None,
            ..self
        }
    }

    /// Returns the number of unread threads as the header shows it; `None` for none.
    pub fn unread_label(&self) -> Option<String> {
        match self.unread {
            0 => None,
            inbox::MAX_COUNTED.. => Some(format!("{}+", inbox::MAX_COUNTED)),
            count => Some(count.to_string()),
        }
    }

    /// Returns the address of the palette of this page. Only lists depend on their query string.
    pub fn palette_path(&self) -> String {
        let path = self.path.split('?').next().unwrap_or_default();
        let mut ends = ["/issues", "/board", "/calendar", "/gantt"].iter();
        let is_list = ends.any(|end| path.ends_with(end)) && self.path.len() <= MAX_LIST_ADDRESS;
        let from = if is_list { &self.path } else { path };
        format!("/palette?from={}", paths::encode(from))
    }

    /// Returns the address of the login page, which leads back to this page.
    pub fn login_path(&self) -> String {
        paths::login(&self.path)
    }
}

fn is_current(path: &str, section: &str) -> bool {
    path.strip_prefix(section)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
}

impl SearchBox {
    /// The box that searches everything.
    pub fn everywhere() -> SearchBox {
        SearchBox {
            path: "/search".to_owned(),
            query: String::new(),
            scope: None,
            label: "Search everything".to_owned(),
            suggest: "/search/suggest".to_owned(),
        }
    }

    fn in_project(project: &Project) -> SearchBox {
        let identifier = paths::encode(&project.identifier);
        SearchBox {
            path: format!("/projects/{identifier}/search"),
            query: String::new(),
            scope: Some("subprojects"),
            label: format!("Search in {}", project.name),
            suggest: format!("/search/suggest?id={identifier}&scope=subprojects"),
        }
    }
}
