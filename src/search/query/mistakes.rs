//! Corrects qualifiers that cannot be used, such as `asignee:bob` and `status:opne`, and searches
//! them as text.
//!
//! Invariant: only names and values that the viewer may see are proposed.

use super::clause::Place;
use super::dates::{OPERATORS, PERIODS};
use super::lexer::ParseError;
use super::meaning::{IS_VALUES, QualifierContext, TYPES, changed_values, has_values};
use super::parser::{searched_as_text, tokenize, tokenize_as_text};
use super::qualifier::Qualifier;
use super::sort::sort_names;
use super::token::{Token, TokenKind, is_quote, text_of};
use jiff::civil::Date;
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::projects::project::Project;
use quarry_domain::values::edit_distance::nearest;
use std::borrow::Cow;

/// Maximum number of qualifiers that cannot be used; a query with more is invalid.
const MAX_MISTAKES: usize = 20;

/// A qualifier that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The qualifier as typed.
    pub typed: String,
    /// What is wrong.
    pub problem: String,
    /// The qualifier that was probably meant, and the whole query with it.
    pub meant: Option<(String, String)>,
}

/// Returns the query with all qualifiers that cannot be used as quoted text, and these qualifiers;
/// `None` if there are none, or more than `MAX_MISTAKES`.
pub fn mistakes(text: &str, context: &QualifierContext<'_>) -> Option<(String, Vec<Mistake>)> {
    if let Err(error) = tokenize(text)
        && error.is_nesting()
    {
        let text = text_of(&tokenize_as_text(text).ok()?);
        let (text, mut others) = mistakes(&text, context).unwrap_or((text, Vec::new()));
        others.insert(0, too_deep(error));
        return Some((text, others));
    }
    let (typed, unusable) = tokenize_leniently(text);
    let mut tokens = typed.clone();
    let mut mistakes = Vec::new();
    for (index, token) in typed.iter().enumerate() {
        let (name, value, problem) = match &token.kind {
            TokenKind::Qualifier(qualifier, value) if context.is_usable(*qualifier, value) => {
                continue;
            }
            TokenKind::Qualifier(qualifier, value) => {
                (qualifier.name(), value.as_str(), expects(*qualifier))
            }
            TokenKind::Word(word) if unusable.contains(&index) => {
                let Some((name, value)) = word.split_once(':') else {
                    continue;
                };
                let problem = Qualifier::parse(name)
                    .map_or_else(|| format!("there is no qualifier {name}:"), expects);
                (name, value, problem)
            }
            _ => continue,
        };
        if mistakes.len() == MAX_MISTAKES {
            return None;
        }
        let meant = context.suggest(name, value).map(|(qualifier, value)| {
            let mut corrected = typed.clone();
            corrected[index].kind = TokenKind::Qualifier(qualifier, value);
            (text_without_or(&corrected[index]), text_of(&corrected))
        });
        tokens[index].kind = TokenKind::Phrase(if is_short_field(text, token) {
            value.to_owned()
        } else {
            format!("{name}:{value}")
        });
        mistakes.push(Mistake {
            typed: text_without_or(token),
            problem,
            meant,
        });
    }
    (!mistakes.is_empty()).then(|| (text_of(&tokens), mistakes))
}

/// Returns the text of a query that is searched, and what of it is searched as text and why, if
/// anything is.
pub fn searched_text<'t>(
    text: &'t str,
    context: &QualifierContext<'_>,
) -> (Cow<'t, str>, Option<String>) {
    let mut reasons = Vec::new();
    if let Some(reason) = searched_as_text(text) {
        reasons.push(format!(
            "parentheses, AND and NOT are searched as text, because {reason}"
        ));
    }
    let searched = with_unknown_as_text(text, context);
    if searched.is_some() {
        reasons.push(
            "was:, changed: and field: that name nothing known are searched as text".to_owned(),
        );
    }
    let searched = searched.map_or(Cow::Borrowed(text), Cow::Owned);
    (searched, (!reasons.is_empty()).then(|| reasons.join("; ")))
}

/// Returns the query with all `was:`, `changed:` and `field:` as quoted text that name nothing known,
/// nor nearly: they are common in messages and code, such as `expected:<5> but was:<4>`. `None` if
/// there are none.
fn with_unknown_as_text(text: &str, context: &QualifierContext<'_>) -> Option<String> {
    let mut tokens = tokenize(text).ok()?;
    let mut has_unknown = false;
    for token in &mut tokens {
        let TokenKind::Qualifier(qualifier, value) = &token.kind else {
            continue;
        };
        let may_be_text = qualifier.accepts_modifiers() || *qualifier == Qualifier::Field;
        if may_be_text && context.meaning(*qualifier, value.trim()) == Err(None) {
            let phrase = if is_short_field(text, token) {
                value.clone()
            } else {
                format!("{}:{value}", qualifier.name())
            };
            token.kind = TokenKind::Phrase(phrase);
            has_unknown = true;
        }
    }
    has_unknown.then(|| text_of(&tokens))
}

/// Whether a token is a condition on a custom field that was typed without `field:`.
fn is_short_field(text: &str, token: &Token) -> bool {
    let mut typed = text.chars().skip(token.position - 1);
    let first = typed.find(|letter| *letter != '-');
    matches!(token.kind, TokenKind::Qualifier(Qualifier::Field, _)) && first.is_some_and(is_quote)
}

/// Groups that are nested too deeply, which are searched as text.
fn too_deep(error: ParseError) -> Mistake {
    Mistake {
        typed: error.text,
        problem: error.problem,
        meant: None,
    }
}

fn text_without_or(token: &Token) -> String {
    let mut token = token.clone();
    token.or = false;
    token.to_string()
}

fn expects(qualifier: Qualifier) -> String {
    format!("{}: expects {}", qualifier.name(), qualifier.expects())
}

/// Splits a query into tokens, and returns the indexes of those that look like qualifiers but are
/// invalid. A misspelled name followed by a quoted value becomes one word.
fn tokenize_leniently(text: &str) -> (Vec<Token>, Vec<usize>) {
    let mut letters: Vec<char> = text.chars().collect();
    let mut hidden: Vec<(usize, String)> = Vec::new();
    loop {
        let visible: String = letters.iter().collect();
        let error = match tokenize(&visible) {
            Ok(tokens) => return restore(tokens, &hidden),
            // Each costs a pass over the text.
            Err(_) if hidden.len() > MAX_MISTAKES => return (Vec::new(), Vec::new()),
            Err(error) => error,
        };
        // The word is replaced by the same number of letters, so that all positions stay.
        let negated = letters.get(error.position - 1) == Some(&'-') && !error.text.starts_with('-');
        let start = error.position - 1 + usize::from(negated);
        let end = (start + error.text.chars().count()).min(letters.len());
        if start >= end {
            return (Vec::new(), Vec::new());
        }
        letters[start..end].fill('x');
        hidden.push((error.position, error.text));
    }
}

fn restore(mut tokens: Vec<Token>, hidden: &[(usize, String)]) -> (Vec<Token>, Vec<usize>) {
    let mut unusable = Vec::new();
    let mut index = 0;
    while index < tokens.len() {
        if let Some((_, text)) = hidden
            .iter()
            .find(|(position, _)| *position == tokens[index].position)
        {
            let mut text = text.clone();
            // The quoted value of a misspelled name follows without a space.
            let length = text.chars().count() + usize::from(tokens[index].negated);
            let value = tokens.get(index + 1).filter(|next| {
                text.ends_with(':') && next.position == tokens[index].position + length
            });
            if let Some(Token {
                kind: TokenKind::Phrase(value),
                ..
            }) = value
            {
                text.push_str(value);
                tokens.remove(index + 1);
            }
            tokens[index].kind = TokenKind::Word(text);
            unusable.push(index);
        }
        index += 1;
    }
    (tokens, unusable)
}

impl QualifierContext<'_> {
    fn is_usable(&self, qualifier: Qualifier, value: &str) -> bool {
        self.meaning(qualifier, value.trim()).is_ok()
    }

    /// Returns the qualifier that was probably meant, and its value.
    fn suggest(&self, name: &str, value: &str) -> Option<(Qualifier, String)> {
        let names = Qualifier::ALL.iter().map(|qualifier| qualifier.name());
        let qualifier = Qualifier::parse(name)
            .or_else(|| Qualifier::nearest(name))
            .or_else(|| Qualifier::parse(nearest(name, names)?))?;
        let value = value.trim();
        if value.is_empty() {
            return None;
        }
        if self.is_usable(qualifier, value) {
            return Some((qualifier, value.to_owned()));
        }
        if let Some(value) = self.nearest_value(qualifier, value) {
            return Some((qualifier, value));
        }
        // Other search languages have "status:open" for "is:open".
        let is_value = nearest(value, IS_VALUES).filter(|_| qualifier == Qualifier::Status);
        is_value.map(|value| (Qualifier::Is, value.to_owned()))
    }

    fn nearest_value(&self, qualifier: Qualifier, value: &str) -> Option<String> {
        let catalogue = self.catalogue;
        let viewer = self.viewer;
        let found = match qualifier {
            Qualifier::Is => nearest(value, IS_VALUES),
            Qualifier::Has => nearest(value, has_values()),
            Qualifier::In => nearest(value, Place::ALL.map(|(name, _)| name)),
            Qualifier::Sort => nearest(value, sort_names()),
            Qualifier::Changed => nearest(value, changed_values()),
            Qualifier::Type => nearest(
                value,
                TYPES
                    .iter()
                    .map(|(name, _)| *name)
                    .chain(Kind::ALL.into_iter().map(|kind| kind.parameter())),
            ),
            Qualifier::Project => self.nearest_project(value),
            Qualifier::Status | Qualifier::Was => nearest(
                value,
                catalogue.statuses.iter().map(|status| status.name.as_str()),
            ),
            Qualifier::Tracker => nearest(
                value,
                catalogue
                    .trackers
                    .iter()
                    .map(|tracker| tracker.name.as_str()),
            ),
            Qualifier::Priority => nearest(
                value,
                catalogue
                    .enumerations_of(EnumerationKind::IssuePriority)
                    .map(|priority| priority.name.as_str()),
            ),
            Qualifier::Version => {
                let visible = catalogue
                    .versions
                    .values()
                    .filter(|version| viewer.sees(version.project));
                nearest(value, visible.map(|version| version.name.as_str()))
            }
            Qualifier::Category => {
                let visible = catalogue
                    .categories
                    .values()
                    .filter(|category| viewer.sees(category.project));
                nearest(value, visible.map(|category| category.name.as_str()))
            }
            Qualifier::Created
            | Qualifier::Updated
            | Qualifier::Closed
            | Qualifier::Start
            | Qualifier::Due => return self.nearest_day(value),
            // Every name is valid, and no number is more likely than others.
            _ => None,
        };
        found.map(str::to_owned)
    }

    /// Returns the identifier of the project with the nearest identifier, or else the nearest name.
    fn nearest_project(&self, value: &str) -> Option<&str> {
        let projects = self.catalogue.projects.values();
        let visible: Vec<&Project> = projects
            .filter(|project| self.viewer.sees(project.id))
            .collect();
        let identifiers = visible.iter().map(|project| project.identifier.as_str());
        if let Some(identifier) = nearest(value, identifiers) {
            return Some(identifier);
        }
        let name = nearest(value, visible.iter().map(|project| project.name.as_str()))?;
        let named = visible.iter().find(|project| project.name == name);
        named.map(|project| project.identifier.as_str())
    }

    /// Returns the word that a misspelled one such as `yesterdy` means, or the day of a date without
    /// leading zeros, with its operator.
    fn nearest_day(&self, value: &str) -> Option<String> {
        let operator = OPERATORS
            .into_iter()
            .find(|operator| value.starts_with(operator))?;
        let text = value[operator.len()..].trim();
        if let Some(period) = nearest(text, PERIODS) {
            return Some(format!("{operator}{period}"));
        }
        let mut parts = text
            .split(['-', '/', '.'])
            .map(|part| part.parse::<i16>().ok());
        let year = parts.next()??;
        let month = parts.next()??;
        let day = parts.next()??;
        let day = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?)
            .ok()
            .filter(|_| parts.next().is_none() && year > 31)?;
        Some(format!("{operator}{day}"))
    }
}
