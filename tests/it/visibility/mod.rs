//! The test that makes the service trustworthy: in random worlds, for every viewer and every record, four answers to "may this
//! be seen?" must be one: the expression in memory, the same as SQL, the same in the index, and a slow oracle that is written
//! here once more from contract 3, without the code that it judges.

mod oracle;
mod random;

use oracle::Oracle;
use quarry::actions::attachments;
use quarry::domain::attachment::Holder;
use quarry::domain::catalogue::Catalogue;
use quarry::domain::ids::{IssueId, UserId};
use quarry::domain::kind::Kind;
use quarry::domain::time_entry::TimeEntry;
use quarry::domain::viewer::Viewer;
use quarry::domain::visibility;
use quarry::domain::visibility::Visible;
use quarry::search::{Answer, Attachments, Index, Like, Likeness, Mapping, Query, Question, Source, Suggest, Visibility, narrow};
use quarry::store::issues::{self, Page};
use quarry::store::{Read, Store, StoreError, found, time_entries};
use random::Random;
use std::collections::{BTreeMap, BTreeSet};
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
        self.fields(&viewer, &oracle);
        self.files(db, &viewer, &oracle)?;
        self.time(db, &viewer, &oracle)?;
        // These take long without optimization; a quarter of the worlds has slips and likenesses enough.
        if self.world.is_multiple_of(4) {
            self.each_file(db, &viewer, &oracle)?;
            self.similar(&viewer, &oracle);
            self.suggested(&viewer, &oracle);
            self.slips(&viewer, &oracle);
        }
        Ok(self.sources.len() as u64)
    }

    /// Time entries are not searched: memory, store and oracle.
    fn time(&self, db: &Read<'_>, viewer: &Viewer, oracle: &Oracle<'_>) -> Result<(), StoreError> {
        let page = |visible| time_entries::Page { viewer, visible, conditions: &[], order: &[], offset: 0, limit: 10_000 };
        let numbers = |entries: &[&TimeEntry]| entries.iter().map(|entry| entry.id.0).collect::<BTreeSet<i64>>();
        let all = time_entries::list(db, &page(&Visible::Everything))?;
        let visible = visibility::time_entries(viewer);
        let listed = time_entries::list(db, &page(visible))?;
        let wanted: Vec<_> = all.iter().filter(|entry| oracle.may_see_time(entry.project, entry.user)).collect();
        let admitted: Vec<_> = all.iter().filter(|entry| visible.admits(&entry.facts())).collect();
        assert_eq!(numbers(&wanted), numbers(&admitted), "world {}, user {:?}, time in memory", self.world, self.user);
        assert_eq!(
            numbers(&wanted),
            numbers(&listed.iter().collect::<Vec<_>>()),
            "world {}, user {:?}, time in the list",
            self.world,
            self.user
        );
        assert_eq!(time_entries::count(db, &page(visible))?, wanted.len() as i64);
        Ok(())
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

    /// A word that stands in a custom field alone finds an issue only for those who may read the field there.
    fn fields(&self, viewer: &Viewer, oracle: &Oracle<'_>) {
        let wanted = |wanted: Option<i64>| -> BTreeSet<i64> {
            let issues = self.sources.iter().filter(|source| source.kind == Kind::Issue && oracle.may_see(source));
            let read = |source: &&Source| {
                let mut fields = source.custom.iter().map(|(field, _)| *field).filter(|field| wanted.is_none_or(|id| id == field.0));
                fields.any(|field| oracle.may_find_by(source.project, field))
            };
            issues.filter(read).map(|source| source.id).collect()
        };
        self.same(Kind::Issue, "cloaked", &wanted(None), &self.asked(viewer, "cloaked", Kind::Issue));
        for field in 1..=random::FIELDS {
            self.same(Kind::Issue, "of one field", &wanted(Some(field)), &self.asked(viewer, &format!("cloaked{field}"), Kind::Issue));
        }
    }

    /// Words that stand in names and descriptions of files alone find a record only for those who may see its files, and only where
    /// files are asked for; so do its texts in the store, and the qualifier that asks for files. Files of versions are found by
    /// nobody.
    fn files(&self, db: &Read<'_>, viewer: &Viewer, oracle: &Oracle<'_>) -> Result<(), StoreError> {
        let name = |source: &Source| (source.kind, source.id);
        let seen = || self.sources.iter().filter(|source| oracle.may_see(source));
        let has_files = |source: &&Source| source.fields.iter().any(|(_, text)| text.contains("veiled"));
        let shown = |source: &&Source| has_files(source) && oracle.may_see_files(source.kind.into(), source.project);
        let wanted: BTreeSet<(Kind, i64)> = seen().filter(shown).map(name).collect();
        let others = || seen().map(name).filter(|record| !wanted.contains(record)).collect::<BTreeSet<_>>();
        for (words, attachments, wanted) in [
            ("veiled", Attachments::With, wanted.clone()),
            ("shroud*", Attachments::Only, wanted.clone()),
            ("veiled shrouded common", Attachments::With, wanted.clone()),
            ("common -veiled", Attachments::With, others()),
            ("veiled", Attachments::Without, BTreeSet::new()),
            ("sunken", Attachments::With, BTreeSet::new()),
            ("has:attachment", Attachments::Without, wanted.clone()),
            ("common -has:attachment", Attachments::Without, others()),
        ] {
            let found = self.answer(viewer, words, &Kind::ALL, attachments).page.iter().map(|hit| (hit.kind, hit.id)).collect();
            assert_eq!(wanted, found, "world {}, user {:?}: {words} {attachments:?}", self.world, self.user);
        }
        for kind in Kind::ALL {
            let ids: Vec<i64> = seen().filter(|source| source.kind == kind).map(|source| source.id).collect();
            let stored = found::load(db, viewer, kind, &ids)?;
            let stored = stored.into_values().filter(|record| !record.attachments.is_empty()).map(|record| record.id).collect();
            let wanted = wanted.iter().filter(|record| record.0 == kind).map(|record| record.1).collect();
            self.same(kind, "with files in the store", &wanted, &stored);
        }
        Ok(())
    }

    /// A file itself is shown to those who may see the record and its files.
    fn each_file(&self, db: &Read<'_>, viewer: &Viewer, oracle: &Oracle<'_>) -> Result<(), StoreError> {
        for (file, project) in random::files(db, self.sources)? {
            let container = file.container.unwrap();
            let of_container = |source: &&Source| Holder::Record(source.kind) == container.holder && source.id == container.id;
            let record = self.sources.iter().find(of_container);
            let wanted = oracle.may_see_files(container.holder, project) && record.is_none_or(|record| oracle.may_see(record));
            let shown = attachments::find(db, viewer, file.id).is_ok();
            assert_eq!(shown, wanted, "world {}, user {:?}: {file:?}", self.world, self.user);
        }
        Ok(())
    }

    /// Every issue is like a text with the word that all have, for those who may see the issue; words that stand in private notes and in
    /// custom fields alone make none like it, for anybody.
    fn similar(&self, viewer: &Viewer, oracle: &Oracle<'_>) {
        let except = self.sources.iter().find(|source| source.kind == Kind::Issue).map(|source| IssueId(source.id));
        let issues = self.sources.iter().filter(|source| source.kind == Kind::Issue && oracle.may_see(source));
        let wanted = issues.map(|source| source.id).filter(|id| except.is_some_and(|except| except.0 != *id)).collect();
        let visibility = Visibility::of(self.catalogue, viewer);
        let by = Likeness { least: 0.0, ..self.index.mapping().similar.clone() };
        let like = |subject, notes: &[String]| -> BTreeSet<i64> {
            let like = Like {
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
            self.index.similar(&like, &by).unwrap().iter().map(|hit| hit.id).collect()
        };
        self.same(Kind::Issue, "like a word of all", &wanted, &like("common", &["hushed cloaked".to_owned()]));
        let hidden = "hushed hushed1 hushed2 cloaked cloaked1";
        self.same(Kind::Issue, "like hidden words", &BTreeSet::new(), &like(hidden, &[hidden.to_owned()]));
    }

    /// Titles are suggested to those who may see the record. (The names of projects do not have the word.)
    fn suggested(&self, viewer: &Viewer, oracle: &Oracle<'_>) {
        let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Project).collect();
        let suggest = Suggest {
            words: &Query::typed("comm", &self.index.mapping().bounds).unwrap(),
            visibility: &Visibility::of(self.catalogue, viewer),
            kinds: &kinds,
            projects: None,
            closed: None,
            limit: 10_000,
            now: random::now(),
        };
        let hits = self.index.suggest(&suggest).unwrap();
        for kind in kinds {
            let wanted = self.sources.iter().filter(|source| source.kind == kind && oracle.may_see(source));
            let wanted = wanted.map(|source| source.id).collect();
            let got = hits.iter().filter(|hit| hit.kind == kind).map(|hit| hit.id).collect();
            self.same(kind, "suggested", &wanted, &got);
        }
    }

    /// A word that nothing has is put right with words alone that stand in what the viewer may see, the most frequent there first;
    /// and private notes and custom fields give none away.
    fn slips(&self, viewer: &Viewer, oracle: &Oracle<'_>) {
        let mut seen: BTreeMap<&str, BTreeSet<i64>> = BTreeMap::new();
        for source in self.sources.iter().filter(|source| source.kind == Kind::Issue && oracle.may_see(source)) {
            let subject = source.fields.iter().find(|(name, _)| *name == "subject").map_or("", |(_, text)| text.as_str());
            let word = random::RARE.into_iter().find(|word| subject.ends_with(word)).unwrap();
            seen.entry(word).or_default().insert(source.id);
        }
        let mut ranked: Vec<(&str, BTreeSet<i64>)> = seen.into_iter().collect();
        ranked.sort_by(|one, other| other.1.len().cmp(&one.1.len()).then(one.0.cmp(other.0)));
        let most = ranked.first().map_or(0, |(_, ids)| ids.len());
        ranked.retain(|(_, ids)| ids.len() * 10 >= most);
        let answer = self.answer(viewer, "rarely", &[Kind::Issue], Attachments::Without);
        let found: BTreeSet<i64> = answer.page.iter().map(|hit| hit.id).collect();
        let wanted = ranked.iter().take(3).flat_map(|(_, ids)| ids.iter().copied()).collect();
        self.same(Kind::Issue, "put right", &wanted, &found);
        let meant = answer.meant.map(|meant| meant.text);
        assert_eq!(meant.as_deref(), ranked.first().map(|(word, _)| *word), "world {}, user {:?}", self.world, self.user);
        // Many of these are in the index, none of them for everybody.
        for slip in ["hushde", "hushef", "cloakde", "cloakdd", "veilde", "shroudde"] {
            let answer = self.answer(viewer, slip, &[Kind::Issue], Attachments::With);
            assert!(answer.total == 0 && answer.meant.is_none(), "world {}, user {:?}: {slip}", self.world, self.user);
        }
    }

    fn asked(&self, viewer: &Viewer, words: &str, kind: Kind) -> BTreeSet<i64> {
        let answer = self.answer(viewer, words, &[kind], Attachments::Without);
        let ids: BTreeSet<i64> = answer.page.iter().map(|hit| hit.id).collect();
        assert_eq!(answer.total, ids.len() as u64, "world {}", self.world);
        assert_eq!(answer.counts[usize::from(kind.code())], answer.total);
        ids
    }

    fn answer(&self, viewer: &Viewer, words: &str, kinds: &[Kind], attachments: Attachments) -> Answer {
        let query = Query::parse(words, &self.index.mapping().bounds).unwrap();
        let visibility = Visibility::of(self.catalogue, viewer);
        let needs = narrow(&query.qualifiers, self.catalogue, viewer).unwrap();
        let question = Question { kinds, attachments, needs: &needs, ..Question::plain(&query, &visibility, random::now(), 10_000) };
        self.index.ask(&question).unwrap()
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
