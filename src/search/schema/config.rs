//! The configuration of the index, read from `index-schema/`: which record field feeds which index
//! field, and how hits are ranked.

use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

use crate::analyzer::ANALYZER_VERSION;
use quarry_domain::index_feed::kind::Kind;

/// The version of what this module adds to documents (keys, classes). Increase it with every change
/// of that.
const LAYOUT_VERSION: u32 = 3;

/// The configuration of the index.
#[derive(Clone, Debug)]
pub struct IndexConfig {
    /// The text fields by name.
    pub fields: BTreeMap<String, TextField>,
    /// How hits are ranked.
    pub ranking: Ranking,
    /// Limits of a search.
    pub bounds: Bounds,
    /// How similar issues are found.
    pub similar: SimilarConfig,
    /// A hash of all files and of the analyzer version. An index with another fingerprint is
    /// rebuilt.
    pub fingerprint: String,
    kinds: Vec<KindFile>,
}

/// When a text field is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Searched by default.
    Text,
    /// Searched instead with `titles_only`, and used for the boost of exact titles.
    Titles,
    /// Searched when the request includes attachments.
    Attachments,
    /// Searched together with attachments, for viewers who may see the files of the project.
    ProjectFiles,
    /// Searched for viewers who may read the text: private notes.
    Restricted,
    /// Searched for viewers who may read the field: values of custom fields.
    Custom,
}

/// A text field of the index.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextField {
    /// When the field is searched.
    pub role: Role,
    /// How its text becomes terms.
    pub analyzer: Analyzer,
    /// The factor of its scores.
    pub weight: f32,
}

/// How text becomes terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Analyzer {
    /// `search::analyzer`.
    Words,
}

/// How hits are ranked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranking {
    /// Weight of a word that the title contains exactly as it is in the query.
    pub exact_title: f32,
    /// Weight of two adjacent words of the query that are adjacent in the text.
    pub adjacent_pair: f32,
    /// How many positions such words may be out of place.
    pub pair_slop: u32,
    /// Weight of a whole word that has several parts, in addition to its parts, with "any word".
    pub compound: f32,
    /// Factor of the score of another spelling of a word: `table view` for `tableview`.
    pub other_spelling: f32,
    /// With "any word", saturation of the number of times that the query has a word: the k3 of
    /// Okapi BM25.
    pub k3: f32,
    /// How much the score of a record of this moment is raised: 0.5 makes it 1.5 times as high.
    pub recency_weight: f32,
    /// The number of days after which the raise has fallen to 1/e.
    pub recency_days: f32,
}

impl Ranking {
    /// Returns the name of a value that is too small or no number, and its minimum.
    fn invalid(&self) -> Option<(&'static str, f32)> {
        let values = [
            ("exact_title", 0.0, self.exact_title),
            ("adjacent_pair", 0.0, self.adjacent_pair),
            ("compound", 0.0, self.compound),
            ("other_spelling", 0.0, self.other_spelling),
            ("k3", 0.0, self.k3),
            ("recency_weight", 0.0, self.recency_weight),
            ("recency_days", 1.0, self.recency_days),
        ];
        let mut values = values.into_iter();
        values
            .find(|(_, min, value)| !(value.is_finite() && value >= min))
            .map(|(name, min, _)| (name, min))
    }

    /// Returns the factor of the score of a word that occurs `count` times in the query, with "any
    /// word".
    pub fn repetition(&self, count: u32) -> f32 {
        let count = count as f32;
        (self.k3 + 1.0) * count / (self.k3 + count)
    }

    /// Returns the factor of the score of a record with this date. Both times are in seconds since
    /// 1970.
    pub fn recency(&self, date: i64, now: i64) -> f32 {
        let age = (now - date).unsigned_abs() as f32 / 86_400.0;
        1.0 + self.recency_weight * (-age / self.recency_days).exp()
    }

    /// Returns an upper bound of the factor for dates between these.
    pub fn max_recency(&self, (start, end): (i64, i64), now: i64) -> f32 {
        let nearest = self.recency(now.clamp(start, end), now);
        if self.recency_weight > 0.0 {
            nearest
        } else {
            1.0
        }
    }
}

/// Limits of a search.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// Maximum length of a query in characters.
    pub query_characters: usize,
    /// Maximum number of words that must all match, and of qualifiers and excluded words.
    pub query_words: usize,
    /// Maximum number of words any of which may match: the rarest ones.
    pub any_words: usize,
    /// Minimum length of a prefix; a shorter one is a word.
    pub prefix_characters: usize,
    /// Maximum number of terms of a prefix that are scored; the others match without a score.
    pub prefix_terms: usize,
    /// Maximum number of terms of a prefix that is a part of a word (`fuel_t*`): the most frequent
    /// ones.
    pub prefix_parts: usize,
    /// Maximum offset.
    pub offset: usize,
    /// How long a search may take, in milliseconds.
    pub milliseconds: u64,
}

/// How similar issues are found.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimilarConfig {
    /// Weight of a term of the subject.
    pub subject: f32,
    /// Weight of a term of the description.
    pub description: f32,
    /// Weight of a term of the notes.
    pub notes: f32,
    /// Maximum number of terms that are searched: the most significant ones.
    pub terms: usize,
    /// How much the score of a record of the same day is raised: 0.5 makes it 1.5 times as high.
    pub nearness_weight: f32,
    /// The number of days between the two after which the raise has fallen to 1/e.
    pub nearness_days: f32,
    /// Minimum score relative to the best hit.
    pub least: f32,
    /// Maximum number of characters that are read of each text.
    pub characters: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IndexFile {
    fields: BTreeMap<String, TextField>,
    ranking: Ranking,
    bounds: Bounds,
    similar: SimilarConfig,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KindFile {
    date: DateField,
    feeds: BTreeMap<String, BTreeMap<String, usize>>,
}

/// The date by which a record is sorted and loses score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateField {
    /// The date of creation.
    CreatedOn,
    /// The date of the last change.
    UpdatedOn,
}

/// An invalid file of the configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct ConfigError {
    /// Its path, as far as that is known.
    pub file: String,
    /// What is wrong, with the key.
    pub reason: String,
}

impl IndexConfig {
    /// Parses the index file and one file per content type in the order of [`Kind::ALL`].
    pub fn parse(files: [(&str, &str); 8]) -> Result<IndexConfig, ConfigError> {
        let [index, kinds @ ..] = files;
        let IndexFile {
            fields,
            ranking,
            bounds,
            similar,
        } = parse_file(index)?;
        if let Some((name, min)) = ranking.invalid() {
            return Err(config_error(
                index.0,
                format!("ranking: {name} must be a number, at least {min}"),
            ));
        }
        let kinds = kinds
            .into_iter()
            .map(|file| parse_kind_file(file, &fields))
            .collect::<Result<_, _>>()?;
        for role in [
            Role::Text,
            Role::Titles,
            Role::Attachments,
            Role::ProjectFiles,
            Role::Restricted,
            Role::Custom,
        ] {
            if !fields.values().any(|field| field.role == role) {
                return Err(config_error(
                    index.0,
                    format!("fields: none has the role {role:?}"),
                ));
            }
        }
        let mut hash = Sha256::new();
        hash.update(format!("{ANALYZER_VERSION} {LAYOUT_VERSION}"));
        for (name, text) in files {
            hash.update(format!("\0{name}\0{text}"));
        }
        let fingerprint = hex::encode(&hash.finalize()[..16]);
        Ok(IndexConfig {
            fields,
            ranking,
            bounds,
            similar,
            fingerprint,
            kinds,
        })
    }

    /// Returns the date by which records of this type are sorted.
    pub fn date(&self, kind: Kind) -> DateField {
        self.kinds[usize::from(kind.code())].date
    }

    /// Returns the index fields that a record field feeds, and how many times it is added to each.
    pub fn feeds(&self, kind: Kind, record_field: &str) -> impl Iterator<Item = (&str, usize)> {
        let targets = self.kinds[usize::from(kind.code())].feeds.get(record_field);
        targets
            .into_iter()
            .flatten()
            .map(|(field, times)| (field.as_str(), *times))
    }
}

fn parse_file<T: for<'a> Deserialize<'a>>((file, text): (&str, &str)) -> Result<T, ConfigError> {
    toml::from_str(text).map_err(|error| config_error(file, error.to_string()))
}

fn parse_kind_file(
    file: (&str, &str),
    fields: &BTreeMap<String, TextField>,
) -> Result<KindFile, ConfigError> {
    let kind: KindFile = parse_file(file)?;
    for (source, targets) in &kind.feeds {
        for (target, times) in targets {
            let Some(field) = fields.get(target) else {
                return Err(config_error(
                    file.0,
                    format!("feeds.{source}.{target}: index.toml has no such field"),
                ));
            };
            if (field.role == Role::Restricted) != (source == "restricted") {
                return Err(config_error(
                    file.0,
                    format!(
                        "feeds.{source}.{target}: restricted text and no other feeds a restricted field"
                    ),
                ));
            }
            if (field.role == Role::Custom) != (source == "custom") {
                return Err(config_error(
                    file.0,
                    format!(
                        "feeds.{source}.{target}: values of custom fields and nothing else feed a custom field"
                    ),
                ));
            }
            if (field.role == Role::ProjectFiles) != (source == "project_files") {
                return Err(config_error(
                    file.0,
                    format!(
                        "feeds.{source}.{target}: files of projects and nothing else feed a field for them"
                    ),
                ));
            }
            if !(1..=20).contains(times) {
                return Err(config_error(
                    file.0,
                    format!("feeds.{source}.{target}: the weight must be between 1 and 20"),
                ));
            }
        }
    }
    Ok(kind)
}

pub(super) fn config_error(file: &str, reason: String) -> ConfigError {
    ConfigError {
        file: file.to_owned(),
        reason,
    }
}

#[cfg(test)]
mod tests;
