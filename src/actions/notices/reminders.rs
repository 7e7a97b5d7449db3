//! Reminders: puts mails about due issues into the outbox.
//!
//! A mail in the outbox contains no issues: which ones are due, and which of them the person may see,
//! is decided when it is sent. Invariant: each person is processed at most once for each day in their
//! time zone. The day is recorded in the transaction that inserts the mails.

use crate::notices::{notice_mails, outbox};
use crate::prelude::*;
use jiff::ToSpan;
use jiff::civil::Date;
use quarry_domain::access::inheritance::with_groups;
use quarry_domain::access::visibility;
use quarry_domain::administration::mail::{MailKind, NewMail};
use quarry_domain::administration::setting::Setting;
use quarry_domain::administration::time_zone;
use quarry_domain::ids::PrincipalId;
use quarry_domain::issues::issue::Issue;
use quarry_domain::notices::preferences::MailNotification;
use quarry_domain::notices::recipients::mail_notification;
pub use quarry_domain::notices::reminder::{MAX_DAYS, ReminderFilter};
use quarry_domain::projects::project::ProjectStatus;
use quarry_domain::query::columns::{Column, Criterion};
use quarry_domain::query::dates::{DayOrInstant, Range};
use quarry_domain::query::filter::Predicate;
use quarry_domain::query::issues::{Condition, Field};
use quarry_store::issues;
use quarry_store::issues::IssueQuery;
use quarry_store::notices::reminders;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Maximum number of issues that a reminder lists.
pub const MAX_ISSUES: i64 = 100;
/// Maximum number of users who are processed in one transaction.
const BATCH: usize = 500;

/// The due issues of a person.
pub struct DueIssues {
    /// The first [`MAX_ISSUES`], by due date.
    pub issues: Vec<Arc<Issue>>,
    /// Number of all due issues.
    pub total: i64,
    /// Today in the zone of the person.
    pub today: Date,
}

/// Inserts mails to all users with due issues who want reminders. Returns the number of users.
///
/// # Errors
/// `Invalid` while mail is off.
pub fn queue(db: &mut Write<'_>, filter: &ReminderFilter) -> Result<usize, ActionError> {
    if !outbox::is_on(db)? {
        return Err(ActionError::invalid("mail is off"));
    }
    let catalogue = Arc::clone(db.catalogue());
    let today = time_zone::date_for_user(&catalogue, None, db.now());
    let users = users_with_due_issues(db, &catalogue, filter, today)?;
    let mut wanting: Vec<UserId> = users.into_iter().collect();
    wanting.retain(|user| is_wanted(&catalogue, *user));
    wanting.sort_unstable();
    insert(db, filter, &wanting)?;
    Ok(wanting.len())
}

/// Inserts a batch of the daily reminders that are due. Returns whether more may be due. Does nothing
/// while the outbox has no room for a batch.
pub fn queue_daily(db: &mut Write<'_>) -> Result<bool, StoreError> {
    let mut due = find_due(db)?;
    let more = due.len() > BATCH;
    due.truncate(BATCH);
    let free = outbox::count_free(db)?;
    if due.is_empty() || free < i64::try_from(BATCH).unwrap_or(i64::MAX) {
        return Ok(false);
    }
    let catalogue = Arc::clone(db.catalogue());
    let filter = ReminderFilter {
        days: catalogue.integer_setting(Setting::MailReminderDays),
        ..ReminderFilter::default()
    };
    let mut by_day: BTreeMap<Date, Vec<UserId>> = BTreeMap::new();
    for (user, day) in due {
        by_day.entry(day).or_default().push(user);
    }
    for (day, users) in by_day {
        reminders::set_day(db, &users, day)?;
        let with_issues = users_with_due_issues(db, &catalogue, &filter, day)?;
        let wanting = users.into_iter().filter(|user| with_issues.contains(user));
        insert(db, &filter, &wanting.collect::<Vec<_>>())?;
    }
    Ok(more)
}

/// Whether daily reminders are due.
pub fn has_due(db: &Read<'_>) -> Result<bool, StoreError> {
    Ok(!find_due(db)?.is_empty())
}

/// Returns the users whose daily reminders are due, each with the current day in their time zone.
fn find_due(db: &Read<'_>) -> Result<Vec<(UserId, Date)>, StoreError> {
    let catalogue = db.catalogue();
    if !catalogue.is_on(Setting::MailReminders) || !outbox::is_on(db)? {
        return Ok(Vec::new());
    }
    let hour = catalogue.integer_setting(Setting::DailyMailHour);
    let mut clocks: HashMap<&str, (Date, i64)> = HashMap::new();
    let looked_at = reminders::days(db)?;
    let mut due = Vec::new();
    for user in catalogue.users.values() {
        if !is_wanted(catalogue, user.id) {
            continue;
        }
        let (today, hour_there) = *clocks.entry(&user.time_zone).or_insert_with(|| {
            let zone = time_zone::for_user(catalogue, Some(user.id));
            let there = db.now().to_zoned(zone);
            (there.date(), i64::from(there.hour()))
        });
        // The day may be tomorrow after the user has changed the time zone. A clock that was ahead has set
        // a later one.
        let tomorrow = today.tomorrow().unwrap_or(today);
        let is_done = looked_at
            .get(&user.id)
            .is_some_and(|day| (today..=tomorrow).contains(day));
        if hour_there >= hour && !is_done {
            due.push((user.id, today));
        }
    }
    due.sort_unstable();
    Ok(due)
}

/// Whether a user is active and wants reminders.
fn is_wanted(catalogue: &Catalogue, user: UserId) -> bool {
    let without = &catalogue.notice_preferences.without_reminders;
    catalogue.is_active(user)
        && mail_notification(catalogue, user) != MailNotification::None
        && !without.contains(&user)
}

/// Returns the users to whom, or to one of whose groups, due issues are assigned. Whether they may see
/// the issues is not checked.
fn users_with_due_issues(
    db: &Read<'_>,
    catalogue: &Catalogue,
    filter: &ReminderFilter,
    today: Date,
) -> Result<HashSet<UserId>, StoreError> {
    // One more day, because `today` may be later in the time zone of a user.
    let until = due_until(today, filter.days + 1);
    let assignees = reminders::assignees(db, filter, until)?;
    let users = assignees.into_iter().flat_map(|assignee| {
        let group = catalogue.groups.get(&assignee);
        group.map_or_else(|| vec![UserId(assignee.0)], |group| group.users.clone())
    });
    Ok(users.collect())
}

fn due_until(today: Date, days: i64) -> Date {
    today.saturating_add(days.clamp(0, MAX_DAYS + 1).days())
}

fn insert(db: &mut Write<'_>, filter: &ReminderFilter, users: &[UserId]) -> Result<(), StoreError> {
    let data = filter.to_data();
    let topic: Vec<&str> = data.values().map(String::as_str).collect();
    let topic = topic.join(" ");
    let mut new = Vec::new();
    for user in users {
        let mail = NewMail {
            data: data.clone(),
            ..NewMail::to_user(MailKind::Reminder, *user)
        };
        for mail in notice_mails::to_all_addresses(db, mail)? {
            // The topic keeps a second reminder out of the outbox while one waits.
            let topic = format!("{topic} {}", mail.address);
            new.push(mail.with_topic(topic));
        }
    }
    outbox::insert(db, &new).map(drop)
}

/// Returns the due open issues that are assigned to the viewer or to one of their groups and that they
/// may see now; `None` if they want no reminders.
pub fn find(
    db: &Read<'_>,
    viewer: &Viewer,
    filter: &ReminderFilter,
) -> Result<Option<DueIssues>, StoreError> {
    let catalogue = db.catalogue();
    let Some(user) = viewer.user.filter(|user| is_wanted(catalogue, *user)) else {
        return Ok(None);
    };
    let zone = time_zone::for_user(catalogue, Some(user));
    let today = time_zone::date_for_user(catalogue, Some(user), db.now());
    let until = DayOrInstant::from_date(due_until(today, filter.days), &zone);
    let mut assignees = with_groups(catalogue, user.into());
    assignees.retain(|id| filter.assignees.is_empty() || filter.assignees.contains(id));
    let assignees: Vec<i64> = assignees.iter().map(|id: &PrincipalId| id.0).collect();
    let due = Range {
        from: None,
        to: Some(until),
    };
    let active = vec![ProjectStatus::Active.code()];
    let mut conditions = vec![
        condition(Field::Status, Predicate::Open),
        condition(Field::Assignee, Predicate::OneOf(assignees)),
        condition(Field::DueDate, Predicate::Time(due)),
        condition(Field::ProjectStatus, Predicate::OneOf(active)),
    ];
    if let Some(project) = filter.project {
        conditions.push(condition(Field::Project, Predicate::OneOf(vec![project.0])));
    }
    if !filter.trackers.is_empty() {
        let ids = filter.trackers.iter().map(|id| id.0).collect();
        conditions.push(condition(Field::Tracker, Predicate::OneOf(ids)));
    }
    if let Some(name) = &filter.version {
        let versions = catalogue.versions.values();
        let named = versions.filter(|version| version.name == *name);
        let ids = named.map(|version| version.id.0).collect();
        conditions.push(condition(Field::Version, Predicate::OneOf(ids)));
    }
    let order = [Column::DueDate, Column::Id].map(|column| Criterion {
        column,
        descending: false,
    });
    let query = IssueQuery {
        viewer,
        visible: visibility::issues(viewer),
        project: None,
        conditions: &conditions,
        order: &order,
        offset: 0,
        limit: MAX_ISSUES,
    };
    let (total, issues) = issues::list_and_count(db, &query)?;
    Ok(Some(DueIssues {
        issues,
        total,
        today,
    }))
}

fn condition(field: Field, predicate: Predicate) -> Condition {
    Condition { field, predicate }
}
