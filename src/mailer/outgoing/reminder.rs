//! A reminder: the due open issues that are assigned to the person and that they may see now.

use super::content::{Block, Content};
use super::error::RenderError;
use super::recipient::Recipient;
use jiff::civil::Date;
use quarry_actions::notices::notice_mails::has_address;
use quarry_actions::notices::reminders::{DueIssues, MAX_ISSUES, ReminderFilter, find};
use quarry_app::App;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::administration::mail::Mail;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::issues::issue::Issue;
use quarry_http::resources::paths;
use quarry_store::{Read, StoreError};

/// Returns the content; `None` if nothing is due, the person wants no reminders any more, or the address
/// does not receive them any more.
pub fn content(
    app: &App,
    recipient: &Recipient,
    mail: &Mail,
) -> Result<Option<Content>, RenderError> {
    let filter = ReminderFilter::from_data(|name| mail.data(name).to_owned());
    let content = app.store.read::<_, StoreError>(|db| {
        let Some(user) = mail.user else {
            return Ok(None);
        };
        if !has_address(db, user, mail)? {
            return Ok(None);
        }
        let viewer = Viewer::new(db.catalogue(), Some(user));
        let due = find(db, &viewer, &filter)?.filter(|due| !due.issues.is_empty());
        Ok(due.map(|due| write(db, recipient, filter.days, &due)))
    })?;
    Ok(content)
}

fn write(db: &Read<'_>, recipient: &Recipient, days: i64, due: &DueIssues) -> Content {
    let catalogue = db.catalogue();
    let total = due.total;
    let title = if total == 1 {
        "1 issue is due".to_owned()
    } else {
        format!("{total} issues are due")
    };
    let until = match days {
        0 => "today".to_owned(),
        1 => "until tomorrow".to_owned(),
        days => format!("in the next {days} days"),
    };
    let mut blocks = vec![Block::Text(format!(
        "These open issues are assigned to you, and are due {until} or overdue."
    ))];
    let is_overdue = |issue: &Issue| issue.due_date.is_some_and(|day| day < due.today);
    let (overdue, next): (Vec<&Issue>, Vec<&Issue>) = due
        .issues
        .iter()
        .map(AsRef::as_ref)
        .partition(|issue| is_overdue(issue));
    for (heading, issues) in [("Overdue", overdue), ("Due", next)] {
        if issues.is_empty() {
            continue;
        }
        blocks.push(Block::Heading(heading.to_owned()));
        blocks.extend(issues.into_iter().map(|issue| {
            recipient.link(&label(catalogue, issue, due.today), &paths::issue(issue.id))
        }));
    }
    if total > MAX_ISSUES {
        blocks.push(Block::Text(format!(
            "These are the first {MAX_ISSUES} of {total}."
        )));
    }
    Content {
        title,
        blocks,
        reply_delimiter: None,
        reason:
            "You get this mail because these issues are assigned to you or to a group of yours."
                .to_owned(),
        links: vec![
            (
                "All open issues that are assigned to you",
                format!(
                    "{}/issues?assigned_to_id=me&status_id=open&sort=due_date",
                    recipient.base_url
                ),
            ),
            (
                "Mail preferences",
                format!("{}/my/notifications", recipient.base_url),
            ),
        ],
    }
}

fn label(catalogue: &Catalogue, issue: &Issue, today: Date) -> String {
    let tracker = catalogue.tracker(issue.tracker);
    let tracker = tracker.map_or("", |tracker| &tracker.name);
    let status = catalogue.status(issue.status);
    let status = status.map_or("", |status| &status.name);
    let project = catalogue.project_name(issue.project);
    let due = issue
        .due_date
        .map_or_else(String::new, |day| due_text(day, today));
    format!(
        "{project}, {tracker} #{} {} ({status}), {due}",
        issue.id, issue.subject
    )
}

/// Returns the day, and how far away it is.
fn due_text(day: Date, today: Date) -> String {
    let days = i64::from(day.since(today).map_or(0, |span| span.get_days()));
    let distance = match days {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        -1 => "1 day overdue".to_owned(),
        days if days < 0 => format!("{} days overdue", -days),
        days => format!("in {days} days"),
    };
    format!("due {day}, {distance}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_in_words() {
        let today: Date = "2026-11-20".parse().unwrap();
        for (day, expected) in [
            ("2026-11-20", "due 2026-11-20, today"),
            ("2026-11-21", "due 2026-11-21, tomorrow"),
            ("2026-12-20", "due 2026-12-20, in 30 days"),
            ("2026-11-19", "due 2026-11-19, 1 day overdue"),
            ("2025-11-20", "due 2025-11-20, 365 days overdue"),
        ] {
            assert_eq!(due_text(day.parse().unwrap(), today), expected);
        }
    }
}
