//! The views of the issues of a list: board, calendar and Gantt chart. They take the parameters of the
//! list, so that links lead from one to another.

/// A view: the end of its path below the list, and its label.
pub type View = (&'static str, &'static str);

pub const BOARD: View = ("/board", "Board");
pub const CALENDAR: View = ("/calendar", "Calendar");
pub const GANTT: View = ("/gantt", "Gantt");

/// Returns all views but this one; all without one.
pub fn other_views(current: Option<View>) -> impl Iterator<Item = View> {
    let views = [BOARD, CALENDAR, GANTT].into_iter();
    views.filter(move |view| Some(*view) != current)
}
