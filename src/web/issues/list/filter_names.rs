//! Describes filters in words: labels and names instead of operators and ids. Values that the
//! viewer may not see are shown as typed.

use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::Format;
use quarry_domain::ids::{
    CategoryId, CustomFieldId, EnumerationId, PrincipalId, RoleId, StatusId, TrackerId, VersionId,
};
use quarry_domain::projects::project::ProjectStatus;
use quarry_domain::query::filter::{FilterField, FilterType, Records};
use quarry_domain::query::saved::SavedFilter;
use quarry_domain::values::text::date;
use quarry_http::resources::custom_values;
use std::cell::OnceCell;
use std::collections::HashSet;

/// Maximum number of values that are shown.
const MAX_VALUES: usize = 10;
/// Maximum number of characters of a value.
const MAX_CHARS: usize = 100;

/// The names that a viewer may see.
pub struct FilterNames<'a> {
    viewer: &'a Viewer,
    catalogue: &'a Catalogue,
    versions: OnceCell<HashSet<VersionId>>,
}

impl<'a> FilterNames<'a> {
    /// Creates the names for this viewer.
    pub fn new(viewer: &'a Viewer, catalogue: &'a Catalogue) -> FilterNames<'a> {
        FilterNames {
            viewer,
            catalogue,
            versions: OnceCell::new(),
        }
    }

    /// Describes operator and values of a filter by this field, such as "not Bob Developer".
    pub fn describe<Field>(&self, field: &FilterField<Field>, filter: &SavedFilter) -> String {
        let names: Vec<String> = filter
            .values
            .iter()
            .take(MAX_VALUES)
            .map(|value| self.value(field, &filter.operator, value))
            .collect();
        let mut all = names.join(", ");
        if filter.values.len() > MAX_VALUES {
            all = format!("{all} and {} more", filter.values.len() - MAX_VALUES);
        }
        phrase(field.kind, &filter.operator, &all, &names)
    }

    /// Returns the name of a value, or the value as typed.
    pub fn value<Field>(&self, field: &FilterField<Field>, operator: &str, value: &str) -> String {
        let value: String = value.trim().chars().take(MAX_CHARS).collect();
        let name = match field.custom_field {
            Some(id) => self.custom_value(id, &value),
            None => self.name(field.kind, operator, &value),
        };
        name.map_or(value, |name| name.chars().take(MAX_CHARS).collect())
    }

    /// Returns the name of a value; `None` if the value is shown as typed.
    fn name(&self, kind: FilterType, operator: &str, value: &str) -> Option<String> {
        match kind {
            FilterType::Status => {
                let status = self.catalogue.status(StatusId(value.parse().ok()?));
                status.map(|status| status.name.clone())
            }
            FilterType::List(records) | FilterType::OptionalList(records) => {
                self.record(records, value)
            }
            FilterType::Relation
                if operator.ends_with('p') || matches!(value, "mine" | "bookmarks") =>
            {
                self.record(Records::Projects, value)
            }
            FilterType::Id
            | FilterType::Relation
            | FilterType::Parent
            | FilterType::Subtask
            | FilterType::IssueTree => {
                let id: i64 = value.parse().ok()?;
                Some(format!("#{id}"))
            }
            FilterType::Flag => Some(if value == "1" { "yes" } else { "no" }.to_owned()),
            FilterType::Date | FilterType::PastDate => value.parse().ok().map(date),
            _ => None,
        }
    }

    /// Returns the name of a record.
    fn record(&self, records: Records, value: &str) -> Option<String> {
        let catalogue = self.catalogue;
        let id = || value.parse::<i64>().ok();
        match records {
            Records::Projects | Records::Subprojects => self.project(value),
            Records::ProjectStatuses => {
                ProjectStatus::from_repr(id()?).map(|status| status_name(status).to_owned())
            }
            Records::Trackers => {
                let tracker = catalogue.tracker(TrackerId(id()?));
                tracker.map(|tracker| tracker.name.clone())
            }
            Records::Priorities | Records::Activities => {
                let enumeration = catalogue.enumeration(EnumerationId(id()?));
                enumeration.map(|enumeration| enumeration.name.clone())
            }
            Records::Users | Records::Assignees | Records::Groups => {
                self.principal(PrincipalId(id()?))
            }
            Records::Roles => catalogue.role(RoleId(id()?)).map(|role| role.name.clone()),
            Records::Categories => self.category(CategoryId(id()?)),
            Records::Versions => self.version(VersionId(id()?)),
            Records::Unnamed => None,
        }
    }

    fn project(&self, value: &str) -> Option<String> {
        match value {
            "mine" => return Some("my projects".to_owned()),
            "bookmarks" => return Some("my bookmarks".to_owned()),
            _ => {}
        }
        let project = self
            .catalogue
            .projects
            .get(&ProjectId(value.parse().ok()?))
            .filter(|project| self.viewer.sees(project.id));
        project.map(|project| project.name.clone())
    }

    fn principal(&self, id: PrincipalId) -> Option<String> {
        let name = self.catalogue.principal_name(id)?;
        visibility::can_see_principal(self.viewer, self.catalogue, id).then(|| name.to_owned())
    }

    fn category(&self, id: CategoryId) -> Option<String> {
        let category = self.catalogue.categories.get(&id)?;
        self.viewer
            .may(Permission::ViewIssues, category.project)
            .then(|| category.name.clone())
    }

    fn version(&self, id: VersionId) -> Option<String> {
        let is_visible = self
            .versions
            .get_or_init(|| {
                visibility::versions(self.viewer, self.catalogue)
                    .map(|version| version.id)
                    .collect()
            })
            .contains(&id);
        self.catalogue
            .versions
            .get(&id)
            .filter(|_| is_visible)
            .map(|version| version.name.clone())
    }

    /// Returns a value of a custom field that the viewer may see.
    fn custom_value(&self, id: CustomFieldId, value: &str) -> Option<String> {
        let field = self
            .catalogue
            .custom_fields
            .iter()
            .find(|field| field.id == id)?;
        match field.format {
            Format::User if value == "me" => None,
            Format::User => self.principal(PrincipalId(value.parse().ok()?)),
            Format::Version => self.version(VersionId(value.parse().ok()?)),
            _ => Some(custom_values::text_of(self.catalogue, field, value)),
        }
    }
}

fn status_name(status: ProjectStatus) -> &'static str {
    match status {
        ProjectStatus::Active => "active",
        ProjectStatus::Closed => "closed",
        ProjectStatus::Archived => "archived",
    }
}

/// Describes an operator and its values. `all` has the joined values, `values` the first ones.
fn phrase(kind: FilterType, operator: &str, all: &str, values: &[String]) -> String {
    match operator {
        "=" => all.to_owned(),
        "!" => format!("not {all}"),
        "*" => "any".to_owned(),
        "!*" => "none".to_owned(),
        "o" => "open".to_owned(),
        "c" => "closed".to_owned(),
        "ev" => format!("has been {all}"),
        "!ev" => format!("has never been {all}"),
        "cf" => format!("changed from {all}"),
        "~" if matches!(kind, FilterType::Parent | FilterType::IssueTree) => {
            format!("below {all}")
        }
        "~" if kind == FilterType::Subtask => format!("above {all}"),
        "~" => format!("contains {all}"),
        "!~" => format!("does not contain {all}"),
        "*~" => format!("contains one of {all}"),
        "^" => format!("begins with {all}"),
        "$" => format!("ends with {all}"),
        ">=" => format!("≥ {}", value_at(values, 0)),
        "<=" => format!("≤ {}", value_at(values, 0)),
        "><" => format!("{} to {}", value_at(values, 0), value_at(values, 1)),
        "=p" => format!("in {all}"),
        "=!p" => format!("outside {all}"),
        "!p" => format!("none in {all}"),
        "*o" => "an open issue".to_owned(),
        "!o" => "no open issue".to_owned(),
        _ => date_phrase(operator, value_at(values, 0))
            .unwrap_or_else(|| format!("{operator} {all}")),
    }
}

fn value_at(values: &[String], index: usize) -> &str {
    values.get(index).map_or("", String::as_str)
}

/// Describes an operator of dates.
fn date_phrase(operator: &str, days: &str) -> Option<String> {
    Some(match operator {
        "t" => "today".to_owned(),
        "ld" => "yesterday".to_owned(),
        "nd" => "tomorrow".to_owned(),
        "w" => "this week".to_owned(),
        "lw" => "last week".to_owned(),
        "l2w" => "the last two weeks".to_owned(),
        "nw" => "next week".to_owned(),
        "m" => "this month".to_owned(),
        "lm" => "last month".to_owned(),
        "nm" => "next month".to_owned(),
        "y" => "this year".to_owned(),
        "t-" => format!("{days} days ago"),
        ">t-" => format!("less than {days} days ago"),
        "<t-" => format!("more than {days} days ago"),
        "><t-" => format!("in the past {days} days"),
        "t+" => format!("in {days} days"),
        ">t+" => format!("in more than {days} days"),
        "<t+" => format!("in less than {days} days"),
        "><t+" => format!("in the next {days} days"),
        _ => return None,
    })
}
