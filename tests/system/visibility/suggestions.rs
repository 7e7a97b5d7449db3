//! Similar issues, suggestions and corrections tell no viewer of what they may not see.

use super::comparison::Comparison;
use super::oracle::Oracle;
use super::random;
use quarry::domain::access::viewer::Viewer;
use quarry::domain::ids::IssueId;
use quarry::domain::index_feed::kind::Kind;
use quarry::search::{
    Attachments, ParsedQuery, SimilarConfig, SimilarRequest, SuggestRequest, Visibility,
};
use std::collections::{BTreeMap, BTreeSet};

impl Comparison<'_> {
    /// Every visible issue is similar to a text with the common word; words that only private notes
    /// and custom fields have make no issue similar, for any viewer.
    pub fn compare_similar(&self, viewer: &Viewer, oracle: &Oracle<'_>) {
        let except = self
            .sources
            .iter()
            .find(|source| source.kind == Kind::Issue && oracle.may_see(source))
            .map(|source| IssueId(source.id));
        let issues = self
            .sources
            .iter()
            .filter(|source| source.kind == Kind::Issue && oracle.may_see(source));
        let expected = issues
            .map(|source| source.id)
            .filter(|id| except.is_some_and(|except| except.0 != *id))
            .collect();
        let visibility = Visibility::for_viewer(self.catalogue, viewer);
        let by = SimilarConfig {
            least: 0.0,
            ..self.index.config().similar.clone()
        };
        let like = |subject, notes: &[String]| -> BTreeSet<i64> {
            let like = SimilarRequest {
                subject,
                description: "",
                notes,
                except,
                visibility: &visibility,
                projects: None,
                closed: None,
                written: random::now(),
                limit: 10_000,
            };
            self.index
                .similar(&like, &by)
                .unwrap()
                .iter()
                .map(|hit| hit.id)
                .collect()
        };
        self.assert_same(
            Kind::Issue,
            "like a word of all",
            &expected,
            &like("common", &["hushed cloaked".to_owned()]),
        );
        let hidden = "hushed hushed1 hushed2 cloaked cloaked1";
        self.assert_same(
            Kind::Issue,
            "like hidden words",
            &BTreeSet::new(),
            &like(hidden, &[hidden.to_owned()]),
        );
    }

    /// Titles of visible records are suggested. (Names of projects lack the word.)
    pub fn compare_suggestions(&self, viewer: &Viewer, oracle: &Oracle<'_>) {
        let kinds: Vec<Kind> = Kind::ALL
            .into_iter()
            .filter(|kind| *kind != Kind::Project)
            .collect();
        let suggest = SuggestRequest {
            query: &ParsedQuery::parse_incomplete("comm", &self.index.config().bounds).unwrap(),
            visibility: &Visibility::for_viewer(self.catalogue, viewer),
            kinds: &kinds,
            projects: None,
            closed: None,
            limit: 10_000,
            now: random::now(),
        };
        let hits = self.index.suggest(&suggest).unwrap();
        for kind in kinds {
            let expected = self
                .sources
                .iter()
                .filter(|source| source.kind == kind && oracle.may_see(source));
            let expected = expected.map(|source| source.id).collect();
            let got = hits
                .iter()
                .filter(|hit| hit.kind == kind)
                .map(|hit| hit.id)
                .collect();
            self.assert_same(kind, "suggested", &expected, &got);
        }
    }

    /// An unknown word is corrected only with words of visible records, the most frequent first;
    /// private notes and custom fields disclose none.
    pub fn compare_corrections(&self, viewer: &Viewer, oracle: &Oracle<'_>) {
        let mut seen: BTreeMap<&str, BTreeSet<i64>> = BTreeMap::new();
        for source in self
            .sources
            .iter()
            .filter(|source| source.kind == Kind::Issue && oracle.may_see(source))
        {
            let subject = source
                .fields
                .iter()
                .find(|(name, _)| *name == "subject")
                .map_or("", |(_, text)| text.as_str());
            let word = random::RARE
                .into_iter()
                .find(|word| subject.ends_with(word))
                .unwrap();
            seen.entry(word).or_default().insert(source.id);
        }
        let mut ranked: Vec<(&str, BTreeSet<i64>)> = seen.into_iter().collect();
        ranked.sort_by(|one, other| other.1.len().cmp(&one.1.len()).then(one.0.cmp(other.0)));
        let most = ranked.first().map_or(0, |(_, ids)| ids.len());
        ranked.retain(|(_, ids)| ids.len() * 10 >= most);
        let response = self.search(viewer, "rarely", &[Kind::Issue], Attachments::Without);
        let found: BTreeSet<i64> = response.hits.iter().map(|hit| hit.id).collect();
        let expected = ranked
            .iter()
            .take(3)
            .flat_map(|(_, ids)| ids.iter().copied())
            .collect();
        self.assert_same(Kind::Issue, "put right", &expected, &found);
        let meant = response.did_you_mean.map(|meant| meant.text);
        assert_eq!(
            meant.as_deref(),
            ranked.first().map(|(word, _)| *word),
            "world {}, user {:?}",
            self.world,
            self.user
        );
        // Many of these words are in the index, none is visible to everybody.
        for slip in [
            "hushde", "hushef", "cloakde", "cloakdd", "veilde", "shroudde",
        ] {
            let response = self.search(viewer, slip, &[Kind::Issue], Attachments::With);
            assert!(
                response.total == 0 && response.did_you_mean.is_none(),
                "world {}, user {:?}: {slip}",
                self.world,
                self.user
            );
        }
    }
}
