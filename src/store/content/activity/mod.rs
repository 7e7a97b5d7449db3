//! Activity: the newest events that a viewer may see.
//!
//! Each type of event is one statement over its own table (`sources`), which reads at most as many
//! rows as the page shows; the results are merged.

mod sources;

use crate::engine::{Row, StatementError};
use crate::lists::texts::Texts;
use crate::transaction::sql::Sql;
use crate::{Read, StoreError};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::access::visible::Visible;
use quarry_domain::content::activity::EventReference;
use quarry_domain::content::activity::{Event, EventKey, EventType};
use quarry_domain::ids::UserId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::id_set::IdSet;
use quarry_domain::values::stable_sort::StableSort;
use sources::{Source, read_details, sources};
use std::sync::Arc;

/// Maximum number of characters of the text of an event.
pub const MAX_TEXT_CHARS: usize = 600;
/// Up to this number of issues, the events of some projects are found through their issues;
/// otherwise events of all projects are read, newest first, until the page is full.
const MAX_ISSUES: i64 = 2_000;

/// A query for events.
pub struct ActivityQuery<'a> {
    pub viewer: &'a Viewer,
    /// The projects; `None` for all.
    pub projects: Option<Arc<IdSet>>,
    /// Only events of this author.
    pub author: Option<UserId>,
    pub types: &'a [EventType],
    /// Only events after this one in the order, which are older.
    pub after: Option<EventKey>,
    /// Maximum number of events.
    pub limit: usize,
}

/// Returns the newest events that match, newest first. Of changes of issues, the caller filters
/// what the viewer may see of their details.
pub fn list(db: &Read<'_>, query: &ActivityQuery<'_>) -> Result<Vec<Event>, StoreError> {
    let has_few_issues = has_few_issues(db, query)?;
    let mut events = Vec::new();
    for event_type in query.types {
        for source in sources(query.viewer, *event_type, has_few_issues) {
            if query.author.is_some() && source.author.is_none() {
                continue;
            }
            let sql = statement(query, *event_type, &source);
            events.extend(db.rows(sql.text(), sql.values(), |row| from_row(row, *event_type))?);
        }
    }
    events.stable_sort_by_key(|event: &Event| event.key.sort_key());
    events.truncate(query.limit);
    Ok(events)
}

/// Returns those of these events that the viewer may see, in no particular order, with as much of
/// their texts. Of changes of issues, the caller filters what the viewer may see of their details.
pub fn load(
    db: &Read<'_>,
    viewer: &Viewer,
    events: &[EventReference],
    texts: Texts,
) -> Result<Vec<Event>, StoreError> {
    let mut found = Vec::new();
    for event_type in EventType::ALL.iter().copied() {
        let of_type = events.iter().filter(|event| event.event_type == event_type);
        let ids: IdSet = of_type.map(|event| event.id).collect();
        if ids.is_empty() {
            continue;
        }
        for source in sources(viewer, event_type, false) {
            let mut sql = select(&source, texts);
            sql.push(source.id)
                .push(" IN")
                .bind_ids(ids.as_slice())
                .push(" AND ");
            source.push_visible(&mut sql);
            found.extend(db.rows(sql.text(), sql.values(), |row| from_row(row, event_type))?);
        }
    }
    // A wiki page has one row for each version.
    found.retain(|event: &Event| {
        event.key.event_type != EventType::WikiEdit || events.contains(&event.key.reference())
    });
    Ok(found)
}

/// Returns the engine's plans of the statements, one line per step: for tests.
pub fn plan(db: &Read<'_>, query: &ActivityQuery<'_>) -> Result<Vec<String>, StoreError> {
    let has_few_issues = has_few_issues(db, query)?;
    let mut steps = Vec::new();
    for event_type in query.types {
        for source in sources(query.viewer, *event_type, has_few_issues) {
            let sql = statement(query, *event_type, &source);
            steps.extend(db.plan(sql.text(), sql.values())?);
        }
    }
    Ok(steps)
}

/// Whether the projects of the query, or else those in which the viewer sees anything, have at most
/// [`MAX_ISSUES`] issues.
fn has_few_issues(db: &Read<'_>, query: &ActivityQuery<'_>) -> Result<bool, StoreError> {
    let of_viewer = match visibility::of_kind(query.viewer, Kind::Project) {
        Visible::InProjects(projects) => Some(projects),
        _ => None,
    };
    let Some(projects) = query.projects.as_ref().or(of_viewer) else {
        return Ok(false);
    };
    let mut sql = Sql::new("SELECT COUNT(*) FROM (SELECT 1 FROM issues i WHERE i.project_id IN");
    sql.bind_ids(projects.as_slice())
        .push(" LIMIT ")
        .bind(MAX_ISSUES + 1)
        .push(") few");
    Ok(db.query_i64(sql.text(), sql.values())? <= MAX_ISSUES)
}

/// Returns the beginning of a statement, up to its conditions.
fn select(source: &Source, texts: Texts) -> Sql {
    let Source {
        at,
        id,
        version,
        author,
        title,
        text,
        details,
        tables,
        ..
    } = source;
    let project = source.columns.project;
    let version = version.unwrap_or("0");
    let author = author.unwrap_or("NULL");
    let text = texts.column(text);
    let details: String = details.iter().map(|column| format!(", {column}")).collect();
    Sql::new(&format!(
        "SELECT {at}, {id}, {version}, {project}, {author}, {title}, COALESCE({text}, ''){details} FROM {tables} WHERE "
    ))
}

fn statement(query: &ActivityQuery<'_>, event_type: EventType, source: &Source) -> Sql {
    let at = source.at;
    let id = source.id;
    let project = source.columns.project;
    let mut sql = select(source, Texts::UpTo(MAX_TEXT_CHARS));
    source.push_visible(&mut sql);
    if let Some(projects) = &query.projects {
        sql.push(" AND ").push_member(project, projects);
    }
    if let (Some(user), Some(author)) = (query.author, source.author) {
        sql.push(&format!(" AND {author} = ")).bind(user);
    }
    if let Some(key) = query.after {
        push_after(&mut sql, source, event_type, key);
    }
    sql.push(&format!(" ORDER BY {at} DESC, {id} DESC"));
    if let Some(version) = source.version {
        sql.push(&format!(", {version} DESC"));
    }
    sql.push(" LIMIT ")
        .bind(i64::try_from(query.limit).unwrap_or(i64::MAX));
    sql
}

/// Adds the condition that an event follows `key` in the order.
fn push_after(sql: &mut Sql, source: &Source, event_type: EventType, key: EventKey) {
    let Source { at, id, .. } = source;
    if event_type < key.event_type {
        sql.push(&format!(" AND {at} < ")).bind(key.at);
        return;
    }
    sql.push(&format!(" AND {at} <= ")).bind(key.at);
    if event_type == key.event_type {
        sql.push(&format!(" AND ({at} < ")).bind(key.at);
        sql.push(&format!(" OR {id} < ")).bind(key.id);
        if let Some(version) = source.version {
            sql.push(&format!(" OR ({id} = ")).bind(key.id);
            sql.push(&format!(" AND {version} < "))
                .bind(key.version)
                .push(")");
        }
        sql.push(")");
    }
}

fn from_row(row: &Row<'_>, event_type: EventType) -> Result<Event, StatementError> {
    let key = EventKey {
        at: row.next()?,
        event_type,
        id: row.next()?,
        version: row.next()?,
    };
    Ok(Event {
        key,
        project: row.next()?,
        author: row.next()?,
        title: row.next()?,
        text: row.next()?,
        details: read_details(row, event_type)?,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;
    use crate::Store;

    #[test]
    fn events_are_read_in_order_until_the_page_is_full() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let plan = store
            .read(|db| {
                let viewer = Viewer::new(db.catalogue(), None);
                let query = ActivityQuery {
                    viewer: &viewer,
                    projects: None,
                    author: None,
                    types: EventType::ALL,
                    after: None,
                    limit: 51,
                };
                plan(db, &query)
            })
            .unwrap()
            .join("\n");
        for index in [
            "issues_by_created_on",
            "journals_by_created_on",
            "changesets_by_committed_on",
            "wiki_versions_by_updated_on",
            "messages_by_created_on",
            "time_entries_by_created_on",
        ] {
            assert!(plan.contains(index), "{index} is not used:\n{plan}");
        }
        store.close();
    }
}
