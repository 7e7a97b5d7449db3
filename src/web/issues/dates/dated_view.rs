//! What the calendar and the Gantt chart have in common: the issues of a list by their dates, and the
//! head of the page with the filters of the list and links to other months.

use super::months;
use super::months::Months;
use crate::access;
use crate::components::tabs::Tab;
use crate::frame::{Frame, ProjectTab};
use crate::issues::list::{FilterBox, ListFilters, based_on};
use crate::issues::views::View;
use crate::prelude::*;
use crate::queries::{ListAddress, list_path};
use jiff::civil::Date;
use quarry_domain::access::visibility;
use quarry_domain::projects::version::Version;
use quarry_domain::values::stable_sort::StableSort;
use quarry_http::resources::issue_list::IssueList;

/// A list of issues whose dates a page shows.
pub struct DatedView<'a> {
    pub request: &'a RequestContext,
    pub db: &'a Read<'a>,
    pub project: Option<&'a Project>,
    pub list: IssueList,
    /// Why the text of the list cannot be searched for; the list is without it.
    pub text_error: Option<Error>,
    /// The parameters of the list, without the months.
    pub address: ListAddress,
    /// The path of the list.
    pub path: String,
    /// The day in the time zone of the viewer.
    pub today: Date,
}

/// The head of the page.
pub struct ViewHead {
    /// The months that it shows.
    pub period: String,
    /// The address of the page without parameters.
    pub path: String,
    /// The address of the list.
    pub list_path: String,
    /// The view of the page, and the views of the list.
    pub view: View,
    pub views: Vec<Tab>,
    /// The tabs of open, closed and all issues.
    pub tabs: Vec<Tab>,
    /// All other filters.
    pub filter_box: FilterBox,
    /// The months before: label and address.
    pub previous: Option<(String, String)>,
    /// The months after.
    pub next: Option<(String, String)>,
    /// The address for the current month.
    pub today_path: String,
    /// The parameters of the list, for the hidden fields of the form.
    pub hidden: Vec<(String, String)>,
    /// The choices of months: number, name, and whether it is the first one that is shown.
    pub month_choices: Vec<(i8, String, bool)>,
    pub year: i16,
    /// How many months are shown; `None` where that cannot be chosen.
    pub count: Option<i8>,
}

impl ViewHead {
    /// The first year that can be chosen.
    pub fn min_year(&self) -> i16 {
        *months::YEARS.start()
    }

    /// The last year that can be chosen.
    pub fn max_year(&self) -> i16 {
        *months::YEARS.end()
    }

    /// The maximum number of months.
    pub fn max_count(&self) -> i8 {
        *months::COUNTS.end()
    }
}

impl<'a> DatedView<'a> {
    /// Parses the parameters of the list.
    pub fn parse(request: &'a RequestContext, db: &'a Read<'_>) -> Result<DatedView<'a>, Error> {
        let catalogue = db.catalogue();
        let project = access::optional_project(request, catalogue, Permission::ViewIssues)?;
        let (list, text_error) = access::found(request, IssueList::parse_for_page(request, db))?;
        let address = months::PARAMETERS
            .iter()
            .fold(ListAddress::new(request), |address, name| {
                address.set(name, None)
            });
        Ok(DatedView {
            request,
            db,
            project,
            address,
            path: list_path(catalogue, project.map(|project| project.id)),
            today: list.context.calendar.today,
            list,
            text_error,
        })
    }

    /// Sets the status of the page, if the text of the list cannot be searched for.
    pub fn with_status(&self, reply: Reply) -> Reply {
        match &self.text_error {
            Some(error) => reply.with_status(error.status()),
            None => reply,
        }
    }

    /// Returns the frame of the page.
    pub fn frame(&self, title: &str) -> Frame {
        Frame::in_optional_project(
            self.request,
            self.db,
            title,
            self.project,
            ProjectTab::Issues,
        )
    }

    /// Returns the head of this view. The number of months can be chosen unless there
    /// is one only.
    pub fn head(&self, view: View, shown: Months, has_count: bool) -> Result<ViewHead, Error> {
        let request = self.request;
        let address = ListAddress::new(request);
        let based_on = based_on(request, self.db, &self.list)?;
        let filters = ListFilters::new(
            request,
            self.db.catalogue(),
            &self.list,
            &address,
            based_on.as_ref(),
        )?;
        let step = |months: i8| {
            let moved = shown.moved_by(months);
            let link = || (moved.short_label(), self.link(Some(moved), has_count));
            moved.is_in_range().then(link)
        };
        let path = format!("{}{}", self.path, view.path_end());
        let text_error = self.text_error.as_ref();
        let filter_box =
            FilterBox::new(path.clone(), self.project, &self.list, &filters, text_error);
        Ok(ViewHead {
            period: shown.label(),
            path,
            filter_box: filter_box.without_forms(),
            list_path: self.list_address(&self.address),
            view,
            views: view.bar(&self.path, |other| match other {
                View::List => self.address.first_page(),
                // A board has no months.
                View::Board => self.link(None, false),
                _ => self.link(Some(shown), has_count && other == view),
            }),
            tabs: filters.tabs,
            previous: step(-shown.count),
            next: step(shown.count),
            today_path: self.today_link(has_count.then_some(shown.count)),
            hidden: self.address.hidden_fields(),
            month_choices: (1..=12).map(|month| month_choice(month, shown)).collect(),
            year: shown.first.year(),
            count: has_count.then_some(shown.count),
        })
    }

    /// Returns the query string of the view for these months, or for the current one.
    fn link(&self, months: Option<Months>, has_count: bool) -> String {
        let first = months.map(|months| months.first);
        let year = first.map(|first| first.year().to_string());
        let month = first.map(|first| first.month().to_string());
        let count = months.filter(|_| has_count);
        let count = count.map(|months| months.count.to_string());
        self.address.with(&[
            ("page", None),
            ("offset", None),
            ("year", year.as_deref()),
            ("month", month.as_deref()),
            ("months", count.as_deref()),
        ])
    }

    /// Returns the query string of the view for the current month, with as many months.
    fn today_link(&self, count: Option<i8>) -> String {
        let count = count.map(|count| count.to_string());
        self.address.with(&[
            ("page", None),
            ("offset", None),
            ("months", count.as_deref()),
        ])
    }

    /// Returns the address of the list with these parameters.
    pub fn list_address(&self, address: &ListAddress) -> String {
        format!("{}{}", self.path, address.first_page())
    }

    /// Returns the versions of the projects of the list that are due in this period and that the
    /// viewer may see, by their due dates.
    pub fn versions(&self, from: Date, to: Date) -> Vec<(Date, &'a Version)> {
        let catalogue = self.db.catalogue();
        let projects = self.list.projects(catalogue);
        let is_in_scope = |version: &Version| {
            let (Some(root), Some(projects)) = (self.list.project, &projects) else {
                return true;
            };
            projects.contains(&version.project) || catalogue.is_shared_with(version, root)
        };
        let versions = visibility::versions(self.request.viewer(), catalogue);
        let mut versions: Vec<(Date, &Version)> = versions
            .filter(|version| is_in_scope(version))
            .filter_map(|version| Some((version.due_date?, version)))
            .filter(|(due, _)| (from..=to).contains(due))
            .collect();
        versions.stable_sort_by_key(|(due, version)| (*due, version.id));
        versions
    }
}

fn month_choice(month: i8, shown: Months) -> (i8, String, bool) {
    let name = Date::new(2000, month, 1).map_or_else(
        |_| month.to_string(),
        |first| first.strftime("%B").to_string(),
    );
    (month, name, month == shown.first.month())
}
