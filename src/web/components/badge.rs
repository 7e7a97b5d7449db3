//! The shape and the hue of a status: they say at a glance how far an issue has come.

use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::StatusId;
use strum::IntoStaticStr;

/// How far a status is along the workflow: its position among the open statuses, or closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Stage {
    /// The first of the open ones.
    #[default]
    First,
    Second,
    Third,
    /// The last of the open ones.
    Last,
    Closed,
}

impl Stage {
    /// Returns the stage of a status. With more than four open statuses, those in the middle share
    /// stages.
    pub fn of(catalogue: &Catalogue, status: StatusId) -> Stage {
        let open = catalogue.statuses.iter().filter(|other| !other.is_closed);
        let open: Vec<StatusId> = open.map(|other| other.id).collect();
        let steps = open.len().saturating_sub(1).max(1);
        match open.iter().position(|id| *id == status) {
            Some(0) => Stage::First,
            Some(index) if index == steps => Stage::Last,
            Some(index) if index * 2 > steps => Stage::Third,
            Some(_) => Stage::Second,
            None if catalogue.is_closed(status) => Stage::Closed,
            None => Stage::First,
        }
    }

    /// Whether issues with the status are closed.
    pub fn is_closed(self) -> bool {
        self == Stage::Closed
    }

    /// The class that gives the hue.
    pub fn class(self) -> &'static str {
        self.into()
    }

    /// The name of the icon.
    pub fn icon(self) -> &'static str {
        match self {
            Stage::First => "open",
            Stage::Second => "quarter",
            Stage::Third => "half",
            Stage::Last => "three-quarters",
            Stage::Closed => "done",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_domain::administration::issue_status::IssueStatus;

    #[test]
    fn stages_follow_the_position_among_the_open_statuses() {
        let stages = |open: i64| -> Vec<&str> {
            let statuses = (1..=open + 1).map(|id| IssueStatus {
                id: StatusId(id),
                is_closed: id > open,
                ..IssueStatus::default()
            });
            let catalogue = Catalogue {
                statuses: statuses.collect(),
                ..Catalogue::default()
            };
            (1..=open + 1)
                .map(|id| Stage::of(&catalogue, StatusId(id)).class())
                .collect()
        };
        assert_eq!(stages(1), ["first", "closed"]);
        assert_eq!(stages(2), ["first", "last", "closed"]);
        assert_eq!(stages(4), ["first", "second", "third", "last", "closed"]);
        assert_eq!(
            stages(6),
            [
                "first", "second", "second", "third", "third", "last", "closed"
            ]
        );
    }
}
