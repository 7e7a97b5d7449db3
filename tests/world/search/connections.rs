//! Dates, people and relations of the issues of the random world.

use super::random::Random;
use super::random_world::{ISSUES, principal, somebody};
use jiff::tz::TimeZone;
use quarry::domain::access::visible::Visible;
use quarry::domain::content::watcher::{Watchable, WatchableType, Watcher};
use quarry::domain::ids::{IssueId, RelationId};
use quarry::domain::index_feed::kind::Kind;
use quarry::domain::issues::issue::Issue;
use quarry::domain::issues::journal::{Journal, JournalDetail};
use quarry::domain::issues::relation::{Relation, RelationType};
use quarry::store::content::watchers;
use quarry::store::issues::{self, journals, relations};
use quarry::store::transaction::changes;
use quarry::store::{StoreError, Write};

/// Gives an issue dates, hours, a parent, a relation, a watcher, and changes.
pub(super) fn connect(db: &mut Write<'_>, random: &mut Random, id: i64) -> Result<(), StoreError> {
    let id = IssueId(id);
    let Some(issue) = issues::find(db, &Visible::Everything, id)? else {
        return Ok(());
    };
    let day = |random: &mut Random| random.moment().to_zoned(TimeZone::UTC).date();
    let issue = Issue {
        start_date: random.chance(4).then(|| day(random)),
        due_date: random.chance(4).then(|| day(random)),
        closed_on: random.chance(4).then(|| random.moment()),
        done_ratio: 10 * (random.up_to(11) - 1),
        estimated_hours: random.chance(4).then(|| random.up_to(8) as f64 / 2.0),
        parent: (id.0 > 1 && random.chance(4)).then(|| IssueId(random.up_to(id.0 - 1))),
        ..issue
    };
    issues::update(db, &issue)?;
    let other = IssueId(random.up_to(ISSUES as i64));
    if other != id && random.chance(4) {
        let relation = Relation {
            id: RelationId::default(),
            from: id,
            to: other,
            kind: random.of(&[
                RelationType::Relates,
                RelationType::Blocks,
                RelationType::Duplicates,
            ]),
            delay: None,
        };
        relations::insert(db, &relation)?;
    }
    if random.chance(5) {
        let watcher = Watcher {
            watchable: Watchable {
                watchable_type: WatchableType::Issue,
                id: id.0,
            },
            principal: principal(random),
        };
        watchers::insert(db, &watcher)?;
    }
    while random.chance(5) {
        let (name, max) = random.of(&[
            ("status_id", 6),
            ("status_id", 6),
            ("priority_id", 3),
            ("parent_id", ISSUES as i64),
        ]);
        let mut value = || random.chance(8).then(|| random.up_to(max).to_string());
        let detail = JournalDetail {
            property: "attr".to_owned(),
            name: name.to_owned(),
            old_value: value(),
            new_value: value(),
        };
        let journal = Journal {
            issue: id,
            user: somebody(random),
            private: random.chance(3),
            created_on: random.moment(),
            details: vec![detail],
            ..Journal::default()
        };
        journals::insert(db, &journal)?;
    }
    changes::record(db, Kind::Issue, id.0).map(drop)
}
