//! `POST /issues`, `POST /projects/:id/issues` (contract 4.4).

use super::fields::{self, uploads};
use super::include::Included;
use super::reply;
use super::view::Around;
use crate::actions;
use crate::domain::given::Given;
use crate::domain::permission::Permission;
use crate::http::{Ask, Error, Reply};
use std::sync::Arc;

/// Adds an issue: 201 with it and its address.
pub fn create(ask: &Ask) -> Result<Reply, Error> {
    let mut wanted = fields::read(ask)?;
    let uploads = uploads(ask)?;
    let in_project = !ask.place("id").is_empty();
    if in_project {
        let catalogue = ask.app.store.catalogue()?;
        let project = catalogue.project_by(ask.place("id")).ok_or(Error::NotFound)?;
        if !ask.viewer().may(Permission::AddIssues, project.id) {
            return Err(Error::Forbidden);
        }
        wanted.project = Given::Value(project.id.to_string());
    }
    let clock = Arc::clone(&ask.app.clock);
    let issue = ask.change(move |db, viewer| actions::issues::create(db, viewer, &wanted, &uploads, clock.as_ref()))?;
    let (mut around, included) = ask.app.store.read(|db| -> Result<_, Error> {
        Ok((Around::load(db, &ask.asker, std::slice::from_ref(&issue))?, Included::of_issue(ask, db, &issue)?))
    })?;
    around.with_spent = in_project;
    let location = format!("{}/issues/{}", ask.base(), issue.id);
    Ok(reply::issue(ask, issue, around, included).created(location))
}
