//! The object `pref` in a request about a user: the preferences that have an effect here
//! (compatibility 11.1).

use crate::error::Error;
use crate::request::context::RequestContext;
use crate::request::fields::BodyFields;
use quarry_domain::accounts::preferences::PreferencesChange;
use quarry_domain::values::patch::Patch;

/// The preferences in a request.
#[derive(Clone, Debug, Default)]
pub struct PreferenceFields {
    /// Whether the mail address is shown to administrators only.
    pub hides_mail: Option<bool>,
    pub time_zone: Patch<String>,
    /// Preferences that rules depend on.
    pub change: PreferencesChange,
}

/// Parses the object `pref`; without one nothing changes. Other preferences are ignored.
///
/// # Errors
/// 400 when it is not an object; 422 for an invalid value.
pub fn parse(request: &RequestContext) -> Result<PreferenceFields, Error> {
    let mut body = BodyFields::from_body(request, "pref")?;
    let hides_mail = body
        .boolean("hide_mail", "Hide my email address")
        .value()
        .copied();
    let time_zone = body.text("time_zone", "Time zone");
    let sorting = body.text("comments_sorting", "Display comments");
    let auto_watch = body.texts("auto_watch_on", "Automatically watch");
    let default_query = body.id("default_issue_query", "Default issue query");
    let no_own_events = body.boolean(
        "no_self_notified",
        "I don't want to be notified of changes that I make myself",
    );
    let high_priority = body.boolean(
        "notify_about_high_priority_issues",
        "Also notify me about issues with a priority of High or higher",
    );
    let reminders = body.boolean("mail_reminders", "Remind me of due issues");
    let digest = body.text("mail_digest", "Digest");
    body.check()?;
    let digest = match digest.value().map(String::as_str) {
        None if digest == Patch::Unset => Patch::Unset,
        None | Some("") => Patch::Clear,
        Some(name) => match name.parse() {
            Ok(digest) => Patch::Set(digest),
            Err(_) => {
                return Err(Error::invalid_attribute(
                    "mail_digest",
                    "Digest",
                    "is not included in the list",
                ));
            }
        },
    };
    let newest_first = match sorting.value().map(String::as_str) {
        None => None,
        Some("asc") => Some(false),
        Some("desc") => Some(true),
        Some(_) => {
            return Err(Error::invalid_attribute(
                "comments_sorting",
                "Display comments",
                "is not included in the list",
            ));
        }
    };
    let watches = |name: &str| match &auto_watch {
        Patch::Unset => None,
        Patch::Clear => Some(false),
        Patch::Set(occasions) => Some(occasions.iter().any(|occasion| occasion == name)),
    };
    Ok(PreferenceFields {
        hides_mail,
        time_zone,
        change: PreferencesChange {
            newest_first,
            watches_contributions: watches("issue_contributed_to"),
            default_query,
            watches_mentions: watches("mentioned"),
            mails_own_events: no_own_events.value().map(|not| !not),
            follows_high_priority: high_priority.value().copied(),
            digest,
            gets_reminders: reminders.value().copied(),
        },
    })
}
