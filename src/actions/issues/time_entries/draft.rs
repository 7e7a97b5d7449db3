//! A draft of a time entry: applies the requested attributes one by one.

use crate::administration::custom_values;
use crate::prelude::*;
use jiff::civil::Date;
use quarry_domain::administration::custom_field::{CustomField, Customized, Values};
use quarry_domain::ids::EnumerationId;
use quarry_domain::issues::hours;
use quarry_domain::issues::time_entry::{TimeEntry, TimeEntryChange, round};
use quarry_domain::values::text::is_blank;

/// The activity of a draft without an activity.
pub const NO_ACTIVITY: EnumerationId = EnumerationId(0);

/// The time entry after the change, and the fields with invalid values.
pub struct Draft {
    pub entry: TimeEntry,
    /// Its values of custom fields.
    pub values: Values,
    /// The fields with invalid values.
    pub invalid: InvalidFields,
}

/// Why a value is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidReason {
    /// It is blank.
    Blank,
    /// It cannot be parsed or is out of range.
    Invalid,
}

/// The fields whose requested values are invalid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InvalidFields {
    /// There is no project.
    pub no_project: bool,
    /// There is no such project, or time cannot be logged in it.
    pub project: bool,
    /// There is no such issue in the project.
    pub issue: bool,
    /// There is no user.
    pub no_user: bool,
    /// Why the hours are invalid.
    pub hours: Option<InvalidReason>,
    /// Why the date is invalid.
    pub spent_on: Option<InvalidReason>,
}

impl Draft {
    /// Returns the custom fields of time entries that the viewer may see in the project, by
    /// position.
    pub fn fields<'c>(&self, catalogue: &'c Catalogue, viewer: &Viewer) -> Vec<&'c CustomField> {
        let fields = catalogue.custom_fields_of(Customized::TimeEntry);
        fields
            .filter(|field| field.is_visible_to(viewer, self.entry.project))
            .collect()
    }

    /// Sets the requested attributes other than project and issue.
    pub fn apply(&mut self, catalogue: &Catalogue, viewer: &Viewer, change: &TimeEntryChange) {
        let entry = &mut self.entry;
        match change.user {
            Patch::Unset => {}
            Patch::Clear => self.invalid.no_user = true,
            Patch::Set(user) => entry.user = user,
        }
        if change.activity.is_present() {
            entry.activity = change.activity.value().copied().unwrap_or(NO_ACTIVITY);
        }
        if change.comments.is_present() {
            entry.comments = change.comments.value().cloned();
        }
        match parse_value(&change.hours, |text| {
            hours::parse(text).filter(|hours| round(*hours) > 0.0)
        }) {
            Some(Ok(hours)) => entry.hours = hours,
            Some(Err(reason)) => self.invalid.hours = Some(reason),
            None => {}
        }
        match parse_value(&change.spent_on, |text| {
            text.parse::<Date>().ok().filter(|_| text.len() == 10)
        }) {
            Some(Ok(day)) => entry.spent_on = day,
            Some(Err(reason)) => self.invalid.spent_on = Some(reason),
            None => {}
        }
        let settable = custom_values::settable_fields(
            catalogue,
            viewer,
            Customized::TimeEntry,
            self.entry.project,
        );
        self.values.apply(&settable, &change.custom);
    }

    /// Whether it is the time of this user.
    pub fn is_of(&self, user: Option<UserId>) -> bool {
        user == Some(self.entry.user)
    }
}

/// Parses the requested value; `None` if none was requested.
fn parse_value<T>(
    change: &Patch<String>,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Option<Result<T, InvalidReason>> {
    match change {
        Patch::Unset => None,
        Patch::Clear => Some(Err(InvalidReason::Blank)),
        Patch::Set(text) if is_blank(text) => Some(Err(InvalidReason::Blank)),
        Patch::Set(text) => Some(parse(text).ok_or(InvalidReason::Invalid)),
    }
}
