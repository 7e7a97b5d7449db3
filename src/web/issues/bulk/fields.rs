//! The fields that all selected issues may have for the viewer. Nothing changes what is left alone;
//! `none` clears a value.

use crate::components::form_field::{Choice, FieldKind, FormField, choice, typed};
use crate::issues::form::{FormContext, core_fields, custom_fields};
use quarry_actions::issues;
use quarry_domain::access::permission::Permission;
use quarry_domain::ids::{ProjectId, StatusId, TrackerId};
use quarry_domain::issues::issue::{Issue, IssueChange};
use quarry_http::{Error, RequestContext};
use quarry_store::Read;
use quarry_wire::Input;
use std::collections::BTreeSet;

/// The value that clears a field.
const NONE: &str = "none";
/// Maximum number of combinations of project, tracker and status that are compared.
const MAX_KINDS: usize = 40;
/// The fields whose value is typed: a checkbox clears them.
const TYPED: [&str; 4] = [
    "start_date",
    "due_date",
    "parent_issue_id",
    "estimated_hours",
];

/// Returns the fields of the form, with what was typed.
pub fn fields(
    request: &RequestContext,
    db: &Read<'_>,
    selected: &[Issue],
) -> Result<Vec<FormField>, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let form = &request.body;
    let mut kinds: BTreeSet<(ProjectId, TrackerId, StatusId)> = BTreeSet::new();
    let mut common: Option<Vec<FormField>> = None;
    for issue in selected {
        let is_new = kinds.insert((issue.project, issue.tracker, issue.status));
        if !is_new || kinds.len() > MAX_KINDS {
            continue;
        }
        let change = IssueChange::default();
        let editable = issues::for_update(db, viewer, issue.id, &change)?;
        let context = FormContext {
            catalogue,
            viewer,
            editable: &editable,
            form: &Input::Null,
        };
        let mut own = core_fields(&context);
        own.extend(custom_fields(&context));
        own.retain(|field| {
            !matches!(
                field.attribute.as_str(),
                "subject" | "description" | "estimated_hours"
            ) && field.kind != FieldKind::LongText
        });
        common = Some(match common {
            None => own,
            Some(fields) => intersection(fields, &own),
        });
    }
    let mut fields = common.unwrap_or_default();
    for field in &mut fields {
        leave_alone(field, form);
    }
    let projects = issues::projects(catalogue, viewer);
    if projects.len() > 1 {
        let mut field = FormField::new(FieldKind::Select, "issue[project_id]", "Project", "");
        field.choices = projects
            .iter()
            .map(|(project, depth)| {
                choice(
                    project.id,
                    format!("{}{}", "– ".repeat(*depth), project.name),
                )
            })
            .collect();
        leave_alone(&mut field, form);
        fields.insert(0, field);
    }
    let may_note = selected
        .iter()
        .all(|issue| viewer.may_on(Permission::AddIssueNotes, issue.project, issue.tracker));
    if may_note {
        let text = typed(form, "issue[notes]").unwrap_or_default();
        fields.push(FormField::new(
            FieldKind::LongText,
            "issue[notes]",
            "Note",
            text,
        ));
    }
    let may_hide = selected
        .iter()
        .all(|issue| viewer.may(Permission::SetNotesPrivate, issue.project));
    if may_note && may_hide {
        let is_on = typed(form, "issue[private_notes]").unwrap_or_else(|| "0".to_owned());
        fields.push(FormField::new(
            FieldKind::Switch,
            "issue[private_notes]",
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
            choices.push(choice(NONE, "none"));
        }
        choices.append(&mut field.choices);
        field.choices = choices;
    } else if TYPED.contains(&field.attribute.as_str()) {
        "Leave it empty for no change.".clone_into(&mut field.hint);
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

/// Returns the body of an update as the API has it: without what is left alone, and with empty
/// values for what is cleared.
pub fn to_update(form: &Input) -> Input {
    let sent = form.get("issue").map(Input::entries).unwrap_or_default();
    let mut issue: Vec<(String, Input)> = sent
        .iter()
        .filter_map(|(name, value)| Some((name.clone(), changed(value)?)))
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
