//! Searches with fewer restrictions where one finds nothing, with the number of results to which
//! each leads.

use super::address::{Address, Scope};
use crate::domain::kind::Kind;
use crate::http::search::{SearchParams, count};
use crate::http::{Error, RequestContext};
use crate::search::{Attachments, qualifiers_of};
use crate::store::Read;

/// Maximum number of proposals.
const MAX_PROPOSALS: usize = 3;
/// Maximum number of qualifiers that are left out in turn.
const MAX_QUALIFIERS: usize = 3;

/// A search that finds more.
pub struct Proposal {
    /// What is different, after the number of results.
    pub label: String,
    /// The number of its results.
    pub count: i64,
    /// Its address.
    pub path: String,
}

/// Returns searches that find something where this one finds nothing.
pub fn when_nothing_is_found(
    request: &RequestContext,
    db: &Read<'_>,
    address: &Address,
    params: &SearchParams,
) -> Result<Vec<Proposal>, Error> {
    let mut proposals = Vec::new();
    for (params, address, label) in variants(address, params) {
        if proposals.len() == MAX_PROPOSALS {
            break;
        }
        // A variant may be invalid where the search is not: with other kinds of errors the page
        // fails.
        match propose(request, db, &params, &address, label) {
            Ok(proposal) if proposal.count > 0 => proposals.push(proposal),
            Ok(_) | Err(Error::Invalid(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(proposals)
}

/// Returns the searches that leave out one of the restrictions.
fn variants(address: &Address, params: &SearchParams) -> Vec<(SearchParams, Address, String)> {
    let mut variants = Vec::new();
    let mut add = |params: SearchParams, address: Address, label: &str| {
        variants.push((params, address, label.to_owned()))
    };
    if address.scope != Scope::All {
        let kinds = if address.kinds.is_empty() {
            Kind::ALL.to_vec()
        } else {
            address.kinds.clone()
        };
        let params = SearchParams {
            projects: None,
            kinds,
            ..params.clone()
        };
        add(
            params,
            Address {
                scope: Scope::All,
                ..address.clone()
            },
            "in all projects",
        );
    }
    for token in qualifiers_of(&address.query)
        .into_iter()
        .take(MAX_QUALIFIERS)
        .filter(|token| !token.rest.is_empty())
    {
        let typed = format!(
            "without {}{}:{}",
            if token.negated { "-" } else { "" },
            token.qualifier.name(),
            token.value
        );
        add(params.clone(), address.with_query(token.rest), &typed);
    }
    if params.kinds != params.selectable {
        let params = SearchParams {
            kinds: params.selectable.clone(),
            ..params.clone()
        };
        add(
            params,
            Address {
                kinds: Vec::new(),
                ..address.clone()
            },
            "in all content types",
        );
    }
    if params.open_issues {
        let params = SearchParams {
            open_issues: false,
            ..params.clone()
        };
        add(
            params,
            Address {
                open_issues: false,
                ..address.clone()
            },
            "with closed issues",
        );
    }
    if params.titles_only {
        let params = SearchParams {
            titles_only: false,
            ..params.clone()
        };
        add(
            params,
            Address {
                titles_only: false,
                ..address.clone()
            },
            "in titles and texts",
        );
    }
    if params.attachments != Attachments::With {
        let params = SearchParams {
            attachments: Attachments::With,
            ..params.clone()
        };
        add(
            params,
            Address {
                attachments: "1",
                ..address.clone()
            },
            "with the names of attachments",
        );
    }
    variants
}

fn propose(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    address: &Address,
    label: String,
) -> Result<Proposal, Error> {
    let params = SearchParams {
        facets: Vec::new(),
        ..params.clone()
    };
    Ok(Proposal {
        label,
        count: count(request, db, &params, &address.query)?.total,
        path: address.url(),
    })
}
