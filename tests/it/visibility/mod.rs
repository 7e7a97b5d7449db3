//! The test that makes the service trustworthy: in random worlds, for every viewer and every record, four answers to "may this
//! be seen?" must be one: the expression in memory, the same as SQL, the same in the index, and a slow oracle that is written
//! here once more from contract 3, without the code that it judges.

mod oracle;
mod random;

use oracle::Oracle;
use quarry::domain::catalogue::Catalogue;
use quarry::domain::ids::UserId;
use quarry::domain::kind::Kind;
use quarry::domain::viewer::Viewer;
use quarry::domain::visibility;
use quarry::search::{Attachments, Index, Mapping, Order, Query, Question, Source, Visibility};
use quarry::store::issues::{self, Page};
use quarry::store::{Read, Store, StoreError, found};
use random::Random;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many sets of records, and how many catalogues over each: a world is one of each.
const RECORDS: u64 = 25;
const CATALOGUES: u64 = 40;

#[test]
fn three_interpreters_and_an_oracle_agree_in_random_worlds() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mapping = Arc::new(Mapping::embedded().unwrap());
    random::lay_out(&store);
    let mut compared = 0;
    for seed in 0..RECORDS {
        random::write_records(&store, seed);
        let sources = random::sources(&store);
        let index = Index::in_memory(Arc::clone(&mapping)).unwrap();
        index.fill(sources.clone()).unwrap();
        let plain = store.catalogue().unwrap();
        for part in 0..CATALOGUES {
            let world = seed * CATALOGUES + part;
            let catalogue = random::catalogue(&plain, &mut Random::new(world + 1_000_000));
            let users = std::iter::once(None).chain(catalogue.users.keys().copied().map(Some));
            for user in users {
                let judged = Judged { world, catalogue: &catalogue, user, sources: &sources, index: &index };
                compared += store.read(|db| judged.compare(db)).unwrap();
            }
        }
    }
    println!("{} worlds, {compared} pairs of viewer and record compared", RECORDS * CATALOGUES);
    assert!(compared > 500_000);
}

struct Judged<'a> {
    world: u64,
    catalogue: &'a Catalogue,
    user: Option<UserId>,
    sources: &'a [Source],
    index: &'a Index,
}

impl Judged<'_> {
    fn compare(&self, db: &Read<'_>) -> Result<u64, StoreError> {
        let viewer = Viewer::new(self.catalogue, self.user);
        let oracle = Oracle { catalogue: self.catalogue, user: self.user };
        for kind in Kind::ALL {
            let of_kind = || self.sources.iter().filter(|source| source.kind == kind);
            let wanted: BTreeSet<i64> = of_kind().filter(|source| oracle.may_see(source)).map(|source| source.id).collect();
            let admitted =
                of_kind().filter(|source| visibility::of(&viewer, kind).admits(&source.facts())).map(|source| source.id).collect();
            self.same(kind, "in memory", &wanted, &admitted);
            let ids: Vec<i64> = of_kind().map(|source| source.id).collect();
            let stored = found::load(db, &viewer, kind, &ids)?.into_keys().collect();
            self.same(kind, "in the store", &wanted, &stored);
            self.same(kind, "in the index", &wanted, &self.asked(&viewer, "common", kind));
        }
        let page = Page { viewer: &viewer, visible: visibility::issues(&viewer), conditions: &[], order: &[], offset: 0, limit: 10_000 };
        let listed: BTreeSet<i64> = issues::list(db, &page)?.iter().map(|issue| issue.id.0).collect();
        assert_eq!(issues::count(db, &page)?, listed.len() as i64);
        let issues = || self.sources.iter().filter(|source| source.kind == Kind::Issue);
        let wanted = issues().filter(|source| oracle.may_see(source)).map(|source| source.id).collect();
        self.same(Kind::Issue, "in the list", &wanted, &listed);
        self.notes(&viewer, &oracle);
        Ok(self.sources.len() as u64)
    }

    /// A word that stands in private notes alone finds an issue only for those who may read such a note; so do two words of which
    /// one is public.
    fn notes(&self, viewer: &Viewer, oracle: &Oracle<'_>) {
        let issues = || self.sources.iter().filter(|source| source.kind == Kind::Issue);
        let read = |source: &Source, author: Option<UserId>| {
            let fits = |note: &&(UserId, String)| author.is_none_or(|author| note.0 == author);
            oracle.may_see(source) && source.restricted.iter().filter(fits).any(|note| oracle.may_read_private(source.project, note.0))
        };
        let wanted: BTreeSet<i64> = issues().filter(|source| read(source, None)).map(|source| source.id).collect();
        self.same(Kind::Issue, "hushed", &wanted, &self.asked(viewer, "hushed", Kind::Issue));
        self.same(Kind::Issue, "hushed common", &wanted, &self.asked(viewer, "hushed common", Kind::Issue));
        for author in 1..=3 {
            let wanted: BTreeSet<i64> = issues().filter(|source| read(source, Some(UserId(author)))).map(|source| source.id).collect();
            self.same(Kind::Issue, "of one author", &wanted, &self.asked(viewer, &format!("hushed{author}"), Kind::Issue));
        }
    }

    fn asked(&self, viewer: &Viewer, words: &str, kind: Kind) -> BTreeSet<i64> {
        let query = Query::parse(words, &self.index.mapping().bounds).unwrap();
        let question = Question {
            words: &query,
            visibility: &Arc::new(Visibility::of(viewer)),
            kinds: &[kind],
            projects: None,
            closed: None,
            titles_only: false,
            attachments: Attachments::Without,
            all_words: true,
            order: Order::Grouped,
            offset: 0,
            limit: 10_000,
            now: random::now(),
        };
        let answer = self.index.ask(&question).unwrap();
        let ids: BTreeSet<i64> = answer.page.iter().map(|hit| hit.id).collect();
        assert_eq!(answer.total, ids.len() as u64, "world {}", self.world);
        assert_eq!(answer.counts[usize::from(kind.code())], answer.total);
        ids
    }

    #[track_caller]
    fn same(&self, kind: Kind, what: &str, wanted: &BTreeSet<i64>, got: &BTreeSet<i64>) {
        let (missing, leaked): (Vec<_>, Vec<_>) = (wanted.difference(got).collect(), got.difference(wanted).collect());
        assert!(
            missing.is_empty() && leaked.is_empty(),
            "world {}, user {:?}, {kind:?} {what}: missing {missing:?}, leaked {leaked:?}",
            self.world,
            self.user
        );
    }
}
