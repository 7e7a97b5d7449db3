//! A page with one list: a table that becomes cards on narrow screens.

use super::avatar::Person;
use super::pager::Pager;
use super::tabs::Tab;
use super::time::Moment;
use super::watch::WatchButton;
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;

/// A link.
#[derive(Clone, Debug)]
pub struct Link {
    pub label: String,
    pub path: String,
}

impl Link {
    /// Creates a link.
    pub fn new(label: impl Into<String>, path: impl Into<String>) -> Link {
        Link {
            label: label.into(),
            path: path.into(),
        }
    }
}

/// The buttons that move a record up and down in its list. They send its new position to the form
/// of the record.
#[derive(Clone, Debug)]
pub struct Order {
    /// Where the form of the record is sent.
    action: String,
    /// The name of the position in the form.
    field: String,
    /// The position after a move up; `None` for the first record.
    up: Option<usize>,
    /// The position after a move down; `None` for the last record.
    down: Option<usize>,
}

/// A cell of a row.
pub enum Cell {
    Text(String),
    Number(i64),
    /// A link to the record, with words behind it such as `Default`.
    Record(Link, Vec<String>),
    /// A number of records, and the page that lists them.
    Count(i64, String),
    Person(Person),
    Moment(Option<Moment>),
    /// Who did something last, when, and the address where it is.
    Event(Option<Person>, Moment, String),
    /// Whether something is the case.
    Check(bool),
    Links(Vec<Link>),
    Order(Order),
}

/// A column.
pub struct Column {
    label: &'static str,
    /// Whether its heading is for screen readers only.
    is_hidden: bool,
    is_number: bool,
}

/// One of several lists on a page.
pub struct ListSection {
    /// The heading; empty if the page has one list.
    pub title: String,
    /// What the list is about.
    pub hint: String,
    /// The button for a new record.
    pub button: Option<Link>,
    pub rows: Vec<Vec<Cell>>,
}

/// What an empty list says, and the way out of it.
struct Empty {
    title: &'static str,
    hint: &'static str,
}

/// The page.
#[derive(Template)]
#[template(path = "components/list_page/list_page.html")]
pub struct ListPage {
    frame: Frame,
    title: String,
    /// The number of records; `None` for a list of something else.
    total: Option<i64>,
    /// What the list is about.
    introduction: String,
    /// Buttons above the list, the first for a new record.
    buttons: Vec<Link>,
    /// Links to the same list of other records.
    tabs: Vec<Tab>,
    /// The button that watches the list.
    watch_button: Option<WatchButton>,
    columns: Vec<Column>,
    sections: Vec<ListSection>,
    empty: Empty,
    pager: Option<Pager>,
    json: Option<String>,
}

impl ListPage {
    /// Creates a page with these columns. Its heading is the title of the frame. An empty label is
    /// the column of links; `#` begins the label of a column of numbers.
    pub fn new(frame: Frame, columns: &[&'static str], rows: Vec<Vec<Cell>>) -> ListPage {
        let section = ListSection {
            title: String::new(),
            hint: String::new(),
            button: None,
            rows,
        };
        ListPage::with_sections(frame, columns, vec![section])
    }

    /// Creates a page with several lists that have the same columns.
    pub fn with_sections(
        frame: Frame,
        columns: &[&'static str],
        sections: Vec<ListSection>,
    ) -> ListPage {
        let total: usize = sections.iter().map(|section| section.rows.len()).sum();
        let columns = columns.iter().map(|label| Column {
            label: if label.is_empty() {
                "Changes"
            } else {
                label.trim_start_matches('#')
            },
            is_hidden: label.is_empty(),
            is_number: label.starts_with('#'),
        });
        let frame = if frame.width == Width::Full {
            frame.with_width(Width::Medium)
        } else {
            frame
        };
        ListPage {
            title: frame.title.clone(),
            frame,
            total: i64::try_from(total).ok(),
            introduction: String::new(),
            buttons: Vec::new(),
            tabs: Vec::new(),
            watch_button: None,
            columns: columns.collect(),
            sections,
            empty: Empty {
                title: "There is nothing here yet.",
                hint: "",
            },
            pager: None,
            json: None,
        }
    }

    /// Sets the heading where it differs from the title of the frame.
    #[must_use]
    pub fn with_heading(self, title: impl Into<String>) -> ListPage {
        ListPage {
            title: title.into(),
            ..self
        }
    }

    /// Adds a sentence about the list.
    #[must_use]
    pub fn with_introduction(self, text: impl Into<String>) -> ListPage {
        ListPage {
            introduction: text.into(),
            ..self
        }
    }

    /// Adds a button above the list. An empty list has the first one, too.
    #[must_use]
    pub fn with_button(mut self, label: impl Into<String>, path: impl Into<String>) -> ListPage {
        self.buttons.push(Link::new(label, path));
        self
    }

    /// Adds links to the same list of other records.
    #[must_use]
    pub fn with_tabs(self, tabs: Vec<Tab>) -> ListPage {
        ListPage { tabs, ..self }
    }

    /// Adds the button that watches the list.
    #[must_use]
    pub fn with_watch_button(self, watch_button: Option<WatchButton>) -> ListPage {
        ListPage {
            watch_button,
            ..self
        }
    }

    /// Changes what an empty list says.
    #[must_use]
    pub fn with_empty(self, title: &'static str, hint: &'static str) -> ListPage {
        ListPage {
            empty: Empty { title, hint },
            ..self
        }
    }

    /// Adds links to the other pages of a list with this number of records.
    #[must_use]
    pub fn with_pager(self, pager: Pager, total: i64) -> ListPage {
        ListPage {
            pager: Some(pager),
            total: Some(total),
            ..self
        }
    }

    /// Shows no number of records.
    #[must_use]
    pub fn without_total(self) -> ListPage {
        ListPage {
            total: None,
            ..self
        }
    }

    /// Adds a link to the same list for programs.
    #[must_use]
    pub fn with_json(self, path: impl Into<String>) -> ListPage {
        ListPage {
            json: Some(path.into()),
            ..self
        }
    }

    /// Renders the page.
    pub fn render(self) -> Result<Reply, Error> {
        render(&self.frame, &self)
    }
}

impl Cell {
    /// Returns a link to a record.
    pub fn record(label: impl Into<String>, path: impl Into<String>) -> Cell {
        Cell::Record(Link::new(label, path), Vec::new())
    }

    /// Returns the buttons that move the record at `index`, from 0, in a list of `count`.
    pub fn order(action: String, object: &str, index: usize, count: usize) -> Cell {
        Cell::Order(Order {
            action,
            field: format!("{object}[position]"),
            up: (index > 0).then_some(index),
            down: (index + 1 < count).then_some(index + 2),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_move_by_one_position() {
        let moves = |index| match Cell::order("/trackers/1/edit".to_owned(), "tracker", index, 3) {
            Cell::Order(order) => (order.up, order.down),
            _ => unreachable!(),
        };
        assert_eq!(moves(0), (None, Some(2)));
        assert_eq!(moves(1), (Some(1), Some(3)));
        assert_eq!(moves(2), (Some(2), None));
    }
}
