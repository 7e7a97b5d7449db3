//! The drawing next to the table of a Gantt chart: bars by dates, with the part that is done.

use super::rows::Row;
use super::scale::{Scale, days};
use crate::issues::dates::months::Months;
use jiff::civil::{Date, Weekday};
use quarry_domain::ids::IssueId;
use quarry_domain::issues::issue::Issue;
use quarry_domain::values::text::shorten;
use std::collections::HashMap;

/// Height of a row, as in the style sheet.
const ROW: i64 = 28;
/// Height of the scale above the rows, as in the style sheet.
const HEAD: i64 = 44;
/// Height of a bar.
const BAR: i64 = 14;
/// Height of the bar of a parent.
const PARENT_BAR: i64 = 6;
/// How much space a label next to a bar needs.
const LABEL: i64 = 110;
/// Maximum number of lines between bars.
const MAX_LINES: usize = 200;

/// The drawing.
pub struct Chart {
    pub width: i64,
    pub height: i64,
    /// The width of a day.
    pub day_width: i64,
    /// The months: where each begins, and its name.
    pub months: Vec<(i64, String)>,
    /// The weeks: where each begins, and the day of its month.
    pub weeks: Vec<(i64, String)>,
    /// Where today is.
    pub today: Option<i64>,
    /// The upper edges of rows with a heading.
    pub headings: Vec<i64>,
    pub bars: Vec<Bar>,
    /// The due dates of versions.
    pub diamonds: Vec<Diamond>,
    /// The lines between issues: the path, and whether one blocks the other.
    pub lines: Vec<(String, bool)>,
}

/// The bar of an issue.
pub struct Bar {
    pub issue: IssueId,
    /// The upper edge of its row.
    pub row: i64,
    pub x: i64,
    /// The upper edge, below that of the row.
    pub y: i64,
    pub width: i64,
    pub height: i64,
    /// The width of the part that is done.
    pub done: i64,
    pub state: BarState,
    pub label: String,
    pub label_x: i64,
    /// Whether the label stands before the bar.
    pub is_label_before: bool,
}

/// What the look of a bar says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarState {
    Open,
    /// Open after the due date.
    Late,
    Closed,
}

impl BarState {
    /// Returns the state of an issue.
    pub fn new(issue: &Issue, is_closed: bool, today: Date) -> BarState {
        match issue.due_date {
            _ if is_closed => BarState::Closed,
            Some(due) if due < today => BarState::Late,
            _ => BarState::Open,
        }
    }

    /// Returns the class.
    pub fn class(self) -> &'static str {
        match self {
            BarState::Open => "bar",
            BarState::Late => "bar late",
            BarState::Closed => "bar closed",
        }
    }

    /// Whether it is late.
    pub fn is_late(self) -> bool {
        self == BarState::Late
    }
}

/// The due date of a version.
pub struct Diamond {
    /// The corners.
    pub points: String,
    pub label: String,
    pub label_x: i64,
    pub label_y: i64,
    /// Whether the label stands before it.
    pub is_label_before: bool,
}

/// A line from the end of an issue to the start of another one.
pub struct Line {
    pub from: IssueId,
    pub to: IssueId,
    /// Whether it blocks the other one.
    pub is_block: bool,
}

/// What a chart is drawn from besides its rows.
pub struct ChartContext<'a> {
    pub months: Months,
    pub today: Date,
    pub first_weekday: Weekday,
    /// The state of an issue, and its done ratio.
    pub state: &'a dyn Fn(&Issue) -> (BarState, i64),
}

impl Chart {
    /// Draws these rows, and lines between them.
    pub fn new(rows: &[Row<'_>], lines: &[Line], context: &ChartContext<'_>) -> Chart {
        let scale = Scale::new(context.months);
        let mut chart = Chart {
            width: scale.width(),
            day_width: scale.day,
            height: HEAD + i64::try_from(rows.len()).unwrap_or(0) * ROW,
            months: scale.months(),
            weeks: scale.weeks(context.first_weekday),
            today: scale
                .contains(context.today)
                .then(|| scale.x(context.today) + scale.day / 2),
            headings: Vec::new(),
            bars: Vec::new(),
            diamonds: Vec::new(),
            lines: Vec::new(),
        };
        let mut positions = HashMap::new();
        for (row, y) in rows.iter().zip((HEAD..).step_by(28)) {
            match row {
                Row::Project(_) => chart.headings.push(y),
                Row::Version(version) => {
                    chart.headings.push(y);
                    let due = version.due_date.filter(|due| scale.contains(*due));
                    let diamond = due.map(|due| diamond(&scale, due, y, &version.name));
                    chart.diamonds.extend(diamond);
                }
                Row::Issue {
                    issue, is_parent, ..
                } => {
                    let state = (context.state)(issue);
                    if let Some(bar) = bar(&scale, issue, state, *is_parent, y) {
                        positions.insert(issue.id, (*issue, y + ROW / 2));
                        chart.bars.push(bar);
                    }
                }
            }
        }
        let paths = lines.iter().filter_map(|line| {
            let path = path(&scale, positions.get(&line.from)?, positions.get(&line.to)?)?;
            Some((path, line.is_block))
        });
        chart.lines = paths.take(MAX_LINES).collect();
        chart
    }

    /// Returns the height of the scale.
    pub fn head(&self) -> i64 {
        HEAD
    }

    /// Returns the height of a row.
    pub fn row(&self) -> i64 {
        ROW
    }
}

/// Returns where a label stands: after a shape, or before it where there is no space.
fn label_position(scale: &Scale, before: i64, after: i64) -> (i64, bool) {
    let is_before = after + LABEL > scale.width() && before > LABEL;
    (if is_before { before - 4 } else { after + 4 }, is_before)
}

/// Returns the bar of an issue. With one date only, it is as wide as a day.
fn bar(
    scale: &Scale,
    issue: &Issue,
    (state, percent): (BarState, i64),
    is_parent: bool,
    row: i64,
) -> Option<Bar> {
    let start = issue.start_date.or(issue.due_date)?;
    let due = issue.due_date.or(issue.start_date)?.max(start);
    if due < scale.from || start > scale.to {
        return None;
    }
    let x = scale.x(start.max(scale.from));
    let end = scale.x(due.min(scale.to)) + scale.day;
    let width = (end - x).max(3);
    // The part that is done begins at the start, which may be before the first day.
    let full_width = (days(start, due) + 1) * scale.day;
    let done = scale.x(start) + full_width * percent / 100 - x;
    let height = if is_parent { PARENT_BAR } else { BAR };
    let (label_x, is_label_before) = label_position(scale, x, x + width);
    let overdue = if state.is_late() { ", overdue" } else { "" };
    Some(Bar {
        issue: issue.id,
        row,
        x,
        y: (ROW - height) / 2,
        width,
        height,
        done: done.clamp(0, width),
        state,
        label: format!("#{} {percent} %{overdue}", issue.id),
        label_x,
        is_label_before,
    })
}

fn diamond(scale: &Scale, due: Date, y: i64, name: &str) -> Diamond {
    // The end of the day, as for bars.
    let x = scale.x(due) + scale.day;
    let y = y + ROW / 2;
    let (label_x, is_label_before) = label_position(scale, x - 7, x + 7);
    Diamond {
        points: format!("{},{y} {x},{} {},{y} {x},{}", x - 7, y - 7, x + 7, y + 7),
        label: shorten(name, 20),
        label_x,
        label_y: y + 4,
        is_label_before,
    }
}

/// Returns the line from the end of an issue to the start of another one; `None` if one of them is
/// outside of the drawing.
fn path(scale: &Scale, from: &(&Issue, i64), to: &(&Issue, i64)) -> Option<String> {
    let end = from.0.due_date.or(from.0.start_date)?;
    let start = to.0.start_date.or(to.0.due_date)?;
    if !scale.contains(end) || !scale.contains(start) {
        return None;
    }
    let x1 = scale.x(end) + scale.day;
    let y1 = from.1;
    let x2 = scale.x(start);
    let y2 = to.1;
    Some(if x2 >= x1 + 8 {
        format!("M{x1} {y1}h4V{y2}H{x2}")
    } else {
        // Around the row of the other one.
        let between = if y2 > y1 { y2 - ROW / 2 } else { y2 + ROW / 2 };
        format!("M{x1} {y1}h4V{between}H{}V{y2}h6", x2 - 6)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(month: i8, day: i8) -> Date {
        Date::constant(2026, month, day)
    }

    fn issue(id: i64, start: Option<Date>, due: Option<Date>) -> Issue {
        Issue {
            id: IssueId(id),
            start_date: start,
            due_date: due,
            ..Issue::default()
        }
    }

    fn chart(issues: &[Issue], lines: &[Line], percent: i64) -> Chart {
        let rows: Vec<Row<'_>> = issues
            .iter()
            .map(|issue| Row::Issue {
                issue,
                depth: 0,
                is_parent: false,
            })
            .collect();
        let context = ChartContext {
            months: Months {
                first: date(11, 1),
                count: 1,
            },
            today: date(11, 20),
            first_weekday: Weekday::Monday,
            state: &|issue| (BarState::new(issue, false, date(11, 20)), percent),
        };
        Chart::new(&rows, lines, &context)
    }

    #[test]
    fn bars_end_at_the_edges_of_the_drawing() {
        let issues = [
            issue(1, Some(date(11, 2)), Some(date(11, 3))),
            issue(2, Some(date(10, 22)), Some(date(11, 10))),
            issue(3, None, Some(date(11, 30))),
            issue(4, Some(date(10, 1)), Some(date(12, 31))),
            issue(5, Some(date(12, 1)), Some(date(12, 2))),
        ];
        let chart = chart(&issues, &[], 60);
        // A day is 21 wide.
        assert_eq!(chart.width, 630);
        assert_eq!(chart.today, Some(19 * 21 + 10));
        let bars: Vec<(i64, i64, i64, &str)> = chart
            .bars
            .iter()
            .map(|bar| (bar.x, bar.width, bar.done, bar.label.as_str()))
            .collect();
        assert_eq!(
            bars,
            [
                (21, 42, 25, "#1 60 %, overdue"),
                (0, 210, 42, "#2 60 %, overdue"),
                (609, 21, 12, "#3 60 %"),
                (0, 630, 508, "#4 60 %"),
            ]
        );
        assert!(chart.bars[2].is_label_before);
        assert_eq!(chart.weeks[0], (21, "2".to_owned()));
    }

    #[test]
    fn lines_join_the_end_of_one_bar_to_the_start_of_another() {
        let issues = [
            issue(1, Some(date(11, 1)), Some(date(11, 2))),
            issue(2, Some(date(11, 5)), Some(date(11, 6))),
            issue(3, Some(date(10, 5)), Some(date(11, 6))),
        ];
        let line = |from, to| Line {
            from: IssueId(from),
            to: IssueId(to),
            is_block: from == 2,
        };
        let chart = chart(
            &issues,
            &[line(1, 2), line(2, 1), line(1, 3), line(1, 9)],
            0,
        );
        assert_eq!(
            chart.lines,
            [
                ("M42 58h4V86H84".to_owned(), false),
                ("M126 86h4V72H-6V58h6".to_owned(), true),
            ]
        );
    }
}
