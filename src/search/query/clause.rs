//! The groups of a query that are more than a list of words: a tree of what must match.

use super::lexer::ParseError;
use super::parser::{Items, Part};
use super::qualifier::Qualifier;
use super::token::{Token, TokenKind};
use super::word::Word;
use crate::schema::config::Bounds;

/// A qualifier with its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QualifierFilter {
    pub qualifier: Qualifier,
    pub value: String,
    /// Whether matching records are excluded.
    pub negated: bool,
    /// The position in the text, in characters from 1.
    pub position: usize,
}

impl QualifierFilter {
    /// Whether both mean the same.
    pub(super) fn is_same(&self, other: &QualifierFilter) -> bool {
        self.qualifier == other.qualifier
            && self.value == other.value
            && self.negated == other.negated
    }

    /// Returns the error of a value without a meaning: `problem`, or what is expected.
    pub(super) fn error(&self, problem: Option<String>) -> ParseError {
        let name = self.qualifier.name();
        let problem =
            problem.unwrap_or_else(|| format!("{name}: expects {}", self.qualifier.expects()));
        ParseError {
            position: self.position,
            text: format!("{name}:{}", self.value),
            problem,
        }
    }

    /// Creates the filter of a token that is a qualifier; `None` for others.
    pub(super) fn from_token(token: &Token) -> Option<QualifierFilter> {
        let TokenKind::Qualifier(qualifier, value) = &token.kind else {
            return None;
        };
        Some(QualifierFilter {
            qualifier: *qualifier,
            value: value.clone(),
            negated: token.negated,
            position: token.position,
        })
    }
}

/// A condition on a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Clause {
    /// The record has a word or phrase.
    Word(Box<Word>),
    /// The record has an attribute.
    Qualifier(QualifierFilter),
    /// It does not match.
    Not(Box<Clause>),
    /// All of them match.
    All(Vec<Clause>),
    /// Any of them matches.
    Any(Vec<Clause>),
    /// Its words are in a place (`in:`).
    In(Place, Box<Clause>),
}

/// Where words must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The title.
    Title,
    /// The description of an issue, the content of a message, and other texts but titles and notes.
    Text,
    /// Notes.
    Notes,
    /// Names and descriptions of files.
    Files,
}

impl Place {
    /// All places, each with the value of `in:`.
    pub const ALL: [(&str, Place); 4] = [
        ("title", Place::Title),
        ("text", Place::Text),
        ("notes", Place::Notes),
        ("files", Place::Files),
    ];

    /// Returns the place that a value of `in:` names.
    pub(super) fn parse(value: &str) -> Option<Place> {
        let named = Place::ALL.iter().find(|(name, _)| *name == value.trim());
        named.map(|(_, place)| *place)
    }
}

impl Clause {
    /// Creates the clause that any of several parts of a query matches; `None` if nothing of them
    /// can be searched.
    pub(super) fn any(alternatives: &[Part], bounds: &Bounds) -> Option<Clause> {
        let mut clauses: Vec<Clause> = alternatives
            .iter()
            .filter_map(|alternative| Clause::from_part(alternative, bounds))
            .collect();
        match clauses.len() {
            0 | 1 => clauses.pop(),
            _ => Some(Clause::Any(clauses)),
        }
    }

    fn from_part(part: &Part, bounds: &Bounds) -> Option<Clause> {
        let (clause, negated) = match part {
            Part::Operand(token) => (Clause::from_token(token, bounds)?, token.negated),
            Part::Group(group) => (Clause::all(&group.items, bounds)?, group.negated),
        };
        Some(if negated {
            Clause::Not(Box::new(clause))
        } else {
            clause
        })
    }

    /// Creates the clause of a word or qualifier, whether or not it is negated.
    fn from_token(token: &Token, bounds: &Bounds) -> Option<Clause> {
        match &token.kind {
            // It has no clause of its own.
            TokenKind::Qualifier(Qualifier::In | Qualifier::Sort, _) => None,
            TokenKind::Qualifier(..) => QualifierFilter::from_token(token).map(|filter| {
                Clause::Qualifier(QualifierFilter {
                    negated: false,
                    ..filter
                })
            }),
            _ => Word::from_token(token, bounds).map(|word| Clause::Word(Box::new(word))),
        }
    }

    /// Creates the clause that all items of a group match; `None` if nothing of it can be searched.
    pub(super) fn all(items: &Items, bounds: &Bounds) -> Option<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        // Qualifiers whose values are alternatives, with the indexes of their clauses.
        let mut joined: Vec<(Qualifier, usize)> = Vec::new();
        let mut inside: Vec<Place> = Vec::new();
        let mut outside: Vec<Place> = Vec::new();
        for item in items {
            if let Some((place, negated)) = place_qualifier(item) {
                let places = if negated { &mut outside } else { &mut inside };
                if !places.contains(&place) {
                    places.push(place);
                }
                continue;
            }
            let Some(clause) = Clause::any(item, bounds) else {
                continue;
            };
            let qualifier = joined_qualifier(item);
            let existing = joined.iter().find(|(other, _)| Some(*other) == qualifier);
            match existing.and_then(|(_, index)| clauses.get_mut(*index)) {
                Some(Clause::Any(alternatives)) => alternatives.push(clause),
                Some(first) => *first = Clause::Any(vec![first.clone(), clause]),
                None => {
                    joined.extend(qualifier.map(|qualifier| (qualifier, clauses.len())));
                    clauses.push(clause);
                }
            }
        }
        let all = match clauses.len() {
            0 => return None,
            1 => clauses.remove(0),
            _ => Clause::All(clauses),
        };
        let at = |place: Place| Clause::In(place, Box::new(all.clone()));
        let mut found: Vec<Clause> = inside.into_iter().map(at).collect();
        let found = match found.len() {
            0 => all.clone(),
            1 => found.remove(0),
            _ => Clause::Any(found),
        };
        if outside.is_empty() {
            return Some(found);
        }
        let excluded = outside
            .into_iter()
            .map(|place| Clause::Not(Box::new(at(place))));
        Some(Clause::All(
            std::iter::once(found).chain(excluded).collect(),
        ))
    }

    /// Whether it has nothing but words and phrases that must match.
    pub(crate) fn is_text(&self) -> bool {
        match self {
            Clause::Word(_) => true,
            Clause::Qualifier(_) | Clause::Not(_) => false,
            Clause::All(clauses) | Clause::Any(clauses) => clauses.iter().all(Clause::is_text),
            Clause::In(_, clause) => clause.is_text(),
        }
    }

    /// Whether the match of a word lets it match.
    pub(crate) fn has_words(&self) -> bool {
        let mut has_words = false;
        self.for_each_word(&mut |_| has_words = true);
        has_words
    }

    /// Calls `visit` for each word whose match lets the clause match, in their order.
    pub(crate) fn for_each_word<'c>(&'c self, visit: &mut dyn FnMut(&'c Word)) {
        match self {
            Clause::Word(word) => visit(word),
            Clause::Qualifier(_) | Clause::Not(_) => {}
            Clause::All(clauses) | Clause::Any(clauses) => clauses
                .iter()
                .for_each(|clause| clause.for_each_word(visit)),
            Clause::In(_, clause) => clause.for_each_word(visit),
        }
    }

    /// Calls `change` for each word whose match helps the clause to match, for those in `negated`
    /// clauses if it is negated itself.
    pub(super) fn for_each_positive_word(
        &mut self,
        negated: bool,
        change: &mut dyn FnMut(&mut Word),
    ) {
        match self {
            Clause::Word(word) if !negated => change(word),
            Clause::Word(_) | Clause::Qualifier(_) => {}
            Clause::All(clauses) | Clause::Any(clauses) => clauses
                .iter_mut()
                .for_each(|clause| clause.for_each_positive_word(negated, change)),
            Clause::Not(clause) => clause.for_each_positive_word(!negated, change),
            Clause::In(_, clause) => clause.for_each_positive_word(negated, change),
        }
    }

    /// Calls `visit` for each qualifier.
    pub(super) fn for_each_qualifier<'c>(&'c self, visit: &mut dyn FnMut(&'c QualifierFilter)) {
        match self {
            Clause::Word(_) => {}
            Clause::Qualifier(filter) => visit(filter),
            Clause::All(clauses) | Clause::Any(clauses) => clauses
                .iter()
                .for_each(|clause| clause.for_each_qualifier(visit)),
            Clause::Not(clause) | Clause::In(_, clause) => clause.for_each_qualifier(visit),
        }
    }

    /// Returns the number of words and qualifiers.
    pub(super) fn leaf_count(&self) -> usize {
        match self {
            Clause::Word(_) | Clause::Qualifier(_) => 1,
            Clause::All(clauses) | Clause::Any(clauses) => {
                clauses.iter().map(Clause::leaf_count).sum()
            }
            Clause::Not(clause) | Clause::In(_, clause) => clause.leaf_count(),
        }
    }
}

/// Returns the place of an item that is `in:` and nothing else, and whether it is negated.
pub(super) fn place_qualifier(item: &[Part]) -> Option<(Place, bool)> {
    match item {
        [Part::Operand(token)] => match &token.kind {
            TokenKind::Qualifier(Qualifier::In, value) => {
                Some((Place::parse(value)?, token.negated))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns the qualifier of an item that is nothing else, whose values are alternatives.
fn joined_qualifier(item: &[Part]) -> Option<Qualifier> {
    match item {
        [
            Part::Operand(Token {
                negated: false,
                kind: TokenKind::Qualifier(qualifier, value),
                ..
            }),
        ] if qualifier.joins_values(value.trim()) => Some(*qualifier),
        _ => None,
    }
}
