//! People whom the words of a query name, with what they wrote and what is assigned to them.

use super::address::Address;
use crate::prelude::*;
use quarry_domain::access::visibility::principals;
use quarry_domain::accounts::user::User;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::id_set::IdSet;
use quarry_domain::values::stable_sort::StableSort;
use quarry_http::resources::search::{SearchParams, count};
use quarry_search::{Attachments, Order, Qualifier, TokenKind, tokenize, with_qualifier};

/// Maximum number of people.
const MAX_PEOPLE: usize = 3;

/// Maximum number of words of a query that names somebody.
const MAX_WORDS: usize = 4;

/// Minimum number of letters of a word that is the beginning of a name.
const MIN_LETTERS: usize = 3;

/// A person.
pub struct Person {
    pub name: String,
    /// The address of the profile.
    pub path: String,
    /// Searches for the records of the person, with the number of their results.
    pub searches: Vec<(&'static str, i64, String)>,
}

/// Returns the people whose login is the query, or whose names have all its words. The viewer may see
/// them.
pub fn named(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    query: &str,
) -> Result<Vec<Person>, Error> {
    let words = words(query);
    if words.is_empty() || words.len() > MAX_WORDS {
        return Ok(Vec::new());
    }
    let catalogue = db.catalogue();
    let mut users: Vec<&User> = catalogue
        .users
        .values()
        .filter(|user| is_named(user, &words))
        .collect();
    if users.is_empty() {
        return Ok(Vec::new());
    }
    let visible: IdSet = principals(request.viewer(), catalogue);
    users.retain(|user| visible.contains(user.id.0));
    users.stable_sort_by(|a, b| a.name.cmp(&b.name).then(a.id.cmp(&b.id)));
    users.truncate(MAX_PEOPLE);
    users
        .into_iter()
        .map(|user| person(request, db, params, user))
        .collect()
}

/// Returns the words of a query in lower case; none where it has phrases, exclusions or alternatives.
fn words(query: &str) -> Vec<String> {
    let tokens = tokenize(query).unwrap_or_default();
    let words: Option<Vec<String>> = tokens
        .into_iter()
        .filter(|token| !matches!(token.kind, TokenKind::Qualifier(..)))
        .map(|token| match token.kind {
            TokenKind::Word(word) if !token.negated && !token.or => Some(word.to_lowercase()),
            _ => None,
        })
        .collect();
    words.unwrap_or_default()
}

fn is_named(user: &User, words: &[String]) -> bool {
    let is_login = words.len() == 1 && user.login.to_lowercase() == words[0];
    let name = user.name.to_lowercase();
    let is_part = |word: &String| {
        name.split(|letter: char| letter.is_whitespace() || letter == '-')
            .any(|part| {
                part == word
                    || word.chars().count() >= MIN_LETTERS && part.starts_with(word.as_str())
            })
    };
    is_login || words.iter().all(is_part)
}

fn person(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    user: &User,
) -> Result<Person, Error> {
    let everything = SearchParams {
        kinds: Kind::ALL.to_vec(),
        selectable: Kind::ALL.to_vec(),
        projects: None,
        all_words: true,
        titles_only: false,
        open_issues: false,
        attachments: Attachments::Without,
        topic: None,
        order: Order::Grouped,
        facets: Vec::new(),
        explain: false,
        ..params.clone()
    };
    let mut searches = Vec::new();
    for (label, qualifier) in [
        ("Written by", Qualifier::Author),
        ("Assigned", Qualifier::Assignee),
    ] {
        let query =
            value_of(user, db.catalogue()).and_then(|value| with_qualifier("", qualifier, value));
        let Some(query) = query else {
            continue;
        };
        let found = count(request, db, &everything, &query)?;
        let address = Address::everywhere(&query);
        searches.push((label, found.total, address.url()));
    }
    Ok(Person {
        name: user.name.clone(),
        path: paths::user(user.id),
        searches,
    })
}

/// Returns the value of a qualifier that means this user. Logins are not shown to others.
fn value_of<'u>(user: &'u User, catalogue: &Catalogue) -> Option<&'u str> {
    let name = user.name.as_str();
    let is_other = catalogue
        .user_by_login(name)
        .is_some_and(|other| other.id != user.id);
    (!is_other && name == name.trim() && !matches!(name, "me" | "none")).then_some(name)
}
