//! `POST …/tasks`: ticks check boxes in the text of an issue, a note, a wiki page, a news item, a
//! document or a message. `tasks[3]=1` ticks the third box, `tasks[3]=0` clears it.

use super::wiki::address::{self, Target};
use crate::access;
use crate::components::form_field::typed;
use crate::components::tasks::{fingerprint, tick};
use crate::frame::local_path::local_path;
use crate::prelude::*;
use axum::routing::post;
use quarry_actions::content::documents::DocumentChange;
use quarry_actions::content::messages::MessageChange;
use quarry_actions::content::news::NewsChange;
use quarry_actions::content::{documents, messages, news, wiki};
use quarry_actions::issues::journals::{self, JournalChange};
use quarry_actions::issues::{self, update as update_issue};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::administration::setting::Setting;
use quarry_domain::content::wiki::WikiChange;
use quarry_domain::ids::JournalId;
use quarry_domain::issues::issue::IssueChange;
use quarry_domain::values::patch::Patch;
use quarry_store::Write;

/// Maximum number of boxes that one request ticks.
const MAX_CHANGES: usize = 100;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/documents/{id}/tasks", post(write_handler(document)))
        .route("/issues/{id}/tasks", post(write_handler(issue)))
        .route("/journals/{id}/tasks", post(write_handler(journal)))
        .route("/messages/{id}/tasks", post(write_handler(message)))
        .route("/news/{id}/tasks", post(write_handler(news_item)))
        .route(
            "/projects/{id}/wiki/{title}/tasks",
            post(write_handler(wiki_page)),
        )
}

/// `POST /issues/:id/tasks`: a journal for all boxes of the request.
fn issue(request: &RequestContext) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    let find_text = move |db: &Read<'_>, viewer: &Viewer| {
        Ok(issues::find(db, viewer, id)?
            .description
            .unwrap_or_default())
    };
    save(request, find_text, move |db, viewer, text| {
        let change = IssueChange {
            description: Patch::Set(text.clone()),
            ..IssueChange::default()
        };
        let after = update_issue(db, viewer, id, &change, &[])?;
        // What the viewer may not set is ignored.
        match after.description.as_ref() == Some(&text) {
            true => Ok(()),
            false => Err(ActionError::Forbidden),
        }
    })
}

/// `POST /journals/:id/tasks`.
fn journal(request: &RequestContext) -> Result<Reply, Error> {
    let id: JournalId = request.id_param("id")?;
    let find_text = move |db: &Read<'_>, viewer: &Viewer| {
        let (_, journal) = journals::find(db, viewer, id)?;
        Ok(journal.notes.unwrap_or_default())
    };
    save(request, find_text, move |db, viewer, text| {
        let change = JournalChange {
            notes: Patch::Set(text),
            ..JournalChange::default()
        };
        journals::update(db, viewer, id, &change).map(drop)
    })
}

/// `POST /messages/:id/tasks`.
fn message(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let find_text =
        move |db: &Read<'_>, viewer: &Viewer| Ok(messages::find(db, viewer, id)?.message.content);
    save(request, find_text, move |db, viewer, text| {
        let change = MessageChange {
            content: Patch::Set(text),
            ..MessageChange::default()
        };
        messages::update(db, viewer, id, &change, &[])
    })
}

/// `POST /news/:id/tasks`.
fn news_item(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let find_text =
        move |db: &Read<'_>, viewer: &Viewer| Ok(news::find(db, viewer, id)?.description);
    save(request, find_text, move |db, viewer, text| {
        let change = NewsChange {
            description: Patch::Set(text),
            ..NewsChange::default()
        };
        news::update(db, viewer, id, &change, &[])
    })
}

/// `POST /documents/:id/tasks`.
fn document(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let find_text = move |db: &Read<'_>, viewer: &Viewer| {
        let document = documents::find(db, viewer, id)?;
        Ok(document.description.unwrap_or_default())
    };
    save(request, find_text, move |db, viewer, text| {
        let change = DocumentChange {
            description: Patch::Set(text),
            ..DocumentChange::default()
        };
        documents::update(db, viewer, id, &change, &[])
    })
}

/// `POST /projects/:id/wiki/:title/tasks`: a version for all boxes of the request.
fn wiki_page(request: &RequestContext) -> Result<Reply, Error> {
    let found = request.app.read(|db| match address::find(request, db)? {
        Target::Page(project, page) | Target::Moved(project, page) => {
            Ok((project.id, page.title.to_string()))
        }
        Target::Missing(_) => Err(access::missing(request)),
    });
    let (project, title) = found?;
    let saved_title = title.clone();
    let find_text = move |db: &Read<'_>, viewer: &Viewer| {
        let page = wiki::find(db, viewer, project, Some(&title))?.into_page();
        let version = wiki::find_version(db, viewer, &page, None)?;
        Ok(version.map(|version| version.text).unwrap_or_default())
    };
    save(request, find_text, move |db, viewer, text| {
        let change = WikiChange {
            text: Patch::Set(text),
            ..WikiChange::default()
        };
        wiki::save(db, viewer, project, &saved_title, &change, &[]).map(drop)
    })
}

/// Saves a text with the boxes of the request, and leads back to the page at `back_url`. The text is
/// rendered before the transaction, which only compares it.
fn save(
    request: &RequestContext,
    find_text: impl Fn(&Read<'_>, &Viewer) -> Result<String, ActionError> + Send + 'static,
    update: impl FnOnce(&mut Write<'_>, &Viewer, String) -> Result<(), ActionError> + Send + 'static,
) -> Result<Reply, Error> {
    let ticks = Ticks::from_body(request)?;
    let (shown, format) = request.app.read(|db| -> Result<_, Error> {
        let text = access::found(request, find_text(db, request.viewer()))?;
        let format = db.catalogue().setting(Setting::TextFormatting).to_owned();
        Ok((text, format))
    })?;
    let ticked = ticks.apply(&format, &shown)?;
    request.write(move |db, viewer| {
        if find_text(db, viewer)? != shown {
            return Err(changed_meanwhile());
        }
        update(db, viewer, ticked)
    })?;
    let back = typed(&request.body, "back_url").unwrap_or_default();
    let page = local_path(&back).unwrap_or("/");
    Ok(Reply::see_other(page.to_owned()))
}

fn changed_meanwhile() -> ActionError {
    let message = "has been changed meanwhile; reload the page and tick again";
    ActionError::invalid_attribute("text", "Text", message)
}

/// The boxes that a request ticks or clears.
struct Ticks {
    fingerprint: String,
    changes: Vec<(usize, bool)>,
}

impl Ticks {
    fn from_body(request: &RequestContext) -> Result<Ticks, Error> {
        let invalid = |message: &str| Error::BadRequest(message.to_owned());
        let entries = request.body.get("tasks").map_or(&[][..], Input::entries);
        let changes = entries.iter().map(|(number, value)| {
            let number = number.parse().ok();
            let number = number.ok_or_else(|| invalid("tasks must be numbered, as tasks[1]=1"))?;
            match value.as_text().as_deref() {
                Some("1") => Ok((number, true)),
                Some("0") => Ok((number, false)),
                _ => Err(invalid("the value of a box in tasks must be 1 or 0")),
            }
        });
        let changes = changes.collect::<Result<Vec<_>, Error>>()?;
        if changes.is_empty() || changes.len() > MAX_CHANGES {
            let message = format!("tasks must name 1 to {MAX_CHANGES} boxes");
            return Err(Error::BadRequest(message));
        }
        Ok(Ticks {
            fingerprint: typed(&request.body, "fingerprint").unwrap_or_default(),
            changes,
        })
    }

    /// Returns the text with the changes.
    ///
    /// # Errors
    /// `Invalid` if it is not the text that the page showed, and without such a box.
    fn apply(&self, format: &str, text: &str) -> Result<String, ActionError> {
        if fingerprint(text) != self.fingerprint {
            return Err(changed_meanwhile());
        }
        tick(text, format, &self.changes).ok_or_else(|| {
            let message = "must be numbers of check boxes of this text";
            ActionError::invalid_attribute("tasks", "Tasks", message)
        })
    }
}
