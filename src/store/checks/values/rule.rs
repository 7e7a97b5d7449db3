//! What the values of a column must be, in addition to their type. Rules follow from the names of the
//! columns where these have endings, otherwise from lists.

use crate::engine::{ColumnType, ColumnValue, FromColumn};
use crate::files::stored_files::is_digest;
use crate::json;
use jiff::Timestamp;
use jiff::civil::Date;
use quarry_domain::access::role::{
    Builtin, IssuesVisibility, TimeEntriesVisibility, UsersVisibility,
};
use quarry_domain::accounts::session::SessionStep;
use quarry_domain::accounts::user::BuiltinPrincipal;
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::administration::mail::MailboxState;
use quarry_domain::administration::time_zone;
use quarry_domain::content::activity::EventType;
use quarry_domain::content::watcher::WatchableType;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::relation::RelationType;
use quarry_domain::notices::preferences::MailNotification;
use quarry_domain::projects::project::{ProjectStatus, is_identifier};
use quarry_domain::projects::version::Sharing;
use std::str::FromStr;

/// The rule of a column. NULL breaks none.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    Boolean,
    /// An instant that can be shown.
    Instant,
    /// A date that can be shown, as the program writes it.
    Date,
    Json,
    /// A number from 0 to [`MAX_AMOUNT`].
    Amount,
    Percentage,
    /// An id from 1.
    Id,
    /// Text with a character that is not white space.
    Name,
    /// A number that stands for something.
    Code(fn(i64) -> bool),
    /// A text that stands for something.
    Word(fn(&str) -> bool),
    Identifier,
    Sha256,
}

/// Dates; other columns with such endings are texts of others.
const DATES: [&str; 4] = ["start_date", "due_date", "spent_on", "day"];

/// Booleans whose names do not begin with `is_`.
const BOOLEANS: [&str; 24] = [
    "onthefly_register",
    "tls",
    "verify_peer",
    "hides_mail",
    "admin",
    "must_change_passwd",
    "twofa_required",
    "notify",
    "code_is_used",
    "assignable",
    "all_roles_managed",
    "inherit_members",
    "mail_notification",
    "active",
    "private_by_default",
    "author",
    "assignee",
    "private_notes",
    "protected",
    "locked",
    "searchable",
    "editable",
    "visible",
    "multiple",
];

/// Maximum of sizes, counts and hours: the greatest integer that every client can read, 2^53.
const MAX_AMOUNT: f64 = 9_007_199_254_740_992.0;

/// Sizes, counts and hours.
const AMOUNTS: [&str; 11] = [
    "hours",
    "estimated_hours",
    "filesize",
    "downloads",
    "lock_version",
    "attempts",
    "dropped",
    "n",
    "seq",
    "failures",
    "maximum",
];

/// Tables whose rows need a name.
const NAMED: [(&str, &str); 15] = [
    ("wikis", "start_page"),
    ("attachments", "filename"),
    ("issues", "subject"),
    ("projects", "name"),
    ("trackers", "name"),
    ("issue_statuses", "name"),
    ("enumerations", "name"),
    ("roles", "name"),
    ("custom_fields", "name"),
    ("versions", "name"),
    ("news", "title"),
    ("documents", "title"),
    ("wiki_pages", "title"),
    ("boards", "name"),
    ("messages", "subject"),
];

impl Rule {
    /// Returns the rule of a column.
    pub(super) fn for_column(column: &ColumnType) -> Option<Rule> {
        let name = column.column.as_str();
        let listed = Rule::for_codes(&column.table, name).or_else(|| {
            NAMED
                .contains(&(column.table.as_str(), name))
                .then_some(Rule::Name)
        });
        if listed.is_some() {
            return listed;
        }
        match column.declared.as_str() {
            "TEXT" if DATES.contains(&name) => Some(Rule::Date),
            "TEXT" if name.ends_with("_json") => Some(Rule::Json),
            "TEXT" if name == "content_sha256" || name == "sha256" => Some(Rule::Sha256),
            "BIGINT" | "INTEGER" if name.ends_with("_on") && !name.starts_with("is_") => {
                Some(Rule::Instant)
            }
            "BIGINT" | "INTEGER" if name == "hidden_until" => Some(Rule::Instant),
            "BIGINT" | "INTEGER" if name.starts_with("is_") || BOOLEANS.contains(&name) => {
                Some(Rule::Boolean)
            }
            "BIGINT" | "INTEGER" if name == "id" => Some(Rule::Id),
            "BIGINT" | "INTEGER" if name.ends_with("done_ratio") => Some(Rule::Percentage),
            "BIGINT" | "INTEGER" | "DOUBLE PRECISION" if AMOUNTS.contains(&name) => {
                Some(Rule::Amount)
            }
            _ => None,
        }
    }

    /// Returns the rule of a column whose values stand for something. Names of later versions, and of
    /// plugins of an imported installation, are allowed where the program skips them.
    fn for_codes(table: &str, column: &str) -> Option<Rule> {
        Some(match (table, column) {
            ("users", "status") => Rule::Code(|code| (0..=3).contains(&code)),
            ("users", "type") => Rule::Word(|name| {
                ["User", "Group"].contains(&name) || BuiltinPrincipal::parse(name).is_some()
            }),
            ("users", "password_hash") => {
                Rule::Word(|hash| hash.is_empty() || hash.contains("$argon2"))
            }
            ("users", "twofa_scheme") => Rule::Word(|name| ["", "totp"].contains(&name)),
            ("users", "time_zone") => Rule::Word(|name| time_zone::find(name).is_some()),
            ("users", "mail_notification") => {
                Rule::Word(|name| name.is_empty() || is_name_of::<MailNotification>(name))
            }
            ("sessions", "step") => Rule::Code(|code| SessionStep::from_repr(code).is_some()),
            ("roles", "builtin") => {
                Rule::Code(|code| code == 0 || Builtin::from_repr(code).is_some())
            }
            ("roles", "issues_visibility") => Rule::Word(is_name_of::<IssuesVisibility>),
            ("roles", "time_entries_visibility") => Rule::Word(is_name_of::<TimeEntriesVisibility>),
            ("roles", "users_visibility") => Rule::Word(is_name_of::<UsersVisibility>),
            ("projects", "status") => Rule::Code(|code| ProjectStatus::from_repr(code).is_some()),
            ("projects", "identifier") => Rule::Identifier,
            ("enumerations", "type") => Rule::Word(is_name_of::<EnumerationKind>),
            ("versions", "status") => {
                Rule::Word(|name| ["open", "locked", "closed"].contains(&name))
            }
            ("versions", "sharing") => Rule::Word(is_name_of::<Sharing>),
            ("issue_relations", "relation_type") => Rule::Word(is_name_of::<RelationType>),
            ("journal_details", "property") => {
                Rule::Word(|name| ["attr", "cf", "attachment", "relation"].contains(&name))
            }
            ("queries", "visibility") => Rule::Code(|code| (0..=2).contains(&code)),
            ("custom_fields", "type") => Rule::Word(|name| name.ends_with("CustomField")),
            ("watchers", "watchable_type") => Rule::Word(is_name_of::<WatchableType>),
            ("attachments", "container_kind")
            | ("changes", "kind")
            | ("notices" | "notice_threads", "thread_kind") => Rule::Code(is_kind),
            ("notices", "event_type") => Rule::Code(|code| EventType::from_repr(code).is_some()),
            ("mails", "state") => {
                Rule::Word(|name| ["waiting", "sending", "failed"].contains(&name))
            }
            ("mailbox_status", "state") => Rule::Word(is_name_of::<MailboxState>),
            _ => return None,
        })
    }

    /// Returns what is wrong with a value of the right type, as a predicate.
    pub(super) fn problem(self, value: ColumnValue<'_>) -> Option<&'static str> {
        if matches!(value, ColumnValue::Null) {
            return None;
        }
        let (is_valid, problem) = match self {
            Rule::Boolean => (
                matches!(value, ColumnValue::Integer(0 | 1)),
                "is neither 0 nor 1",
            ),
            Rule::Instant => (
                Timestamp::from_column(value).is_ok(),
                "is out of the range of times",
            ),
            Rule::Date => (is_date(value), "is not a date"),
            Rule::Json => (text(value).is_some_and(json::is_valid), "is not valid JSON"),
            Rule::Amount => (
                f64::from_column(value).is_ok_and(|number| (0.0..=MAX_AMOUNT).contains(&number)),
                "is negative or too large",
            ),
            Rule::Percentage => (
                matches!(value, ColumnValue::Integer(0..=100)),
                "is not from 0 to 100",
            ),
            Rule::Id => (
                matches!(value, ColumnValue::Integer(1..)),
                "is not positive",
            ),
            Rule::Name => (
                text(value).is_some_and(|text| !text.trim().is_empty()),
                "is blank",
            ),
            Rule::Code(is_known) => (
                i64::from_column(value).is_ok_and(is_known),
                "has an unknown code",
            ),
            Rule::Word(is_known) => (text(value).is_some_and(is_known), "has an unknown name"),
            Rule::Identifier => (
                text(value).is_some_and(|text| !text.is_empty() && is_identifier(text)),
                "is not a valid identifier",
            ),
            Rule::Sha256 => (text(value).is_some_and(is_digest), "is not a SHA-256"),
        };
        (!is_valid).then_some(problem)
    }
}

/// Whether the text is the name of a variant of the enum.
fn is_name_of<T: FromStr>(text: &str) -> bool {
    text.parse::<T>().is_ok()
}

fn is_kind(code: i64) -> bool {
    u8::try_from(code).is_ok_and(|code| Kind::from_code(code).is_some())
}

/// Whether the value is a date in the form that sorts: statements compare dates as text.
fn is_date(value: ColumnValue<'_>) -> bool {
    text(value).is_some_and(|text| text.len() == 10) && Date::from_column(value).is_ok()
}

fn text(value: ColumnValue<'_>) -> Option<&str> {
    match value {
        ColumnValue::Text(bytes) => std::str::from_utf8(bytes).ok(),
        _ => None,
    }
}
