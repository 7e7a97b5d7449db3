//! What is left to do after the set-up: for administrators, on the start page, until everything is
//! done or one of them hides it for good, which the setting `show_first_steps` keeps.

use crate::frame::Flash;
use crate::frame::render::redirect_with;
use crate::prelude::*;
use quarry_actions::administration::settings;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::setting::Setting;
use quarry_http::audit_setting;
use quarry_store::backup::status;
use quarry_store::issues;

const HIDDEN: &str =
    "The list is hidden. Settings → General shows it again while something is left.";

/// A step, with the page on which it is done.
pub struct FirstStep {
    pub label: &'static str,
    pub path: &'static str,
    /// Why it is left.
    pub hint: &'static str,
    pub is_done: bool,
}

/// Returns the steps, also those that are done; none if nothing is left, if they are hidden, and for
/// everybody but administrators.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Vec<FirstStep>, Error> {
    let catalogue = db.catalogue();
    if !request.viewer().admin || !catalogue.is_on(Setting::ShowFirstSteps) {
        return Ok(Vec::new());
    }
    let config = &request.app.config;
    let mut users = catalogue.users.values();
    let has_backup = config.backup.is_some() || status::status(db)?.last.is_some();
    let steps = vec![
        FirstStep {
            label: "Invite people",
            path: "/invitations/several",
            hint: "You are alone here.",
            is_done: users.any(|user| {
                user.status == UserStatus::Active && Some(user.id) != request.viewer().user
            }),
        },
        FirstStep {
            label: "Set up mail",
            path: "/admin/mail",
            hint: "For notices, invitations and lost passwords.",
            is_done: config.mail.is_some(),
        },
        FirstStep {
            label: "Plan backups",
            path: "/admin/index#backups",
            hint: "There is none, and none is scheduled.",
            is_done: has_backup,
        },
        FirstStep {
            label: "Bring in issues",
            path: "/admin/welcome#import",
            hint: "Create the first one, or import a Redmine.",
            is_done: issues::max_id(db)? > 0,
        },
    ];
    let is_complete = steps.iter().all(|step| step.is_done);
    Ok(if is_complete { Vec::new() } else { steps })
}

/// `POST /admin/first_steps`: hides them for good.
pub fn hide(request: &RequestContext) -> Result<Reply, Error> {
    let values = vec![(Setting::ShowFirstSteps, "0".to_owned())];
    let changes = request.write(move |db, viewer| settings::update_all(db, viewer, &values))?;
    for change in &changes {
        audit_setting(request, change);
    }
    let flash = Flash::notice(HIDDEN);
    Ok(redirect_with(request, "/".to_owned(), &flash))
}
