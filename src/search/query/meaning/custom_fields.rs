//! Conditions on custom fields of issues by their names: `field:"Build number">=12`.

use super::{Meaning, Outcome, QualifierContext, issues_matching_all, numbers};
use crate::query::lexer::is_operator;
use quarry_domain::administration::custom_field::{CustomField, Format};
use quarry_domain::query::filter::Predicate;
use quarry_domain::query::issues::{Field, custom_fields};
use quarry_domain::values::edit_distance::nearest;
use quarry_domain::values::text::parse_bool;

impl QualifierContext<'_> {
    /// `field:`: issues whose value of a custom field matches. Of several fields with the name, any.
    pub(super) fn custom_field(&self, condition: &str) -> Outcome {
        let visible = || custom_fields(self.catalogue, self.viewer);
        let names = visible().map(|field| field.name.as_str());
        let Some((name, condition)) = split_condition(condition, names) else {
            return Err(None);
        };
        let lowercase = name.to_lowercase();
        let named: Vec<&CustomField> = visible()
            .filter(|field| field.name.to_lowercase() == lowercase)
            .collect();
        if named.is_empty() {
            let meant = nearest(name, visible().map(|field| field.name.as_str()));
            return Err(meant.map(|name| {
                format!("there is no custom field of this name, did you mean \"{name}\"?")
            }));
        }
        let mut sets = Vec::new();
        let mut problem = None;
        for field in named {
            match self.field_condition(field, condition) {
                Ok(Meaning::Issues(found)) => sets.extend(found),
                Ok(_) => {}
                Err(error) => problem = problem.or(error),
            }
        }
        if sets.is_empty() {
            return Err(problem);
        }
        Ok(Meaning::Issues(sets))
    }

    fn field_condition(&self, field: &CustomField, condition: &str) -> Outcome {
        let value = condition.strip_prefix('=').unwrap_or(condition).trim();
        let with = |predicate: Predicate| {
            let set = issues_matching_all([(Field::Custom(field.id), predicate)]);
            Ok(Meaning::Issues(vec![set]))
        };
        match (value, field.format) {
            ("", _) => return Err(None),
            ("none", _) => return with(Predicate::Empty),
            ("any", _) => return with(Predicate::NotEmpty),
            (range, Format::Integer | Format::Float) => {
                return numbers(Field::Custom(field.id), range, |text| text.parse().ok()).map_err(
                    |_| {
                        Some(format!(
                            "\"{}\" expects a number, such as 12, >=12 or 10..20",
                            field.name
                        ))
                    },
                );
            }
            (range, Format::Date) => {
                return self.dates(Field::Custom(field.id), range).map_err(|_| {
                    Some(format!(
                        "\"{}\" expects days, such as today or >=2024-01-31",
                        field.name
                    ))
                });
            }
            _ => {}
        }
        if value.starts_with(is_operator) {
            return Err(Some(format!(
                "\"{}\" is neither a number nor a date, and supports only =",
                field.name
            )));
        }
        match field.format {
            Format::List => {
                let values = field.possible_values.iter().map(String::as_str);
                with(Predicate::InTexts(named(
                    value,
                    values.map(|value| (value.to_owned(), value)),
                )?))
            }
            Format::Enumeration => {
                let values = field.enumeration.iter();
                with(Predicate::InTexts(named(
                    value,
                    values.map(|(id, name, _)| (id.to_string(), name.as_str())),
                )?))
            }
            Format::Bool => {
                let is_yes = match value.to_lowercase().as_str() {
                    "yes" => Some(true),
                    "no" => Some(false),
                    text => parse_bool(text),
                };
                let is_yes =
                    is_yes.ok_or_else(|| Some(format!("\"{}\" expects yes or no", field.name)))?;
                with(Predicate::InTexts(vec![i64::from(is_yes).to_string()]))
            }
            Format::User => {
                let people = self.people(value).into_iter();
                with(Predicate::InTexts(
                    people.map(|id| id.to_string()).collect(),
                ))
            }
            Format::Version => {
                let versions = self.catalogue.versions.values();
                let visible = versions.filter(|version| self.viewer.sees(version.project));
                with(Predicate::InTexts(named(
                    value,
                    visible.map(|version| (version.id.to_string(), version.name.as_str())),
                )?))
            }
            _ => with(Predicate::Contains(vec![value.to_owned()])),
        }
    }
}

/// Splits a condition into the name of a field and the rest, from its operator on: after the longest
/// of these names, or else at the first operator.
fn split_condition<'t, 'n>(
    text: &'t str,
    names: impl Iterator<Item = &'n str>,
) -> Option<(&'t str, &'t str)> {
    let after = |name: &str| {
        let start = text.get(..name.len())?;
        let rest = text[name.len()..].trim_start();
        let is_name = start.to_lowercase() == name.to_lowercase() && rest.starts_with(is_operator);
        is_name.then_some((start, rest.trim()))
    };
    let known = names.filter_map(after).max_by_key(|(name, _)| name.len());
    known.or_else(|| {
        let (name, rest) = text.split_at(text.find(is_operator)?);
        Some((name.trim(), rest.trim()))
    })
}

/// Returns the stored values with this name, ignoring case.
fn named<'n>(
    name: &str,
    values: impl Iterator<Item = (String, &'n str)>,
) -> Result<Vec<String>, Option<String>> {
    let values: Vec<(String, &str)> = values.collect();
    let lowercase = name.to_lowercase();
    let found: Vec<String> = values
        .iter()
        .filter(|(_, name)| name.to_lowercase() == lowercase)
        .map(|(stored, _)| stored.clone())
        .collect();
    if found.is_empty() {
        let names = values.iter().map(|(_, name)| *name);
        return Err(Some(match nearest(name, names) {
            Some(name) => format!("there is no such value, did you mean \"{name}\"?"),
            None => "the field has no such value".to_owned(),
        }));
    }
    Ok(found)
}
