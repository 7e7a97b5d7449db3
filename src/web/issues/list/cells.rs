//! The cells of the list.

use super::cell_context::{CellContext, record_of};
use super::cell_texts;
use super::cell_texts::{MAX_ITEMS, join};
use crate::components::avatar::Person;
use crate::components::badge::Stage;
use crate::components::time::Moment;
use crate::issues::show::fields::done_ratio;
use crate::prelude::*;
use jiff::civil::Date;
use quarry_domain::administration::custom_field::{CustomField, Format, Values};
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::ids::{CustomFieldId, PrincipalId};
use quarry_domain::query::associations::Association;
use quarry_domain::query::columns::Column;
use quarry_domain::values::text::date;
use quarry_http::resources::custom_values;
use quarry_http::resources::sentences::hours;
use std::collections::HashMap;

/// The content of a cell.
pub enum Cell {
    /// The id, which links to the issue.
    Id(i64),
    /// The subject, which links to the issue.
    Subject {
        id: i64,
        text: String,
        is_private: bool,
    },
    /// A name that is cut off if it is long.
    Name(String),
    Text(String),
    /// The beginning of a long text, without markup.
    LongText(String),
    /// A number or an amount.
    Number(String),
    Status {
        name: String,
        stage: Stage,
    },
    Priority {
        name: String,
        /// Whether it is above the default.
        is_high: bool,
    },
    Person(Person),
    Day(Date),
    Moment(Moment),
    /// Links to issues: text and id.
    Issues(Vec<(String, i64)>),
    /// A link to another address.
    Link {
        text: String,
        path: String,
    },
    Empty,
}

impl Cell {
    /// Returns its text.
    pub fn into_text(self) -> String {
        match self {
            Cell::Id(id) => id.to_string(),
            Cell::Subject { text, .. }
            | Cell::Name(text)
            | Cell::Text(text)
            | Cell::LongText(text)
            | Cell::Number(text)
            | Cell::Link { text, .. } => text,
            Cell::Status { name, .. } | Cell::Priority { name, .. } => name,
            Cell::Person(person) => person.name,
            Cell::Day(day) => date(day),
            Cell::Moment(moment) => moment.iso,
            Cell::Issues(links) => {
                let texts: Vec<String> = links.into_iter().map(|(text, _)| text).collect();
                texts.join(", ")
            }
            Cell::Empty => String::new(),
        }
    }
}

impl<'a> CellContext<'a> {
    /// Returns the cell of an issue in a column.
    pub fn cell(&self, issue: &Issue, column: Column) -> Cell {
        let catalogue = self.catalogue;
        let id = issue.id.0;
        let spent = |hours_by_issue: &HashMap<IssueId, f64>| {
            if self.viewer.may(Permission::ViewTimeEntries, issue.project) {
                Cell::Number(hours(hours_by_issue.get(&issue.id).copied().unwrap_or(0.0)))
            } else {
                Cell::Empty
            }
        };
        let estimated =
            |value: Option<f64>| value.map_or(Cell::Empty, |value| Cell::Number(hours(value)));
        let text =
            |name: Option<&String>| name.map_or(Cell::Empty, |name| Cell::Text(name.clone()));
        let day = |day: Option<Date>| day.map_or(Cell::Empty, Cell::Day);
        let person = |id: Option<PrincipalId>| {
            id.map_or(Cell::Empty, |id| {
                Cell::Person(Person::with_picture(self.viewer, catalogue, id))
            })
        };
        let parent = || issue.parent.and_then(|parent| self.parents.get(&parent.0));
        match column {
            Column::Id => Cell::Id(id),
            Column::Project => Cell::Name(catalogue.project_name(issue.project).to_owned()),
            Column::Tracker => {
                let tracker = catalogue.tracker(issue.tracker);
                text(tracker.map(|tracker| &tracker.name))
            }
            Column::Parent => parent().map_or(Cell::Empty, |parent| {
                Cell::Issues(vec![(format!("#{}", parent.id), parent.id)])
            }),
            Column::Status => catalogue
                .status(issue.status)
                .map_or(Cell::Empty, |status| Cell::Status {
                    name: status.name.clone(),
                    stage: Stage::of(catalogue, issue.status),
                }),
            Column::Priority => {
                let usual = catalogue.default_enumeration(EnumerationKind::IssuePriority);
                catalogue
                    .enumeration(issue.priority)
                    .map_or(Cell::Empty, |priority| Cell::Priority {
                        name: priority.name.clone(),
                        is_high: usual.is_some_and(|usual| priority.position > usual.position),
                    })
            }
            Column::Subject => Cell::Subject {
                id,
                text: issue.subject.clone(),
                is_private: issue.private,
            },
            Column::Author => person(Some(issue.author.into())),
            Column::Assignee => person(issue.assignee),
            Column::UpdatedOn => Cell::Moment(Moment::new(issue.updated_on)),
            Column::Category => {
                let category = issue.category.and_then(|id| catalogue.categories.get(&id));
                text(category.map(|category| &category.name))
            }
            Column::Version => {
                let version = issue.version.and_then(|id| catalogue.versions.get(&id));
                text(version.map(|version| &version.name))
            }
            Column::StartDate => day(issue.start_date),
            Column::DueDate => day(issue.due_date),
            Column::EstimatedHours => estimated(issue.estimated_hours),
            Column::TotalEstimatedHours => estimated(self.total_estimated.get(&issue.id).copied()),
            Column::SpentHours => spent(&self.spent),
            Column::TotalSpentHours => spent(&self.total_spent),
            Column::DoneRatio => Cell::Number(format!("{} %", done_ratio(issue, catalogue))),
            Column::CreatedOn => Cell::Moment(Moment::new(issue.created_on)),
            Column::ClosedOn => issue
                .closed_on
                .map_or(Cell::Empty, |moment| Cell::Moment(Moment::new(moment))),
            Column::Private => Cell::Text(if issue.private { "yes" } else { "no" }.to_owned()),
            Column::LastUpdatedBy => person(self.updaters.get(&id).map(|user| (*user).into())),
            Column::Files => text(self.files.get(&id)),
            Column::Description => long_text(issue.description.as_deref()),
            Column::LastNotes => long_text(self.last_notes.get(&id).map(String::as_str)),
            Column::ParentSubject => parent().map_or(Cell::Empty, |parent| {
                Cell::Issues(vec![(parent.title.clone(), parent.id)])
            }),
            Column::Relations => {
                let related = self.related.get(&id).into_iter().flatten().take(MAX_ITEMS);
                Cell::Issues(related.map(|other| (format!("#{other}"), *other)).collect())
            }
            Column::Watchers => {
                let watchers = self.watchers.get(&id).into_iter().flatten();
                let names = watchers.filter_map(|watcher| catalogue.principal_name(*watcher));
                Cell::Text(join(names.map(str::to_owned)))
            }
            Column::Custom(id) => self.custom(issue, id),
            Column::OfAssociation(association, id) => self.of_association(issue, association, id),
            Column::Rank | Column::CreatedDay | Column::UpdatedDay | Column::ClosedDay => {
                Cell::Empty
            }
        }
    }

    /// Returns the values of a custom field of an issue that the viewer may see there, without
    /// empty ones.
    pub fn values(
        &self,
        issue: &Issue,
        field: CustomFieldId,
    ) -> Option<(&'a CustomField, Vec<&str>)> {
        let field = self
            .catalogue
            .custom_fields
            .iter()
            .find(|candidate| candidate.id == field)?;
        let is_visible = field.is_in(issue.project, issue.tracker)
            && field.is_visible_to(self.viewer, issue.project);
        let values = self
            .values
            .get(&issue.id.0)
            .filter(|_| is_visible)?
            .get(field.id)?;
        Some((
            field,
            values
                .iter()
                .map(String::as_str)
                .filter(|value| !value.is_empty())
                .collect(),
        ))
    }

    fn custom(&self, issue: &Issue, id: CustomFieldId) -> Cell {
        self.values(issue, id)
            .map_or(Cell::Empty, |(field, values)| {
                field_cell(self.catalogue, field, &values)
            })
    }

    fn of_association(&self, issue: &Issue, association: Association, id: CustomFieldId) -> Cell {
        let field = self
            .catalogue
            .custom_fields
            .iter()
            .find(|field| field.id == id);
        let record = record_of(issue, association);
        let (Some(field), Some(record)) = (field, record) else {
            return Cell::Empty;
        };
        // The roles in the project of the record decide; users and groups are in none.
        let project = match association {
            Association::Project => Some(issue.project),
            Association::Version => issue
                .version
                .and_then(|id| self.catalogue.versions.get(&id))
                .map(|version| version.project),
            _ => None,
        };
        let is_visible = field.visible
            || self.viewer.admin
            || project.is_some_and(|project| field.is_visible_to(self.viewer, project));
        let values = self
            .record_values
            .get(&(association, record))
            .filter(|_| is_visible)
            .and_then(|values| values.get(field.id));
        let values: Vec<&str> = values
            .into_iter()
            .flatten()
            .map(String::as_str)
            .filter(|value| !value.is_empty())
            .collect();
        field_cell(self.catalogue, field, &values)
    }
}

fn field_cell(catalogue: &Catalogue, field: &CustomField, values: &[&str]) -> Cell {
    let mut values_of_field = Values::default();
    values_of_field.set(
        field.id,
        values.iter().map(|value| (*value).to_owned()).collect(),
    );
    let Some(value) =
        custom_values::list(catalogue, std::iter::once(field), &values_of_field).pop()
    else {
        return Cell::Empty;
    };
    match value.path {
        Some(path) => Cell::Link {
            text: value.text,
            path,
        },
        None if matches!(field.format, Format::Integer | Format::Float) => Cell::Number(value.text),
        None => long_text(Some(&value.text)),
    }
}

fn long_text(text: Option<&str>) -> Cell {
    cell_texts::long_text(text).map_or(Cell::Empty, Cell::LongText)
}
