//! Random groups of words and qualifiers, nested in each other, against the reference
//! implementation.

use super::expected::{Reference, stands};
use super::records::Record;
use super::{Comparison, hits};
use quarry::domain::index_feed::kind::Kind;
use quarry_world::percent_encode;
use quarry_world::search::query::{self, Item};
use quarry_world::search::random::Random;
use quarry_world::search::words::{Term, Text};
use std::collections::BTreeSet;

/// Maximum depth of a random tree.
const MAX_DEPTH: u32 = 4;

/// A condition on a record.
#[derive(Clone, Debug)]
enum Tree {
    Term(Term),
    Qualifier(&'static str, String),
    Not(Box<Tree>),
    All(Vec<Tree>),
    Any(Vec<Tree>),
    /// All words are in one of [`PLACES`].
    In(&'static str, Term),
}

/// The values of `in:`.
const PLACES: [&str; 4] = ["title", "text", "notes", "files"];

impl Tree {
    fn random(random: &mut Random, depth: u32) -> Tree {
        if depth == 0 || random.chance(3) {
            return Tree::leaf(random);
        }
        if random.chance(2) {
            return Tree::Not(Box::new(Tree::random(random, depth - 1)));
        }
        if random.chance(1) {
            return Tree::of_one_qualifier(random);
        }
        let children = (0..=random.up_to(2)).map(|_| Tree::random(random, depth - 1));
        let mut children: Vec<Tree> = children.collect();
        if random.chance(5) {
            return Tree::Any(children);
        }
        // Two values of a qualifier at one place are alternatives, which trees spell out.
        let mut names = Vec::new();
        children.retain(|child| match child {
            Tree::Qualifier(name, _) if names.contains(name) => false,
            Tree::Qualifier(name, _) => {
                names.push(*name);
                true
            }
            _ => true,
        });
        Tree::All(children)
    }

    /// Returns a tree of which each leaf has the same qualifier: groups keep their values apart.
    fn of_one_qualifier(random: &mut Random) -> Tree {
        let mut leaves: Vec<Tree> = Vec::new();
        while leaves.len() < 3 {
            let leaf = Tree::leaf(random);
            let is_same = match (&leaf, leaves.first()) {
                (Tree::Qualifier(name, _), Some(Tree::Qualifier(first, _))) => name == first,
                (Tree::Qualifier(..), _) => true,
                _ => false,
            };
            if is_same {
                leaves.push(leaf);
            }
        }
        let last = leaves.pop().map(|leaf| Tree::All(vec![leaf]));
        let first = if random.chance(5) {
            Tree::Any(leaves)
        } else {
            let single = |leaf| Tree::All(vec![leaf]);
            Tree::All(leaves.into_iter().map(single).collect())
        };
        Tree::All(last.into_iter().chain([first]).collect())
    }

    fn leaf(random: &mut Random) -> Tree {
        if random.chance(6) {
            let term = query::term(random);
            return if random.chance(2) {
                Tree::In(random.of(&PLACES), term)
            } else {
                Tree::Term(term)
            };
        }
        if random.chance(5) {
            let (name, value) = query::issue_qualifier(random);
            return Tree::Qualifier(name, value);
        }
        loop {
            if let Item::Qualifier { name, value, .. } = query::qualifier(random)
                && name != "in"
            {
                return Tree::Qualifier(name, value);
            }
        }
    }

    /// Returns the text of the tree. Words are quoted, so that neighbours are no compounds.
    fn to_text(&self, and: &str) -> String {
        let join = |trees: &[Tree], by: &str| {
            let typed: Vec<String> = trees.iter().map(|tree| tree.to_text(and)).collect();
            format!("({})", typed.join(by))
        };
        match self {
            Tree::Term(term) => term_text(term),
            Tree::Qualifier(name, value) => {
                // Who made a change and when stands after it.
                let modifiers = [" by:", " on:"].map(|modifier| value.find(modifier));
                let end = modifiers.into_iter().flatten().min();
                let (value, modifiers) = value.split_at(end.unwrap_or(value.len()));
                format!("{name}:\"{value}\"{modifiers}")
            }
            Tree::Not(inner) if and.trim().is_empty() => match **inner {
                // Two signs in a row are text.
                Tree::Not(_) => format!("-({})", inner.to_text(and)),
                _ => format!("-{}", inner.to_text(and)),
            },
            Tree::Not(inner) => format!("NOT {}", inner.to_text(and)),
            Tree::All(trees) => join(trees, and),
            Tree::Any(trees) => join(trees, " OR "),
            Tree::In(place, term) => format!("({} in:{place})", term_text(term)),
        }
    }

    /// Whether a record matches. Words in negated trees match in one spelling only.
    fn matches(
        &self,
        reference: &Reference<'_>,
        record: &Record,
        texts: &[&Text],
        negated: bool,
    ) -> bool {
        let matches = |tree: &Tree| tree.matches(reference, record, texts, negated);
        match self {
            Tree::Term(term) => has_term(term, texts, negated),
            Tree::Qualifier(name, value) => reference
                .fits(Some(record), name, value)
                .is_ok_and(|fits| fits),
            Tree::Not(inner) => !inner.matches(reference, record, texts, !negated),
            Tree::All(trees) => trees.iter().all(matches),
            Tree::Any(trees) => trees.iter().any(matches),
            Tree::In(place, term) => {
                let texts: Vec<&Text> = match *place {
                    "title" => record.titles.iter().collect(),
                    "text" => record.texts.iter().collect(),
                    "notes" => reference.reader.notes(record),
                    _ => reference.reader.files(record).iter().collect(),
                };
                has_term(term, &texts, negated)
            }
        }
    }

    /// Whether all qualifiers are valid for the viewer.
    fn is_valid(&self, reference: &Reference<'_>) -> bool {
        match self {
            Tree::Term(_) | Tree::In(..) => true,
            Tree::Qualifier(name, value) => reference.fits(None, name, value).is_ok(),
            Tree::Not(inner) => inner.is_valid(reference),
            Tree::All(trees) | Tree::Any(trees) => {
                trees.iter().all(|tree| tree.is_valid(reference))
            }
        }
    }
}

fn list_address(query: &str, offset: usize) -> String {
    let query = percent_encode(query);
    format!("/issues.json?limit=100&offset={offset}&q={query}")
}

fn term_text(term: &Term) -> String {
    match term {
        Term::Word(word) => format!("\"{word}\""),
        term => term.typed(),
    }
}

fn has_term(term: &Term, texts: &[&Text], negated: bool) -> bool {
    stands(term, texts) || !negated && texts.iter().any(|text| term.stands_apart_in(text))
}

impl Comparison<'_> {
    /// Compares the hits of a random tree.
    pub fn tree(&mut self, reference: &Reference<'_>, login: Option<&str>, random: &mut Random) {
        self.tally.trees += 1;
        let tree = Tree::random(random, MAX_DEPTH);
        let and = random.of(&[" ", " AND "]);
        let query = tree.to_text(and);
        let context = format!("seed {}, {login:?} searches for {query}", self.seed);
        let address = |offset: usize| {
            let query = percent_encode(&query);
            format!("/search.json?sort=relevance&limit=100&offset={offset}&description=0&q={query}")
        };
        let (status, first) = self.server.send(login, &address(0), None);
        if !tree.is_valid(reference) {
            assert_eq!(status, 422, "{context}: {first}");
            let (status, list) = self.server.send(login, &list_address(&query, 0), None);
            assert!(matches!(status, 422 | 401 | 403), "{context}: {list}");
            return;
        }
        if status == 422 && first.to_string().contains("levels deep") {
            self.tally.too_deep += 1;
            return;
        }
        assert_eq!(status, 200, "{context}: {first}");
        let visible = reference.visible().into_iter();
        let expected: BTreeSet<_> = visible
            .filter(|record| tree.matches(reference, record, &reference.reader.all(record), false))
            .map(|record| (record.kind, record.id))
            .collect();
        self.list_of_issues(login, &query, &expected, &context);
        if expected.is_empty() && first["did_you_mean"].is_string() {
            // The corrected words were searched.
            return;
        }
        let total = first["total_count"].as_u64().unwrap() as usize;
        let mut found = hits(&first);
        while found.len() < total {
            let (_, next) = self.server.send(login, &address(found.len()), None);
            found.extend(hits(&next));
        }
        let hits: BTreeSet<_> = found.iter().copied().collect();
        assert_eq!(hits.len(), found.len(), "{context}: a hit comes twice");
        let missing: Vec<_> = expected.difference(&hits).collect();
        let leaked: Vec<_> = hits.difference(&expected).collect();
        let wrong = reference.records.iter().find(|record| {
            let key = (record.kind, record.id);
            missing.contains(&&key) || leaked.contains(&&key)
        });
        assert!(
            missing.is_empty() && leaked.is_empty(),
            "{context}: missing {missing:?}, leaked {leaked:?}: {wrong:?}"
        );
        self.tally.trees_found += u64::from(total > 0);
    }

    /// Compares the list of issues with this text with the issues that a search finds.
    fn list_of_issues(
        &mut self,
        login: Option<&str>,
        query: &str,
        expected: &BTreeSet<(Kind, i64)>,
        context: &str,
    ) {
        let issues = |found: &mut dyn Iterator<Item = (Kind, i64)>| -> BTreeSet<i64> {
            found
                .filter(|(kind, _)| *kind == Kind::Issue)
                .map(|(_, id)| id)
                .collect()
        };
        let mut expected = issues(&mut expected.iter().copied());
        if expected.is_empty() {
            // Corrected words may be searched.
            let address = format!(
                "/search.json?issues=1&limit=100&description=0&q={}",
                percent_encode(query)
            );
            let (_, found) = self.server.send(login, &address, None);
            expected = issues(&mut hits(&found).into_iter());
        }
        let mut listed = BTreeSet::new();
        loop {
            let address = list_address(query, listed.len());
            let (status, list) = self.server.send(login, &address, None);
            if matches!(status, 401 | 403) {
                break;
            }
            assert_eq!(status, 200, "{context}: {list}");
            let page = list["issues"].as_array().unwrap();
            listed.extend(page.iter().filter_map(|issue| issue["id"].as_i64()));
            if page.is_empty() {
                break;
            }
        }
        assert_eq!(listed, expected, "the list of {context}");
        self.tally.lists_found += u64::from(!listed.is_empty());
    }
}
