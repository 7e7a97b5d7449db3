//! Expected results: every record is checked for visibility and for each condition of the query.

use super::dates::{within, year};
use super::records::{Reader, Record};
use super::scope::Scope;
use quarry::domain::administration::enumeration::EnumerationKind;
use quarry::domain::catalogue::Catalogue;
use quarry::domain::ids::{PrincipalId, ProjectId, StatusId, TrackerId, UserId};
use quarry::domain::index_feed::kind::Kind;
use quarry_world::search::query::SearchQuery;
use quarry_world::search::words::{Term, Text};
use std::collections::{BTreeMap, BTreeSet};

/// The displayed values of a facet.
pub type Values = Vec<(Option<i64>, String, i64)>;
/// The value of a record.
type Value = Option<(Option<i64>, String)>;

/// A response without its ranking.
#[derive(Debug, PartialEq)]
pub struct Expected {
    pub hits: BTreeSet<(Kind, i64)>,
    /// Newest first.
    pub by_date: Vec<(Kind, i64)>,
    pub counts: BTreeMap<&'static str, i64>,
    pub facets: BTreeMap<&'static str, Values>,
    /// The corrected query with the number of its hits.
    pub did_you_mean: Option<(String, usize)>,
    pub alternatives: Vec<Alternative>,
}

/// Another search that finds more.
#[derive(Debug, PartialEq)]
pub struct Alternative {
    pub typed: String,
    pub all_words: bool,
    pub without: Vec<String>,
    pub total: usize,
}

/// The query is rejected with this status.
#[derive(Debug, PartialEq)]
pub struct Rejected(pub u16);

/// The reference implementation: reads every record for each query.
pub struct Reference<'a> {
    pub reader: Reader<'a>,
    pub records: &'a [Record],
}

impl Reference<'_> {
    pub fn catalogue(&self) -> &Catalogue {
        self.reader.catalogue
    }

    pub fn visible(&self) -> Vec<&Record> {
        self.records
            .iter()
            .filter(|record| self.reader.may_see(record))
            .collect()
    }

    pub fn respond(&self, question: &SearchQuery) -> Result<Expected, Rejected> {
        let (kinds, projects) = self.place(question)?;
        for (name, value, _) in question.qualifiers() {
            self.fits(None, name, value)?;
        }
        let visible = self.visible();
        let scope = Scope {
            reference: self,
            requested: question,
            visible: &visible,
            kinds: &kinds,
            projects: &projects,
        };
        let (hits, did_you_mean, alternatives) = scope.search();
        let mut by_date = hits.clone();
        by_date.sort_by_key(|record| {
            (
                -record.created.div_euclid(1_000_000),
                -record.id,
                record.kind,
            )
        });
        Ok(Expected {
            by_date: by_date
                .iter()
                .map(|record| (record.kind, record.id))
                .collect(),
            counts: kinds
                .iter()
                .map(|kind| (kind.parameter(), count_of_kind(&hits, *kind)))
                .collect(),
            facets: self.facets(&hits),
            hits: hits.iter().map(|record| (record.kind, record.id)).collect(),
            did_you_mean,
            alternatives,
        })
    }

    /// Returns the types and projects in scope.
    fn place(
        &self,
        question: &SearchQuery,
    ) -> Result<(Vec<Kind>, Option<Vec<ProjectId>>), Rejected> {
        let viewer = self.reader.viewer;
        let project = question.project.map(|(project, _)| ProjectId(project));
        if let Some(project) = project
            && viewer.rights(project).is_none()
        {
            return Err(Rejected(if viewer.user.is_some() { 403 } else { 401 }));
        }
        let (projects, alone) = match (question.scope, project) {
            (Some("all"), _) => (None, false),
            (Some("my_projects"), _) => (Some(viewer.member_projects().collect()), false),
            (Some("bookmarks"), _) => (
                Some(
                    viewer
                        .user
                        .and_then(|user| self.catalogue().bookmarks.get(&user))
                        .cloned()
                        .unwrap_or_default(),
                ),
                false,
            ),
            (Some("subprojects"), Some(project)) => (Some(below(self.catalogue(), project)), false),
            (_, Some(project)) => (Some(vec![project]), true),
            (_, None) => (None, false),
        };
        let searched = |kind: &Kind| match project {
            Some(project) if alone => {
                *kind != Kind::Project && viewer.may(kind.permission(), project)
            }
            _ => true,
        };
        let mut kinds: Vec<Kind> = question.kinds.iter().copied().filter(searched).collect();
        if kinds.is_empty() {
            kinds = Kind::ALL.into_iter().filter(searched).collect();
        }
        Ok((kinds, projects))
    }

    /// Returns the records with the words of `meant` that fit all other conditions.
    pub fn hits<'r>(
        &self,
        meant: &SearchQuery,
        requested: &SearchQuery,
        visible: &[&'r Record],
        kinds: &[Kind],
        projects: &Option<Vec<ProjectId>>,
    ) -> Vec<&'r Record> {
        if requested.items.is_empty() {
            return Vec::new();
        }
        visible
            .iter()
            .filter(|record| {
                kinds.contains(&record.kind)
                    && projects
                        .as_ref()
                        .is_none_or(|projects| projects.contains(&record.project))
                    && self.meets_conditions(requested, record)
                    && self.matches(meant, record)
            })
            .copied()
            .collect()
    }

    /// Returns whether a record fits the qualifiers and whether it may be closed.
    fn meets_conditions(&self, requested: &SearchQuery, record: &Record) -> bool {
        let is_closed = record.kind == Kind::Issue && self.is_closed(record.status);
        !(requested.open_issues && is_closed)
            && requested.qualifiers().all(|(name, value, negated)| {
                let fits = |value: &str| {
                    self.fits(Some(record), name, value)
                        .is_ok_and(|fits| fits != negated)
                };
                // The same qualifier twice means either, but for ranges of time.
                let is_alternative = !negated && !matches!(name, "created" | "updated");
                name == "in"
                    || fits(value)
                    || is_alternative
                        && requested
                            .qualifiers()
                            .any(|(other, value, negated)| other == name && !negated && fits(value))
            })
    }

    fn matches(&self, question: &SearchQuery, record: &Record) -> bool {
        let only_titles = question.titles_only || has_title_qualifier(question, false);
        let texts = self.texts(question, record, only_titles);
        // The negation of "all words in the title": not all of them are in it.
        if has_title_qualifier(question, true)
            && question.has_words()
            && matches_words(question, &self.texts(question, record, true))
        {
            return false;
        }
        matches_words(question, &texts) && !question.without().any(|term| stands(term, &texts))
    }

    /// Returns the searched texts of a record.
    fn texts<'r>(
        &self,
        question: &SearchQuery,
        record: &'r Record,
        only_titles: bool,
    ) -> Vec<&'r Text> {
        let mut texts = match (question.attachments, only_titles) {
            ("only", _) => Vec::new(),
            (_, true) => record.titles.iter().collect(),
            (_, false) => self.reader.all(record),
        };
        if question.attachments != "0" {
            texts.extend(self.reader.files(record));
        }
        texts
    }

    pub fn is_closed(&self, status: i64) -> bool {
        self.catalogue()
            .statuses
            .iter()
            .any(|known| known.id.0 == status && known.is_closed)
    }

    /// Returns whether a record fits a qualifier; without a record, whether the qualifier is valid.
    pub fn fits(&self, record: Option<&Record>, name: &str, value: &str) -> Result<bool, Rejected> {
        let catalogue = self.catalogue();
        let viewer = self.reader.viewer;
        let Some(record) = record else {
            return self
                .is_understood(name, value)
                .then_some(false)
                .ok_or(Rejected(422));
        };
        let is_issue = record.kind == Kind::Issue;
        let expected = value.to_lowercase();
        Ok(match name {
            "is" if matches!(value, "open" | "closed") => {
                is_issue && self.is_closed(record.status) == (value == "closed")
            }
            "type" => record.kind.parameter().starts_with(value),
            "project" => {
                let root = catalogue.projects.values().find(|project| {
                    project.identifier == value || project.id.0.to_string() == value
                });
                root.is_some_and(|root| below(catalogue, root.id).contains(&record.project))
            }
            "author" if value == "me" => viewer.user.is_some_and(|me| me.0 == record.author),
            "author" => id_of_login(catalogue, value) == Some(record.author),
            "assignee" if value == "none" => is_issue && record.assignee == 0,
            "assignee" if value == "me" => {
                is_issue && viewer.principals.contains(&PrincipalId(record.assignee))
            }
            "assignee" => is_issue && id_of_login(catalogue, value) == Some(record.assignee),
            "status" => {
                is_issue
                    && catalogue
                        .status(StatusId(record.status))
                        .is_some_and(|status| status.name.to_lowercase() == expected)
            }
            "tracker" => {
                is_issue
                    && catalogue
                        .tracker(TrackerId(record.tracker))
                        .is_some_and(|tracker| tracker.name.to_lowercase() == expected)
            }
            "priority" => {
                let mut known = catalogue
                    .enumerations
                    .iter()
                    .filter(|known| known.kind == EnumerationKind::IssuePriority);
                is_issue
                    && known.any(|known| {
                        known.id.0 == record.priority && known.name.to_lowercase() == expected
                    })
            }
            "version" if value == "none" => is_issue && record.version == 0,
            "version" => is_issue && self.versions(&expected).contains(&record.version),
            "category" if value == "none" => is_issue && record.category == 0,
            "category" => is_issue && self.categories(&expected).contains(&record.category),
            "created" => within(value, record.created),
            "updated" => within(value, record.updated),
            "has" if value == "attachment" => !self.reader.files(record).is_empty(),
            _ => is_issue && self.has_issue_attribute(record, name, value),
        })
    }

    fn is_understood(&self, name: &str, value: &str) -> bool {
        let catalogue = self.catalogue();
        let expected = value.to_lowercase();
        match name {
            "project" => {
                let root = catalogue.projects.values().find(|project| {
                    project.identifier == value || project.id.0.to_string() == value
                });
                root.is_some_and(|root| self.reader.viewer.rights(root.id).is_some())
            }
            "version" => value == "none" || !self.versions(&expected).is_empty(),
            "category" => value == "none" || !self.categories(&expected).is_empty(),
            _ => true,
        }
    }

    /// Returns the visible versions with this name.
    fn versions(&self, name: &str) -> Vec<i64> {
        let visible = self
            .catalogue()
            .versions
            .values()
            .filter(|version| self.reader.viewer.rights(version.project).is_some());
        visible
            .filter(|version| version.name.to_lowercase() == name)
            .map(|version| version.id.0)
            .collect()
    }

    fn categories(&self, name: &str) -> Vec<i64> {
        let visible = self
            .catalogue()
            .categories
            .values()
            .filter(|category| self.reader.viewer.rights(category.project).is_some());
        visible
            .filter(|category| category.name.to_lowercase() == name)
            .map(|category| category.id.0)
            .collect()
    }

    fn facets(&self, hits: &[&Record]) -> BTreeMap<&'static str, Values> {
        let catalogue = self.catalogue();
        BTreeMap::from([
            (
                "type",
                count_values(hits, |record| {
                    Some((None, record.kind.parameter().to_owned()))
                }),
            ),
            (
                "project",
                count_values(hits, |record| {
                    facet_value(
                        record.project.0,
                        Some(&catalogue.projects[&record.project].name),
                    )
                }),
            ),
            (
                "status",
                count_values(hits, |record| {
                    facet_value(
                        record.status,
                        catalogue
                            .status(StatusId(record.status))
                            .map(|status| status.name.as_str()),
                    )
                }),
            ),
            (
                "tracker",
                count_values(hits, |record| {
                    facet_value(
                        record.tracker,
                        catalogue
                            .tracker(TrackerId(record.tracker))
                            .map(|tracker| tracker.name.as_str()),
                    )
                }),
            ),
            (
                "author",
                count_values(hits, |record| {
                    facet_value(
                        record.author,
                        catalogue.principal_name(UserId(record.author).into()),
                    )
                }),
            ),
            (
                "year",
                count_values(hits, |record| {
                    Some((Some(year(record.created)), year(record.created).to_string()))
                }),
            ),
        ])
    }
}

fn is_below(catalogue: &Catalogue, mut id: ProjectId, root: ProjectId) -> bool {
    loop {
        match catalogue.projects[&id].parent {
            _ if id == root => return true,
            Some(parent) => id = parent,
            None => return false,
        }
    }
}

pub fn id_of_login(catalogue: &Catalogue, login: &str) -> Option<i64> {
    catalogue
        .users
        .values()
        .find(|user| user.login == login)
        .map(|user| user.id.0)
}

/// Counts the values of a facet, the most frequent first.
fn count_values(hits: &[&Record], value: impl Fn(&Record) -> Value) -> Values {
    let mut counts: BTreeMap<(Option<i64>, String), i64> = BTreeMap::new();
    for value in hits.iter().filter_map(|record| value(record)) {
        *counts.entry(value).or_default() += 1;
    }
    let mut values: Values = counts
        .into_iter()
        .map(|((id, name), count)| (id, name, count))
        .collect();
    values.sort_by(|one, other| {
        other
            .2
            .cmp(&one.2)
            .then(one.1.cmp(&other.1))
            .then(one.0.cmp(&other.0))
    });
    values
}

/// Returns the value of a facet for a record's attribute; 0 is none.
fn facet_value(id: i64, name: Option<&str>) -> Value {
    (id != 0).then(|| (Some(id), name.unwrap().to_owned()))
}

/// Returns the project and its descendants.
pub fn below(catalogue: &Catalogue, root: ProjectId) -> Vec<ProjectId> {
    catalogue
        .projects
        .keys()
        .copied()
        .filter(|id| is_below(catalogue, *id, root))
        .collect()
}

/// Returns whether the words occur in these texts.
fn matches_words(question: &SearchQuery, texts: &[&Text]) -> bool {
    let words = question.words();
    let several = words.len() > 1;
    let mut words = words.iter().map(|(group, joined)| {
        // In a query of several words, each part of a word matches by itself.
        let apart = if several && !question.all_words {
            group[0].apart()
        } else {
            Vec::new()
        };
        group.iter().chain(&apart).any(|term| stands(term, texts))
            || texts.iter().any(|text| has_compound(group, joined, text))
    });
    match (question.has_words(), question.all_words) {
        (false, _) => true,
        (true, true) => words.all(|found| found),
        (true, false) => words.any(|found| found),
    }
}

pub fn stands(term: &Term, texts: &[&Text]) -> bool {
    texts.iter().any(|text| term.stands_in(text))
}

/// Returns whether the query has the qualifier `in:title`, negated or not.
fn has_title_qualifier(question: &SearchQuery, expected_negated: bool) -> bool {
    question
        .qualifiers()
        .any(|(name, _, negated)| name == "in" && negated == expected_negated)
}

fn count_of_kind(hits: &[&Record], kind: Kind) -> i64 {
    hits.iter().filter(|record| record.kind == kind).count() as i64
}

/// Returns whether the text has one of the terms written apart, or one of the compounds.
fn has_compound(group: &[Term], joined: &[String], text: &Text) -> bool {
    group.iter().any(|term| term.stands_apart_in(text))
        || joined
            .iter()
            .any(|word| Term::Word(word.clone()).stands_in(text))
}
