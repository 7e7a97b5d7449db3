//! The blocks of My page: short lists of issues that concern the viewer, and those of saved queries.

use crate::issues::issue_table::IssueRow;
use crate::issues::recent_issues;
use crate::prelude::*;
use crate::queries;
use jiff::civil::Date;
use quarry_domain::access::visibility;
use quarry_domain::accounts::my_page::Block;
use quarry_domain::administration::time_zone;
use quarry_domain::query::columns;
use quarry_domain::query::filter::{Context, parse_short};
use quarry_domain::query::issues as query;
use quarry_domain::query::issues::Condition;
use quarry_domain::query::saved::SavedQuery;
use quarry_http::resources::saved_issues;
use quarry_store::issues;
use quarry_store::issues::IssueQuery;

/// Number of issues of each block.
const MAX_ISSUES: i64 = 10;
/// Number of days ahead in which a due date is soon.
const SOON_DAYS: i32 = 7;

/// A block with its issues.
#[derive(Default)]
pub struct IssueList {
    /// Its name in addresses.
    pub name: String,
    pub title: String,
    /// What it says when there are no issues; empty if it is left out then.
    pub empty: &'static str,
    pub total: i64,
    /// The address of all of them; empty if there are no others.
    pub path: String,
    pub rows: Vec<IssueRow>,
}

/// Returns the title of a block.
pub fn title(block: Block, saved: Option<&SavedQuery>) -> String {
    let title = match block {
        Block::Overdue => "Overdue",
        Block::DueSoon => "Due within a week",
        Block::Assigned => "Assigned to me",
        Block::Reported => "Reported by me",
        Block::Updated => "Changed by me",
        Block::Watched => "Watched",
        Block::Recent => "Recently viewed",
        Block::Query(_) => return saved.map_or(String::new(), |query| query.name.clone()),
    };
    title.to_owned()
}

/// Loads the blocks of a page.
pub struct BlockLoader<'a> {
    request: &'a RequestContext,
    db: &'a Read<'a>,
    today: Date,
}

impl<'a> BlockLoader<'a> {
    /// Creates a loader.
    pub fn new(request: &'a RequestContext, db: &'a Read<'a>) -> BlockLoader<'a> {
        let user = request.viewer().user;
        BlockLoader {
            request,
            db,
            today: time_zone::date_for_user(db.catalogue(), user, db.now()),
        }
    }

    /// Loads a block.
    pub fn load(&self, block: Block, saved: Option<SavedQuery>) -> Result<IssueList, Error> {
        let assigned = ("assigned_to_id", "me");
        let by_update = "updated_on:desc";
        let list = match block {
            Block::Overdue => {
                let yesterday = self.today.saturating_sub(jiff::Span::new().days(1));
                let due = format!("<={yesterday}");
                self.matching(&[assigned, ("due_date", &due)], "due_date")?
            }
            Block::DueSoon => {
                let last = self.today.saturating_add(jiff::Span::new().days(SOON_DAYS));
                let due = format!("><{}|{last}", self.today);
                self.matching(&[assigned, ("due_date", &due)], "due_date")?
            }
            Block::Assigned => IssueList {
                empty: "No open issue is assigned to you.",
                ..self.matching(&[assigned], "priority:desc,updated_on:desc")?
            },
            Block::Reported => IssueList {
                empty: "No open issue was reported by you.",
                ..self.matching(&[("author_id", "me")], by_update)?
            },
            Block::Updated => self.matching(&[("updated_by", "me")], by_update)?,
            Block::Watched => self.matching(&[("watcher_id", "me")], by_update)?,
            Block::Recent => self.recent()?,
            Block::Query(_) => match saved.clone() {
                Some(query) => self.of_query(query)?,
                None => IssueList::default(),
            },
        };
        Ok(IssueList {
            name: block.name(),
            title: title(block, saved.as_ref()),
            ..list
        })
    }

    fn rows<'i>(&self, issues: impl Iterator<Item = &'i Issue>) -> Vec<IssueRow> {
        let catalogue = self.db.catalogue();
        issues
            .map(|issue| IssueRow::new(catalogue, issue, self.today))
            .collect()
    }

    /// Loads the open issues that match these filters of the API.
    fn matching(&self, filters: &[(&str, &str)], order: &str) -> Result<IssueList, Error> {
        let db = self.db;
        let catalogue = db.catalogue();
        let viewer = self.request.viewer();
        let context = Context::new(viewer, catalogue, db.now());
        let fields = query::filter_fields(catalogue, viewer, false);
        let mut conditions = Vec::new();
        for (name, value) in filters.iter().chain(&[("status_id", "open")]) {
            // A filter that the viewer does not have matches nothing.
            let Some(field) = fields.iter().find(|field| field.name == *name) else {
                return Ok(IssueList::default());
            };
            let predicate =
                parse_short(field.kind, &field.label, value, &context).map_err(Error::Internal)?;
            conditions.push(Condition {
                field: field.field,
                predicate,
            });
        }
        let criteria = columns::parse_order(catalogue, viewer, order);
        let query = IssueQuery {
            viewer,
            visible: visibility::issues(viewer),
            project: None,
            conditions: &conditions,
            order: &criteria,
            offset: 0,
            limit: MAX_ISSUES,
        };
        let (total, found) = issues::list_and_count(db, &query)?;
        let params = filters.iter();
        let params: String = params
            .map(|(name, value)| format!("{name}={}&", paths::encode(value)))
            .collect();
        Ok(IssueList {
            total,
            path: format!("/issues?{params}sort={}", paths::encode(order)),
            rows: self.rows(found.iter().map(AsRef::as_ref)),
            ..IssueList::default()
        })
    }

    /// Loads the issues that the viewer has looked at last, open or not.
    fn recent(&self) -> Result<IssueList, Error> {
        let viewer = self.request.viewer();
        let ids = recent_issues::ids(self.request);
        issues::preload(self.db, ids.iter().copied())?;
        let mut found = Vec::new();
        for id in ids {
            found.extend(issues::find(self.db, visibility::issues(viewer), id)?);
        }
        let rows = self.rows(found.iter());
        Ok(IssueList {
            total: i64::try_from(rows.len()).unwrap_or_default(),
            rows,
            ..IssueList::default()
        })
    }

    /// Loads the issues of a saved query. One that has become invalid says so.
    fn of_query(&self, query: SavedQuery) -> Result<IssueList, Error> {
        let page = queries::page_path(self.db.catalogue(), &query);
        let path = format!("{page}?query_id={}", query.id);
        let loaded = saved_issues::load(self.request, self.db, query, MAX_ISSUES);
        let (total, found) = match loaded {
            Ok(loaded) => loaded,
            Err(error) if error.status().is_server_error() => return Err(error),
            Err(_) => {
                return Ok(IssueList {
                    empty: "A filter of this query has become invalid. Open the query to see which.",
                    path,
                    ..IssueList::default()
                });
            }
        };
        Ok(IssueList {
            empty: "No issue matches this query.",
            total,
            path,
            rows: self.rows(found.iter().map(AsRef::as_ref)),
            ..IssueList::default()
        })
    }
}
