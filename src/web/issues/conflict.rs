//! Two people who change the same issue: their changes are merged field by field, and only a field
//! that both have changed is a conflict.
//!
//! The form carries the lock version of the issue and the values that it was opened with. Long
//! texts are carried as hashes.

use super::form::{self as issue_form, FormContext};
use crate::components::avatar::Person;
use crate::components::form_field::{FieldKind, FormField, typed};
use crate::components::time::Moment;
use quarry_actions::{issues, journals};
use quarry_domain::ids::IssueId;
use quarry_domain::issues::issue::{Issue, IssueChange};
use quarry_http::resources::paths;
use quarry_http::{Error, RequestContext};
use quarry_store::Read;
use quarry_wire as wire;
use quarry_wire::Input;
use twox_hash::XxHash3_64;

/// A form that is merged with what others have saved since it was opened.
pub struct Merged {
    /// The form without the fields that only others have changed.
    pub form: Input,
    /// The lock version of the issue as it is saved.
    pub lock_version: i64,
    /// The fields that the viewer and somebody else have changed differently, each with the saved
    /// value for people.
    pub conflicts: Vec<(String, String)>,
}

/// Merges the form with the issue as it is saved.
pub fn merge(request: &RequestContext, db: &Read<'_>, id: IssueId) -> Result<Merged, Error> {
    let form = &request.body;
    let lock_version = quarry_store::issues::lock_version(db, id)?;
    let opened = typed(form, "issue[lock_version]").and_then(|text| text.trim().parse().ok());
    let mut merged = Merged {
        form: form.clone(),
        lock_version,
        conflicts: Vec::new(),
    };
    if opened.is_none_or(|opened: i64| opened == lock_version) {
        return Ok(merged);
    }
    let original = typed(form, "original")
        .and_then(|text| wire::from_query(&text).ok())
        .unwrap_or_default();
    let editable = issues::for_update(db, request.viewer(), id, &IssueChange::default())?;
    let context = FormContext {
        catalogue: db.catalogue(),
        viewer: request.viewer(),
        editable: &editable,
        form: &Input::Null,
    };
    for field in issue_form::fields(&context) {
        let Some(own) = typed(form, &field.name).map(|value| fingerprint(field.kind, &value))
        else {
            continue;
        };
        let saved = fingerprint(field.kind, &field.value);
        let original = original
            .entries()
            .iter()
            .find(|(name, _)| *name == key(&field))
            .and_then(|(_, value)| value.as_text());
        if own == saved {
            continue;
        }
        match original {
            Some(original) if original == own => remove(&mut merged.form, &field.name),
            Some(original) if original == saved => {}
            _ => merged.conflicts.push((field.name.clone(), text(&field))),
        }
    }
    Ok(merged)
}

/// Number of entries of the history among which the last change is looked for.
const LAST_ENTRIES: usize = 20;

/// The change of somebody else that a form is in conflict with.
pub struct OtherChange {
    /// Who made it; `None` if the history does not say it to the viewer.
    pub person: Option<Person>,
    /// Whether the viewer made it, in another window.
    pub is_own: bool,
    pub made: Moment,
}

/// Returns the last change of an issue that the viewer may see.
pub fn last_change(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
) -> Result<OtherChange, Error> {
    let viewer = request.viewer();
    let entries = journals::sizes(db, viewer, issue)?;
    let ids: Vec<_> = entries.iter().map(|(id, _)| *id).collect();
    let last = &ids[ids.len().saturating_sub(LAST_ENTRIES)..];
    let journals = journals::list_by_ids(db, viewer, issue, last)?;
    let change = journals
        .iter()
        .rev()
        .find(|entry| !entry.details.is_empty());
    Ok(OtherChange {
        person: change.map(|entry| Person::new(db.catalogue(), entry.user.into())),
        is_own: change.is_some_and(|entry| viewer.user == Some(entry.user)),
        made: Moment::new(change.map_or(issue.updated_on, |entry| entry.created_on)),
    })
}

/// Returns the values of fields, as the form carries them.
pub fn original(fields: &[FormField]) -> String {
    let pairs = fields.iter().map(|field| {
        format!(
            "{}={}",
            paths::encode(&key(field)),
            paths::encode(&fingerprint(field.kind, &field.value))
        )
    });
    pairs.collect::<Vec<_>>().join("&")
}

/// Returns the name without brackets, so that a query string holds it as a plain name.
fn key(field: &FormField) -> String {
    field.name.replace(['[', ']'], ".")
}

fn fingerprint(kind: FieldKind, value: &str) -> String {
    let value = value.replace("\r\n", "\n");
    match kind {
        FieldKind::LongText => format!("{:016x}", XxHash3_64::oneshot(value.trim_end().as_bytes())),
        _ => value.trim().to_owned(),
    }
}

/// Returns the value of a field for people.
fn text(field: &FormField) -> String {
    if field.choices.is_empty() {
        return match (field.kind, field.value.as_str()) {
            (FieldKind::Switch, "1") => "yes".to_owned(),
            (FieldKind::Switch, _) => "no".to_owned(),
            (_, value) => value.to_owned(),
        };
    }
    let labels = field
        .choices
        .iter()
        .filter(|choice| field.is_selected(choice))
        .map(|choice| choice.label.as_str());
    labels.collect::<Vec<_>>().join(", ")
}

/// Removes a field from a form.
fn remove(form: &mut Input, name: &str) {
    let path: Vec<&str> = name
        .split(['[', ']'])
        .filter(|part| !part.is_empty())
        .collect();
    let Some((last, parents)) = path.split_last() else {
        return;
    };
    let mut parent = form;
    for part in parents {
        let Input::Map(entries) = parent else { return };
        let Some((_, child)) = entries.iter_mut().find(|(name, _)| name == part) else {
            return;
        };
        parent = child;
    }
    if let Input::Map(entries) = parent {
        entries.retain(|(name, _)| name != last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::form_field::Choice;

    #[test]
    fn removed_field_leaves_the_others() {
        let mut form =
            wire::from_query("issue[a]=1&issue[b]=2&issue[v][7][]=x&issue[v][8]=y").unwrap();
        remove(&mut form, "issue[a]");
        remove(&mut form, "issue[v][7][]");
        remove(&mut form, "issue[nothing][here]");
        assert_eq!(form, wire::from_query("issue[b]=2&issue[v][8]=y").unwrap());
    }

    #[test]
    fn original_values_are_carried_as_a_query_string() {
        let mut status = FormField::new(FieldKind::Select, "issue[status_id]", "Status", "2");
        status.choices = vec![Choice {
            value: "2".to_owned(),
            label: "Open & new".to_owned(),
        }];
        let text = FormField::new(
            FieldKind::LongText,
            "issue[description]",
            "Description",
            "a\r\nb\n",
        );
        let carried = wire::from_query(&original(&[status.clone(), text])).unwrap();
        assert_eq!(text_of(&carried, "issue.status_id.").as_deref(), Some("2"));
        assert_eq!(
            text_of(&carried, "issue.description.").as_deref(),
            Some(fingerprint(FieldKind::LongText, "a\nb").as_str())
        );
        assert_eq!(self::text(&status), "Open & new");
    }

    fn text_of(carried: &Input, name: &str) -> Option<String> {
        carried
            .get(name)
            .and_then(Input::as_text)
            .map(|text| text.into_owned())
    }
}
