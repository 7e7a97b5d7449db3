//! Visibility in random worlds: for every viewer and record, four implementations must agree
//! whether it is visible: the expression in memory, as SQL, and in the index, and an oracle written
//! independently from compatibility 5.

mod api;
mod containers;
mod oracle;
mod pages;
mod random;

use oracle::Oracle;
use quarry::actions::attachments;
use quarry::domain::attachment::ContainerType;
use quarry::domain::catalogue::Catalogue;
use quarry::domain::ids::{IssueId, PrincipalId, UserId};
use quarry::domain::indexed_record::IndexedRecord;
use quarry::domain::kind::Kind;
use quarry::domain::oauth::Scopes;
use quarry::domain::time_entry::TimeEntry;
use quarry::domain::user::UserStatus;
use quarry::domain::viewer::Viewer;
use quarry::domain::visibility;
use quarry::domain::visible::Visible;
use quarry::search::{
    Attachments, Index, IndexConfig, ParsedQuery, SearchRequest, SearchResponse, SimilarConfig,
    SimilarRequest, SuggestRequest, Visibility, resolve_qualifiers,
};
use quarry::store::issues::{self, IssueQuery};
use quarry::store::{Read, Store, StoreError, search_records, time_entries};
use random::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Number of sets of records, and of catalogues for each; a world is one of each.
const RECORDS: u64 = 25;
const CATALOGUES: u64 = 40;

#[test]
fn store_search_and_memory_agree_with_the_oracle() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mapping = Arc::new(IndexConfig::embedded().unwrap());
    random::lay_out(&store);
    let mut compared = 0;
    for seed in 0..RECORDS {
        random::write_records(&store, seed);
        let sources = random::sources(&store);
        let index = Index::in_memory(Arc::clone(&mapping)).unwrap();
        index.add_all(sources.clone()).unwrap();
        let plain = store.catalogue().unwrap();
        for part in 0..CATALOGUES {
            let world = seed * CATALOGUES + part;
            let catalogue = random::catalogue(&plain, &mut Random::new(world + 1_000_000));
            let mut random = Random::new(world + 2_000_000);
            let users = std::iter::once(None)
                .chain(catalogue.users.keys().copied().map(Some))
                .map(|user| (user, None));
            // An application may act for any of the users.
            let token = (
                Some(random::any_user(&catalogue, &mut random)),
                Some(random::scopes(&mut random)),
            );
            for (user, scopes) in users.chain([token]) {
                let comparison = Comparison {
                    world,
                    catalogue: &catalogue,
                    user,
                    scopes,
                    sources: &sources,
                    index: &index,
                };
                compared += store.read(|db| comparison.compare(db)).unwrap();
            }
        }
    }
    println!(
        "{} worlds, {compared} pairs of viewer and record compared",
        RECORDS * CATALOGUES
    );
    assert!(compared > 500_000);
}

struct Comparison<'a> {
    world: u64,
    catalogue: &'a Catalogue,
    user: Option<UserId>,
    scopes: Option<Scopes>,
    sources: &'a [IndexedRecord],
    index: &'a Index,
}

impl Comparison<'_> {
    fn compare(&self, db: &Read<'_>) -> Result<u64, StoreError> {
        let viewer = Viewer::with_scopes(self.catalogue, self.user, self.scopes);
        let oracle = Oracle {
            catalogue: self.catalogue,
            user: self.user,
            scopes: self.scopes,
        };
        for kind in Kind::ALL {
            let of_kind = || self.sources.iter().filter(|source| source.kind == kind);
            let expected: BTreeSet<i64> = of_kind()
                .filter(|source| oracle.may_see(source))
                .map(|source| source.id)
                .collect();
            let admitted = of_kind()
                .filter(|source| {
                    visibility::of_kind(&viewer, kind).matches(&source.access_attributes())
                })
                .map(|source| source.id)
                .collect();
            self.assert_same(kind, "in memory", &expected, &admitted);
            let ids: Vec<i64> = of_kind().map(|source| source.id).collect();
            let stored = search_records::load_with_related(db, &viewer, kind, &ids)?
                .into_keys()
                .collect();
            self.assert_same(kind, "in the store", &expected, &stored);
            self.assert_same(
                kind,
                "in the index",
                &expected,
                &self.found_ids(&viewer, "common", kind),
            );
        }
        let page = IssueQuery {
            viewer: &viewer,
            visible: visibility::issues(&viewer),
            conditions: &[],
            order: &[],
            offset: 0,
            limit: 10_000,
        };
        let listed: BTreeSet<i64> = issues::list(db, &page)?
            .iter()
            .map(|issue| issue.id.0)
            .collect();
        assert_eq!(issues::count(db, &page)?, listed.len() as i64);
        let issues = || {
            self.sources
                .iter()
                .filter(|source| source.kind == Kind::Issue)
        };
        let expected = issues()
            .filter(|source| oracle.may_see(source))
            .map(|source| source.id)
            .collect();
        self.assert_same(Kind::Issue, "in the list", &expected, &listed);
        self.compare_principals(&viewer);
        self.compare_notes(&viewer, &oracle);
        self.compare_custom_fields(&viewer, &oracle);
        self.compare_files(db, &viewer, &oracle)?;
        self.compare_time_entries(db, &viewer, &oracle)?;
        // These are slow without optimization; a quarter of the worlds has enough corrections and
        // similar issues.
        if self.world.is_multiple_of(4) {
            self.compare_containers(db, &viewer, &oracle)?;
            self.compare_each_file(db, &viewer, &oracle)?;
            self.compare_similar(&viewer, &oracle);
            self.compare_suggestions(&viewer, &oracle);
            self.compare_corrections(&viewer, &oracle);
        }
        Ok(self.sources.len() as u64)
    }

    /// Compares time entries, which are not searched, in memory, store and oracle.
    fn compare_time_entries(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        oracle: &Oracle<'_>,
    ) -> Result<(), StoreError> {
        let page = |visible| time_entries::TimeEntryQuery {
            viewer,
            visible,
            conditions: &[],
            order: &[],
            offset: 0,
            limit: 10_000,
        };
        let ids = |entries: &[&TimeEntry]| {
            entries
                .iter()
                .map(|entry| entry.id.0)
                .collect::<BTreeSet<i64>>()
        };
        let all = time_entries::list(db, &page(&Visible::Everything))?;
        let visible = visibility::time_entries(viewer);
        let listed = time_entries::list(db, &page(visible))?;
        let expected: Vec<_> = all
            .iter()
            .filter(|entry| oracle.may_see_time(entry.project, entry.user))
            .collect();
        let admitted: Vec<_> = all
            .iter()
            .filter(|entry| visible.matches(&entry.access_attributes()))
            .collect();
        assert_eq!(
            ids(&expected),
            ids(&admitted),
            "world {}, user {:?}, time in memory",
            self.world,
            self.user
        );
        assert_eq!(
            ids(&expected),
            ids(&listed.iter().collect::<Vec<_>>()),
            "world {}, user {:?}, time in the list",
            self.world,
            self.user
        );
        assert_eq!(
            time_entries::count(db, &page(visible))?,
            expected.len() as i64
        );
        Ok(())
    }

    /// Compares the users and groups that are visible together with those that are visible one by
    /// one.
    fn compare_principals(&self, viewer: &Viewer) {
        let active = self
            .catalogue
            .users
            .values()
            .filter(|user| viewer.admin || user.status == UserStatus::Active);
        let all = active
            .map(|user| user.id.into())
            .chain(self.catalogue.groups.keys().copied());
        let expected: BTreeSet<i64> = all
            .filter(|id| visibility::can_see_principal(viewer, self.catalogue, *id))
            .map(|id: PrincipalId| id.0)
            .collect();
        let visible: BTreeSet<i64> = visibility::principals(viewer, self.catalogue)
            .as_slice()
            .iter()
            .copied()
            .collect();
        assert_eq!(
            expected, visible,
            "world {}, user {:?}",
            self.world, self.user
        );
    }

    /// A word that only private notes have finds an issue only for users who may read such a note;
    /// so do two words of which one is public.
    fn compare_notes(&self, viewer: &Viewer, oracle: &Oracle<'_>) {
        let issues = || {
            self.sources
                .iter()
                .filter(|source| source.kind == Kind::Issue)
        };
        let read = |source: &IndexedRecord, author: Option<UserId>| {
            let fits = |note: &&(UserId, String)| author.is_none_or(|author| note.0 == author);
            oracle.may_see(source)
                && source
                    .restricted
                    .iter()
                    .filter(fits)
                    .any(|note| oracle.may_read_private(source.project, note.0))
        };
        let expected: BTreeSet<i64> = issues()
            .filter(|source| read(source, None))
            .map(|source| source.id)
            .collect();
        self.assert_same(
            Kind::Issue,
            "hushed",
            &expected,
            &self.found_ids(viewer, "hushed", Kind::Issue),
        );
        self.assert_same(
            Kind::Issue,
            "hushed common",
            &expected,
            &self.found_ids(viewer, "hushed common", Kind::Issue),
        );
        for author in 1..=3 {
            let expected: BTreeSet<i64> = issues()
                .filter(|source| read(source, Some(UserId(author))))
                .map(|source| source.id)
                .collect();
            self.assert_same(
                Kind::Issue,
                "of one author",
                &expected,
                &self.found_ids(viewer, &format!("hushed{author}"), Kind::Issue),
            );
        }
    }

    /// A word that only a custom field has finds an issue only for users who may read the field
    /// there.
    fn compare_custom_fields(&self, viewer: &Viewer, oracle: &Oracle<'_>) {
        let expected = |expected: Option<i64>| -> BTreeSet<i64> {
            let issues = self
                .sources
                .iter()
                .filter(|source| source.kind == Kind::Issue && oracle.may_see(source));
            let read = |source: &&IndexedRecord| {
                let mut fields = source
                    .custom
                    .iter()
                    .map(|(field, _)| *field)
                    .filter(|field| expected.is_none_or(|id| id == field.0));
                fields.any(|field| oracle.may_find_by(source.project, field))
            };
            issues.filter(read).map(|source| source.id).collect()
        };
        self.assert_same(
            Kind::Issue,
            "cloaked",
            &expected(None),
            &self.found_ids(viewer, "cloaked", Kind::Issue),
        );
        for field in 1..=random::FIELDS {
            self.assert_same(
                Kind::Issue,
                "of one field",
                &expected(Some(field)),
                &self.found_ids(viewer, &format!("cloaked{field}"), Kind::Issue),
            );
        }
    }

    /// Words that only names and descriptions of files have find a record only for users who may
    /// see its files, and only if files are searched; the same holds for its texts in the store and
    /// for the qualifier of files. Files of versions are not found.
    fn compare_files(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        oracle: &Oracle<'_>,
    ) -> Result<(), StoreError> {
        let name = |source: &IndexedRecord| (source.kind, source.id);
        let seen = || self.sources.iter().filter(|source| oracle.may_see(source));
        let has_files = |source: &&IndexedRecord| {
            source
                .fields
                .iter()
                .any(|(_, text)| text.contains("veiled"))
        };
        let shown = |source: &&IndexedRecord| {
            has_files(source) && oracle.may_see_files(source.kind.into(), source.project)
        };
        let expected: BTreeSet<(Kind, i64)> = seen().filter(shown).map(name).collect();
        let others = || {
            seen()
                .map(name)
                .filter(|record| !expected.contains(record))
                .collect::<BTreeSet<_>>()
        };
        for (words, attachments, expected) in [
            ("veiled", Attachments::With, expected.clone()),
            ("shroud*", Attachments::Only, expected.clone()),
            (
                "veiled shrouded common",
                Attachments::With,
                expected.clone(),
            ),
            ("common -veiled", Attachments::With, others()),
            ("veiled", Attachments::Without, BTreeSet::new()),
            ("sunken", Attachments::With, BTreeSet::new()),
            ("has:attachment", Attachments::Without, expected.clone()),
            ("common -has:attachment", Attachments::Without, others()),
        ] {
            let found = self
                .search(viewer, words, &Kind::ALL, attachments)
                .hits
                .iter()
                .map(|hit| (hit.kind, hit.id))
                .collect();
            assert_eq!(
                expected, found,
                "world {}, user {:?}: {words} {attachments:?}",
                self.world, self.user
            );
        }
        for kind in Kind::ALL {
            let ids: Vec<i64> = seen()
                .filter(|source| source.kind == kind)
                .map(|source| source.id)
                .collect();
            let stored = search_records::load_with_related(db, viewer, kind, &ids)?;
            let stored = stored
                .into_values()
                .filter(|record| !record.attachments.is_empty())
                .map(|record| record.id)
                .collect();
            let expected = expected
                .iter()
                .filter(|record| record.0 == kind)
                .map(|record| record.1)
                .collect();
            self.assert_same(kind, "with files in the store", &expected, &stored);
        }
        Ok(())
    }

    /// A file is visible to users who see the record and its files.
    fn compare_each_file(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        oracle: &Oracle<'_>,
    ) -> Result<(), StoreError> {
        for (file, project) in random::files(db, self.sources)? {
            let container = file.container.unwrap();
            let of_container = |source: &&IndexedRecord| {
                ContainerType::Record(source.kind) == container.container_type
                    && source.id == container.id
            };
            let record = self.sources.iter().find(of_container);
            let expected = oracle.may_see_files(container.container_type, project)
                && record.is_none_or(|record| oracle.may_see(record));
            let shown = attachments::find(db, viewer, file.id).is_ok();
            assert_eq!(
                shown, expected,
                "world {}, user {:?}: {file:?}",
                self.world, self.user
            );
        }
        Ok(())
    }

    /// Every visible issue is similar to a text with the common word; words that only private notes
    /// and custom fields have make no issue similar, for any viewer.
    fn compare_similar(&self, viewer: &Viewer, oracle: &Oracle<'_>) {
        let except = self
            .sources
            .iter()
            .find(|source| source.kind == Kind::Issue)
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
    fn compare_suggestions(&self, viewer: &Viewer, oracle: &Oracle<'_>) {
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
    fn compare_corrections(&self, viewer: &Viewer, oracle: &Oracle<'_>) {
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

    fn found_ids(&self, viewer: &Viewer, words: &str, kind: Kind) -> BTreeSet<i64> {
        let response = self.search(viewer, words, &[kind], Attachments::Without);
        let ids: BTreeSet<i64> = response.hits.iter().map(|hit| hit.id).collect();
        assert_eq!(response.total, ids.len() as u64, "world {}", self.world);
        assert_eq!(response.counts[usize::from(kind.code())], response.total);
        ids
    }

    fn search(
        &self,
        viewer: &Viewer,
        words: &str,
        kinds: &[Kind],
        attachments: Attachments,
    ) -> SearchResponse {
        let query = ParsedQuery::parse(words, &self.index.config().bounds).unwrap();
        let visibility = Visibility::for_viewer(self.catalogue, viewer);
        let filters = resolve_qualifiers(&query.qualifiers, self.catalogue, viewer).unwrap();
        let request = SearchRequest {
            kinds,
            attachments,
            filters: &filters,
            ..SearchRequest::new(&query, &visibility, random::now(), 10_000)
        };
        self.index.search(&request).unwrap()
    }

    #[track_caller]
    fn assert_same(&self, kind: Kind, what: &str, expected: &BTreeSet<i64>, got: &BTreeSet<i64>) {
        let missing: Vec<_> = expected.difference(got).collect();
        let leaked: Vec<_> = got.difference(expected).collect();
        assert!(
            missing.is_empty() && leaked.is_empty(),
            "world {}, user {:?}, {kind:?} {what}: missing {missing:?}, leaked {leaked:?}",
            self.world,
            self.user
        );
    }
}
