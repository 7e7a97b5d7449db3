//! What a report groups the hours of time entries by.

use super::criterion::MAX_CRITERIA;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// A field of a time entry, or of its issue, whose values are the rows of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ReportCriterion {
    Project,
    /// The user who spent the time.
    User,
    Activity,
    Issue,
    /// The tracker of the issue.
    Tracker,
    /// The status of the issue.
    Status,
    /// The category of the issue.
    Category,
    /// The version of the issue.
    Version,
}

impl ReportCriterion {
    /// The criteria in the order in which they are offered.
    pub const ALL: &[ReportCriterion] = Self::VARIANTS;

    /// Maximum number of criteria of a report.
    pub const MAX: usize = MAX_CRITERIA;

    /// Returns the name in addresses, as in Redmine.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the label.
    pub fn label(self) -> &'static str {
        match self {
            ReportCriterion::Project => "Project",
            ReportCriterion::Issue => "Issue",
            ReportCriterion::User => "Person",
            ReportCriterion::Activity => "Activity",
            ReportCriterion::Tracker => "Tracker",
            ReportCriterion::Status => "Status",
            ReportCriterion::Category => "Category",
            ReportCriterion::Version => "Version",
        }
    }
}

/// The length of the periods that are the columns of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Period {
    Year,
    Month,
    /// From Monday to Sunday, as ISO 8601 counts weeks.
    Week,
    Day,
}

impl Period {
    /// The periods, the longest first.
    pub const ALL: [Period; 4] = [Period::Year, Period::Month, Period::Week, Period::Day];

    /// Returns the name in addresses, as in Redmine.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
