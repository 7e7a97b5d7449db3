//! The first page: a place to search, and the projects.

use crate::domain::setting::Setting;
use crate::http::{Ask, Error, Reply};
use crate::store::Read;
use askama::Template;

#[derive(Template)]
#[template(path = "home.html")]
struct Home<'a> {
    title: &'a str,
    name: &'a str,
    projects: Vec<Row<'a>>,
}

struct Row<'a> {
    name: &'a str,
    identifier: &'a str,
    description: &'a str,
}

/// The projects that the viewer can see, in the order of the tree.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let user = ask.viewer().user.and_then(|id| catalogue.users.get(&id));
    let seen = catalogue.tree.iter().filter(|id| ask.viewer().rights(**id).is_some()).filter_map(|id| catalogue.projects.get(id));
    let projects = seen.map(|project| Row {
        name: &project.name,
        identifier: &project.identifier,
        description: project.description.as_deref().unwrap_or_default(),
    });
    let page = Home {
        title: catalogue.setting(Setting::AppTitle),
        name: user.map_or("nobody in particular", |user| &user.name),
        projects: projects.collect(),
    };
    super::page(&page)
}
