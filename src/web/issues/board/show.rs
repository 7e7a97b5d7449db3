//! `GET /issues/board`, `GET /projects/:id/issues/board`: the issues that the parameters of a list
//! describe, as cards.

use super::columns::{COLUMNS, MAX_COLUMNS, field, label, parse_value, value_text, values};
use crate::access;
use crate::components::avatar::Person;
use crate::components::tabs::Tab;
use crate::components::time::date;
use crate::frame::{Frame, ProjectTab};
use crate::issues::list::new_path;
use crate::queries::{ListAddress, list_path};
use crate::render::render;
use askama::Template;
use jiff::civil::Date;
use quarry_domain::access::permission::Permission;
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::issues::issue::Issue;
use quarry_domain::query::board::BoardField;
use quarry_http::resources::board_columns::ColumnPage;
use quarry_http::resources::issue_list::IssueList;
use quarry_http::resources::paths;
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;
use std::collections::HashMap;

/// Number of cards of a column on a page of it.
const LIMIT: i64 = 20;
/// Maximum number of the page of a column.
const MAX_PAGE: i64 = 10_000;
/// The parameter with the pages of the columns: `5:2,7:3`.
const PAGES: &str = "pages";

#[derive(Template)]
#[template(path = "issues/board/show.html")]
struct BoardPage {
    frame: Frame,
    total: i64,
    /// Links to the list and to the board of the same issues.
    views: Vec<Tab>,
    /// The address of the form for a new issue, if the viewer may add one.
    new_path: Option<String>,
    /// The path of the board, and its parameters without the field.
    path: String,
    hidden: Vec<(String, String)>,
    fields: Vec<(&'static str, &'static str, bool)>,
    columns: Vec<BoardColumn>,
    /// Number of columns that are left out.
    omitted: usize,
}

struct BoardColumn {
    /// Its value in forms.
    value: String,
    label: String,
    count: i64,
    /// The page of it that is shown.
    page: i64,
    cards: Vec<Card>,
    /// The address with the page of this column before.
    previous: Option<String>,
    /// The address with the next page of this column.
    next: Option<String>,
}

struct Card {
    id: i64,
    tracker: String,
    subject: String,
    priority: String,
    /// Whether the priority is above the default.
    is_urgent: bool,
    assignee: Option<Person>,
    /// The due date of an issue that is late.
    late: Option<String>,
    /// The address of the page that moves it, if the viewer may.
    move_path: Option<String>,
}

/// Shows the board.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = if request.path_param("id").is_empty() {
        None
    } else {
        let permission = Permission::ViewIssues;
        Some(access::project(request, catalogue, permission)?)
    };
    let field = field(request);
    let mut list = access::found(request, IssueList::parse(request, db))?;
    // Columns of closed statuses would always be empty.
    if list.has_default_filter && field == BoardField::Status {
        list.conditions.pop();
    }
    let counts: HashMap<Option<i64>, i64> = list.count_by(db, viewer, field)?.into_iter().collect();
    let present: Vec<Option<i64>> = counts.keys().copied().collect();
    let mut shown = values(catalogue, project, field, &present);
    let omitted = shown.len().saturating_sub(MAX_COLUMNS);
    shown.truncate(MAX_COLUMNS);
    let pages = pages(request);
    let address = ListAddress::new(request);
    let mut frame = Frame::new(request, db, "Board");
    if let Some(project) = project {
        frame.title = format!("Board · {}", project.name);
        frame = frame.in_project(catalogue, viewer, project, Some(ProjectTab::Issues));
    }
    let today = db.now().to_zoned(frame.zone.clone()).date();
    let cards = CardContext {
        request,
        catalogue,
        field,
        today,
    };
    let mut columns = Vec::new();
    for value in shown {
        let count = counts.get(&value).copied().unwrap_or(0);
        let last = ((count - 1).max(0)) / LIMIT + 1;
        let page = pages.get(&value).copied().unwrap_or(1).min(last);
        let issues = if count == 0 {
            Vec::new()
        } else {
            let page = ColumnPage {
                offset: (page - 1) * LIMIT,
                limit: LIMIT,
            };
            list.load_column(db, viewer, (field, value), &page)?
        };
        let page_path = |page: i64| {
            let mut pages = pages.clone();
            pages.insert(value, page);
            address.with(&[(PAGES, Some(&pages_text(&pages)))])
        };
        columns.push(BoardColumn {
            value: value_text(value),
            label: label(catalogue, field, value),
            count,
            page,
            cards: issues.iter().map(|issue| cards.card(issue)).collect(),
            previous: (page > 1).then(|| page_path(page - 1)),
            next: (page < last).then(|| page_path(page + 1)),
        });
    }
    let path = list_path(catalogue, project.map(|project| project.id));
    let board_path = format!("{path}/board");
    let without_board = address.with(&[(COLUMNS, None), (PAGES, None)]);
    let page = BoardPage {
        total: counts.values().sum(),
        views: vec![
            Tab::new("List", format!("{path}{without_board}"), false),
            Tab::new("Board", request.path_and_query(), true),
        ],
        new_path: new_path(request, project),
        hidden: address
            .hidden_fields()
            .into_iter()
            .filter(|(name, _)| name != COLUMNS && name != PAGES)
            .collect(),
        fields: BoardField::ALL
            .map(|choice| (choice.name(), choice.label(), choice == field))
            .to_vec(),
        columns,
        omitted,
        path: board_path,
        frame,
    };
    render(&page.frame, &page)
}

struct CardContext<'a> {
    request: &'a RequestContext,
    catalogue: &'a Catalogue,
    field: BoardField,
    today: Date,
}

impl CardContext<'_> {
    fn card(&self, issue: &Issue) -> Card {
        let catalogue = self.catalogue;
        let viewer = self.request.viewer();
        let tracker = catalogue.tracker(issue.tracker);
        let priority = catalogue.enumeration(issue.priority);
        let default = catalogue.default_enumeration(EnumerationKind::IssuePriority);
        let may_move = quarry_actions::issues::may_edit(viewer, issue)
            && viewer.author_id(catalogue).is_some();
        let back = paths::encode(&self.request.path_and_query());
        Card {
            id: issue.id.0,
            tracker: tracker.map_or_else(String::new, |tracker| tracker.name.clone()),
            subject: issue.subject.clone(),
            priority: priority.map_or_else(String::new, |priority| priority.name.clone()),
            is_urgent: priority
                .zip(default)
                .is_some_and(|(own, default)| own.position > default.position),
            assignee: issue.assignee.map(|id| Person::new(catalogue, id)),
            late: issue
                .due_date
                .filter(|_| {
                    issue.closed_on.is_none() && issue.due_date.is_some_and(|due| due < self.today)
                })
                .map(date),
            move_path: may_move.then(|| {
                format!(
                    "{}/move_card?columns={}&back={back}",
                    paths::issue(issue.id),
                    self.field.name()
                )
            }),
        }
    }
}

/// Returns the pages of the columns that the request names.
fn pages(request: &RequestContext) -> HashMap<Option<i64>, i64> {
    let text = request.query_param(PAGES).unwrap_or_default();
    text.split(',')
        .filter_map(|part| {
            let (value, page) = part.split_once(':')?;
            let page: i64 = page.parse().ok()?;
            Some((parse_value(value)?, page.clamp(1, MAX_PAGE)))
        })
        .take(MAX_COLUMNS)
        .collect()
}

fn pages_text(pages: &HashMap<Option<i64>, i64>) -> String {
    let mut parts: Vec<String> = pages
        .iter()
        .filter(|(_, page)| **page > 1)
        .map(|(value, page)| format!("{}:{page}", value_text(*value)))
        .collect();
    parts.sort_unstable();
    parts.join(",")
}
