//! Qualifiers about what only the store knows of issues.

use super::dates::{within, within_day};
use super::expected::{Reference, id_of_login};
use super::records::{Change, IssueRecord, Record};
use quarry::domain::access::permission::Permission;
use quarry::domain::ids::PrincipalId;

impl Reference<'_> {
    /// Returns whether an issue has an attribute.
    pub fn has_issue_attribute(&self, record: &Record, name: &str, value: &str) -> bool {
        let issue = &record.issue;
        match name {
            "due" => is_on(issue.due.as_deref(), value),
            "start" => is_on(issue.start.as_deref(), value),
            "closed" if value == "none" => issue.closed.is_none(),
            "closed" => issue.closed.is_some_and(|closed| within(value, closed)),
            "done" => is_in(Some(issue.done), value),
            "estimated" => is_in(issue.estimated, value),
            "parent" => is_related(value, &self.visible_issues(issue.parent.as_slice())),
            "watcher" => self
                .person(value)
                .is_some_and(|person| self.is_watched_by(record, person)),
            "commenter" => self
                .person(value)
                .is_some_and(|person| self.notes(record).any(|author| author == person)),
            "involves" => self.involves(record, value),
            "was" => {
                let (status, modifiers) = split_modifiers(value);
                self.changes(record, "status_id", &modifiers).any(|change| {
                    self.catalogue().statuses.iter().any(|known| {
                        known.id.0 == change.before
                            && known.name.to_lowercase() == status.to_lowercase()
                    })
                })
            }
            "changed" => {
                let (attribute, modifiers) = split_modifiers(value);
                let stored = match attribute {
                    "parent" => "parent_id",
                    "priority" => "priority_id",
                    _ => "status_id",
                };
                self.changes(record, stored, &modifiers).next().is_some()
            }
            "is" => match value {
                "mine" => self.is_mine(record),
                "watched" => self
                    .person("me")
                    .is_some_and(|person| self.is_watched_by(record, person)),
                _ => record.private,
            },
            "has" => self.has_part(record, value),
            relation => {
                let related = issue.relations.iter().filter(|(name, _)| *name == relation);
                let others: Vec<i64> = related.map(|(_, other)| *other).collect();
                is_related(value, &self.visible_issues(&others))
            }
        }
    }

    /// Returns the changes of an attribute that the viewer may see, by a person and on days.
    fn changes<'r>(
        &'r self,
        record: &'r Record,
        attribute: &'r str,
        modifiers: &'r [(&'r str, &'r str)],
    ) -> impl Iterator<Item = &'r Change> {
        let changes = record.issue.changes.iter();
        changes.filter(move |change| {
            let names_hidden = change.attribute == "parent_id"
                && self.visible_issues(&change.values).len() < change.values.len();
            change.attribute == attribute
                && !names_hidden
                && self
                    .reader
                    .may_read_journal(record, change.author, change.private)
                && modifiers.iter().all(|(name, value)| match *name {
                    "by" => self.person(value) == Some(change.author),
                    _ => within(value, change.created),
                })
        })
    }

    fn has_part(&self, record: &Record, part: &str) -> bool {
        let IssueRecord {
            start,
            due,
            estimated,
            parent,
            ..
        } = &record.issue;
        match part {
            "notes" => self.notes(record).next().is_some(),
            "description" => !record.written.1.is_empty(),
            "parent" => !self.visible_issues(parent.as_slice()).is_empty(),
            "children" => self
                .records
                .iter()
                .any(|other| other.issue.parent == Some(record.id) && self.reader.may_see(other)),
            "assignee" => record.assignee != 0,
            "version" => record.version != 0,
            "category" => record.category != 0,
            "start" => start.is_some(),
            "due" => due.is_some(),
            "estimate" => estimated.is_some(),
            _ => panic!("{part}"),
        }
    }

    fn involves(&self, record: &Record, value: &str) -> bool {
        if value == "me" && self.is_mine(record) {
            return true;
        }
        self.person(value).is_some_and(|person| {
            record.author == person
                || record.assignee == person
                || self.is_watched_by(record, person)
                || self.notes(record).any(|author| author == person)
        })
    }

    fn is_mine(&self, record: &Record) -> bool {
        let principals = &self.reader.viewer.principals;
        principals.contains(&PrincipalId(record.assignee))
    }

    /// Whether the viewer may see that a person watches: always of the viewer and the viewer's
    /// groups, which watch for the viewer.
    fn is_watched_by(&self, record: &Record, person: i64) -> bool {
        let viewer = self.reader.viewer;
        let is_own = |watcher: i64| viewer.principals.contains(&PrincipalId(watcher));
        let sees_all = viewer.may(Permission::ViewIssueWatchers, record.project);
        let is_viewer = viewer.user.is_some_and(|user| user.0 == person);
        record.issue.watchers.iter().any(|watcher| {
            (sees_all || is_own(*watcher)) && (*watcher == person || is_viewer && is_own(*watcher))
        })
    }

    /// Returns the authors of the notes that the viewer may read.
    fn notes<'r>(&'r self, record: &'r Record) -> impl Iterator<Item = i64> + 'r {
        let notes = record.notes.iter();
        notes
            .filter(|note| self.reader.may_read(record, note))
            .map(|note| note.author)
    }

    fn person(&self, value: &str) -> Option<i64> {
        match value {
            "me" => self.reader.viewer.user.map(|user| user.0),
            login => id_of_login(self.catalogue(), login),
        }
    }

    fn visible_issues(&self, ids: &[i64]) -> Vec<i64> {
        let is_visible = |id: &i64| {
            self.records.iter().any(|record| {
                record.kind == quarry::domain::index_feed::kind::Kind::Issue
                    && record.id == *id
                    && self.reader.may_see(record)
            })
        };
        ids.iter().copied().filter(is_visible).collect()
    }
}

/// Splits `status by:bob on:2024`.
fn split_modifiers(value: &str) -> (&str, Vec<(&str, &str)>) {
    let mut parts = value.split(' ');
    let mut named = Vec::new();
    let mut end = value.len();
    let all: Vec<&str> = parts.by_ref().collect();
    for part in all.iter().rev() {
        match part.split_once(':') {
            Some((name, value)) => {
                named.push((name, value));
                end -= part.len() + 1;
            }
            None => break,
        }
    }
    (&value[..end], named)
}

fn is_on(day: Option<&str>, value: &str) -> bool {
    match (day, value) {
        (day, "none") => day.is_none(),
        (day, value) => day.is_some_and(|day| within_day(value, day.parse().unwrap())),
    }
}

fn is_in(number: Option<f64>, value: &str) -> bool {
    let Some(number) = number else {
        return value == "none";
    };
    let parse = |text: &str| text.parse::<f64>().unwrap();
    match (
        value.split_once(".."),
        value.strip_prefix(">="),
        value.strip_prefix('<'),
    ) {
        _ if value == "none" => false,
        (Some((from, to)), ..) => (parse(from)..=parse(to)).contains(&number),
        (_, Some(from), _) => number >= parse(from),
        (.., Some(below)) => number < parse(below),
        _ => number == parse(value),
    }
}

fn is_related(value: &str, related: &[i64]) -> bool {
    match value {
        "any" => !related.is_empty(),
        "none" => related.is_empty(),
        id => related.contains(&id.parse().unwrap()),
    }
}
