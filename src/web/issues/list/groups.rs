//! The groups of a list, with the number of issues in each.

use super::cell_context::CellContext;
use super::totals::Total;
use crate::prelude::*;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quarry_domain::administration::custom_field::Format;
use quarry_domain::query::columns::Column;
use quarry_domain::query::dates::{DayOrInstant, Range};
use quarry_domain::query::filter;
use quarry_domain::query::filter::{FilterType, Predicate};
use quarry_domain::query::issues::{Condition, Field};
use quarry_domain::values::text::date;
use quarry_http::resources::custom_values;
use quarry_http::resources::issue_list::IssueList;
use std::sync::Arc;

/// The value that the issues of a group have in common.
#[derive(Clone, Debug, PartialEq)]
enum GroupKey {
    None,
    Id(i64),
    Day(Date),
    Text(String),
}

/// The issues of a group.
enum Members {
    /// Those at these positions of the page.
    OnPage(Vec<usize>),
    /// Those of the list that match.
    Matching(Condition),
}

/// Consecutive issues of a page that are in the same group.
pub struct Group {
    /// The common value; empty if the list has no groups.
    pub label: String,
    /// Number of issues in the group, on all pages; `None` if it is not known.
    pub count: Option<i64>,
    /// The sums over these issues.
    pub sums: Vec<Total>,
    /// Positions of its issues on the page.
    pub rows: std::ops::Range<usize>,
}

/// The context for dividing issues into groups.
pub struct Grouping<'a> {
    pub list: &'a IssueList,
    /// The column that groups it.
    pub column: Column,
    /// Total number of issues in the list.
    pub total: i64,
    /// The user that the list is for.
    pub viewer: &'a Viewer,
    /// The time zone of days.
    pub zone: &'a TimeZone,
    /// The values of custom fields.
    pub cells: &'a CellContext<'a>,
    /// The columns that are summed.
    pub totals: &'a [Column],
}

impl Grouping<'_> {
    /// Divides the issues of a page into groups.
    pub fn groups(&self, db: &Read<'_>, issues: &[Arc<Issue>]) -> Result<Vec<Group>, Error> {
        let keys: Vec<GroupKey> = issues.iter().map(|issue| self.key(issue)).collect();
        let mut members: Vec<(GroupKey, Option<Members>)> = Vec::new();
        let mut groups = Vec::new();
        let mut start = 0;
        for block in keys.chunk_by(|a, b| a == b) {
            let rows = start..start + block.len();
            start = rows.end;
            let key = &block[0];
            let known = members.iter().position(|(known, _)| known == key);
            let index = match known {
                Some(index) => index,
                None => {
                    let found = self.members(db.catalogue(), key, &keys, &rows);
                    members.push((key.clone(), found));
                    members.len() - 1
                }
            };
            let found = members[index].1.as_ref();
            groups.push(Group {
                label: self.label(db.catalogue(), &issues[rows.start], key),
                count: found.map_or(Ok(None), |found| self.count(db, found).map(Some))?,
                // A group that is in several blocks has its sums in the first one.
                sums: match found.filter(|_| known.is_none()) {
                    Some(found) => self.sums(db, found, issues)?,
                    None => Vec::new(),
                },
                rows,
            });
        }
        Ok(groups)
    }

    fn key(&self, issue: &Issue) -> GroupKey {
        let local_day = |time: Timestamp| time.to_zoned(self.zone.clone()).date();
        match self.column {
            Column::Project => GroupKey::Id(issue.project.0),
            Column::Tracker => GroupKey::Id(issue.tracker.0),
            Column::Status => GroupKey::Id(issue.status.0),
            Column::Priority => GroupKey::Id(issue.priority.0),
            Column::Author => GroupKey::Id(issue.author.0),
            Column::Assignee => id_key(issue.assignee.map(|id| id.0)),
            Column::Category => id_key(issue.category.map(|id| id.0)),
            Column::Version => id_key(issue.version.map(|id| id.0)),
            Column::StartDate => day_key(issue.start_date),
            Column::DueDate => day_key(issue.due_date),
            Column::DoneRatio => GroupKey::Id(issue.done_ratio),
            Column::CreatedOn => GroupKey::Day(local_day(issue.created_on)),
            Column::UpdatedOn => GroupKey::Day(local_day(issue.updated_on)),
            Column::ClosedOn => day_key(issue.closed_on.map(local_day)),
            Column::Private => GroupKey::Id(i64::from(issue.private)),
            Column::Custom(field) => match self
                .cells
                .values(issue, field)
                .and_then(|(_, values)| values.first().copied())
            {
                Some(value) => GroupKey::Text(value.to_owned()),
                None => GroupKey::None,
            },
            // The list cannot be grouped by these columns.
            _ => GroupKey::None,
        }
    }

    fn label(&self, catalogue: &Catalogue, issue: &Issue, key: &GroupKey) -> String {
        match (key, self.column) {
            (GroupKey::None, _) => "None".to_owned(),
            (GroupKey::Day(day), _) => date(*day),
            (GroupKey::Text(value), Column::Custom(id)) => {
                let field = catalogue.custom_fields.iter().find(|field| field.id == id);
                field.map_or_else(
                    || value.clone(),
                    |field| custom_values::text_of(catalogue, field, value),
                )
            }
            (_, Column::Private) if issue.private => "Private".to_owned(),
            (_, Column::Private) => "Not private".to_owned(),
            (_, column) => self.cells.cell(issue, column).into_text(),
        }
    }

    /// Returns the issues of the group whose first block on this page is `rows`; `None` if they
    /// cannot be told.
    fn members(
        &self,
        catalogue: &Catalogue,
        key: &GroupKey,
        keys: &[GroupKey],
        rows: &std::ops::Range<usize>,
    ) -> Option<Members> {
        let starts_list = self.list.pagination.offset == 0;
        let ends_list = self
            .list
            .pagination
            .offset
            .saturating_add(keys.len().try_into().unwrap_or(i64::MAX))
            >= self.total;
        let is_complete = (starts_list || rows.start > 0) && (ends_list || rows.end < keys.len());
        if starts_list && ends_list || is_complete && self.has_one_block_per_group() {
            let positions = keys.iter().enumerate();
            let positions = positions.filter(|(_, other)| *other == key);
            return Some(Members::OnPage(positions.map(|(index, _)| index).collect()));
        }
        self.condition(catalogue, key).map(Members::Matching)
    }

    fn count(&self, db: &Read<'_>, members: &Members) -> Result<i64, Error> {
        match members {
            Members::OnPage(positions) => Ok(i64::try_from(positions.len()).unwrap_or(i64::MAX)),
            Members::Matching(condition) => {
                self.list.count_matching(db, self.viewer, condition.clone())
            }
        }
    }

    fn sums(
        &self,
        db: &Read<'_>,
        members: &Members,
        issues: &[Arc<Issue>],
    ) -> Result<Vec<Total>, Error> {
        let condition = match members {
            Members::Matching(condition) => condition.clone(),
            Members::OnPage(positions) => Condition {
                field: Field::Id,
                predicate: Predicate::OneOf(
                    positions.iter().map(|index| issues[*index].id.0).collect(),
                ),
            },
        };
        let sums = self.totals.iter().map(|column| {
            let sum = self
                .list
                .sum_matching(db, self.viewer, *column, condition.clone())?;
            Ok(Total::new(db.catalogue(), *column, sum))
        });
        sums.collect()
    }

    /// Whether the order puts all issues of a group together. Categories, versions and others of
    /// the same name are sorted by that name.
    fn has_one_block_per_group(&self) -> bool {
        matches!(
            self.column,
            Column::StartDate
                | Column::DueDate
                | Column::CreatedOn
                | Column::UpdatedOn
                | Column::ClosedOn
                | Column::DoneRatio
                | Column::Private
        )
    }

    /// Returns the condition that the issues of the group match; `None` where no condition says
    /// exactly that.
    fn condition(&self, catalogue: &Catalogue, key: &GroupKey) -> Option<Condition> {
        let field = self.column.group_field()?;
        let predicate = match (key, field) {
            (GroupKey::Text(value), Field::Custom(id)) => {
                let field = catalogue
                    .custom_fields
                    .iter()
                    .find(|field| field.id == id)?;
                // A group has the issues whose first value it is. Numbers can be written in several
                // ways.
                let is_exact =
                    !field.multiple && !matches!(field.format, Format::Integer | Format::Float);
                filter::parse(
                    FilterType::for_format(field.format),
                    &field.name,
                    "=",
                    &[value],
                    &self.list.context,
                )
                .ok()
                .filter(|_| is_exact)?
            }
            // The filter leaves out the issues that do not have the field.
            (_, Field::Custom(_)) => return None,
            (GroupKey::None, _) => Predicate::Empty,
            (GroupKey::Id(id), _) => Predicate::OneOf(vec![*id]),
            (GroupKey::Day(date), _) => {
                let day = DayOrInstant::from_date(*date, self.zone);
                Predicate::Time(Range {
                    from: Some(day),
                    to: Some(day),
                })
            }
            (GroupKey::Text(_), _) => return None,
        };
        Some(Condition { field, predicate })
    }
}

fn day_key(day: Option<Date>) -> GroupKey {
    day.map_or(GroupKey::None, GroupKey::Day)
}

fn id_key(id: Option<i64>) -> GroupKey {
    id.map_or(GroupKey::None, GroupKey::Id)
}
