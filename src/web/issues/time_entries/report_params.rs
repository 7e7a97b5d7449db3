//! The parameters of a report that are no filters: its criteria and columns.

use crate::components::form_field::{FieldKind, FormField, choice};
use crate::prelude::*;
use quarry_domain::query::time_report::{Period, ReportCriterion};
use quarry_domain::validation::ValidationError;

/// The parameter with the criteria.
const CRITERIA: &str = "criteria";
/// The parameter with the length of the periods.
const COLUMNS: &str = "columns";

/// The parameters that are no filters.
pub const NAMES: [&str; 4] = [CRITERIA, COLUMNS, "separator", "encoding"];

/// What a report groups by.
pub struct ReportParams {
    /// At least one and at most three, all different.
    pub criteria: Vec<ReportCriterion>,
    pub period: Period,
}

impl ReportParams {
    /// Parses the parameters. Without criteria, the report of a project is by person, and that of
    /// all projects by project.
    pub fn parse(
        request: &RequestContext,
        is_in_project: bool,
    ) -> Result<ReportParams, ValidationErrors> {
        let mut criteria = Vec::new();
        for name in sent_criteria(request) {
            let Ok(criterion) = name.parse() else {
                return Err(invalid(
                    CRITERIA,
                    &format!("are names such as {}", known_criteria()),
                ));
            };
            if !criteria.contains(&criterion) {
                criteria.push(criterion);
            }
        }
        if criteria.len() > ReportCriterion::MAX {
            let max = ReportCriterion::MAX;
            return Err(invalid(CRITERIA, &format!("can be {max} at most")));
        }
        if criteria.is_empty() {
            criteria.push(if is_in_project {
                ReportCriterion::User
            } else {
                ReportCriterion::Project
            });
        }
        let columns = request.query_param(COLUMNS).unwrap_or_default();
        let period = match columns.trim() {
            "" => Period::Month,
            name => name
                .parse()
                .map_err(|_| invalid(COLUMNS, "must be year, month, week or day"))?,
        };
        Ok(ReportParams { criteria, period })
    }

    /// Returns the parameters of a request whose own are invalid.
    pub fn fallback(is_in_project: bool) -> ReportParams {
        let criterion = if is_in_project {
            ReportCriterion::User
        } else {
            ReportCriterion::Project
        };
        ReportParams {
            criteria: vec![criterion],
            period: Period::Month,
        }
    }

    /// Returns the fields of the form.
    pub fn fields(&self) -> Vec<FormField> {
        let labels = ["Rows by", "then by", "and then by"];
        let mut fields: Vec<FormField> = labels
            .into_iter()
            .enumerate()
            .map(|(index, label)| {
                let value = self
                    .criteria
                    .get(index)
                    .map_or("", |criterion| criterion.name());
                let none = (index > 0).then(|| choice("", "–"));
                let criteria = ReportCriterion::ALL
                    .iter()
                    .map(|criterion| choice(criterion.name(), criterion.label()));
                let field = FormField::new(FieldKind::Select, "criteria[]", label, value);
                FormField {
                    id: format!("{CRITERIA}-{}", index + 1),
                    ..field.with_choices(none).with_choices(criteria)
                }
            })
            .collect();
        let periods = Period::ALL.map(|period| choice(period.name(), plural(period)));
        fields.push(
            FormField::new(FieldKind::Select, COLUMNS, "Columns", self.period.name())
                .with_choices(periods),
        );
        fields
    }
}

/// Returns what people call several periods.
pub fn plural(period: Period) -> &'static str {
    match period {
        Period::Year => "years",
        Period::Month => "months",
        Period::Week => "weeks",
        Period::Day => "days",
    }
}

fn known_criteria() -> String {
    let names = ReportCriterion::ALL
        .iter()
        .map(|criterion| criterion.name());
    names.collect::<Vec<_>>().join(", ")
}

fn invalid(name: &str, message: &str) -> ValidationErrors {
    ValidationError::for_record(format!("{name} {message}")).into()
}

/// Returns the names of criteria in the request, without blank ones.
fn sent_criteria(request: &RequestContext) -> Vec<String> {
    let texts: Vec<String> = match request.query.get(CRITERIA) {
        Some(Input::List(items)) => items
            .iter()
            .map(|item| item.as_text().unwrap_or_default().trim().to_owned())
            .collect(),
        Some(value) => vec![value.as_text().unwrap_or_default().trim().to_owned()],
        None => Vec::new(),
    };
    texts.into_iter().filter(|text| !text.is_empty()).collect()
}
