//! Random records from a seed: every type that can be found, in the proportions of a real tracker.

use super::words::Words;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use quarry::domain::administration::enumeration::EnumerationKind;
use quarry::domain::content::document::Document;
use quarry::domain::content::message::Message;
use quarry::domain::content::news::News;
use quarry::domain::content::watcher::Watcher;
use quarry::domain::content::wiki::{WikiPage, WikiVersion};
use quarry::domain::ids::{EnumerationId, IssueId, ProjectId, StatusId, TrackerId, UserId};
use quarry::domain::issues::issue::Issue;
use quarry::domain::issues::journal::{Journal, JournalDetail};
use quarry::domain::issues::time_entry::TimeEntry;
use quarry::domain::projects::changeset::Changeset;
use quarry::store::content::{documents, messages, news, watchers, wiki};
use quarry::store::issues::{journals, time_entries};
use quarry::store::projects::changesets;
use quarry::store::{StoreError, Write, issues};
use rand::rngs::StdRng;
use rand::{Rng, RngExt};
use std::ops::RangeInclusive;

/// Number of projects, all private.
pub const PROJECTS: i64 = 5_000;
/// Ids of the authors.
pub const AUTHORS: RangeInclusive<i64> = 11..=60;

/// A record without an id.
pub struct Record {
    /// Id of the project.
    pub project: i64,
    kind: Kind,
    title: String,
    text: String,
    /// Notes, and whether each is private.
    notes: Vec<(String, bool)>,
    author: UserId,
    date: Timestamp,
    seed: u64,
}

enum Kind {
    Issue { closed: bool, private: bool },
    Changeset,
    Message,
    WikiPage,
    News,
    Document,
}

impl Record {
    /// Draws a random record. Of a hundred, 58 are issues, 22 changesets, 13 messages, 3 wiki
    /// pages, 2 news and 2 documents; an issue has a note on average.
    pub fn draw(words: &Words, random: &mut StdRng) -> Record {
        let kind = match random.random_range(0..100) {
            0..58 => Kind::Issue {
                closed: random.random_range(0..3) > 0,
                private: random.random_range(0..50) == 0,
            },
            58..80 => Kind::Changeset,
            80..93 => Kind::Message,
            93..96 => Kind::WikiPage,
            96..98 => Kind::News,
            _ => Kind::Document,
        };
        let text = match kind {
            Kind::Changeset | Kind::Message => words.note(random),
            _ => words.report(random),
        };
        let note_count = if matches!(kind, Kind::Issue { .. }) {
            random.random_range(0..=2)
        } else {
            0
        };
        Record {
            project: random.random_range(1..=PROJECTS),
            kind,
            title: words.title(random),
            text,
            notes: (0..note_count)
                .map(|_| (words.note(random), random.random_range(0..40) == 0))
                .collect(),
            author: UserId(random.random_range(AUTHORS)),
            date: Timestamp::from_second(random.random_range(1_420_070_400..1_767_225_600))
                .expect("an instant"),
            seed: random.next_u64(),
        }
    }

    /// Returns the size of its texts.
    pub fn bytes(&self) -> usize {
        self.title.len()
            + self.text.len()
            + self.notes.iter().map(|note| note.0.len()).sum::<usize>()
    }

    /// Returns title and text of an issue that every member may see.
    pub fn public_text(&self) -> Option<String> {
        matches!(self.kind, Kind::Issue { private: false, .. })
            .then(|| format!("{} {}", self.title, self.text))
    }

    /// Inserts it. Wiki, board and repository have the id of their project.
    pub fn insert(&self, db: &mut Write<'_>, category: EnumerationId) -> Result<(), StoreError> {
        let project = ProjectId(self.project);
        let author = self.author;
        let created_on = self.date;
        let title = self.title.as_str();
        let text = self.text.as_str();
        match self.kind {
            Kind::Issue { closed, private } => {
                let issue = issues::insert(db, &self.issue(closed, private))?;
                for (index, (note, private)) in self.notes.iter().enumerate() {
                    let status_change = JournalDetail {
                        property: "attr".to_owned(),
                        name: "status_id".to_owned(),
                        old_value: Some("1".to_owned()),
                        new_value: Some("2".to_owned()),
                    };
                    let journal = Journal {
                        issue,
                        user: author,
                        notes: Some(note.clone()),
                        private: *private,
                        created_on,
                        details: Vec::from_iter((index == 0).then_some(status_change)),
                        ..Journal::default()
                    };
                    journals::insert(db, &journal)?;
                }
                self.insert_watcher_and_time(db, issue)
            }
            Kind::Changeset => {
                let comments = format!("{title}\n\n{text}");
                let revision = format!("{:016x}{:024x}", self.seed, self.project);
                let changeset = Changeset {
                    repository: self.project,
                    revision,
                    committer: "somebody".to_owned(),
                    user: Some(author),
                    committed_on: created_on,
                    comments,
                    ..Changeset::default()
                };
                changesets::insert(db, &changeset).map(drop)
            }
            Kind::Message => {
                let message = Message {
                    board: self.project,
                    author: Some(author),
                    subject: title.to_owned(),
                    content: text.to_owned(),
                    created_on,
                    updated_on: created_on,
                    ..Message::default()
                };
                messages::insert(db, &message).map(drop)
            }
            Kind::WikiPage => {
                let version = WikiVersion {
                    version: 1,
                    author: Some(author),
                    updated_on: created_on,
                    text: text.to_owned(),
                    ..WikiVersion::default()
                };
                let title = format!(
                    "{} {:x}",
                    title.replace(['/', '.', ',', ';', '|', ':', '?'], ""),
                    self.seed
                )
                .replace(' ', "_");
                let page = WikiPage {
                    wiki: self.project,
                    title,
                    created_on,
                    ..WikiPage::default()
                };
                wiki::insert_page(db, &page, &[version]).map(drop)
            }
            Kind::News => news::insert(
                db,
                &News {
                    project,
                    author,
                    title: title.to_owned(),
                    description: text.to_owned(),
                    created_on,
                    ..News::default()
                },
            )
            .map(drop),
            Kind::Document => documents::insert(
                db,
                &Document {
                    project,
                    category,
                    title: title.to_owned(),
                    description: Some(text.to_owned()),
                    created_on,
                    ..Document::default()
                },
            )
            .map(drop),
        }
    }

    /// Inserts a watcher of every fourth issue, and spent time of every eighth.
    fn insert_watcher_and_time(
        &self,
        db: &mut Write<'_>,
        issue: IssueId,
    ) -> Result<(), StoreError> {
        if self.seed.is_multiple_of(4) {
            let watcher = AUTHORS.start() + (self.seed / 4 % 50) as i64;
            watchers::insert(db, &Watcher::new(issue, UserId(watcher)))?;
        }
        if self.seed.is_multiple_of(8) {
            let activity = db
                .catalogue()
                .enumerations
                .iter()
                .find(|enumeration| enumeration.kind == EnumerationKind::TimeEntryActivity)
                .expect("the default data has activities")
                .id;
            let entry = TimeEntry {
                project: ProjectId(self.project),
                issue: Some(issue),
                user: self.author,
                author: self.author,
                activity,
                hours: (self.seed % 9) as f64 / 2.0,
                spent_on: self.day(0),
                created_on: self.date,
                updated_on: self.date,
                ..TimeEntry::default()
            };
            time_entries::insert(db, &entry)?;
        }
        Ok(())
    }

    /// Returns the day this many days after the creation.
    fn day(&self, days: i64) -> Date {
        let created = self.date.to_zoned(TimeZone::UTC).date();
        created.saturating_add(days.days())
    }

    fn issue(&self, closed: bool, private: bool) -> Issue {
        Issue {
            project: ProjectId(self.project),
            tracker: TrackerId((self.seed % 3) as i64 + 1),
            status: StatusId(if closed {
                5
            } else {
                (self.seed / 3 % 4) as i64 + 1
            }),
            priority: EnumerationId((self.seed / 12 % 5) as i64 + 1),
            author: self.author,
            assignee: (!self.seed.is_multiple_of(3)).then(|| self.author.into()),
            subject: self.title.clone(),
            description: Some(self.text.clone()),
            private,
            start_date: self.seed.is_multiple_of(2).then(|| self.day(1)),
            due_date: self.seed.is_multiple_of(3).then(|| self.day(30)),
            done_ratio: (self.seed % 11) as i64 * 10,
            estimated_hours: self
                .seed
                .is_multiple_of(5)
                .then_some((self.seed % 17) as f64),
            created_on: self.date,
            updated_on: self.date,
            closed_on: closed.then_some(self.date),
            ..Issue::default()
        }
    }
}
