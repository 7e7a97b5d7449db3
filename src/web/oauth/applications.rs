//! `/oauth/applications`: the registered applications.

use crate::domain::oauth::Application;
use crate::domain::setting::Setting;
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, oauth::applications, oauth::grants};
use crate::web::access::require_admin;
use crate::web::components::time::Moment;
use crate::web::frame::{Frame, Width};
use crate::web::render::render;
use askama::Template;

#[derive(Template)]
#[template(path = "oauth/applications.html")]
struct ApplicationsPage {
    frame: Frame,
    rows: Vec<Row>,
    is_disabled: bool,
}

struct Row {
    application: Application,
    hosts: String,
    users: i64,
    created: Moment,
}

/// Lists the applications by name.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    require_admin(request)?;
    let user_counts = grants::count_users_by_application(db)?;
    let mut rows = Vec::new();
    for application in applications::list(db)? {
        let mut hosts: Vec<String> = application
            .redirect_uris
            .iter()
            .map(|uri| uri.host())
            .collect();
        hosts.sort_unstable();
        hosts.dedup();
        let users = user_counts.get(&application.id).copied().unwrap_or(0);
        let created = Moment::new(application.created_on);
        rows.push(Row {
            hosts: hosts.join(", "),
            users,
            created,
            application,
        });
    }
    let frame = Frame::new(request, db, "OAuth applications")
        .with_width(Width::Medium)
        .below("Administration", "/admin");
    let is_disabled = !db.catalogue().is_on(Setting::RestApiEnabled);
    let page = ApplicationsPage {
        frame,
        rows,
        is_disabled,
    };
    render(&page.frame, &page)
}
