//! What a report groups the hours of time entries by.

use super::criterion::MAX_CRITERIA;

/// A field of a time entry, or of its issue, whose values are the rows of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReportCriterion {
    Project,
    Issue,
    /// The user who spent the time.
    User,
    Activity,
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
    pub const ALL: [ReportCriterion; 8] = [
        ReportCriterion::Project,
        ReportCriterion::User,
        ReportCriterion::Activity,
        ReportCriterion::Issue,
        ReportCriterion::Tracker,
        ReportCriterion::Status,
        ReportCriterion::Category,
        ReportCriterion::Version,
    ];

    /// Maximum number of criteria of a report.
    pub const MAX: usize = MAX_CRITERIA;

    /// Returns the name in addresses, as in Redmine.
    pub fn name(self) -> &'static str {
        match self {
            ReportCriterion::Project => "project",
            ReportCriterion::Issue => "issue",
            ReportCriterion::User => "user",
            ReportCriterion::Activity => "activity",
            ReportCriterion::Tracker => "tracker",
            ReportCriterion::Status => "status",
            ReportCriterion::Category => "category",
            ReportCriterion::Version => "version",
        }
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

    /// Returns the criterion with this name.
    pub fn parse(name: &str) -> Option<ReportCriterion> {
        let mut criteria = ReportCriterion::ALL.into_iter();
        criteria.find(|criterion| criterion.name() == name)
    }
}

/// The length of the periods that are the columns of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        match self {
            Period::Year => "year",
            Period::Month => "month",
            Period::Week => "week",
            Period::Day => "day",
        }
    }

    /// Returns the period with this name.
    pub fn parse(name: &str) -> Option<Period> {
        Period::ALL.into_iter().find(|period| period.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_back() {
        for criterion in ReportCriterion::ALL {
            assert_eq!(ReportCriterion::parse(criterion.name()), Some(criterion));
        }
        for period in Period::ALL {
            assert_eq!(Period::parse(period.name()), Some(period));
        }
        assert_eq!(ReportCriterion::parse(""), None);
        assert_eq!(Period::parse("decade"), None);
    }
}
