//! The lanes of a board, with the cells of each: a lane has one cell for every column.

use super::add_card::CardForm;
use super::cards::{Card, CardContext};
use super::columns::{label, parse_value, value_text};
use super::folding::{FoldLink, Folding};
use crate::prelude::*;
use crate::queries::ListAddress;
use quarry_http::resources::board_cells::{BoardFields, CellPage};
use quarry_http::resources::issue_list::IssueList;
use quarry_store::issues::board::Cell;
use quarry_store::issues::board_limits::BoardLimits;
use std::collections::{HashMap, HashSet};

/// Maximum number of lanes.
pub const MAX_LANES: usize = 12;
/// Number of cards of a cell on a page of it, without and with lanes.
const LIMIT: i64 = 20;
const LIMIT_WITH_LANES: i64 = 8;
/// Maximum number of the page of a cell.
const MAX_PAGE: i64 = 10_000;
/// Maximum number of cells with a page other than the first.
const MAX_PAGES: usize = 100;
/// The parameter with the pages of the cells: `5:2,7:3`, with lanes `5/12:2`.
pub const PAGES: &str = "pages";

/// The issues that have one value of the field of the lanes; all issues without such a field.
pub struct Lane {
    /// Its value in forms; empty without lanes.
    pub value: String,
    pub label: String,
    pub count: i64,
    pub cells: Vec<BoardCell>,
}

/// The issues of a column in a lane.
pub struct BoardCell {
    /// The value of the column in forms.
    pub value: String,
    /// The name of the column.
    pub label: String,
    pub count: i64,
    /// How many issues the whole column should have at most.
    pub limit: Option<i64>,
    /// How many it has in all lanes.
    pub column_count: i64,
    /// The link that folds or unfolds it, if it can be folded.
    pub fold: Option<FoldLink>,
    /// The page of it that is shown; 0 if it is folded.
    pub page: i64,
    pub cards: Vec<Card>,
    /// The address with the page of this cell before.
    pub previous: Option<String>,
    /// The address with the next page of this cell.
    pub next: Option<String>,
    /// The values of a new card; `None` if none can be added.
    pub new_card: Option<Vec<(String, String)>>,
}

impl BoardCell {
    /// Whether it shows its number alone.
    pub fn is_folded(&self) -> bool {
        self.fold.as_ref().is_some_and(|fold| fold.is_folded)
    }

    /// Whether the column has more issues than it should have.
    pub fn is_over_limit(&self) -> bool {
        self.limit.is_some_and(|limit| self.column_count > limit)
    }
}

/// Loads the cells of a board.
pub struct LaneLoader<'a> {
    pub request: &'a RequestContext,
    pub db: &'a Read<'a>,
    pub list: &'a IssueList,
    pub fields: BoardFields,
    pub counts: &'a HashMap<Cell, i64>,
    pub limits: &'a BoardLimits,
    pub columns: &'a [Option<i64>],
    /// The form for new cards, if there is one.
    pub card_form: Option<&'a CardForm<'a>>,
    /// Which columns are folded.
    pub folding: &'a Folding,
}

impl LaneLoader<'_> {
    /// Returns the lanes with these values.
    pub fn load(&self, lanes: &[Option<i64>], cards: &CardContext<'_>) -> Result<Vec<Lane>, Error> {
        let viewer = self.request.viewer();
        let ranked = self.list.ranked_cells(self.db, viewer, self.fields)?;
        let address = ListAddress::new(self.request);
        let pages = pages(self.request);
        let catalogue = self.db.catalogue();
        let limit = match self.fields.1 {
            Some(_) => LIMIT_WITH_LANES,
            None => LIMIT,
        };
        let mut loaded = Vec::new();
        for lane in lanes {
            let mut cells = Vec::new();
            for column in self.columns {
                let cell = (*column, *lane);
                let count = self.count(cell);
                let last = (count - 1).max(0) / limit + 1;
                let page = pages.get(&cell).copied().unwrap_or(1).min(last);
                let fold = self.folding.link(catalogue, &address, *column);
                let is_folded = fold.as_ref().is_some_and(|fold| fold.is_folded);
                let issues = if count == 0 || is_folded {
                    Vec::new()
                } else {
                    let page = CellPage {
                        offset: (page - 1) * limit,
                        limit,
                    };
                    let ranked = ranked.get(&cell).map_or(&[][..], Vec::as_slice);
                    self.list
                        .load_cell(self.db, viewer, (self.fields, cell), ranked, &page)?
                };
                let page_path = |page: i64| {
                    let mut pages = pages.clone();
                    pages.insert(cell, page);
                    let pages = pages_text(&pages, self.fields.1.is_some());
                    address.with(&[(PAGES, Some(&pages))])
                };
                cells.push(BoardCell {
                    value: value_text(*column),
                    label: label(catalogue, self.fields.0, *column),
                    count,
                    limit: self.limits.get(column).copied(),
                    column_count: self.column_count(*column),
                    page: if is_folded { 0 } else { page },
                    cards: issues.iter().map(|issue| cards.card(issue)).collect(),
                    previous: (page > 1 && !is_folded).then(|| page_path(page - 1)),
                    next: (page < last && !is_folded).then(|| page_path(page + 1)),
                    new_card: self
                        .card_form
                        .filter(|_| !is_folded)
                        .and_then(|form| form.values(cell)),
                    fold,
                });
            }
            loaded.push(Lane {
                value: self
                    .fields
                    .1
                    .map_or_else(String::new, |_| value_text(*lane)),
                label: lane_label(catalogue, self.fields, *lane),
                count: cells.iter().map(|cell| cell.count).sum(),
                cells,
            });
        }
        Ok(loaded)
    }

    fn count(&self, cell: Cell) -> i64 {
        self.counts.get(&cell).copied().unwrap_or(0)
    }

    fn column_count(&self, column: Option<i64>) -> i64 {
        let cells = self
            .counts
            .iter()
            .filter(|((value, _), _)| *value == column);
        cells.map(|(_, count)| count).sum()
    }
}

fn lane_label(catalogue: &Catalogue, fields: BoardFields, value: Option<i64>) -> String {
    let (_, lanes) = fields;
    lanes.map_or_else(String::new, |field| label(catalogue, field, value))
}

/// Returns the values of the lanes that have an issue, in the order of the values of the field; one
/// for all issues without such a field.
pub fn lane_values(
    catalogue: &Catalogue,
    project: Option<&Project>,
    fields: BoardFields,
    counts: &HashMap<Cell, i64>,
) -> Vec<Option<i64>> {
    let Some(field) = fields.1 else {
        return vec![None];
    };
    let present: HashSet<Option<i64>> = counts.keys().map(|(_, lane)| *lane).collect();
    let present: Vec<Option<i64>> = present.into_iter().collect();
    let mut values = super::columns::values(catalogue, project, field, &present);
    values.retain(|value| present.contains(value));
    values
}

/// Returns the pages of the cells that the request names.
fn pages(request: &RequestContext) -> HashMap<Cell, i64> {
    let text = request.query_param(PAGES).unwrap_or_default();
    text.split(',')
        .filter_map(|part| {
            let (cell, page) = part.split_once(':')?;
            let page: i64 = page.parse().ok()?;
            let (column, lane) = cell.split_once('/').unwrap_or((cell, ""));
            let lane = if lane.is_empty() {
                None
            } else {
                parse_value(lane)?
            };
            Some(((parse_value(column)?, lane), page.clamp(1, MAX_PAGE)))
        })
        .take(MAX_PAGES)
        .collect()
}

fn pages_text(pages: &HashMap<Cell, i64>, has_lanes: bool) -> String {
    let mut parts: Vec<String> = pages
        .iter()
        .filter(|(_, page)| **page > 1)
        .map(|((column, lane), page)| {
            let column = value_text(*column);
            if has_lanes {
                format!("{column}/{}:{page}", value_text(*lane))
            } else {
                format!("{column}:{page}")
            }
        })
        .collect();
    parts.sort_unstable();
    parts.join(",")
}
