//! The columns of a board: which values a field can have, with their names.

use crate::prelude::*;
use quarry_actions::issues::assignable;
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::ids::{CategoryId, EnumerationId, PrincipalId, StatusId, TrackerId, VersionId};
use quarry_domain::query::board::BoardField;
use quarry_domain::values::stable_sort::StableSort;
use std::collections::{BTreeSet, HashSet};

/// Maximum number of columns.
pub const MAX_COLUMNS: usize = 24;
/// The parameter that chooses the field of the columns.
pub const COLUMNS: &str = "columns";
/// The parameter that chooses the field of the lanes.
pub const LANES: &str = "lanes";
/// The value of a column without a value.
const NONE: &str = "none";

/// Returns the field of the columns; the status without one.
///
/// # Errors
/// If no field has this name.
pub fn column_field(request: &RequestContext) -> Result<BoardField, Error> {
    let name = request.query_param(COLUMNS).unwrap_or_default();
    Ok(parse_field(COLUMNS, &name)?.unwrap_or(BoardField::Status))
}

/// Returns the field of the lanes; `None` without one, or if it is that of the columns.
///
/// # Errors
/// If no field has this name.
pub fn lane_field(
    request: &RequestContext,
    columns: BoardField,
) -> Result<Option<BoardField>, Error> {
    let name = request.query_param(LANES).unwrap_or_default();
    Ok(parse_field(LANES, &name)?.filter(|field| *field != columns))
}

/// Returns the field with this name; `None` for an empty one.
///
/// # Errors
/// If no field has this name; the message names the parameter.
pub fn parse_field(parameter: &str, name: &str) -> Result<Option<BoardField>, Error> {
    if name.is_empty() {
        return Ok(None);
    }
    name.parse().map(Some).map_err(|_| {
        let names: Vec<&str> = BoardField::ALL.iter().map(|field| field.name()).collect();
        Error::invalid(format!("{parameter} must be one of {}", names.join(", ")))
    })
}

/// Returns the value of a column as text.
pub fn value_text(value: Option<i64>) -> String {
    value.map_or_else(|| NONE.to_owned(), |id| id.to_string())
}

/// Parses the value of a column; `None` for another text.
pub fn parse_value(text: &str) -> Option<Option<i64>> {
    if text == NONE {
        return Some(None);
    }
    text.parse().ok().map(Some)
}

/// Returns the values that issues of the project, or of all projects, can have, in their order, then
/// the others of `present` by name.
pub fn values(
    catalogue: &Catalogue,
    project: Option<&Project>,
    field: BoardField,
    present: &[Option<i64>],
) -> Vec<Option<i64>> {
    let trackers =
        |tracker: &TrackerId| project.is_none_or(|project| project.trackers.contains(tracker));
    let mut possible: Vec<i64> = match field {
        BoardField::Status => {
            let used: HashSet<StatusId> = catalogue
                .trackers
                .iter()
                .filter(|tracker| trackers(&tracker.id))
                .flat_map(|tracker| catalogue.workflow.statuses(tracker.id))
                .collect();
            let statuses = catalogue.statuses.iter();
            statuses
                .map(|status| status.id.0)
                .filter(|id| used.contains(&StatusId(*id)) || present.contains(&Some(*id)))
                .collect()
        }
        BoardField::Tracker => {
            let all = catalogue.trackers.iter().map(|tracker| tracker.id);
            all.filter(|id| trackers(id) || present.contains(&Some(id.0)))
                .map(|id| id.0)
                .collect()
        }
        BoardField::Priority => catalogue
            .enumerations_of(EnumerationKind::IssuePriority)
            .filter(|priority| priority.active || present.contains(&Some(priority.id.0)))
            .map(|priority| priority.id.0)
            .collect(),
        BoardField::Assignee => {
            let members = project.map(|project| assignable::list(catalogue, project.id));
            members
                .unwrap_or_default()
                .into_iter()
                .map(|id| id.0)
                .collect()
        }
        BoardField::Version => project.map_or_else(Vec::new, |project| {
            let versions = catalogue.versions.values();
            let mut open: Vec<_> = versions
                .filter(|version| {
                    version.is_open() && catalogue.is_shared_with(version, project.id)
                })
                .collect();
            open.stable_sort_by_key(|version| {
                (version.due_date.is_none(), version.due_date, version.id)
            });
            open.into_iter().map(|version| version.id.0).collect()
        }),
        BoardField::Category => project.map_or_else(Vec::new, |project| {
            let categories = catalogue.categories.values();
            let mut own: Vec<_> = categories
                .filter(|category| category.project == project.id)
                .collect();
            own.stable_sort_by_key(|category| (category.name.to_lowercase(), category.id));
            own.into_iter().map(|category| category.id.0).collect()
        }),
    };
    let known: HashSet<i64> = possible.iter().copied().collect();
    let others: BTreeSet<i64> = present
        .iter()
        .flatten()
        .copied()
        .filter(|value| !known.contains(value))
        .collect();
    let mut others: Vec<i64> = others.into_iter().collect();
    others.stable_sort_by_key(|value| label(catalogue, field, Some(*value)).to_lowercase());
    possible.extend(others);
    let none = (!field.is_required()).then_some(None);
    none.into_iter()
        .chain(possible.into_iter().map(Some))
        .collect()
}

/// Returns the name of a value.
pub fn label(catalogue: &Catalogue, field: BoardField, value: Option<i64>) -> String {
    let Some(id) = value else {
        return match field {
            BoardField::Assignee => "Nobody".to_owned(),
            _ => format!("No {}", field.label().to_lowercase()),
        };
    };
    let name = match field {
        BoardField::Status => catalogue.status(StatusId(id)).map(|status| &status.name),
        BoardField::Tracker => catalogue
            .tracker(TrackerId(id))
            .map(|tracker| &tracker.name),
        BoardField::Priority => catalogue
            .enumeration(EnumerationId(id))
            .map(|priority| &priority.name),
        BoardField::Assignee => {
            let name = catalogue.principal_name(PrincipalId(id));
            return name.unwrap_or("?").to_owned();
        }
        BoardField::Version => catalogue
            .versions
            .get(&VersionId(id))
            .map(|version| &version.name),
        BoardField::Category => catalogue
            .categories
            .get(&CategoryId(id))
            .map(|category| &category.name),
    };
    name.map_or_else(|| "?".to_owned(), Clone::clone)
}
