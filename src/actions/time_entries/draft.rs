//! A draft of a time entry: applies the requested attributes one by one.

use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{CustomField, Customized, Values};
use crate::domain::hours;
use crate::domain::ids::{EnumerationId, UserId};
use crate::domain::patch::Patch;
use crate::domain::text::is_blank;
use crate::domain::time_entry::{TimeEntry, TimeEntryChange, round};
use crate::domain::viewer::Viewer;
use jiff::civil::Date;

/// What stands for the activity as long as there is none.
pub const NO_ACTIVITY: EnumerationId = EnumerationId(0);

/// The time entry after the change, and the fields with invalid values.
pub struct Draft {
    /// The time entry.
    pub entry: TimeEntry,
    /// Its values in custom fields.
    pub values: Values,
    /// What could not be understood.
    pub wrong: InvalidFields,
}

/// What is wrong with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is none.
    Blank,
    /// It is none that could be taken.
    Invalid,
}

/// Values that could not be taken, to be named in their place among the errors.
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
    /// The hours.
    pub hours: Option<Fault>,
    /// The day.
    pub spent_on: Option<Fault>,
}

impl Draft {
    /// The custom fields that the time entry has and that the viewer may see, in their order.
    pub fn fields<'c>(&self, catalogue: &'c Catalogue, viewer: &Viewer) -> Vec<&'c CustomField> {
        let fields = catalogue.custom_fields_of(Customized::TimeEntry);
        fields.filter(|field| field.is_visible_to(viewer, self.entry.project)).collect()
    }

    /// Takes over everything but project and issue.
    pub fn take(&mut self, catalogue: &Catalogue, viewer: &Viewer, change: &TimeEntryChange) {
        let entry = &mut self.entry;
        match change.user {
            Patch::Unset => {}
            Patch::Clear => self.wrong.no_user = true,
            Patch::Set(user) => entry.user = user,
        }
        if change.activity.is_present() {
            entry.activity = change.activity.value().copied().unwrap_or(NO_ACTIVITY);
        }
        if change.comments.is_present() {
            entry.comments = change.comments.value().cloned();
        }
        match taken(&change.hours, |text| hours::parse(text).filter(|hours| round(*hours) > 0.0)) {
            Some(Ok(hours)) => entry.hours = hours,
            Some(Err(fault)) => self.wrong.hours = Some(fault),
            None => {}
        }
        match taken(&change.spent_on, |text| text.parse::<Date>().ok().filter(|_| text.len() == 10)) {
            Some(Ok(day)) => entry.spent_on = day,
            Some(Err(fault)) => self.wrong.spent_on = Some(fault),
            None => {}
        }
        let fields = self.fields(catalogue, viewer);
        let settable: Vec<&CustomField> = fields.into_iter().filter(|field| field.editable || viewer.admin).collect();
        self.values.apply(&settable, &change.custom);
    }

    /// Whether the time is the user's.
    pub fn is_of(&self, user: Option<UserId>) -> bool {
        user == Some(self.entry.user)
    }
}

/// Returns the requested value, or what is wrong with it; `None` when none was given.
fn taken<T>(change: &Patch<String>, read: impl FnOnce(&str) -> Option<T>) -> Option<Result<T, Fault>> {
    match change {
        Patch::Unset => None,
        Patch::Clear => Some(Err(Fault::Blank)),
        Patch::Set(text) if is_blank(text) => Some(Err(Fault::Blank)),
        Patch::Set(text) => Some(read(text).ok_or(Fault::Invalid)),
    }
}
