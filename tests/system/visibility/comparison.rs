//! What a viewer may see, compared between the oracle, memory, store and index.

use super::files;
use super::oracle::Oracle;
use super::random;
use quarry::actions::content::attachments;
use quarry::domain::access::viewer::Viewer;
use quarry::domain::access::visibility;
use quarry::domain::access::visible::Visible;
use quarry::domain::accounts::oauth::Scopes;
use quarry::domain::accounts::user::UserStatus;
use quarry::domain::catalogue::Catalogue;
use quarry::domain::content::attachment::ContainerType;
use quarry::domain::ids::{PrincipalId, UserId};
use quarry::domain::index_feed::indexed_record::IndexedRecord;
use quarry::domain::index_feed::kind::Kind;
use quarry::domain::issues::time_entry::TimeEntry;
use quarry::domain::query::filter::Context;
use quarry::search::{
    Attachments, Index, ParsedQuery, QualifierContext, SearchRequest, SearchResponse, Visibility,
    resolve_qualifiers,
};
use quarry::store::index_feed::search_records;
use quarry::store::issues::time_entries;
use quarry::store::issues::{self, IssueQuery};
use quarry::store::{Read, StoreError};
use std::collections::BTreeSet;

pub struct Comparison<'a> {
    pub world: u64,
    pub catalogue: &'a Catalogue,
    pub user: Option<UserId>,
    pub scopes: Option<Scopes>,
    pub sources: &'a [IndexedRecord],
    pub index: &'a Index,
    pub db: &'a Read<'a>,
}

impl Comparison<'_> {
    fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &IndexedRecord> {
        self.sources
            .iter()
            .filter(move |source| source.kind == kind)
    }

    pub fn compare(&self, db: &Read<'_>) -> Result<u64, StoreError> {
        let viewer = Viewer::with_scopes(self.catalogue, self.user, self.scopes);
        let oracle = Oracle {
            catalogue: self.catalogue,
            user: self.user,
            scopes: self.scopes,
        };
        for kind in Kind::ALL {
            let expected: BTreeSet<i64> = self
                .of_kind(kind)
                .filter(|source| oracle.may_see(source))
                .map(|source| source.id)
                .collect();
            let admitted = self
                .of_kind(kind)
                .filter(|source| {
                    visibility::of_kind(&viewer, kind).matches(&source.access_attributes())
                })
                .map(|source| source.id)
                .collect();
            self.assert_same(kind, "in memory", &expected, &admitted);
            let ids: Vec<i64> = self.of_kind(kind).map(|source| source.id).collect();
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
            project: None,
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
        let expected = self
            .of_kind(Kind::Issue)
            .filter(|source| oracle.may_see(source))
            .map(|source| source.id)
            .collect();
        self.assert_same(Kind::Issue, "in the list", &expected, &listed);
        self.compare_principals(&viewer, &oracle);
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

    /// Compares the users and groups that are visible together, and those that are visible one by
    /// one, with those of the oracle.
    fn compare_principals(&self, viewer: &Viewer, oracle: &Oracle<'_>) {
        let active = self
            .catalogue
            .users
            .values()
            .filter(|user| viewer.admin || user.status == UserStatus::Active);
        let all = active
            .map(|user| user.id.into())
            .chain(self.catalogue.groups.keys().copied());
        let expected: BTreeSet<i64> = all
            .filter(|id| {
                let expected = oracle.may_see_principal(*id);
                let visible = visibility::can_see_principal(viewer, self.catalogue, *id);
                let world = self.world;
                assert_eq!(
                    visible, expected,
                    "{id}, world {world}, user {:?}",
                    self.user
                );
                expected
            })
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
        let expected: BTreeSet<i64> = self
            .of_kind(Kind::Issue)
            .filter(|source| may_find_by_note(oracle, source, None))
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
            let expected: BTreeSet<i64> = self
                .of_kind(Kind::Issue)
                .filter(|source| may_find_by_note(oracle, source, Some(UserId(author))))
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
            issues
                .filter(|source| {
                    let mut fields = source
                        .custom
                        .iter()
                        .map(|(field, _)| *field)
                        .filter(|field| expected.is_none_or(|id| id == field.0));
                    fields.any(|field| oracle.may_find_by(source.project, field))
                })
                .map(|source| source.id)
                .collect()
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
        let seen: Vec<&IndexedRecord> = self
            .sources
            .iter()
            .filter(|source| oracle.may_see(source))
            .collect();
        let expected: BTreeSet<(Kind, i64)> = seen
            .iter()
            .filter(|source| {
                has_files(source) && oracle.may_see_files(source.kind.into(), source.project)
            })
            .map(|source| kind_and_id(source))
            .collect();
        let others: BTreeSet<(Kind, i64)> = seen
            .iter()
            .map(|source| kind_and_id(source))
            .filter(|record| !expected.contains(record))
            .collect();
        for (words, attachments, expected) in [
            ("veiled", Attachments::With, expected.clone()),
            ("shroud*", Attachments::Only, expected.clone()),
            (
                "veiled shrouded common",
                Attachments::With,
                expected.clone(),
            ),
            ("common -veiled", Attachments::With, others.clone()),
            ("veiled", Attachments::Without, BTreeSet::new()),
            ("sunken", Attachments::With, BTreeSet::new()),
            ("has:attachment", Attachments::Without, expected.clone()),
            (
                "common -has:attachment",
                Attachments::Without,
                others.clone(),
            ),
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
            let ids: Vec<i64> = seen
                .iter()
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
        for (file, project) in files::list_with_projects(db, self.sources)? {
            let container = file.container.unwrap();
            let record = self.sources.iter().find(|source| {
                ContainerType::Record(source.kind) == container.container_type
                    && source.id == container.id
            });
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

    fn found_ids(&self, viewer: &Viewer, words: &str, kind: Kind) -> BTreeSet<i64> {
        let response = self.search(viewer, words, &[kind], Attachments::Without);
        let ids: BTreeSet<i64> = response.hits.iter().map(|hit| hit.id).collect();
        assert_eq!(response.total, ids.len() as u64, "world {}", self.world);
        assert_eq!(response.counts[usize::from(kind.code())], response.total);
        ids
    }

    pub fn search(
        &self,
        viewer: &Viewer,
        words: &str,
        kinds: &[Kind],
        attachments: Attachments,
    ) -> SearchResponse {
        let query = ParsedQuery::parse(words, &self.index.config().bounds).unwrap();
        let visibility = Visibility::for_viewer(self.catalogue, viewer);
        let context = QualifierContext {
            catalogue: self.catalogue,
            viewer,
            calendar: Context::new(viewer, self.catalogue, random::now()).calendar,
        };
        let filters = resolve_qualifiers(&query.qualifiers, &context).unwrap();
        let request = SearchRequest {
            kinds,
            attachments,
            filters: &filters,
            ..SearchRequest::new(&query, &visibility, random::now(), 10_000)
        };
        let response = self.index.search_with_store(&request, self.db, viewer);
        response.unwrap()
    }

    #[track_caller]
    pub fn assert_same(
        &self,
        kind: Kind,
        what: &str,
        expected: &BTreeSet<i64>,
        got: &BTreeSet<i64>,
    ) {
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

fn kind_and_id(source: &IndexedRecord) -> (Kind, i64) {
    (source.kind, source.id)
}

fn has_files(source: &IndexedRecord) -> bool {
    source
        .fields
        .iter()
        .any(|(_, text)| text.contains("veiled"))
}

fn may_find_by_note(oracle: &Oracle<'_>, source: &IndexedRecord, author: Option<UserId>) -> bool {
    oracle.may_see(source)
        && source
            .restricted
            .iter()
            .filter(|note| author.is_none_or(|author| note.0 == author))
            .any(|note| oracle.may_read_private(source.project, note.0))
}

fn ids(entries: &[&TimeEntry]) -> BTreeSet<i64> {
    entries
        .iter()
        .map(|entry| entry.id.0)
        .collect::<BTreeSet<i64>>()
}
