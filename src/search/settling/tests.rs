use super::{Index, Mapping, Settler, Settling};
use crate::domain::ids::ProjectId;
use crate::domain::kind::Kind;
use crate::search::mark::Mark;
use crate::search::writer::Writer;
use crate::store::searchable::Source;
use jiff::Timestamp;
use std::path::Path;
use std::sync::Arc;

fn source(id: i64) -> Source {
    Source {
        kind: Kind::News,
        id,
        change: id,
        project: ProjectId(1),
        private: false,
        status: None,
        tracker: None,
        priority: None,
        version: None,
        category: None,
        author: None,
        assignee: None,
        created_on: Timestamp::UNIX_EPOCH,
        updated_on: Timestamp::UNIX_EPOCH,
        fields: vec![("title", format!("number {id}"))],
        restricted: Vec::new(),
        custom: Vec::new(),
    }
}

fn mark(change: i64) -> Mark {
    Mark { fingerprint: "f".to_owned(), change, history: "h".to_owned() }
}

/// An empty index with a mark of its own.
fn made(folder: &Path) {
    let index = Index::create(folder, mapping()).unwrap();
    let mut writer = Writer::open(&index).unwrap();
    writer.commit(&mark(0).to_string()).unwrap();
    writer.close().unwrap();
}

fn mapping() -> Arc<Mapping> {
    Arc::new(Mapping::embedded().unwrap())
}

/// What another process sees: the mark, and how many documents can be read.
fn on_disk(folder: &Path) -> (i64, u64) {
    let index = Index::open(folder, mapping()).unwrap();
    (index.mark().unwrap().unwrap().change, index.searcher().num_docs())
}

fn files(folder: &Path) -> usize {
    std::fs::read_dir(folder).unwrap().filter(|entry| super::is_of_a_segment(&entry.as_ref().unwrap().path())).count()
}

/// Commits documents one by one, which merges segments and gives up the merged ones.
fn write(index: &Index, writer: &mut Writer, ids: std::ops::RangeInclusive<i64>) {
    for id in ids {
        writer.add(index, &source(id)).unwrap();
        writer.commit(&mark(id).to_string()).unwrap();
    }
    index.reload().unwrap();
}

#[test]
fn a_commit_is_seen_here_at_once_and_after_a_crash_once_it_is_settled() {
    let folder = tempfile::tempdir().unwrap();
    made(folder.path());
    let directory = Settling::open(folder.path()).unwrap();
    let index = Index::open_in(directory.clone(), mapping()).unwrap();
    let mut writer = Writer::open(&index).unwrap();
    write(&index, &mut writer, 1..=30);
    assert_eq!((index.mark().unwrap().unwrap().change, index.searcher().num_docs()), (30, 30));
    assert_eq!(on_disk(folder.path()), (0, 0));
    directory.settle().unwrap();
    assert_eq!(on_disk(folder.path()), (30, 30));
    // The segments of change 30 are merged away and must stay until the next time.
    write(&index, &mut writer, 31..=60);
    writer.close().unwrap();
    assert_eq!(on_disk(folder.path()), (30, 30));
    directory.settle().unwrap();
    assert_eq!(on_disk(folder.path()), (60, 60));
    let state = directory.lock();
    assert!(state.doomed.is_empty() && state.going.is_empty());
    assert!(state.unsynced.is_disjoint(&state.needed));
}

#[test]
fn what_a_crash_has_left_is_removed_when_the_directory_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    made(folder.path());
    for round in 0..2 {
        let directory = Settling::open(folder.path()).unwrap();
        assert_eq!(files(folder.path()), 0, "round {round}");
        let index = Index::open_in(directory, mapping()).unwrap();
        let mut writer = Writer::open(&index).unwrap();
        write(&index, &mut writer, 1..=10);
        writer.close().unwrap();
        assert!(files(folder.path()) > 0);
        assert_eq!(on_disk(folder.path()), (0, 0), "nobody has settled it");
    }
    std::fs::write(folder.path().join("notes.txt"), "not ours").unwrap();
    Settling::open(folder.path()).unwrap();
    assert!(folder.path().join("notes.txt").exists());
}

#[test]
fn what_is_committed_is_settled_at_the_end_without_being_told() {
    let folder = tempfile::tempdir().unwrap();
    made(folder.path());
    let directory = Settling::open(folder.path()).unwrap();
    let settler = Settler::start(directory.clone()).unwrap();
    let index = Index::open_in(directory, mapping()).unwrap();
    let mut writer = Writer::open(&index).unwrap();
    write(&index, &mut writer, 1..=3);
    writer.close().unwrap();
    drop(settler);
    assert_eq!(on_disk(folder.path()), (3, 3));
}

#[test]
fn a_disk_that_fails_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    made(folder.path());
    let directory = Settling::open(folder.path()).unwrap();
    let index = Index::open_in(directory.clone(), mapping()).unwrap();
    let mut writer = Writer::open(&index).unwrap();
    write(&index, &mut writer, 1..=2);
    // A folder where the file should come makes the last step fail.
    let meta = folder.path().join("meta.json");
    let before = std::fs::read(&meta).unwrap();
    std::fs::remove_file(&meta).unwrap();
    std::fs::create_dir(&meta).unwrap();
    assert!(directory.settle().is_err());
    std::fs::remove_dir(&meta).unwrap();
    std::fs::write(&meta, before).unwrap();
    assert_eq!(on_disk(folder.path()), (0, 0));
    directory.settle().unwrap();
    assert_eq!(on_disk(folder.path()), (2, 2));
}

/// Writes records anew that the index has already, which gives up their documents in the segments where they are.
fn rewrite(index: &Index, writer: &mut Writer, ids: std::ops::RangeInclusive<i64>) {
    for id in ids {
        writer.remove(index, Kind::News, id);
        writer.add(index, &source(id)).unwrap();
        writer.commit(&mark(id).to_string()).unwrap();
    }
    index.reload().unwrap();
}

/// An index of twenty documents in one segment.
fn filled(folder: &Path) {
    let index = Index::create(folder, mapping()).unwrap();
    let mut writer = Writer::open(&index).unwrap();
    (1..=20).for_each(|id| writer.add(&index, &source(id)).unwrap());
    writer.commit(&mark(20).to_string()).unwrap();
    writer.close().unwrap();
}

#[test]
fn documents_that_were_given_up_before_a_crash_are_given_up_again_under_the_same_names() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path());
    let before = files(folder.path());
    for round in 0..3 {
        let directory = Settling::open(folder.path()).unwrap();
        assert_eq!(files(folder.path()), before, "round {round}");
        let index = Index::open_in(directory, mapping()).unwrap();
        let mut writer = Writer::open(&index).unwrap();
        rewrite(&index, &mut writer, 1..=3);
        assert_eq!(index.searcher().num_docs(), 20);
        writer.close().unwrap();
        assert_eq!(on_disk(folder.path()), (20, 20), "nobody has settled it");
    }
}

#[test]
fn nothing_is_kept_that_no_crash_leads_back_to() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path());
    let directory = Settling::open(folder.path()).unwrap();
    let index = Index::open_in(directory.clone(), mapping()).unwrap();
    let mut writer = Writer::open(&index).unwrap();
    for id in 1..=5 {
        rewrite(&index, &mut writer, id..=id);
        directory.settle().unwrap();
        assert_eq!(on_disk(folder.path()), (id, 20));
    }
    writer.close().unwrap();
    directory.settle().unwrap();
    let (on_disk, state) = (files(folder.path()), directory.lock());
    let named = state.needed.iter().filter(|file| folder.path().join(file).exists()).count();
    assert_eq!(on_disk, named);
}

#[test]
fn a_file_that_says_what_there_is_is_put_right_where_somebody_has_altered_it() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path());
    let directory = Settling::open(folder.path()).unwrap();
    std::fs::write(folder.path().join("meta.json"), "{\"segments\":[").unwrap();
    directory.settle().unwrap();
    assert_eq!(on_disk(folder.path()), (20, 20));
}
