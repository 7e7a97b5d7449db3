//! Issues by their dates: the calendar and the Gantt chart.

pub(super) mod calendar;
mod dated_view;
pub(super) mod gantt;
mod months;
