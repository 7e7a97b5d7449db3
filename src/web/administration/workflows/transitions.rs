//! `/workflows/edit`: the permitted transitions of some trackers and roles.

use super::cells;
use super::check::{Confirmation, answer};
use super::labels;
use super::matrices::{FIELD_RULES, FIELD_RULES_TITLE, MatricesPage, TRANSITIONS};
use super::selection::Selection;
use crate::components::form_field::choice;
use crate::components::matrix::{Matrix, MatrixCell, MatrixColumn, MatrixGroup, MatrixRow};
use crate::components::pager::Pager;
use crate::frame::Frame;
use crate::frame::render::render;
use crate::prelude::*;
use quarry_actions::administration::workflow_edits::WorkflowEdit;
use quarry_domain::administration::workflow_plan::{RoleWorkflow, TransitionCell, TransitionKind};
use quarry_domain::ids::StatusId;
use std::collections::BTreeMap;

/// `GET`: the matrices.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &BTreeMap::new(), ValidationErrors::new())
}

/// `POST`: shows what the changes mean; `do=save` saves them, `do=edit` shows the matrices with
/// them.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let selection = Selection::new(request);
    let changes = cells::changed_transitions(&request.body);
    let change = WorkflowEdit::Cells {
        trackers: selection.trackers.clone(),
        roles: selection.roles.clone(),
        transitions: changes.iter().map(|(cell, on)| (*cell, *on)).collect(),
        rules: Vec::new(),
    };
    let address = format!("{TRANSITIONS}{}", selection.query());
    let confirmation = Confirmation {
        action: address.clone(),
        back: address,
        hidden: vec![(cells::CHANGES.to_owned(), cells::transitions_text(&changes))],
        can_edit: true,
    };
    answer(request, change, &confirmation, |db, errors| {
        page(request, db, &changes, errors)
    })
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    changes: &BTreeMap<TransitionCell, bool>,
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
    let mut rows: Vec<Option<StatusId>> = vec![None];
    rows.extend(statuses.iter().copied().map(Some));
    let per_page = Selection::rows_per_page(statuses.len(), TransitionKind::ALL.len());
    let pages = rows.len().div_ceil(per_page).max(1);
    let offset = (selection.page.min(pages) - 1) * per_page;
    let total = rows.len();
    let rows: Vec<Option<StatusId>> = rows.into_iter().skip(offset).take(per_page).collect();
    let table = Table {
        catalogue,
        workflows: &workflows,
        statuses: &statuses,
        changes,
    };
    let mut matrices = Vec::new();
    let mut shown = Vec::new();
    if !workflows.is_empty() && !statuses.is_empty() {
        for kind in TransitionKind::ALL {
            matrices.push((heading(kind), table.matrix(kind, &rows)));
            shown.extend(table.permitted(kind, &rows));
        }
    }
    let as_i64 = |number| i64::try_from(number).unwrap_or(i64::MAX);
    let frame_title = match selection.is_empty(catalogue) {
        true => "Transitions".to_owned(),
        false => selection.title(catalogue),
    };
    let page = MatricesPage {
        frame: Frame::for_administration(request, db, frame_title).below("Workflow", "/workflows"),
        title: "Transitions",
        introduction: "A step is permitted from the status of a row to that of a column.",
        path: TRANSITIONS,
        query: selection.query(),
        other: (
            FIELD_RULES_TITLE,
            format!("{}{}", FIELD_RULES, selection.query()),
        ),
        selection: selection.fields(catalogue),
        all_statuses: selection.all_statuses,
        shown: shown.join(" "),
        matrices,
        pager: Pager::for_list(request, as_i64(offset), as_i64(per_page), as_i64(total)),
        messages: errors.into_iter().map(|error| error.to_string()).collect(),
    };
    render(&page.frame, &page)
}

fn heading(kind: TransitionKind) -> &'static str {
    match kind {
        TransitionKind::Everybody => "Permitted transitions",
        TransitionKind::Author => "Additional transitions for the author of an issue",
        TransitionKind::Assignee => "Additional transitions for the assignee",
    }
}

/// The workflows that the matrices show together.
struct Table<'c> {
    catalogue: &'c Catalogue,
    workflows: &'c [RoleWorkflow],
    statuses: &'c [StatusId],
    /// Changes that are not saved yet.
    changes: &'c BTreeMap<TransitionCell, bool>,
}

impl Table<'_> {
    /// Whether all workflows permit the transition; `None` if some do.
    fn state(&self, cell: TransitionCell) -> Option<bool> {
        let count = self
            .workflows
            .iter()
            .filter(|workflow| workflow.permits(cell))
            .count();
        match count {
            0 => Some(false),
            count if count == self.workflows.len() => Some(true),
            _ => None,
        }
    }

    /// Returns the cell of a row and a column; `None` where there is no transition.
    fn cell(kind: TransitionKind, from: Option<StatusId>, to: StatusId) -> Option<TransitionCell> {
        let is_step = from != Some(to) && (from.is_some() || kind == TransitionKind::Everybody);
        is_step.then_some(TransitionCell { kind, from, to })
    }

    /// Returns the names of the transitions that all workflows permit.
    fn permitted(&self, kind: TransitionKind, rows: &[Option<StatusId>]) -> Vec<String> {
        let cells = rows.iter().flat_map(|from| {
            let cells = self.statuses.iter();
            cells.filter_map(|to| Table::cell(kind, *from, *to))
        });
        cells
            .filter(|cell| self.state(*cell) == Some(true))
            .map(cells::transition_name)
            .collect()
    }

    fn matrix(&self, kind: TransitionKind, rows: &[Option<StatusId>]) -> Matrix {
        let row = |from: &Option<StatusId>| MatrixRow {
            label: labels::status(self.catalogue, *from),
            cells: self
                .statuses
                .iter()
                .map(|to| match Table::cell(kind, *from, *to) {
                    Some(cell) => self.control(cell),
                    None => MatrixCell::None,
                })
                .collect(),
        };
        let columns = self.statuses.iter().map(|status| MatrixColumn {
            label: labels::status(self.catalogue, Some(*status)),
            path: None,
        });
        // New issues have transitions for everybody only.
        let rows = rows
            .iter()
            .filter(|from| from.is_some() || kind == TransitionKind::Everybody);
        Matrix {
            caption: heading(kind).to_owned(),
            corner: "From \\ To".to_owned(),
            columns: columns.collect(),
            groups: vec![MatrixGroup {
                title: String::new(),
                rows: rows.map(row).collect(),
            }],
        }
    }

    fn control(&self, cell: TransitionCell) -> MatrixCell {
        let name = cells::transition_name(cell);
        let change = self.changes.get(&cell).copied();
        match self.state(cell) {
            Some(is_permitted) => MatrixCell::Check {
                name: "on[]".to_owned(),
                value: name,
                is_checked: change.unwrap_or(is_permitted),
            },
            None => MatrixCell::Select {
                name: format!("mixed[{name}]"),
                value: change.map_or_else(String::new, |on| u8::from(on).to_string()),
                choices: vec![choice("", "differs"), choice("1", "yes"), choice("0", "no")],
            },
        }
    }
}
