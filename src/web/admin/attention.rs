//! What needs the attention of an administrator. Each item is measured when the page is shown.

use super::text::{count, size};
use crate::app::{LOW_SPACE, ServiceState};
use crate::domain::catalogue::Catalogue;
use crate::domain::setting::Setting;
use crate::domain::two_factor::TwoFactorPolicy;
use crate::domain::user::{User, UserStatus};
use crate::http::{Error, RequestContext};
use crate::store::{Read, attachments};

/// Number of changes from which on the index counts as behind. Fewer are indexed within moments.
const MAX_LAG: i64 = 1_000;
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
    let mut items = accounts(catalogue);
    items.extend(index(request));
    if let Some(free) = state.free_space.filter(|free| *free < LOW_SPACE) {
        let text = format!(
            "The disk of the data folder has only {} left. Writes fail when it is full.",
            size(free)
        );
        items.push(Attention::urgent(text, "Index and service", "/admin/index"));
    }
    items.extend(settings(catalogue));
    let (uploads, bytes) = attachments::count_all_unattached(db)?;
    if bytes >= MANY_UPLOADS {
        let files = count(uploads.unsigned_abs(), "upload", "uploads");
        let verb = if uploads == 1 { "is" } else { "are" };
        let text = format!(
            "{files} ({}) {verb} not attached to anything yet. Uploads are removed after 24 hours.",
            size(bytes.unsigned_abs())
        );
        items.push(Attention::note(text, "Limits", "/settings?tab=attachments"));
    }
    items.sort_by_key(|item| !item.is_urgent);
    Ok(items)
}

fn accounts(catalogue: &Catalogue) -> Vec<Attention> {
    let mut admins: Vec<&User> = catalogue
        .users
        .values()
        .filter(|user| user.admin && user.status == UserStatus::Active)
        .collect();
    admins.sort_by_key(|user| user.id);
    let mut items: Vec<Attention> = admins
        .iter()
        .filter(|user| user.passwd_changed_on.is_some_and(|changed| changed <= user.created_on))
        .map(|user| {
            let text = format!("{} is an administrator and still has the password that the account was created with.", user.login);
            Attention::urgent(text, "User", format!("/users/{}", user.id))
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
