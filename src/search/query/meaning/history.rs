//! Changes of issues: `was:` and `changed:`, by whom and when.

use super::{Meaning, Outcome, QualifierContext, by_name};
use crate::query::dates::parse_date_range;
use crate::query::lexer::CHANGE_MODIFIERS;
use crate::schema::columns::{Attribute, Predicate};
use quarry_domain::query::change::{Change, ChangedAttribute};
use quarry_domain::query::dates::{DayOrInstant, Range};
use quarry_domain::query::issues::custom_fields;
use quarry_domain::values::edit_distance::nearest;
use quarry_store::issues::sets::IssueSet;

/// The attributes of an issue that `changed:` names, each with its name in the history.
const ATTRIBUTES: [(&str, &str); 15] = [
    ("status", "status_id"),
    ("assignee", "assigned_to_id"),
    ("priority", "priority_id"),
    ("tracker", "tracker_id"),
    ("version", "fixed_version_id"),
    ("category", "category_id"),
    ("subject", "subject"),
    ("description", "description"),
    ("start", "start_date"),
    ("due", "due_date"),
    ("done", "done_ratio"),
    ("estimated", "estimated_hours"),
    ("parent", "parent_id"),
    ("project", "project_id"),
    ("private", "is_private"),
];

/// Returns the attributes that `changed:` names.
pub fn changed_values() -> impl Iterator<Item = &'static str> {
    ATTRIBUTES.iter().map(|(name, _)| *name)
}

/// Who made a change, and when; `None` for anybody and any time.
struct ChangeModifiers {
    by: Option<Vec<i64>>,
    on: Option<Range<DayOrInstant>>,
}

impl QualifierContext<'_> {
    /// `was:`: issues that had a status and left it, perhaps to return.
    pub(super) fn previous_status(&self, value: &str) -> Outcome {
        let (status, modifiers) = self.split_modifiers(value)?;
        let statuses = self.catalogue.statuses.iter();
        let named = by_name(
            Attribute::Status,
            status,
            statuses.map(|status| (status.id.0, status.name.as_str())),
        )?;
        let Meaning::Attribute(_, Predicate::OneOf(ids)) = named else {
            return Err(None);
        };
        let ids = ids.as_slice().to_vec();
        let ChangeModifiers { by, on } = modifiers;
        Ok(Meaning::Issues(vec![IssueSet::Changed(Change {
            attributes: vec![ChangedAttribute::Builtin("status_id")],
            from: Some(ids),
            by,
            on,
        })]))
    }

    /// `changed:`: issues of which an attribute was changed.
    pub(super) fn changed(&self, value: &str) -> Outcome {
        let (attribute, ChangeModifiers { by, on }) = self.split_modifiers(value)?;
        Ok(Meaning::Issues(vec![IssueSet::Changed(Change {
            attributes: self.changed_attributes(attribute)?,
            from: None,
            by,
            on,
        })]))
    }

    fn changed_attributes(&self, name: &str) -> Result<Vec<ChangedAttribute>, Option<String>> {
        let builtin = ATTRIBUTES.iter().find(|(known, _)| *known == name);
        if let Some((_, stored)) = builtin {
            return Ok(vec![ChangedAttribute::Builtin(stored)]);
        }
        let lowercase = name.to_lowercase();
        let custom: Vec<ChangedAttribute> = custom_fields(self.catalogue, self.viewer)
            .filter(|field| field.name.to_lowercase() == lowercase)
            .map(|field| ChangedAttribute::Custom(field.id))
            .collect();
        if !custom.is_empty() {
            return Ok(custom);
        }
        let visible = custom_fields(self.catalogue, self.viewer);
        let mut names: Vec<&str> = changed_values().collect();
        names.extend(visible.map(|field| field.name.as_str()));
        Err(nearest(name, names)
            .map(|name| format!("there is no such attribute, did you mean \"{name}\"?")))
    }

    /// Splits `status by:bob on:today`.
    fn split_modifiers<'v>(
        &self,
        value: &'v str,
    ) -> Result<(&'v str, ChangeModifiers), Option<String>> {
        let mut starts: Vec<(usize, &str)> = CHANGE_MODIFIERS
            .iter()
            .filter_map(|part| Some((value.find(&format!(" {part}"))?, *part)))
            .collect();
        starts.sort_unstable();
        let end_of = |index: usize| starts.get(index).map_or(value.len(), |(start, _)| *start);
        let mut modifiers = ChangeModifiers { by: None, on: None };
        for (index, (start, part)) in starts.iter().enumerate() {
            let text = value[start + 1 + part.len()..end_of(index + 1)].trim();
            if *part == "by:" && text.is_empty() {
                return Err(Some("by: expects a login, a name, or me".to_owned()));
            }
            if *part == "by:" {
                modifiers.by = Some(self.people(text));
            } else {
                let range = parse_date_range(text, &self.calendar).ok_or_else(|| {
                    "on: expects days such as today, last-week, >=-7d or 2024-01-31..2024-02-15"
                        .to_owned()
                })?;
                modifiers.on = Some(range);
            }
        }
        Ok((value[..end_of(0)].trim(), modifiers))
    }
}
