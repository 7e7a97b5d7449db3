//! Two people who change the same record in forms: their changes are merged field by field, and
//! only a field that both have changed is a conflict.
//!
//! A form carries the values that it was opened with; long ones as hashes.

use crate::components::form_field::{FieldKind, FormField, typed};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_domain::validation::ValidationError;
use quarry_domain::values::text::with_lf;
use quarry_wire as wire;
use std::collections::{BTreeMap, BTreeSet};
use twox_hash::XxHash3_64;

/// The name of the hidden field with the values that a form was opened with.
pub const ORIGINAL: &str = "original";

/// What people read above a form with conflicts.
pub const CONFLICT: &str = "Somebody else has saved changes while you were writing. Nothing of yours has been saved yet. \
     Where you both changed a field, the other value is shown below yours: choose one and save again.";

/// What people read above a form that could not be merged, because others save all the time.
const BUSY: &str =
    "Other people are saving at the same time, so your changes are not saved yet. Save again.";

/// Maximum number of attempts to merge and save while others save changes.
const MAX_ATTEMPTS: usize = 20;

/// Saves a merged form. `attempt` merges and saves; it fails with `Outdated` when somebody else has
/// saved anything in between. `busy` shows the form with the message that it could not be saved.
pub fn save_merged(
    attempt: impl Fn() -> Result<Reply, Error>,
    busy: impl FnOnce(ValidationErrors) -> Result<Reply, Error>,
) -> Result<Reply, Error> {
    for _ in 0..MAX_ATTEMPTS {
        match attempt() {
            Err(Error::Outdated) => {}
            outcome => return outcome,
        }
    }
    let reply = busy(ValidationError::for_record(BUSY).into())?;
    Ok(reply.with_status(StatusCode::CONFLICT))
}

/// Values of more bytes are carried as hashes.
const MAX_CARRIED: usize = 40;

/// A form that is merged with what others have saved since it was opened.
pub struct Merged {
    /// The form without the fields that the viewer has not changed.
    pub form: Input,
    /// The fields that the viewer and somebody else have changed differently, each with the saved
    /// value for people.
    pub conflicts: Vec<(String, String)>,
}

/// The values that a form was opened with.
pub struct OriginalValues(Input);

impl OriginalValues {
    /// Parses the value of the field [`ORIGINAL`]; of another text it has no values.
    pub fn parse(original: &str) -> OriginalValues {
        OriginalValues(wire::from_query(original).unwrap_or_default())
    }

    /// Whether the field with this name, whatever its kind, still has the value.
    pub fn has(&self, name: &str, value: &str) -> bool {
        let original = self.0.get(&key(name)).and_then(Input::as_text);
        original.is_some_and(|original| {
            let kinds = [FieldKind::LongText, FieldKind::Line];
            kinds
                .iter()
                .any(|kind| fingerprint(*kind, value) == *original)
        })
    }
}

/// Merges a form with the fields as they are saved. A form without [`ORIGINAL`], such as a button
/// that moves a record, is taken as it is.
pub fn merge(form: &Input, saved: &[FormField]) -> Merged {
    match typed(form, ORIGINAL) {
        Some(_) => merge_strictly(form, saved),
        None => Merged {
            form: form.clone(),
            conflicts: Vec::new(),
        },
    }
}

/// Merges a form with the fields as they are saved. Where it does not say with which value a field
/// was opened, every other value is a conflict.
pub fn merge_strictly(form: &Input, saved: &[FormField]) -> Merged {
    let mut merged = Merged {
        form: form.clone(),
        conflicts: Vec::new(),
    };
    let original = typed(form, ORIGINAL)
        .and_then(|text| wire::from_query(&text).ok())
        .unwrap_or_default();
    let offered = offered(saved);
    // What is never shown again, such as a password, has no value to compare.
    for field in saved.iter().filter(|field| !field.kind.is_secret()) {
        let Some(own) = typed(form, &field.name) else {
            continue;
        };
        let own = fingerprint(field.kind, &own);
        let saved = fingerprint(field.kind, &offered_value(field, &offered));
        let original = original.get(&key(&field.name)).and_then(Input::as_text);
        if original.as_deref() == Some(&own) {
            remove(&mut merged.form, &field.name);
        } else if own != saved && original.as_deref() != Some(&saved) {
            merged.conflicts.push((field.name.clone(), display(field)));
        }
    }
    merged
}

/// Returns the values of fields, as the form carries them.
pub fn original<'f>(fields: impl IntoIterator<Item = &'f FormField>) -> String {
    let fields: Vec<&FormField> = fields.into_iter().collect();
    let offered = offered(fields.iter().copied());
    let values: BTreeMap<String, String> = fields
        .into_iter()
        .filter(|field| !field.kind.is_secret())
        .map(|field| {
            let value = offered_value(field, &offered);
            (key(&field.name), fingerprint(field.kind, &value))
        })
        .collect();
    let pairs = values
        .iter()
        .map(|(name, value)| format!("{}={}", paths::encode(name), paths::encode(value)));
    pairs.collect::<Vec<_>>().join("&")
}

/// Returns the values that a form offers, by the names of its lists of checkboxes, of which several
/// can share a name.
fn offered<'f>(
    fields: impl IntoIterator<Item = &'f FormField>,
) -> BTreeMap<&'f str, BTreeSet<&'f str>> {
    let mut offered: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let lists = fields
        .into_iter()
        .filter(|field| field.kind == FieldKind::Checkboxes);
    for field in lists {
        let choices = field.choices.iter().map(|choice| choice.value.as_str());
        offered.entry(&field.name).or_default().extend(choices);
    }
    offered
}

/// Returns the value of a field as a browser can send it: without what the form does not offer.
fn offered_value(field: &FormField, offered: &BTreeMap<&str, BTreeSet<&str>>) -> String {
    let Some(choices) = offered.get(field.name.as_str()) else {
        return field.value.clone();
    };
    let values = field.value.lines();
    let values: Vec<&str> = values.filter(|value| choices.contains(value)).collect();
    values.join("\n")
}

/// Shows next to fields what somebody else has saved.
pub fn show_conflicts<'f>(
    fields: impl IntoIterator<Item = &'f mut FormField>,
    conflicts: &[(String, String)],
) {
    // Several fields can share a name, such as the permissions of each module.
    let mut conflicts: Vec<&(String, String)> = conflicts.iter().collect();
    for field in fields {
        let found = conflicts.iter().position(|(name, _)| *name == field.name);
        field.saved = found.map(|index| conflicts.remove(index).1.clone());
    }
}

/// Returns the name without brackets, so that a query string holds it as a plain name.
fn key(name: &str) -> String {
    name.replace(['[', ']'], ".")
}

/// Returns what two values have in common that a form does not tell apart.
fn fingerprint(kind: FieldKind, value: &str) -> String {
    let value = with_lf(value);
    let value = match kind {
        FieldKind::LongText => value.trim_end().to_owned(),
        FieldKind::Checkboxes => {
            let mut choices: Vec<&str> = value.lines().collect();
            choices.sort_unstable();
            choices.join("\n")
        }
        FieldKind::Switch if value.is_empty() => "0".to_owned(),
        // Browsers strip line breaks from inputs of a single line.
        kind if kind.is_single_line() => value.replace('\n', "").trim().to_owned(),
        _ => value.trim().to_owned(),
    };
    if kind == FieldKind::LongText || value.len() > MAX_CARRIED {
        format!("{:016x}", XxHash3_64::oneshot(value.as_bytes()))
    } else {
        value
    }
}

/// Returns the value of a field for people.
fn display(field: &FormField) -> String {
    match (field.kind, field.value.as_str()) {
        (FieldKind::Switch, "1") => "yes".to_owned(),
        (FieldKind::Switch, _) => "no".to_owned(),
        (_, value) if field.choices.is_empty() => value.to_owned(),
        _ => {
            let choices = field.choices.iter();
            let labels = choices
                .filter(|choice| field.is_selected(choice))
                .map(|choice| choice.label.as_str());
            labels.collect::<Vec<_>>().join(", ")
        }
    }
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
    use crate::components::form_field::choice;

    fn fields(name: &str, statuses: &str) -> Vec<FormField> {
        vec![
            FormField::new(FieldKind::Line, "role[name]", "Name", name),
            FormField::new(
                FieldKind::Checkboxes,
                "role[statuses][]",
                "Statuses",
                statuses,
            )
            .with_choices([choice(1, "New"), choice(2, "Open & new")]),
        ]
    }

    fn sent(name: &str, statuses: &[&str], opened_with: &[FormField]) -> Input {
        let mut query = format!("role[name]={name}&role[statuses][]=");
        for status in statuses {
            query.push_str(&format!("&role[statuses][]={status}"));
        }
        query.push_str(&format!(
            "&{ORIGINAL}={}",
            paths::encode(&original(opened_with))
        ));
        wire::from_query(&query).unwrap()
    }

    #[test]
    fn only_the_fields_that_the_viewer_changed_are_saved() {
        let opened = fields("A", "2\n1");
        let form = sent("B", &["1", "2"], &opened);
        let merged = merge(&form, &fields("A", "1"));
        assert!(merged.conflicts.is_empty());
        assert_eq!(typed(&merged.form, "role[name]").as_deref(), Some("B"));
        assert_eq!(typed(&merged.form, "role[statuses][]"), None);
    }

    #[test]
    fn a_field_that_both_changed_is_a_conflict_unless_both_agree() {
        let opened = fields("A", "1");
        let merged = merge(&sent("B", &["1"], &opened), &fields("C", "1"));
        assert_eq!(
            merged.conflicts,
            [("role[name]".to_owned(), "C".to_owned())]
        );
        let merged = merge(&sent("A", &["1", "2"], &opened), &fields("A", "2"));
        assert_eq!(
            merged.conflicts,
            [("role[statuses][]".to_owned(), "Open & new".to_owned())]
        );
        let merged = merge(&sent("B", &["1"], &opened), &fields("B", "1"));
        assert!(merged.conflicts.is_empty());
    }

    #[test]
    fn values_that_the_form_does_not_offer_are_no_change() {
        let opened = fields("A", "1\n9");
        let merged = merge(&sent("A", &["1"], &opened), &fields("A", "2\n9"));
        assert!(merged.conflicts.is_empty());
        assert_eq!(typed(&merged.form, "role[statuses][]"), None);
    }

    #[test]
    fn where_the_original_value_is_missing_every_other_value_is_a_conflict() {
        let form = wire::from_query("role[name]=B&role[statuses][]=1").unwrap();
        let merged = merge_strictly(&form, &fields("C", "1"));
        assert_eq!(
            merged.conflicts,
            [("role[name]".to_owned(), "C".to_owned())]
        );
        assert_eq!(merged.form, form);
        let merged = merge(&form, &fields("C", "1"));
        assert!(merged.conflicts.is_empty() && merged.form == form);
    }

    #[test]
    fn new_password_is_no_conflict() {
        let password = FormField::new(FieldKind::NewPassword, "user[password]", "Password", "");
        let opened = [fields("A", ""), vec![password]].concat();
        let mut form = sent("A", &[], &opened);
        let Input::Map(entries) = &mut form else {
            panic!("{form:?}")
        };
        let secret = wire::from_query("user[password]=new long secret").unwrap();
        let Input::Map(secret) = secret else {
            panic!("{secret:?}")
        };
        entries.extend(secret);
        let merged = merge(&form, &opened);
        assert!(merged.conflicts.is_empty());
        let kept = typed(&merged.form, "user[password]");
        assert_eq!(kept.as_deref(), Some("new long secret"));
    }

    #[test]
    fn line_breaks_of_browsers_and_order_are_no_change() {
        let kind = FieldKind::LongText;
        assert_eq!(
            fingerprint(kind, "a\r\nb\rc\n"),
            fingerprint(kind, "a\nb\nc")
        );
        let kind = FieldKind::Checkboxes;
        assert_eq!(fingerprint(kind, "2\n1"), fingerprint(kind, "1\n2"));
        assert_eq!(fingerprint(FieldKind::Switch, ""), "0");
        assert_eq!(fingerprint(FieldKind::Line, "a\r\nb\n"), "ab");
        let long = "x".repeat(MAX_CARRIED + 1);
        assert_eq!(fingerprint(FieldKind::Line, &long).len(), 16);
    }

    #[test]
    fn removed_field_leaves_the_others() {
        let mut form =
            wire::from_query("issue[a]=1&issue[b]=2&issue[v][7][]=x&issue[v][8]=y").unwrap();
        remove(&mut form, "issue[a]");
        remove(&mut form, "issue[v][7][]");
        remove(&mut form, "issue[nothing][here]");
        assert_eq!(form, wire::from_query("issue[b]=2&issue[v][8]=y").unwrap());
    }
}
