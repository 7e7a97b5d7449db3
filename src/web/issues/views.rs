//! The views of the issues of a list: as rows, on a board, in a calendar, as a Gantt chart. They take
//! the parameters of the list, so that links lead from one to another.

use crate::components::tabs::Tab;

/// A view.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum View {
    List,
    Board,
    Calendar,
    Gantt,
}

impl View {
    /// All views.
    pub const ALL: [View; 4] = [View::List, View::Board, View::Calendar, View::Gantt];

    /// Returns its name.
    pub fn label(self) -> &'static str {
        match self {
            View::List => "List",
            View::Board => "Board",
            View::Calendar => "Calendar",
            View::Gantt => "Gantt",
        }
    }

    /// Returns the end of its path, after that of the list.
    pub fn path_end(self) -> &'static str {
        match self {
            View::List => "",
            View::Board => "/board",
            View::Calendar => "/calendar",
            View::Gantt => "/gantt",
        }
    }

    /// Returns the bar on the page of this view, which leads to the others. `query_string` returns
    /// the parameters of a view, `path` is that of the list.
    pub fn bar(self, path: &str, query_string: impl Fn(View) -> String) -> Vec<Tab> {
        let tab = |view: View| {
            let address = format!("{path}{}{}", view.path_end(), query_string(view));
            Tab::new(view.label(), address, view == self)
        };
        View::ALL.into_iter().map(tab).collect()
    }
}
