//! `/admin/index`: the state of the search index and of the service, and the button that rebuilds
//! the index.

use super::attention::{duration, size, thousands};
use super::backups::{self, BackupSection};
use super::latency_chart::LatencyChart;
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame, Width};
use crate::prelude::*;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::index_feed::kind::Kind;
use quarry_search::SearchError;
use quarry_store::administration::nodes;

const REBUILD_STARTED: &str = "The index is being rebuilt. Searches go on meanwhile.";
const REBUILDING: &str = "The index is already being rebuilt.";

const NO_INDEX: &str = "no index yet";

/// The version of the program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Template)]
#[template(path = "administration/admin/index.html")]
struct IndexPage {
    frame: Frame,
    /// The state of the index in words, and whether it is healthy.
    state: (&'static str, bool),
    documents: String,
    /// Label and number of documents of each content type; empty when the index cannot be read.
    kinds: Vec<(&'static str, String)>,
    lag: String,
    index_size: String,
    generation: u64,
    segments: usize,
    rebuild: Option<Rebuild>,
    rebuild_failed: bool,
    chart: Option<LatencyChart>,
    /// The address of this node, and the version of its program.
    address: String,
    version: &'static str,
    uptime: String,
    memory: Option<(String, String)>,
    database: String,
    free_space: Option<String>,
    backups: BackupSection,
    /// The processes that serve the same records; empty with SQLite.
    nodes: Vec<NodeRow>,
}

/// A row of the table of nodes.
struct NodeRow {
    address: String,
    version: String,
    /// Since when it runs.
    uptime: String,
    /// Number of changes that its index lacks.
    lag: String,
    /// When it reported last, or what it does instead of serving.
    state: String,
}

/// The progress of a rebuild.
struct Rebuild {
    done: u64,
    /// The number of documents of the current index; 0 when there is none.
    total: u64,
    text: String,
}

/// Shows the page.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let app = &request.app;
    let status = request.app.search.status();
    let state = app.service_state();
    let (minutes, hour) = app.search_latency.last_hour();
    let lag = status
        .indexed
        .map(|indexed| (app.store.last_change() - indexed).unsigned_abs());
    let kinds = match app.search.count_by_kind() {
        Ok(counts) => Kind::ALL
            .iter()
            .map(|kind| (label(*kind), thousands(counts[usize::from(kind.code())])))
            .collect(),
        Err(SearchError::NotReady) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let page = IndexPage {
        state: match (status.rebuilding, lag) {
            (true, _) => ("Rebuilding", true),
            (false, None) => ("Missing", false),
            (false, Some(0)) => ("Up to date", true),
            (false, Some(_)) => ("Catching up", true),
        },
        documents: thousands(status.documents),
        kinds,
        lag: match lag {
            None => NO_INDEX.to_owned(),
            Some(lag) => thousands(lag),
        },
        index_size: size(state.index),
        generation: status.generation,
        segments: status.segments,
        rebuild: status.rebuilding.then(|| Rebuild {
            done: status.rebuilt,
            total: status.documents,
            text: match status.documents {
                0 => format!("{} documents so far", thousands(status.rebuilt)),
                total => format!(
                    "{} of about {} documents",
                    thousands(status.rebuilt),
                    thousands(total)
                ),
            },
        }),
        rebuild_failed: status.rebuild_failed,
        chart: LatencyChart::new(&minutes, hour),
        address: app.config.listen.clone(),
        version: VERSION,
        backups: backups::section(request, db)?,
        nodes: node_rows(request, db)?,
        uptime: duration(state.uptime),
        memory: state
            .memory
            .map(|(resident, own)| (size(resident), size(own))),
        database: size(state.database),
        free_space: state.free_space.map(size),
        frame: Frame::for_administration(request, db, "Index and service")
            .with_width(Width::Medium),
    };
    render(&page.frame, &page)
}

fn node_rows(request: &RequestContext, db: &Read<'_>) -> Result<Vec<NodeRow>, Error> {
    let app = &request.app;
    let last = app.store.last_change();
    let rows = nodes::list(db)?.into_iter().map(|node| {
        let is_own = node.id == app.node.id;
        let indexed = if is_own {
            app.search.status().indexed
        } else {
            node.indexed_change
        };
        let own = if is_own { " (this node)" } else { "" };
        NodeRow {
            address: format!("{}{own}", node.address),
            version: node.version,
            uptime: duration(db.now().duration_since(node.joined_on)),
            lag: indexed.map_or_else(
                || NO_INDEX.to_owned(),
                |indexed| thousands((last - indexed).max(0).unsigned_abs()),
            ),
            state: if node.is_importing {
                "importing".to_owned()
            } else {
                format!(
                    "seen {} ago",
                    duration(db.now().duration_since(node.seen_on))
                )
            },
        }
    });
    Ok(rows.collect())
}

/// `POST /admin/index`: starts to rebuild the index, in the background.
pub fn rebuild(request: &RequestContext) -> Result<Reply, Error> {
    let message = match request.app.search.start_rebuild() {
        Ok(()) => {
            let user = request.viewer().user.map(|user| user.0);
            tracing::info!(target: "audit", { user.id = user, client.address = %request.address() }, "started to rebuild the search index");
            request.record(AuditEvent::new(RecordType::Index, 0, "rebuild started"));
            REBUILD_STARTED
        }
        Err(SearchError::Rebuilding) => REBUILDING,
        Err(error) => return Err(error.into()),
    };
    Ok(redirect_with(
        request,
        "/admin/index".to_owned(),
        &Flash::notice(message),
    ))
}

fn label(kind: Kind) -> &'static str {
    match kind {
        Kind::Issue => "Issues",
        Kind::News => "News",
        Kind::Document => "Documents",
        Kind::Changeset => "Commits",
        Kind::WikiPage => "Wiki pages",
        Kind::Message => "Messages",
        Kind::Project => "Projects",
    }
}
