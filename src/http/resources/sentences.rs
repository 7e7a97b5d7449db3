//! What an event says: who did what to which record.

use super::paths;
use quarry_actions::content::activity::VisibleEvent;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::content::activity::{Event, EventDetails};
use quarry_domain::ids::{EnumerationId, JournalId, ProjectId, StatusId, TrackerId};
use quarry_domain::issues::journal::JournalDetail;
use quarry_domain::values::text::{capitalize, shorten};
use quarry_store::issues::journals;
use quarry_store::{Read, StoreError};
use std::collections::HashMap;

/// Maximum number of characters of the first line of a message.
const MAX_TITLE_CHARS: usize = 150;

/// A sentence about an event, whose subject is the author.
pub struct Sentence {
    /// What was done, such as "commented on".
    pub verb: String,
    /// What it was done to.
    pub label: String,
    /// Its address; `None` where the record has no page of its own.
    pub path: Option<String>,
    /// The name of its icon.
    pub icon: &'static str,
}

/// What sentences need besides the events.
pub struct SentenceContext<'c> {
    pub catalogue: &'c Catalogue,
    /// The number of each journal within its issue, for those that the viewer may read.
    pub note_numbers: HashMap<JournalId, usize>,
    /// The labels of the issues that the viewer may see and for which time was logged.
    pub issues: HashMap<i64, String>,
}

impl<'c> SentenceContext<'c> {
    /// Loads what the sentences about these events need, without the issues for which time was
    /// logged.
    pub fn load(
        db: &'c Read<'_>,
        viewer: &Viewer,
        events: &[VisibleEvent],
    ) -> Result<SentenceContext<'c>, StoreError> {
        let changed = events
            .iter()
            .filter_map(|visible| match visible.event.details {
                EventDetails::IssueChange { issue, .. } => Some((issue, visible.event.project)),
                _ => None,
            });
        let changed: HashMap<i64, ProjectId> = changed.collect();
        let heads = if changed.is_empty() {
            HashMap::new()
        } else {
            journals::readable_heads(db, viewer, &changed)?
        };
        let note_numbers = heads
            .values()
            .flat_map(|heads| (1..).zip(heads))
            .map(|(number, head)| (head.id, number));
        Ok(SentenceContext {
            catalogue: db.catalogue(),
            note_numbers: note_numbers.collect(),
            issues: HashMap::new(),
        })
    }
}

impl SentenceContext<'_> {
    /// Returns the sentence for an event with what it changed.
    pub fn sentence(&self, event: &Event, changes: &[JournalDetail]) -> Sentence {
        let id = event.key.id;
        let (verb, label, path, icon) = match &event.details {
            EventDetails::Issue { tracker } => (
                "opened",
                self.issue_label(id, *tracker, &event.title),
                Some(paths::issue(id)),
                "issue",
            ),
            EventDetails::IssueChange { issue, tracker, .. } => (
                self.change_verb(event, changes),
                self.issue_label(*issue, *tracker, &event.title),
                Some(match self.note_numbers.get(&JournalId(id)) {
                    Some(number) => paths::note(issue, number),
                    None => paths::issue(issue),
                }),
                "issue",
            ),
            EventDetails::Changeset {
                repository,
                revision,
                ..
            } => {
                let repository = Some(repository.as_str()).filter(|name| !name.is_empty());
                let short: String = revision.chars().take(8).collect();
                let first_line = event.title.lines().next().unwrap_or_default();
                let project = self.identifier(event.project);
                (
                    "committed",
                    format!("{short} {}", shorten(first_line, MAX_TITLE_CHARS)),
                    Some(paths::changeset(project, repository, revision)),
                    "changeset",
                )
            }
            EventDetails::News => {
                let path = paths::news(id);
                ("announced", event.title.clone(), Some(path), "news")
            }
            EventDetails::NewsComment { news } => {
                let path = format!("{}#comments", paths::news(news));
                ("commented on", event.title.clone(), Some(path), "news")
            }
            EventDetails::Document => {
                let path = paths::document(id);
                (
                    "added the document",
                    event.title.clone(),
                    Some(path),
                    "document",
                )
            }
            EventDetails::File => {
                let path = paths::attachment(id);
                ("added the file", event.title.clone(), Some(path), "file")
            }
            EventDetails::WikiEdit => (
                if event.key.version == 1 {
                    "wrote the wiki page"
                } else {
                    "edited the wiki page"
                },
                event.title.replace('_', " "),
                Some(paths::wiki_page(
                    self.identifier(event.project),
                    &event.title,
                )),
                "wiki",
            ),
            EventDetails::Message { board, topic } => match topic {
                Some(topic) => (
                    "replied to",
                    event.title.clone(),
                    Some(paths::reply(board, topic, id)),
                    "message",
                ),
                None => {
                    let path = paths::topic(board, id);
                    (
                        "started the topic",
                        event.title.clone(),
                        Some(path),
                        "message",
                    )
                }
            },
            EventDetails::TimeEntry {
                issue,
                activity,
                hours,
            } => return self.time_sentence(event.project, *issue, *activity, *hours),
        };
        Sentence {
            verb: verb.to_owned(),
            label,
            path,
            icon,
        }
    }

    /// Returns the sentence about logged time. An issue that the viewer may not see is not named.
    fn time_sentence(
        &self,
        project: ProjectId,
        issue: Option<i64>,
        activity: EnumerationId,
        spent: f64,
    ) -> Sentence {
        let activity = self.catalogue.enumeration(activity);
        let activity = activity.map_or("", |activity| &activity.name);
        let visible = issue.and_then(|id| Some((id, self.issues.get(&id)?)));
        let name = self.catalogue.projects.get(&project);
        Sentence {
            verb: format!("logged {} of {activity} on", hours(spent)),
            label: match visible {
                Some((_, label)) => label.clone(),
                None => name.map_or_else(String::new, |project| project.name.clone()),
            },
            path: match visible {
                Some((id, _)) => Some(paths::issue(id)),
                None => name.map(paths::project),
            },
            icon: "time",
        }
    }

    /// Returns what happened to an issue: a change between open and closed first of all.
    fn change_verb(&self, event: &Event, changes: &[JournalDetail]) -> &'static str {
        let status = changes
            .iter()
            .find(|detail| detail.property == "attr" && detail.name == "status_id");
        let is_closed = |value: &Option<String>| {
            let id = value.as_deref()?.parse().ok().map(StatusId)?;
            Some(self.catalogue.status(id)?.is_closed)
        };
        match status.map(|detail| (is_closed(&detail.old_value), is_closed(&detail.new_value))) {
            Some((Some(false), Some(true))) => "closed",
            Some((Some(true), Some(false))) => "reopened",
            _ if event.text.is_empty() => "changed",
            _ => "commented on",
        }
    }

    fn issue_label(&self, id: i64, tracker: TrackerId, subject: &str) -> String {
        let tracker = self.catalogue.tracker(tracker);
        format!(
            "{} #{id} {subject}",
            tracker.map_or("", |tracker| &tracker.name)
        )
    }

    fn identifier(&self, project: ProjectId) -> &str {
        let project = self.catalogue.projects.get(&project);
        project.map_or("", |project| &project.identifier)
    }
}

impl Sentence {
    /// Returns the sentence without its subject as a title, such as "Commented on Bug #12 Crash".
    pub fn title(&self) -> String {
        format!("{} {}", capitalize(&self.verb), self.label)
    }
}

/// Returns hours as text, such as `1.5 h`.
pub fn hours(value: f64) -> String {
    format!("{} h", (value * 100.0).round() / 100.0)
}
