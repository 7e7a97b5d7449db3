//! `GET /projects`: the projects that the viewer can see, in the order of the tree (contract 6).

use super::view::{self, Around, Include};
use crate::domain::project::{Project, ProjectStatus};
use crate::http::{Ask, Error, Listing, Reply};
use crate::store::Read;
use std::sync::Arc;

/// A page of the visible projects; active ones, unless `status` asks for others.
pub fn list(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let listing = Listing::read(&ask.query);
    let wanted = statuses(ask.parameter("status").as_deref());
    let fits = |project: &&Project| wanted.contains(&project.status) && ask.viewer().rights(project.id).is_some();
    let fitting: Vec<&Project> = catalogue.tree.iter().filter_map(|id| catalogue.projects.get(id)).filter(fits).collect();
    let total = i64::try_from(fitting.len()).unwrap_or(i64::MAX);
    let skip = usize::try_from(listing.offset).unwrap_or(usize::MAX);
    let take = usize::try_from(listing.limit).unwrap_or(0);
    let page: Vec<Project> = fitting.into_iter().skip(skip).take(take).cloned().collect();
    let around = Around::load(db, &ask.asker, Include::read(ask), page.iter().map(|project| project.id.0).collect())?;
    Ok(Reply::list("projects", "project", page, move |w, project| view::in_list(w, &project, &around), listing.meta(total)))
}

/// Archived projects are listed for nobody (contract 6).
fn statuses(asked: Option<&str>) -> Vec<ProjectStatus> {
    let seen = [ProjectStatus::Active, ProjectStatus::Closed];
    let codes = |text: &str| text.split('|').filter_map(|code| code.trim().parse().ok()).collect::<Vec<i64>>();
    match asked {
        None => vec![ProjectStatus::Active],
        Some("") => seen.to_vec(),
        Some(text) => match text.strip_prefix('!') {
            Some(rest) => seen.into_iter().filter(|status| !codes(rest).contains(&status.code())).collect(),
            None => seen.into_iter().filter(|status| codes(text.strip_prefix('=').unwrap_or(text)).contains(&status.code())).collect(),
        },
    }
}
