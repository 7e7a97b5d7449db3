//! `/workflows/permissions`: the rules about fields of some trackers and roles.

use super::cells;
use super::check::{Confirmation, answer};
use super::labels;
use super::matrices::{FIELD_RULES, FIELD_RULES_TITLE, MatricesPage, TRANSITIONS};
use super::selection::Selection;
use crate::components::form_field::{Choice, choice};
use crate::components::matrix::{Matrix, MatrixCell, MatrixColumn, MatrixGroup, MatrixRow};
use crate::components::pager::Pager;
use crate::frame::Frame;
use crate::frame::render::render;
use crate::prelude::*;
use quarry_actions::administration::workflow_edits::WorkflowEdit;
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::administration::tracker::CORE_FIELDS;
use quarry_domain::administration::workflow::{READ_ONLY_FIELDS, Rule};
use quarry_domain::administration::workflow_plan::{RoleWorkflow, RuleCell};
use quarry_domain::ids::StatusId;
use std::collections::BTreeMap;

/// The value of a cell whose workflows have several rules.
const DIFFERS: &str = "differs";

/// `GET`: the matrix.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &BTreeMap::new(), ValidationErrors::new())
}

/// `POST`: shows what the changes mean; `do=save` saves them, `do=edit` shows the matrix with them.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let selection = Selection::new(request);
    let changes = cells::changed_rules(&request.body);
    let change = WorkflowEdit::Cells {
        trackers: selection.trackers.clone(),
        roles: selection.roles.clone(),
        transitions: Vec::new(),
        rules: changes
            .iter()
            .map(|(cell, rule)| (cell.clone(), *rule))
            .collect(),
    };
    let address = format!("{FIELD_RULES}{}", selection.query());
    let confirmation = Confirmation {
        action: address.clone(),
        back: address,
        hidden: vec![(cells::CHANGES.to_owned(), cells::rules_text(&changes))],
        can_edit: true,
    };
    answer(request, change, &confirmation, |db, errors| {
        page(request, db, &changes, errors)
    })
}

/// Returns the fields that can have rules: those that the trackers have.
fn fields(catalogue: &Catalogue, selection: &Selection) -> Vec<String> {
    let trackers: Vec<_> = selection.trackers(catalogue).collect();
    let core = CORE_FIELDS
        .into_iter()
        .filter(|field| trackers.iter().any(|tracker| tracker.has(field)));
    let custom = catalogue
        .custom_fields_of(Customized::Issue)
        .filter(|field| {
            let mut trackers = trackers.iter();
            trackers.any(|tracker| field.trackers.contains(&tracker.id))
        });
    READ_ONLY_FIELDS
        .into_iter()
        .chain(core)
        .map(str::to_owned)
        .chain(custom.map(|field| field.id.to_string()))
        .collect()
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    changes: &BTreeMap<RuleCell, Option<Rule>>,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let selection = Selection::new(request);
    let workflows: Vec<RoleWorkflow> = selection
        .pairs(catalogue)
        .into_iter()
        .map(|(tracker, role)| RoleWorkflow::stored(catalogue, tracker, role))
        .collect();
    let statuses = selection.statuses(catalogue);
    let fields = fields(catalogue, &selection);
    let per_page = Selection::rows_per_page(statuses.len(), 1);
    let pages = fields.len().div_ceil(per_page).max(1);
    let offset = (selection.page.min(pages) - 1) * per_page;
    let rows: Vec<&String> = fields.iter().skip(offset).take(per_page).collect();
    let table = Table {
        catalogue,
        workflows: &workflows,
        statuses: &statuses,
        changes,
    };
    let matrices = if workflows.is_empty() || statuses.is_empty() {
        Vec::new()
    } else {
        vec![(FIELD_RULES_TITLE, table.matrix(&rows))]
    };
    let as_i64 = |number| i64::try_from(number).unwrap_or(i64::MAX);
    let frame_title = match selection.is_empty(catalogue) {
        true => FIELD_RULES_TITLE.to_owned(),
        false => format!("{FIELD_RULES_TITLE}: {}", selection.title(catalogue)),
    };
    let page = MatricesPage {
        frame: Frame::for_administration(request, db, frame_title).below("Workflow", "/workflows"),
        title: FIELD_RULES_TITLE,
        introduction: "In each status, a field can be read-only or required. The rule applies to people all of whose roles have one.",
        path: FIELD_RULES,
        query: selection.query(),
        other: (
            "Transitions",
            format!("{}{}", TRANSITIONS, selection.query()),
        ),
        selection: selection.fields(catalogue),
        all_statuses: selection.all_statuses,
        shown: if matrices.is_empty() {
            String::new()
        } else {
            table.shown(&rows)
        },
        matrices,
        pager: Pager::for_list(
            request,
            as_i64(offset),
            as_i64(per_page),
            as_i64(fields.len()),
        ),
        messages: errors.into_iter().map(|error| error.to_string()).collect(),
    };
    render(&page.frame, &page)
}

/// The workflows that the matrix shows together.
struct Table<'c> {
    catalogue: &'c Catalogue,
    workflows: &'c [RoleWorkflow],
    statuses: &'c [StatusId],
    /// Changes that are not saved yet.
    changes: &'c BTreeMap<RuleCell, Option<Rule>>,
}

impl Table<'_> {
    /// Returns the value of a cell in the form.
    fn state(&self, cell: &RuleCell) -> &'static str {
        let mut rules = self.workflows.iter().map(|workflow| workflow.rule(cell));
        let first = rules.next().flatten();
        match rules.all(|rule| rule == first) {
            true => cells::value(first),
            false => DIFFERS,
        }
    }

    /// Returns the cells that have a rule, as the form sends them back.
    fn shown(&self, fields: &[&String]) -> String {
        let mut shown = Vec::new();
        for field in fields {
            for status in self.statuses {
                let cell = RuleCell {
                    status: *status,
                    field: (*field).clone(),
                };
                let state = self.state(&cell);
                if state != cells::FREE {
                    shown.push(format!("{}={state}", cells::rule_name(&cell)));
                }
            }
        }
        shown.join(" ")
    }

    fn matrix(&self, fields: &[&String]) -> Matrix {
        let row = |field: &&String| MatrixRow {
            label: labels::field_label(self.catalogue, field),
            cells: self
                .statuses
                .iter()
                .map(|status| {
                    self.control(RuleCell {
                        status: *status,
                        field: (*field).clone(),
                    })
                })
                .collect(),
        };
        Matrix {
            caption: FIELD_RULES_TITLE.to_owned(),
            corner: "Field".to_owned(),
            columns: self
                .statuses
                .iter()
                .map(|status| MatrixColumn {
                    label: labels::status(self.catalogue, Some(*status)),
                    path: None,
                })
                .collect(),
            groups: vec![MatrixGroup {
                title: String::new(),
                rows: fields.iter().map(row).collect(),
            }],
        }
    }

    fn control(&self, cell: RuleCell) -> MatrixCell {
        let state = self.state(&cell);
        let change = self.changes.get(&cell).map(|rule| cells::value(*rule));
        let mut choices: Vec<Choice> = Vec::new();
        if state == DIFFERS {
            choices.push(choice(DIFFERS, "differs"));
        }
        let is_always_set =
            READ_ONLY_FIELDS.contains(&cell.field.as_str()) || cell.field == "priority_id";
        for rule in [None, Some(Rule::ReadOnly), Some(Rule::Required)] {
            // An imported rule that cannot be chosen stays until it is changed.
            if !is_always_set || rule != Some(Rule::Required) || state == Rule::Required.name() {
                let label = rule.map_or("–", |rule| labels::rule(Some(rule)));
                choices.push(choice(cells::value(rule), label));
            }
        }
        MatrixCell::Select {
            name: format!("rules[{}]", cells::rule_name(&cell)),
            value: change.unwrap_or(state).to_owned(),
            choices,
        }
    }
}
