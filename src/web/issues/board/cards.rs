//! The cards of a board.

use super::columns::{COLUMNS, LANES};
use crate::components::avatar::Person;
use crate::prelude::*;
use jiff::civil::Date;
use quarry_actions::issues::card_moves::may_move;
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::values::text::date;
use quarry_http::resources::board_cells::BoardFields;

/// Maximum length of the address to which a move leads back.
const MAX_BACK: usize = 500;

/// An issue on a board.
pub struct Card {
    pub id: i64,
    pub tracker: String,
    pub subject: String,
    pub priority: String,
    /// Whether the priority is above the default.
    pub is_urgent: bool,
    pub assignee: Option<Person>,
    /// The due date of an open issue.
    pub due: Option<String>,
    pub is_late: bool,
    /// The address of the page that moves it, if the viewer may.
    pub move_path: Option<String>,
}

/// What all cards of a board need.
pub struct CardContext<'a> {
    pub request: &'a RequestContext,
    pub catalogue: &'a Catalogue,
    pub fields: BoardFields,
    pub today: Date,
}

impl CardContext<'_> {
    /// Returns the card of an issue.
    pub fn card(&self, issue: &Issue) -> Card {
        let catalogue = self.catalogue;
        let viewer = self.request.viewer();
        let tracker = catalogue.tracker(issue.tracker);
        let priority = catalogue.enumeration(issue.priority);
        let default = catalogue.default_enumeration(EnumerationKind::IssuePriority);
        let may_move = may_move(catalogue, viewer, issue);
        let due = issue.due_date.filter(|_| issue.closed_on.is_none());
        Card {
            id: issue.id.0,
            tracker: tracker.map_or_else(String::new, |tracker| tracker.name.clone()),
            subject: issue.subject.clone(),
            priority: priority.map_or_else(String::new, |priority| priority.name.clone()),
            is_urgent: priority
                .zip(default)
                .is_some_and(|(own, default)| own.position > default.position),
            assignee: issue
                .assignee
                .map(|id| Person::with_picture(viewer, catalogue, id)),
            is_late: due.is_some_and(|due| due < self.today),
            due: due.map(date),
            move_path: may_move.then(|| self.move_path(issue)),
        }
    }

    fn move_path(&self, issue: &Issue) -> String {
        let (columns, lanes) = self.fields;
        let lanes = lanes.map(|field| format!("&{LANES}={}", field.name()));
        format!(
            "{}/move_card?{COLUMNS}={}{}&back={}",
            paths::issue(issue.id),
            columns.name(),
            lanes.unwrap_or_default(),
            paths::encode(&self.back())
        )
    }

    /// Returns the address to which a move leads back. Without the filters if it is long: each card
    /// has it.
    fn back(&self) -> String {
        let address = self.request.path_and_query();
        if address.len() <= MAX_BACK {
            return address;
        }
        let path = address.split('?').next().unwrap_or_default();
        let (columns, lanes) = self.fields;
        let lanes = lanes.map(|field| format!("&{LANES}={}", field.name()));
        let lanes = lanes.unwrap_or_default();
        format!("{path}?{COLUMNS}={}{lanes}", columns.name())
    }
}
