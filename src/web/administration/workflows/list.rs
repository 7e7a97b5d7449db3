//! `/workflows`: the number of transitions by role and tracker.

use super::matrices::TRANSITIONS;
use crate::components::list_page::Link;
use crate::frame::Frame;
use crate::frame::render::render;
use crate::prelude::*;

#[derive(Template)]
#[template(path = "administration/workflows/list.html")]
struct WorkflowsPage {
    frame: Frame,
    trackers: Vec<Link>,
    /// A role, with the number of transitions for each tracker.
    rows: Vec<(Link, Vec<Link>)>,
}

/// `GET`: the table.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let trackers = || catalogue.trackers.iter();
    let all_roles = || {
        let roles = catalogue.roles.iter();
        let ids = roles.map(|role| format!("role_id[]={}", role.id));
        ids.collect::<Vec<_>>().join("&")
    };
    let all_trackers: Vec<String> = trackers()
        .map(|tracker| format!("tracker_id[]={}", tracker.id))
        .collect();
    let all_trackers = all_trackers.join("&");
    let rows = catalogue.roles.iter().map(|role| {
        let cells = trackers().map(|tracker| {
            let count = catalogue.workflow.transitions(tracker.id, role.id).len();
            Link::new(
                count.to_string(),
                format!(
                    "{}?role_id[]={}&tracker_id[]={}",
                    TRANSITIONS, role.id, tracker.id
                ),
            )
        });
        let all = format!("{}?role_id[]={}&{all_trackers}", TRANSITIONS, role.id);
        (Link::new(&role.name, all), cells.collect())
    });
    let page = WorkflowsPage {
        frame: Frame::for_administration(request, db, "Workflow"),
        trackers: trackers()
            .map(|tracker| {
                let path = format!(
                    "{}?{}&tracker_id[]={}",
                    TRANSITIONS,
                    all_roles(),
                    tracker.id
                );
                Link::new(&tracker.name, path)
            })
            .collect(),
        rows: rows.collect(),
    };
    render(&page.frame, &page)
}
