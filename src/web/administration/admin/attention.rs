//! What needs the attention of an administrator, in words. Each item is measured when the page is
//! shown.

use crate::home::first_steps;
use crate::prelude::*;
use jiff::SignedDuration;
use quarry_app::ServiceState;
use quarry_domain::accounts::two_factor::TwoFactorPolicy;
use quarry_domain::accounts::user::{User, UserStatus};
use quarry_domain::administration::setting::Setting;
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::accounts::registrations;
use quarry_store::administration::outbox;
use quarry_store::backup::status;
use quarry_store::content::attachments;

/// Number of changes from which on the index counts as behind. Fewer are indexed within moments.
const MAX_LAG: i64 = 1_000;

/// Free space in bytes below which administrators are warned.
const LOW_SPACE: u64 = 1 << 30;

/// Total size in bytes of unattached uploads from which on they are listed.
const MANY_UPLOADS: i64 = 100 << 20;

/// Something that needs attention.
pub struct Attention {
    /// Whether it is urgent; otherwise it is worth knowing.
    pub is_urgent: bool,
    /// What it is.
    pub text: String,
    /// The label and the address of the page that changes it.
    pub link: Option<(&'static str, String)>,
}

impl Attention {
    fn urgent(text: String, label: &'static str, path: impl Into<String>) -> Attention {
        Attention {
            is_urgent: true,
            text,
            link: Some((label, path.into())),
        }
    }

    fn note(text: String, label: &'static str, path: impl Into<String>) -> Attention {
        Attention {
            is_urgent: false,
            text,
            link: Some((label, path.into())),
        }
    }
}

/// Returns what needs attention, urgent items first.
pub fn list(
    request: &RequestContext,
    db: &Read<'_>,
    state: &ServiceState,
) -> Result<Vec<Attention>, Error> {
    let catalogue = db.catalogue();
    let unconfirmed = registrations::count_by_status(db, UserStatus::Registered.code())?;
    let mut items = accounts(catalogue, unconfirmed);
    items.extend(index(request));
    if let Some(free) = state.free_space.filter(|free| *free < LOW_SPACE) {
        let text = format!(
            "The disk of the data folder has only {} left. Writes fail when it is full.",
            size(free)
        );
        items.push(Attention::urgent(text, "Index and service", "/admin/index"));
    }
    items.extend(backups(request, db)?);
    items.extend(settings(catalogue));
    items.extend(first_steps(request, db)?);
    if request.app.config.mail.is_none() {
        let text = "Mail is off: no notifications are sent, and users cannot reset lost passwords. Set up a mail server.".to_owned();
        items.push(Attention::note(text, "Mail", "/admin/mail"));
    }
    let (uploads, bytes) = attachments::count_all_unattached(db)?;
    if bytes >= MANY_UPLOADS {
        let files = count(uploads.unsigned_abs(), "upload", "uploads");
        let verb = if uploads == 1 { "is" } else { "are" };
        let text = format!(
            "{files} ({}) {verb} not attached to anything yet. Uploads are removed after 24 hours.",
            size(bytes.unsigned_abs())
        );
        items.push(Attention::note(
            text,
            "Settings → Files",
            "/settings?tab=attachments",
        ));
    }
    let failed = outbox::count_failed(db)?;
    if failed > 0 {
        let text = format!(
            "{} could not be sent.",
            count(failed.unsigned_abs(), "mail", "mails")
        );
        items.push(Attention::note(text, "Mail", "/admin/mail"));
    }
    items.stable_sort_by_key(|item| !item.is_urgent);
    Ok(items)
}

/// `unconfirmed` is the number of registered users who wait for a mail, not for an administrator.
fn accounts(catalogue: &Catalogue, unconfirmed: i64) -> Vec<Attention> {
    let mut admins: Vec<&User> = catalogue
        .users
        .values()
        .filter(|user| user.admin && user.status == UserStatus::Active)
        .collect();
    admins.stable_sort_by_key(|user| user.id);
    let mut items: Vec<Attention> = admins
        .iter()
        .filter(|user| user.passwd_changed_on.is_some_and(|changed| changed <= user.created_on))
        .map(|user| {
            let text = format!("{} is an administrator and still has the password that the account was created with.", user.login);
            Attention::urgent(text, "User", paths::user(user.id))
        })
        .collect();
    let without = admins
        .iter()
        .filter(|user| !user.has_second_factor())
        .count();
    if without > 0 && TwoFactorPolicy::from_catalogue(catalogue) != TwoFactorPolicy::Disabled {
        let who = count(without as u64, "administrator logs", "administrators log");
        items.push(Attention::note(
            format!("{who} in without a second factor."),
            "Set up your own",
            "/my/two_factor",
        ));
    }
    let waiting = catalogue
        .users
        .values()
        .filter(|user| user.status == UserStatus::Registered)
        .count();
    let waiting = waiting.saturating_sub(usize::try_from(unconfirmed).unwrap_or_default());
    if waiting > 0 {
        let text = format!(
            "{} to be activated.",
            count(waiting as u64, "user waits", "users wait")
        );
        items.push(Attention::note(text, "Users", "/users?status=2"));
    }
    items
}

fn index(request: &RequestContext) -> Option<Attention> {
    let status = request.app.search.status();
    let last = request.app.store.last_change();
    let page = ("Index and service", "/admin/index");
    if status.rebuilding {
        return Some(Attention::note(
            "The search index is being rebuilt.".to_owned(),
            page.0,
            page.1,
        ));
    }
    if status.rebuild_failed {
        let text =
            "The last rebuild of the search index has failed; the log has the reason.".to_owned();
        return Some(Attention::urgent(text, page.0, page.1));
    }
    let Some(indexed) = status.indexed else {
        return Some(Attention::urgent(
            "There is no search index yet.".to_owned(),
            page.0,
            page.1,
        ));
    };
    let lag = last - indexed;
    let text = format!(
        "The search index is {} behind the records.",
        count(lag.unsigned_abs(), "change", "changes")
    );
    (lag >= MAX_LAG).then(|| Attention::urgent(text, page.0, page.1))
}

fn backups(request: &RequestContext, db: &Read<'_>) -> Result<Option<Attention>, Error> {
    let status = status::status(db)?;
    let now = db.now();
    let page = ("Index and service", "/admin/index#backups");
    let age = status.age(now).map(duration);
    let Some(config) = &request.app.config.backup else {
        let text = "There is no backup, and none is scheduled.".to_owned();
        return Ok(age.is_none().then(|| Attention::note(text, page.0, page.1)));
    };
    let last = match age {
        Some(age) => format!("The last one is {age} old."),
        None => "There is none yet.".to_owned(),
    };
    let problem = if status.failure.is_some() {
        "has failed"
    } else if status.is_overdue(&config.times, now) {
        "is overdue"
    } else {
        return Ok(None);
    };
    let text = format!("The scheduled backup {problem}. {last}");
    Ok(Some(Attention::urgent(text, page.0, page.1)))
}

fn first_steps(request: &RequestContext, db: &Read<'_>) -> Result<Option<Attention>, Error> {
    let steps = first_steps::list(request, db)?;
    let left = steps.iter().filter(|step| !step.is_done).count();
    let text = format!(
        "{} left to do after the set-up.",
        count(left as u64, "thing is", "things are")
    );
    Ok((left > 0).then(|| Attention::note(text, "Start page", "/#first-steps")))
}

fn settings(catalogue: &Catalogue) -> Vec<Attention> {
    let mut items = Vec::new();
    if !catalogue.is_on(Setting::RestApiEnabled) {
        let text = "The REST API is off: API keys, HTTP Basic and OAuth are refused.".to_owned();
        items.push(Attention::note(text, "Settings → API", "/settings?tab=api"));
    }
    if catalogue.setting(Setting::HostName).is_empty() {
        let text = "The host name is not set: absolute links name the address at which the service listens. Set it and the protocol; an \
                    import does not take them over."
            .to_owned();
        items.push(Attention::note(text, "Settings → General", "/settings"));
    } else if catalogue.setting(Setting::Protocol) == "http" {
        let text = "The protocol is HTTP: passwords and cookies are sent without encryption unless a proxy adds TLS.".to_owned();
        items.push(Attention::note(text, "Settings → General", "/settings"));
    }
    items
}

/// Returns a count with its noun, such as `1 user` or `12,077 documents`.
pub fn count(count: u64, singular: &str, plural: &str) -> String {
    format!(
        "{} {}",
        thousands(count),
        if count == 1 { singular } else { plural }
    )
}

/// Returns a number with commas between groups of three digits.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a duration in its largest two units, such as `3 days 4 hours`.
pub fn duration(duration: SignedDuration) -> String {
    let seconds = u64::try_from(duration.as_secs()).unwrap_or(0);
    let units = [
        (86_400, "day", "days"),
        (3_600, "hour", "hours"),
        (60, "minute", "minutes"),
    ];
    let mut left = seconds;
    let mut parts = Vec::new();
    for (length, singular, plural) in units {
        if left >= length {
            parts.push(count(left / length, singular, plural));
            left %= length;
        }
    }
    parts.truncate(2);
    if parts.is_empty() {
        count(seconds, "second", "seconds")
    } else {
        parts.join(" ")
    }
}

/// Returns a size such as 12.5 KB.
pub fn size(bytes: u64) -> String {
    crate::components::attachments::size(i64::try_from(bytes).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            [0, 999, 1_000, 12_077, 1_234_567].map(thousands),
            ["0", "999", "1,000", "12,077", "1,234,567"]
        );
        assert_eq!(count(1, "user", "users"), "1 user");
    }

    #[test]
    fn durations_have_at_most_two_units() {
        let texts =
            [5, 60, 3_700, 90_061].map(|seconds| duration(SignedDuration::from_secs(seconds)));
        assert_eq!(
            texts,
            ["5 seconds", "1 minute", "1 hour 1 minute", "1 day 1 hour"]
        );
    }
}
