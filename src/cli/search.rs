//! `quarry search`: searches the records as a user would, and explains the scores. For trying weights;
//! it reads the store and the index of a data folder and changes neither, and no event, log or metric
//! says what was searched.

mod results;
pub(crate) mod search_arguments;

use super::data_folder;
use super::index::brief_message;
use super::output::usage_error::UsageError;
use anyhow::Context;
use quarry_config::Config;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::setting::Setting;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::UserId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::index_feed::search_record::SearchRecord;
use quarry_domain::query::filter;
use quarry_http::resources::search::title;
use quarry_search::{
    Hit, Index, IndexConfig, Order, ParsedQuery, QualifierContext, QueryError, SearchError,
    SearchRequest, Visibility, index_in_memory, normalized, resolve_clauses, resolve_qualifiers,
    searched_text,
};
use quarry_store::index_feed::search_records;
use quarry_store::{Read, StoreError};
use results::{ResultRow, Results};
use search_arguments::SearchArguments;
use std::collections::HashMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Runs the command.
pub fn run(
    config: &Config,
    arguments: &SearchArguments,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let schema = match &arguments.schema {
        Some(folder) => IndexConfig::read(folder)
            .map_err(|error| UsageError(format!("{}: {error}", folder.display())))?,
        None => IndexConfig::embedded()?,
    };
    let schema = Arc::new(schema);
    let found = data_folder::read(config, |store| {
        let index = match &arguments.schema {
            Some(_) => index_in_memory(store, &schema).context("the records cannot be indexed")?,
            None => Index::open_current(&config.index, &schema)
                .map_err(|error| search_error(config, &error))?,
        };
        let outcome = store.read(|db| search(config, arguments, &index, db));
        outcome.map_err(Failure::into_error)
    })?;
    if arguments.json {
        found.write_json(arguments, out)
    } else {
        found.write_text(out)
    }
}

/// Returns the error for a person.
fn search_error(config: &Config, error: &SearchError) -> anyhow::Error {
    let index = config.index.display();
    let problem = match error {
        SearchError::NotReady => {
            "there is none yet; build it with `quarry index rebuild`".to_owned()
        }
        error => brief_message(error),
    };
    anyhow::anyhow!("the index in {index} cannot be searched: {problem}")
}

/// Why a search fails.
enum Failure {
    Usage(UsageError),
    Search(anyhow::Error),
    Store(StoreError),
}

impl Failure {
    fn into_error(self) -> anyhow::Error {
        match self {
            Failure::Usage(error) => error.into(),
            Failure::Search(error) => error,
            Failure::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Store(error)
    }
}

/// Returns the user with this login, whose rights count; `None` for people who are not logged in.
fn find_user(catalogue: &Catalogue, login: Option<&str>) -> Result<Option<UserId>, UsageError> {
    let Some(login) = login else {
        if catalogue.is_on(Setting::LoginRequired) {
            return Err(UsageError(
                "people who are not logged in see nothing here (login_required); name a user with --as".to_owned(),
            ));
        }
        return Ok(None);
    };
    let user = catalogue.user_by_login(login).ok_or_else(|| {
        let logins = catalogue.users.values().map(|user| user.login.as_str());
        UsageError::unknown("user", login, logins)
    })?;
    if user.status != UserStatus::Active {
        return Err(UsageError(format!(
            "{} may not log in; unlock the user first, or name another one",
            user.login
        )));
    }
    Ok(Some(user.id))
}

fn query_error(error: &QueryError) -> Failure {
    let problem = match error {
        QueryError::TooManyWords { limit } => {
            format!("has too many words (at most {limit}; any number with --any)")
        }
        error => error.to_string(),
    };
    Failure::Usage(UsageError(format!("the query {problem}")))
}

fn search(
    config: &Config,
    arguments: &SearchArguments,
    index: &Index,
    db: &Read<'_>,
) -> Result<Results, Failure> {
    let catalogue = db.catalogue();
    let user = find_user(catalogue, arguments.login.as_deref()).map_err(Failure::Usage)?;
    let viewer = Viewer::new(catalogue, user);
    let bounds = &index.config().bounds;
    let typed = arguments.query.join(" ");
    let context = QualifierContext {
        catalogue,
        viewer: &viewer,
        calendar: filter::Context::new(&viewer, catalogue, db.now()).calendar,
    };
    let (text, as_text) = searched_text(&typed, &context);
    let query = ParsedQuery::parse(&text, bounds).map_err(|error| query_error(&error))?;
    if !arguments.any {
        let checked = query.check_all_words(bounds);
        checked.map_err(|error| query_error(&error))?;
    }
    let order = Order::requested(&typed)
        .map_err(|problem| Failure::Usage(UsageError(format!("the query: {problem}"))))?;
    let filters = resolve_qualifiers(&query.qualifiers, &context)
        .map_err(|error| query_error(&error.into()))?;
    let resolved =
        resolve_clauses(&query.clauses, &context).map_err(|error| query_error(&error.into()))?;
    let visibility = index.indexed().and_then(|indexed| {
        let visibility = Visibility::for_viewer(catalogue, &viewer);
        visibility.at_change(db, &viewer, indexed.unwrap_or(0))
    });
    let visibility = visibility.map_err(|error| {
        Failure::Search(match error {
            SearchError::NotReady => anyhow::anyhow!(
                "the index in {} is too far behind the records; start the service until it has them, or run `quarry index rebuild`",
                config.index.display()
            ),
            error => search_error(config, &error),
        })
    })?;
    let limit = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
    let request = SearchRequest {
        all_words: !arguments.any,
        order: order.unwrap_or(Order::Relevance),
        filters: &filters,
        resolved: &resolved,
        ..SearchRequest::new(&query, &visibility, db.now(), limit)
    };
    // tantivy panics over files that it cannot read.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let response = index.search_with_store(&request, db, &viewer)?;
        let query = response.searched.as_ref().unwrap_or(&query);
        let explained = SearchRequest {
            query,
            ..request.clone()
        };
        let explanations = if arguments.explain {
            index.explain(&explained, &response.hits)?
        } else {
            Vec::new()
        };
        let words = query.every_word().map(normalized).collect();
        Ok((response, explanations, words))
    }));
    let outcome = outcome.unwrap_or(Err(SearchError::Damaged));
    let (response, explanations, words): (_, _, Vec<String>) =
        outcome.map_err(|error| Failure::Search(search_error(config, &error)))?;
    let mut records = load_records(db, &viewer, &response.hits)?;
    let mut explanations = explanations.into_iter();
    let rows = response.hits.iter().filter_map(|hit| {
        let explanation = explanations.next().flatten();
        let record = records.remove(&(hit.kind, hit.id))?;
        Some(ResultRow {
            hit: *hit,
            kind: title::kind(&record, catalogue),
            title: title::title(&record, catalogue),
            explanation,
        })
    });
    Ok(Results {
        rows: rows.collect(),
        total: response.total,
        words,
        did_you_mean: response.did_you_mean.map(|meant| meant.text),
        as_text,
    })
}

/// Loads the records of the hits that the viewer may see.
fn load_records(
    db: &Read<'_>,
    viewer: &Viewer,
    mut hits: &[Hit],
) -> Result<HashMap<(Kind, i64), SearchRecord>, StoreError> {
    let mut records = HashMap::new();
    while !hits.is_empty() {
        let ids: Vec<(Kind, i64)> = hits.iter().map(|hit| (hit.kind, hit.id)).collect();
        let (page, considered) = search_records::load_page(db, viewer, &ids)?;
        records.extend(
            page.into_iter()
                .map(|record| ((record.kind, record.id), record)),
        );
        // At least one, so that it ends.
        hits = &hits[considered.clamp(1, hits.len())..];
    }
    Ok(records)
}
