//! The cells of a board over a list of issues.

use super::export::load_first;
use super::issue_list::IssueList;
use crate::Error;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::issues::issue::Issue;
use quarry_domain::query::board::BoardField;
use quarry_domain::query::filter::Predicate;
use quarry_domain::query::issues::{Condition, Field};
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::Read;
use quarry_store::issues::board::{self, Cell};
use quarry_store::issues::{self, IssueQuery};
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum number of cards of a board whose rank counts.
const MAX_RANKED: usize = 5_000;

/// The field of the columns, and that of the lanes.
pub type BoardFields = (BoardField, Option<BoardField>);

/// The cards of a cell on a page of it.
pub struct CellPage {
    /// How many cards come before.
    pub offset: i64,
    /// Maximum number of cards.
    pub limit: i64,
}

impl IssueList {
    /// Returns how many of the matching issues are in each cell of a board.
    pub fn count_cells(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        fields: BoardFields,
    ) -> Result<HashMap<Cell, i64>, Error> {
        let query = self.query(viewer, &self.conditions);
        Ok(board::count_cells(db, &query, fields)?
            .into_iter()
            .collect())
    }

    /// Returns the ids of the matching issues that have a rank, in its order.
    pub fn ranked_cells(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        fields: BoardFields,
    ) -> Result<HashMap<Cell, Vec<i64>>, Error> {
        let query = self.query(viewer, &self.conditions);
        let mut cells: HashMap<Cell, Vec<i64>> = HashMap::new();
        for (cell, id) in board::ranked(db, &query, fields, MAX_RANKED)? {
            cells.entry(cell).or_default().push(id);
        }
        Ok(cells)
    }

    /// Returns a page of the issues of a cell: those that have a rank in its order, then the others
    /// in the order of the list.
    pub fn load_cell(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        ((columns, lanes), (value, lane)): (BoardFields, Cell),
        ranked: &[i64],
        page: &CellPage,
    ) -> Result<Vec<Arc<Issue>>, Error> {
        let mut conditions = self.conditions.clone();
        conditions.push(columns.condition(value));
        conditions.extend(lanes.map(|lanes| lanes.condition(lane)));
        let ranked_count = i64::try_from(ranked.len()).unwrap_or(i64::MAX);
        let mut cards = Vec::new();
        let shown: Vec<i64> = ranked
            .iter()
            .skip(usize::try_from(page.offset).unwrap_or(usize::MAX))
            .take(usize::try_from(page.limit).unwrap_or(0))
            .copied()
            .collect();
        if !shown.is_empty() {
            let mut of_page = conditions.clone();
            of_page.push(id_condition(Predicate::OneOf(shown.clone())));
            cards = self.load_range(db, viewer, &of_page, (0, page.limit))?;
            cards.stable_sort_by_key(|issue| shown.iter().position(|id| *id == issue.id.0));
        }
        let missing = page.limit - i64::try_from(shown.len()).unwrap_or(0);
        if missing > 0 {
            if !ranked.is_empty() {
                conditions.push(id_condition(Predicate::NoneOf(ranked.to_vec())));
            }
            let offset = (page.offset - ranked_count).max(0);
            cards.extend(self.load_range(db, viewer, &conditions, (offset, missing))?);
        }
        Ok(cards)
    }

    /// Returns a part of the matching issues, also where their texts exceed the maximum size of a page.
    pub fn load_range(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        conditions: &[Condition],
        (offset, limit): (i64, i64),
    ) -> Result<Vec<Arc<Issue>>, Error> {
        load_first(limit, |loaded, limit| {
            let query = IssueQuery {
                offset: offset.saturating_add(loaded),
                limit,
                ..self.query(viewer, conditions)
            };
            Ok(issues::list(db, &query)?)
        })
    }
}

fn id_condition(predicate: Predicate) -> Condition {
    Condition {
        field: Field::Id,
        predicate,
    }
}
