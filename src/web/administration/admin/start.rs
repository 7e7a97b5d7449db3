//! `GET /admin`: what needs attention, and where everything is administered.

use super::attention::{self, Attention};
use super::attention::{count, thousands};
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::projects::project::ProjectStatus;
use quarry_store::accounts::oauth::applications;

#[derive(Template)]
#[template(path = "administration/admin/start.html")]
struct StartPage {
    frame: Frame,
    items: Vec<Attention>,
    tiles: Vec<Tile>,
}

/// A link to a part of the administration.
struct Tile {
    label: &'static str,
    path: &'static str,
    summary: String,
}

/// Shows the page.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let status = request.app.search.status();
    let state = request.app.service_state();
    let closed = catalogue
        .projects
        .values()
        .filter(|project| project.status != ProjectStatus::Active)
        .count() as u64;
    let documents = count(status.documents, "document", "documents");
    let tiles = vec![
        Tile {
            label: "Users",
            path: "/users",
            summary: with_others(
                count(catalogue.users.len() as u64, "user", "users"),
                count_users(catalogue, UserStatus::Locked),
                "locked",
            ),
        },
        Tile {
            label: "Projects",
            path: "/projects",
            summary: with_others(
                count(catalogue.projects.len() as u64, "project", "projects"),
                closed,
                "closed or archived",
            ),
        },
        Tile {
            label: "Settings",
            path: "/settings",
            summary: "General, Authentication, API, Issues …".to_owned(),
        },
        Tile {
            label: "OAuth applications",
            path: "/oauth/applications",
            summary: count(
                applications::count(db)?.unsigned_abs(),
                "application",
                "applications",
            ),
        },
        Tile {
            label: "Index and service",
            path: "/admin/index",
            summary: if status.rebuilding {
                format!("{documents}, being rebuilt")
            } else {
                documents
            },
        },
    ];
    let page = StartPage {
        items: attention::list(request, db, &state)?,
        tiles,
        frame: Frame::for_administration(request, db, "Administration").with_width(Width::Medium),
    };
    render(&page.frame, &page)
}

fn with_others(text: String, others: u64, what: &str) -> String {
    if others == 0 {
        text
    } else {
        format!("{text}, {} {what}", thousands(others))
    }
}

fn count_users(catalogue: &Catalogue, status: UserStatus) -> u64 {
    catalogue
        .users
        .values()
        .filter(|user| user.status == status)
        .count() as u64
}
