//! `POST /projects/:id/repository/:repository_id/revisions` (compatibility 13.3).

use super::show::changeset_reply;
use crate::actions::changesets::{self, NewRevision};
use crate::domain::patch::Patch;
use crate::http::search::title::percent_encode;
use crate::http::{BodyFields, Error, Reply, RequestContext};
use crate::store::changesets::{ChangedPath, MAX_FILES};
use crate::store::repositories;
use crate::wire::Input;
use std::sync::Arc;

/// Records a changeset: 201 with it and its URL; 200 with what is stored when the revision is known
/// already.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let new = parse(request)?;
    let project = request.path_param("id").to_owned();
    let repository = request.path_param("repository_id").to_owned();
    let clock = Arc::clone(&request.app.clock);
    let revision = new.revision.clone();
    let recorded = request.write(move |db, viewer| {
        changesets::create(db, viewer, &project, &repository, &new, clock.as_ref())
    })?;
    request.app.read(|db| {
        let repository =
            repositories::find_by_id(db, recorded.repository)?.ok_or(Error::NotFound)?;
        let project = db
            .catalogue()
            .projects
            .get(&repository.project)
            .map_or("", |project| &project.identifier);
        let path = format!(
            "/projects/{project}/repository/{}/revisions/{}",
            repository.id,
            percent_encode(&revision)
        );
        let reply = changeset_reply(request, db, repository, &revision)?;
        Ok(if recorded.is_new {
            reply.created(format!("{}{path}", request.base_url()))
        } else {
            reply
        })
    })
}

/// Parses the object `changeset`. `committed_on` is the time of the request if it is absent, and
/// `None` if it is not valid.
fn parse(request: &RequestContext) -> Result<NewRevision, Error> {
    let mut body = BodyFields::from_body(request, "changeset")?;
    let text = |patch: Patch<String>| patch.value().cloned().unwrap_or_default();
    let committed_on = match body.text("committed_on", "Committed on") {
        Patch::Set(text) => text.trim().parse().ok(),
        Patch::Unset | Patch::Clear => Some(request.app.clock.now()),
    };
    let new = NewRevision {
        revision: text(body.text("revision", "Revision")),
        committer: text(body.text("committer", "Committer")),
        committed_on,
        comments: text(body.text("comments", "Comments")),
        parents: body
            .texts("parents", "Parents")
            .value()
            .cloned()
            .unwrap_or_default(),
        files: files(body.raw("files"))?,
    };
    body.check()?;
    Ok(new)
}

/// Parses the files: objects with `action`, `path` and `from_path`, or paths alone, which stand for
/// modified files.
fn files(input: Option<&Input>) -> Result<Vec<ChangedPath>, Error> {
    let invalid = || {
        Error::invalid(format!(
            "Files is invalid (a list of at most {MAX_FILES} objects with action and path is expected)"
        ))
    };
    let items = match input {
        None => return Ok(Vec::new()),
        Some(input) if input.is_blank() => return Ok(Vec::new()),
        Some(input) => input
            .as_list()
            .filter(|items| i64::try_from(items.len()).is_ok_and(|len| len <= MAX_FILES))
            .ok_or_else(invalid)?,
    };
    let file = |item: &Input| {
        let text = |name: &str| {
            item.get(name)
                .and_then(Input::as_text)
                .map(|text| text.into_owned())
        };
        let path = if item.is_map() {
            text("path")
        } else {
            item.as_text().map(|text| text.into_owned())
        };
        let action =
            text("action").map_or_else(|| "M".to_owned(), |action| action.trim().to_uppercase());
        Some(ChangedPath {
            action,
            path: path?,
            from_path: text("from_path").filter(|path| !path.is_empty()),
        })
    };
    items
        .iter()
        .map(|item| file(item).ok_or_else(invalid))
        .collect()
}
