//! The box that filters the list by the language of the search: words and qualifiers become the
//! filters of the API.

use crate::prelude::*;
use quarry_domain::access::visibility::can_see_principal;
use quarry_domain::ids::PrincipalId;
use quarry_domain::query::dates::{Calendar, DayOrInstant, Range};
use quarry_domain::query::filter::MAX_TEXT_LENGTH;
use quarry_domain::query::saved::SavedFilter;
use quarry_search::{
    ParseError, Qualifier, QualifierContext, QualifierFilter, Token, TokenKind, tokenize,
};

/// Maximum number of words and qualifiers.
const MAX_TOKENS: usize = 50;

/// What a text means for the list.
#[derive(Debug, Default, PartialEq)]
pub struct QueryText {
    /// Each by another field.
    pub filters: Vec<SavedFilter>,
    /// The project to which the list is limited.
    pub project: Option<ProjectId>,
}

/// The context in which qualifiers are resolved.
#[derive(Clone)]
pub struct QueryContext<'a> {
    pub viewer: &'a Viewer,
    pub catalogue: &'a Catalogue,
    /// In which days begin and end.
    pub calendar: Calendar,
    /// The project whose issues are listed.
    pub project: Option<ProjectId>,
}

impl QueryContext<'_> {
    /// Parses a text. The error is a sentence for the user.
    pub fn parse(&self, text: &str) -> Result<QueryText, String> {
        if text.chars().nth(MAX_TEXT_LENGTH).is_some() {
            return Err(format!("Type at most {MAX_TEXT_LENGTH} characters."));
        }
        let tokens = tokenize(text)
            .map_err(|error| format!("“{}” cannot be used: {}.", error.text, error.problem))?;
        if tokens.len() > MAX_TOKENS {
            return Err(format!("Type at most {MAX_TOKENS} words and qualifiers."));
        }
        let mut query = QueryText::default();
        let is_in_title = tokens.iter().any(|token| {
            matches!(&token.kind, TokenKind::Qualifier(Qualifier::In, value) if value == "title")
        });
        for token in &tokens {
            if let TokenKind::Qualifier(qualifier, value) = &token.kind {
                let filter = QualifierFilter {
                    qualifier: *qualifier,
                    value: value.clone(),
                    negated: token.negated,
                    position: token.position,
                };
                self.add_qualifier(&mut query, filter)?;
            }
        }
        if let Some(filter) = words(&tokens, is_in_title)? {
            add(&mut query, filter)?;
        }
        Ok(query)
    }

    fn add_qualifier(
        &self,
        query: &mut QueryText,
        qualifier: QualifierFilter,
    ) -> Result<(), String> {
        let value = qualifier.value.trim();
        let operator = if qualifier.negated { "!" } else { "=" };
        let typed = format!("{}:{value}", qualifier.qualifier.name());
        let field = match qualifier.qualifier {
            Qualifier::Type if value == "issue" && !qualifier.negated => return Ok(()),
            Qualifier::Type => return Err(format!("This list has issues only; remove {typed}.")),
            Qualifier::In if value == "title" && !qualifier.negated => return Ok(()),
            Qualifier::Has if !matches!(value, "attachment" | "attachments") => {
                return Err(format!(
                    "{typed} cannot be used in a list; search for it, or use Add filter."
                ));
            }
            Qualifier::Has if qualifier.negated => {
                return add(query, filter("attachment", "!*", []));
            }
            Qualifier::Has => return add(query, filter("attachment", "*", [])),
            Qualifier::Is => {
                let is_open = match value {
                    "open" => true,
                    "closed" => false,
                    _ => return Err("A list expects is:open or is:closed.".to_owned()),
                };
                let operator = if is_open == qualifier.negated {
                    "c"
                } else {
                    "o"
                };
                return add(query, filter("status_id", operator, []));
            }
            _ if let Some(name) = date_field(qualifier.qualifier)
                && !qualifier.negated =>
            {
                if value == "none" && !matches!(name, "created_on" | "updated_on") {
                    return add(query, filter(name, "!*", []));
                }
                let range = self.qualifiers().days(&qualifier).map_err(sentence)?;
                let (operator, values) = days(range);
                return add(query, filter(name, operator, values));
            }
            Qualifier::Created
            | Qualifier::Updated
            | Qualifier::Closed
            | Qualifier::Start
            | Qualifier::Due
            | Qualifier::In => {
                return Err(format!("-{typed} cannot be used in a list."));
            }
            Qualifier::Project => return self.add_project(query, &qualifier),
            Qualifier::Author => "author_id",
            Qualifier::Assignee => "assigned_to_id",
            Qualifier::Status => "status_id",
            Qualifier::Tracker => "tracker_id",
            Qualifier::Priority => "priority_id",
            Qualifier::Version => "fixed_version_id",
            Qualifier::Category => "category_id",
            _ => {
                return Err(format!(
                    "{typed} cannot be used in a list; search for it, or use Add filter."
                ));
            }
        };
        let is_person = matches!(qualifier.qualifier, Qualifier::Author | Qualifier::Assignee);
        if value == "none"
            && field != "author_id"
            && !matches!(field, "status_id" | "tracker_id" | "priority_id")
        {
            let operator = if qualifier.negated { "*" } else { "!*" };
            return add(query, filter(field, operator, []));
        }
        if value == "me" && is_person {
            if self.viewer.user.is_none() {
                return Err(format!("Log in to use {typed}."));
            }
            return add(query, filter(field, operator, ["me".to_owned()]));
        }
        let mut ids = self.resolve(&qualifier)?;
        if is_person {
            ids.retain(|id| can_see_principal(self.viewer, self.catalogue, PrincipalId(*id)));
            if ids.is_empty() {
                return Err(format!(
                    "Nobody whom you can see has the name or login in {typed}."
                ));
            }
        }
        add(
            query,
            filter(field, operator, ids.iter().map(i64::to_string)),
        )
    }

    /// Returns the ids that a qualifier stands for.
    fn resolve(&self, qualifier: &QualifierFilter) -> Result<Vec<i64>, String> {
        self.qualifiers().ids(qualifier).map_err(sentence)
    }

    fn qualifiers(&self) -> QualifierContext<'_> {
        QualifierContext {
            catalogue: self.catalogue,
            viewer: self.viewer,
            calendar: self.calendar.clone(),
        }
    }

    fn add_project(
        &self,
        query: &mut QueryText,
        qualifier: &QualifierFilter,
    ) -> Result<(), String> {
        let value = qualifier.value.trim();
        let project = self.catalogue.project_by(value);
        let project = project.filter(|project| self.viewer.may(Permission::ViewIssues, project.id));
        let Some(project) = project else {
            return Err(format!(
                "There is no project “{value}” whose issues you can see."
            ));
        };
        if qualifier.negated {
            let ids = self.catalogue.subtree(project.id).into_iter();
            return add(
                query,
                filter("project_id", "!", ids.map(|id| id.to_string())),
            );
        }
        if self.project.is_some_and(|id| id != project.id) {
            return Err(format!(
                "This list has the issues of one project; remove project:{value}, or use the list of all issues."
            ));
        }
        if query.project.is_some_and(|id| id != project.id) {
            return Err("Name one project only.".to_owned());
        }
        query.project = Some(project.id);
        Ok(())
    }
}

fn sentence(error: ParseError) -> String {
    format!("“{}” cannot be used: {}.", error.text, error.problem)
}

/// Returns the field of a list that a qualifier with days is about.
fn date_field(qualifier: Qualifier) -> Option<&'static str> {
    Some(match qualifier {
        Qualifier::Created => "created_on",
        Qualifier::Updated => "updated_on",
        Qualifier::Closed => "closed_on",
        Qualifier::Start => "start_date",
        Qualifier::Due => "due_date",
        _ => return None,
    })
}

fn filter(name: &str, operator: &str, values: impl IntoIterator<Item = String>) -> SavedFilter {
    SavedFilter {
        name: name.to_owned(),
        operator: operator.to_owned(),
        values: values.into_iter().collect(),
    }
}

/// Adds a filter. Two by the same field are one with the values of both, if they have the same
/// operator.
fn add(query: &mut QueryText, filter: SavedFilter) -> Result<(), String> {
    let Some(same) = query
        .filters
        .iter_mut()
        .find(|other| other.name == filter.name)
    else {
        query.filters.push(filter);
        return Ok(());
    };
    if same.operator != filter.operator || filter.values.is_empty() && *same != filter {
        return Err(
            "Two conditions on the same field cannot be combined; use Add filter for one of them."
                .to_owned(),
        );
    }
    for value in filter.values {
        if !same.values.contains(&value) {
            same.values.push(value);
        }
    }
    Ok(())
}

/// Returns the filter by the words of a text.
fn words(tokens: &[Token], is_in_title: bool) -> Result<Option<SavedFilter>, String> {
    let mut words: Vec<(&str, &Token)> = Vec::new();
    for token in tokens {
        match &token.kind {
            TokenKind::Word(word) => words.push((word.trim_end_matches('*'), token)),
            TokenKind::Phrase(phrase) if !phrase.trim().contains(char::is_whitespace) => {
                words.push((phrase.trim(), token));
            }
            TokenKind::Phrase(phrase) => {
                return Err(format!(
                    "A list finds words, not phrases; type {phrase} without quotes, or search for it."
                ));
            }
            TokenKind::Open | TokenKind::Close => {
                return Err("A list cannot combine groups; search for them.".to_owned());
            }
            TokenKind::Qualifier(..) => {}
        }
    }
    words.retain(|(word, _)| !word.is_empty());
    let Some((_, first)) = words.first() else {
        return Ok(None);
    };
    if let [(word, token)] = words[..]
        && let Some(id) = word
            .strip_prefix('#')
            .filter(|id| id.parse::<i64>().is_ok())
        && !token.negated
    {
        return Ok(Some(filter("issue_id", "=", [id.to_owned()])));
    }
    let is_negated = first.negated;
    if words.iter().any(|(_, token)| token.negated != is_negated) {
        return Err(
            "Words and excluded words cannot be combined in a list; search for them.".to_owned(),
        );
    }
    if is_negated && words.len() > 1 {
        return Err("A list can exclude one word only; search for the others.".to_owned());
    }
    let alternatives = words[1..].iter().filter(|(_, token)| token.or).count();
    let operator = match alternatives {
        _ if is_negated => "!~",
        0 => "~",
        count if count + 1 == words.len() => "*~",
        _ => {
            return Err("OR must stand between all words of a list, or between none.".to_owned());
        }
    };
    let name = if is_in_title {
        "subject"
    } else {
        "any_searchable"
    };
    let text: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    Ok(Some(filter(name, operator, [text.join(" ")])))
}

/// Returns the operator of a filter by a range of days, and its values.
fn days(range: Range<DayOrInstant>) -> (&'static str, Vec<String>) {
    let from = range.from.map(|from| from.date().to_string());
    let to = range.to.map(|to| to.date().to_string());
    match (from, to) {
        (Some(from), Some(to)) if from == to => ("=", vec![from]),
        (Some(from), None) => (">=", vec![from]),
        (None, Some(to)) => ("<=", vec![to]),
        (from, to) => ("><", from.into_iter().chain(to).collect()),
    }
}

#[cfg(test)]
mod tests;
