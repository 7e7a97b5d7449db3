//! The fields that all selected issues may have for the viewer. Nothing changes what is left alone;
//! `__none__` clears a value, as in Redmine.

use crate::components::form_field::{Choice, FieldKind, FormField, choice, typed};
use crate::issues::change::move_project::project_field;
use crate::issues::form::{FormContext, core_fields, custom_fields};
use crate::prelude::*;
use quarry_actions::issues;
use quarry_actions::issues::bulk::BulkAction;
use quarry_domain::ids::{StatusId, TrackerId};
use quarry_domain::issues::issue::IssueChange;
use quarry_domain::values::patch::Patch;
use std::collections::BTreeSet;

/// The value that clears a field.
const NONE: &str = "__none__";
/// Maximum number of combinations of project, tracker and status that are compared.
const MAX_KINDS: usize = 40;
/// The attributes that the form can have.
const ATTRIBUTES: [&str; 16] = [
    "project_id",
    "tracker_id",
    "status_id",
    "priority_id",
    "assigned_to_id",
    "category_id",
    "fixed_version_id",
    "parent_issue_id",
    "start_date",
    "due_date",
    "estimated_hours",
    "done_ratio",
    "is_private",
    "custom_field_values",
    "notes",
    "private_notes",
];
/// The fields whose value is typed: a checkbox clears them.
const TYPED: [&str; 4] = [
    "start_date",
    "due_date",
    "parent_issue_id",
    "estimated_hours",
];

/// What the fields are made from.
pub struct FieldSource<'a> {
    pub request: &'a RequestContext,
    pub db: &'a Read<'a>,
    pub action: BulkAction,
}

impl FieldSource<'_> {
    /// Returns the fields of an issue in the chosen project and tracker; for copies those of a new
    /// issue.
    fn of(&self, issue: &Issue) -> Result<Vec<FormField>, Error> {
        let viewer = self.request.viewer();
        let chosen = |name: &str| typed(&self.request.body, name).filter(|text| !text.is_empty());
        let mut change = IssueChange {
            project: optional(chosen("issue[project_id]")),
            tracker: optional(chosen("issue[tracker_id]").and_then(|id| id.parse().ok()))
                .map(TrackerId),
            ..IssueChange::default()
        };
        let editable = if self.action == BulkAction::Copy {
            let project = change.project.value().cloned();
            change.project = Patch::Set(project.unwrap_or_else(|| issue.project.to_string()));
            if !change.tracker.is_present() {
                change.tracker = Patch::Set(issue.tracker);
            }
            issues::new(self.db, viewer, &change)?
        } else {
            match issues::for_update(self.db, viewer, issue.id, &change) {
                // The issue cannot be in the chosen project; the preview says so.
                Err(ActionError::Invalid(_)) => None,
                editable => Some(editable?),
            }
        };
        let Some(editable) = editable else {
            return Ok(Vec::new());
        };
        let context = FormContext {
            catalogue: self.db.catalogue(),
            viewer,
            editable: &editable,
            form: &Input::Null,
        };
        let mut fields = core_fields(&context);
        fields.extend(custom_fields(&context));
        fields.retain(|field| {
            !matches!(field.attribute.as_str(), "subject" | "description")
                && field.kind != FieldKind::LongText
        });
        Ok(fields)
    }
}

fn optional<T>(value: Option<T>) -> Patch<T> {
    value.map_or(Patch::Unset, Patch::Set)
}

/// Returns the fields of the form, with what was typed.
pub fn fields(source: &FieldSource<'_>, selected: &[Issue]) -> Result<Vec<FormField>, Error> {
    let catalogue = source.db.catalogue();
    let viewer = source.request.viewer();
    let form = &source.request.body;
    let mut kinds: BTreeSet<(ProjectId, TrackerId, StatusId)> = BTreeSet::new();
    let mut common: Option<Vec<FormField>> = None;
    for issue in selected {
        let is_new = kinds.insert((issue.project, issue.tracker, issue.status));
        if !is_new || kinds.len() > MAX_KINDS {
            continue;
        }
        let own = source.of(issue)?;
        if own.is_empty() {
            continue;
        }
        common = Some(match common {
            None => own,
            Some(fields) => intersection(fields, &own),
        });
    }
    let mut fields = common.unwrap_or_default();
    let projects = issues::projects(catalogue, viewer);
    if projects.len() > 1 {
        fields.insert(0, project_field(&projects, None));
    }
    for field in &mut fields {
        leave_alone(field, form);
    }
    if source.action == BulkAction::Copy {
        return Ok(fields);
    }
    let may_note = selected
        .iter()
        .all(|issue| viewer.may_on(Permission::AddIssueNotes, issue.project, issue.tracker));
    if may_note {
        let text = typed(form, "issue[notes]").unwrap_or_default();
        let kind = FieldKind::LongText;
        fields.push(FormField::new(kind, "issue[notes]", "Note", text));
    }
    let may_hide = selected
        .iter()
        .all(|issue| viewer.may(Permission::SetNotesPrivate, issue.project));
    if may_note && may_hide {
        let is_on = typed(form, "issue[private_notes]").unwrap_or_else(|| "0".to_owned());
        let name = "issue[private_notes]";
        fields.push(FormField::new(
            FieldKind::Switch,
            name,
            "Private note",
            is_on,
        ));
    }
    Ok(fields)
}

/// Returns the fields that both have. Their choices are those of both, except statuses: each issue
/// has its own.
fn intersection(fields: Vec<FormField>, other: &[FormField]) -> Vec<FormField> {
    let common = fields.into_iter().filter_map(|mut field| {
        let same = other.iter().find(|other| other.name == field.name)?;
        if field.attribute == "status_id" {
            for choice in &same.choices {
                if !field.choices.contains(choice) {
                    field.choices.push(choice.clone());
                }
            }
        } else {
            field.choices.retain(|choice| same.choices.contains(choice));
        }
        // The empty choice is left where there is no other in common: it clears the value.
        let has_choice = !field.choices.is_empty();
        (same.choices.is_empty() || has_choice).then_some(field)
    });
    common.collect()
}

/// Makes "no change" the default of a field.
fn leave_alone(field: &mut FormField, form: &Input) {
    let is_optional = field.choices.iter().any(|choice| choice.value.is_empty());
    let is_required = field.is_required;
    field.is_required = false;
    field.hint = String::new();
    if field.kind == FieldKind::Switch {
        field.choices = vec![choice(1, "yes"), choice(0, "no")];
    }
    if matches!(
        field.kind,
        FieldKind::Switch | FieldKind::Select | FieldKind::Checkboxes
    ) {
        field.name = field.name.trim_end_matches("[]").to_owned();
        let is_many = field.kind == FieldKind::Checkboxes;
        field.kind = FieldKind::Select;
        field.is_wide = false;
        field.choices.retain(|choice| !choice.value.is_empty());
        let mut choices: Vec<Choice> = vec![choice("", "no change")];
        if is_optional || is_many && !is_required {
            choices.push(choice(NONE, "None"));
        }
        choices.append(&mut field.choices);
        field.choices = choices;
    } else if TYPED.contains(&field.attribute.as_str()) {
        "Empty means no change.".clone_into(&mut field.hint);
    }
    field.value = typed(form, &field.name).unwrap_or_default();
}

/// Returns the names of the typed fields among these, each with whether it is to be cleared.
pub fn clearable(fields: &[FormField], form: &Input) -> Vec<(String, String, bool)> {
    let typed = fields
        .iter()
        .filter(|field| TYPED.contains(&field.attribute.as_str()));
    let cleared = cleared(form);
    typed
        .map(|field| {
            let is_on = cleared.contains(&field.attribute);
            (field.attribute.clone(), field.label.clone(), is_on)
        })
        .collect()
}

fn cleared(form: &Input) -> Vec<String> {
    let items = form
        .get("clear")
        .and_then(Input::as_list)
        .unwrap_or_default();
    let names = items
        .iter()
        .filter_map(Input::as_text)
        .map(|text| text.into_owned());
    names
        .filter(|name| TYPED.contains(&name.as_str()))
        .collect()
}

/// Returns the body of an update as the API has it: only what the form has, without what is left
/// alone, and with empty values for what is cleared.
pub fn to_update(form: &Input) -> Input {
    let sent = form.get("issue").map(Input::entries).unwrap_or_default();
    let mut issue: Vec<(String, Input)> = sent
        .iter()
        .filter(|(name, _)| ATTRIBUTES.contains(&name.as_str()))
        .filter_map(|(name, value)| match name.as_str() {
            "notes" => Some((name.clone(), value.clone())),
            _ => Some((name.clone(), changed(value)?)),
        })
        .collect();
    issue.extend(
        cleared(form)
            .into_iter()
            .map(|name| (name, Input::Text(String::new()))),
    );
    Input::Map(vec![("issue".to_owned(), Input::Map(issue))])
}

fn changed(value: &Input) -> Option<Input> {
    match value {
        Input::Map(entries) => {
            let changed: Vec<(String, Input)> = entries
                .iter()
                .filter_map(|(name, value)| Some((name.clone(), changed(value)?)))
                .collect();
            (!changed.is_empty()).then_some(Input::Map(changed))
        }
        value => {
            let text = value.as_text().unwrap_or_default();
            match text.trim() {
                "" => None,
                NONE => Some(Input::Text(String::new())),
                _ => Some(value.clone()),
            }
        }
    }
}
