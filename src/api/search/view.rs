//! How a search result looks outside (contract 8, part A).

use crate::domain::catalogue::Catalogue;
use crate::domain::kind::Kind;
use crate::http::search::{Shown, title};
use crate::store::found::Found;
use crate::wire::Fields;
use std::borrow::Cow;
use std::sync::Arc;

/// What stands around the results of an answer.
pub struct Around {
    /// Names of trackers, statuses and projects.
    pub catalogue: Arc<Catalogue>,
    /// The address of the service.
    pub base: String,
    /// Whether results have the whole text.
    pub with_description: bool,
    /// Whether results have what Redmine's do not have.
    pub with_extras: bool,
}

/// The fields of a result: Redmine's six, then ours.
pub fn result(w: &mut Fields, shown: &Shown, around: &Around) {
    let found = &shown.found;
    w.field("id", found.id);
    w.field("title", title::title(found, &around.catalogue));
    w.field("type", title::kind(found, &around.catalogue));
    w.field("url", format!("{}{}", around.base, title::path(found, &around.catalogue)));
    if around.with_description {
        w.field("description", description(found));
    }
    w.field("datetime", found.created_on);
    if around.with_extras {
        w.reference("project", found.project.0, around.catalogue.projects.get(&found.project).map_or("", |project| &project.name));
        w.field("excerpt", &shown.excerpt);
        w.maybe("score", shown.score.map(|score| (f64::from(score) * 1e4).round() / 1e4));
    }
}

/// The whole text; of a changeset what follows the first line.
fn description(found: &Found) -> Cow<'_, str> {
    match found.kind {
        Kind::Changeset => Cow::Borrowed(found.title.split_once('\n').map_or("", |(_, rest)| rest.trim())),
        _ => Cow::Borrowed(&found.text),
    }
}
