//! `GET /issues/board`, `GET /projects/:id/issues/board`: the issues that the parameters of a list
//! describe, as cards.

use super::add_card::CardForm;
use super::cards::CardContext;
use super::columns::{COLUMNS, LANES, MAX_COLUMNS, column_field, lane_field, values};
use super::folding::{self, Folding};
use super::lanes::{Lane, LaneLoader, MAX_LANES, PAGES, lane_values};
use super::limits::limits_path;
use crate::access;
use crate::assets;
use crate::components::tabs::Tab;
use crate::frame::render::render;
use crate::frame::{Frame, ProjectTab};
use crate::issues::list::{FilterBox, ListFilters, based_on, new_path, redirect};
use crate::issues::views::View;
use crate::prelude::*;
use crate::queries::{ListAddress, list_path};
use quarry_domain::query::board::BoardField;
use quarry_http::resources::issue_list::IssueList;
use quarry_store::issues::board_limits::{self, BoardLimits};
use std::collections::HashSet;

/// Maximum number of bytes of the address of a board: the links of each cell repeat it.
const MAX_ADDRESS: usize = 4_000;

/// A field that can be chosen: name in addresses, label, whether it is chosen.
type FieldChoice = (&'static str, &'static str, bool);

#[derive(Template)]
#[template(path = "issues/board/show.html")]
struct BoardPage {
    frame: Frame,
    script: &'static str,
    total: i64,
    /// The views of the same issues.
    views: Vec<Tab>,
    /// The filters of the list.
    filter_box: FilterBox,
    /// The address and the way back of the forms for new cards, if there are any.
    new_cards: Option<(String, String)>,
    /// The address of the form for a new issue, if the viewer may add one.
    new_path: Option<String>,
    /// The address of the form for the limits of the columns, if the viewer may change them.
    limits_path: Option<String>,
    /// The path of the board, and its parameters without the fields.
    path: String,
    hidden: Vec<(String, String)>,
    column_fields: Vec<FieldChoice>,
    lane_fields: Vec<FieldChoice>,
    has_lanes: bool,
    /// The level of the headings of columns.
    column_level: u8,
    lanes: Vec<Lane>,
    omitted_columns: usize,
    omitted_lanes: usize,
}

/// Shows the board.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = access::optional_project(request, catalogue, Permission::ViewIssues)?;
    if request.path_and_query().len() > MAX_ADDRESS {
        return Err(Error::invalid(format!(
            "the address of a board must be at most {MAX_ADDRESS} bytes long; save long filters as a query"
        )));
    }
    if let Some(reply) = redirect(request) {
        return Ok(reply);
    }
    let path = list_path(catalogue, project.map(|project| project.id));
    if let Some(reply) = folding::change(request, catalogue, &format!("{path}/board")) {
        return Ok(reply);
    }
    let columns = column_field(request)?;
    let fields = (columns, lane_field(request, columns)?);
    let (mut list, text_error) = access::found(request, IssueList::parse_for_page(request, db))?;
    // Columns of closed statuses would always be empty.
    let has_all = fields.0 == BoardField::Status && list.remove_default_filter();
    let folding = Folding::new(request, fields.0, !has_all);
    let counts = list.count_cells(db, viewer, fields)?;
    let present: HashSet<Option<i64>> = counts.keys().map(|(column, _)| *column).collect();
    let present: Vec<Option<i64>> = present.into_iter().collect();
    let mut shown = values(catalogue, project, fields.0, &present);
    let omitted_columns = shown.len().saturating_sub(MAX_COLUMNS);
    shown.truncate(MAX_COLUMNS);
    let mut lanes = lane_values(catalogue, project, fields, &counts);
    let omitted_lanes = lanes.len().saturating_sub(MAX_LANES);
    lanes.truncate(MAX_LANES);
    let limits = match project {
        Some(project) => board_limits::find(db, project.id, fields.0)?,
        None => BoardLimits::new(),
    };
    let address = ListAddress::new(request);
    let frame = Frame::in_optional_project(request, db, "Board", project, ProjectTab::Issues);
    let based_on = based_on(request, db, &list)?;
    let filters = ListFilters::new(request, catalogue, &list, &address, based_on.as_ref())?;
    let board_path = format!("{path}/board");
    let filter_box =
        FilterBox::new(board_path, project, &list, &filters, text_error.as_ref()).without_forms();
    // With a filter, the board might not show the new card.
    let is_filtered = !filter_box.chips.is_empty() || !filter_box.text.is_empty();
    let card_form = match project.filter(|_| !is_filtered) {
        Some(project) => CardForm::new(request, db, project, fields)?,
        None => None,
    };
    let loader = LaneLoader {
        request,
        db,
        list: &list,
        fields,
        counts: &counts,
        limits: &limits,
        columns: &shown,
        card_form: card_form.as_ref(),
        folding: &folding,
    };
    let cards = CardContext {
        request,
        catalogue,
        fields,
        today: db.now().to_zoned(frame.zone.clone()).date(),
    };
    let own = [COLUMNS, LANES, PAGES];
    let list_address = own
        .iter()
        .fold(address.clone(), |address, name| address.set(name, None));
    let page = BoardPage {
        script: assets::url("board.js"),
        total: counts.values().sum(),
        views: View::Board.bar(&path, |view| match view {
            View::List => list_address.first_page(),
            _ => list_address.for_view(),
        }),
        new_cards: card_form
            .as_ref()
            .map(|form| (form.path.clone(), form.back.clone())),
        new_path: new_path(request, project),
        limits_path: project
            .filter(|project| viewer.may(Permission::EditProject, project.id))
            .map(|project| limits_path(project, fields.0)),
        hidden: address
            .hidden_fields()
            .into_iter()
            .filter(|(name, _)| !own.contains(&name.as_str()))
            .collect(),
        column_fields: choices(Some(fields.0)),
        lane_fields: choices(fields.1),
        has_lanes: fields.1.is_some(),
        column_level: if fields.1.is_some() { 3 } else { 2 },
        lanes: loader.load(&lanes, &cards)?,
        omitted_columns,
        omitted_lanes,
        path: format!("{path}/board"),
        filter_box,
        frame,
    };
    let reply = render(&page.frame, &page)?;
    Ok(match text_error {
        Some(error) => reply.with_status(error.status()),
        None => reply,
    })
}

fn choices(chosen: Option<BoardField>) -> Vec<FieldChoice> {
    let fields = BoardField::ALL.iter().copied();
    fields
        .map(|field| (field.name(), field.label(), Some(field) == chosen))
        .collect()
}
