//! `GET` and `POST …/wiki/:title/delete`: deletes a wiki page.

use super::address::{self, name, path};
use super::change::{form, page_of_form};
use super::tree::{self, PageField};
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{FieldKind, FormField, choice, typed};
use crate::components::form_page::FormPage;
use crate::form::save;
use crate::prelude::*;
use quarry_actions::content::wiki as actions;
use quarry_actions::content::wiki::Children;
use quarry_domain::content::wiki::WikiPage;
use quarry_domain::ids::WikiPageId;
use quarry_store::content::wiki;
use twox_hash::XxHash3_64;

const NULLIFY: &str = "nullify";
const DESTROY: &str = "destroy";
const REASSIGN: &str = "reassign";

/// The field with the fingerprint of the pages that were shown.
const SHOWN: &str = "shown";
const MORE_BELOW: &str = "Pages below this one have been added or removed meanwhile. Nothing is deleted yet: check how many there are";

fn fingerprint(pages: &[WikiPage]) -> String {
    let mut ids: Vec<i64> = pages.iter().map(|page| page.id.0).collect();
    ids.sort_unstable();
    format!(
        "{:016x}",
        XxHash3_64::oneshot(format!("{ids:?}").as_bytes())
    )
}

/// `GET`: asks for confirmation, and what becomes of the pages below.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    form(
        request,
        db,
        Permission::DeleteWikiPages,
        "delete",
        |project, page| confirmation(request, db, project, page),
    )
}

/// `POST`: deletes the page.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let page = request
        .app
        .read(|db| page_of_form(request, db, Permission::DeleteWikiPages))?;
    let id = page.project;
    let title = page.title.clone();
    save(
        request,
        || {
            let children = request.app.read(|db| children(request, db, &page))?;
            let is_more = request.app.read(|db| -> Result<_, Error> {
                let shown = typed(&request.body, SHOWN).unwrap_or_default();
                Ok(shown != fingerprint(&wiki::subtree(db, page.id)?))
            })?;
            if is_more && matches!(children, Children::Destroy) {
                return Err(Error::Conflict(MORE_BELOW.to_owned()));
            }
            request.write_in_project(id, move |db, viewer| {
                actions::delete(db, viewer, id, &title, children)
            })
        },
        |()| {
            let catalogue = request.app.store.catalogue()?;
            let path = paths::below_project(&catalogue, id, "/wiki/index");
            Ok((path, "The page was deleted.".to_owned()))
        },
        |db, errors| {
            let project = address::project(db, id)?;
            confirmation(request, db, project, &page)?
                .with_errors(errors)
                .render()
        },
    )
}

/// Parses what becomes of the pages below.
fn children(request: &RequestContext, db: &Read<'_>, page: &WikiPage) -> Result<Children, Error> {
    let todo = typed(&request.body, "todo").unwrap_or_default();
    match todo.as_str() {
        "" | NULLIFY => Ok(Children::Nullify),
        DESTROY => Ok(Children::Destroy),
        REASSIGN => {
            let title = typed(&request.body, "reassign_to").unwrap_or_default();
            let parent = wiki::find(db, page.wiki, &title)?;
            let subtree = wiki::subtree(db, page.id)?;
            let parent: Option<WikiPageId> = parent
                .map(|parent| parent.id)
                .filter(|id| subtree.iter().all(|below| below.id != *id));
            parent.map(Children::Reassign).ok_or_else(|| {
                let message = "is invalid (choose a page that is not below this one)";
                Error::invalid_attribute("reassign_to", "New parent page", message)
            })
        }
        _ => Err(Error::invalid_attribute(
            "todo",
            "Pages below it",
            "is not included in the list",
        )),
    }
}

fn confirmation(
    request: &RequestContext,
    db: &Read<'_>,
    project: &Project,
    page: &WikiPage,
) -> Result<FormPage, Error> {
    let page_path = path(project, &page.title);
    let title = name(&page.title);
    let subtree = wiki::subtree(db, page.id)?;
    let frame =
        address::frame(request, db, project, format!("Delete {title}")).below(&title, &page_path);
    let confirmation = FormPage::confirmation(frame, format!("{page_path}/delete"), "Delete")
        .with_heading(format!("Delete the page {title}?"))
        .with_paragraph("All its versions and files are deleted with it. This cannot be undone.")
        .with_cancel(page_path);
    if subtree.len() < 2 {
        return Ok(confirmation);
    }
    let form = FieldBuilder::without_object(&request.body);
    let label = format!("Pages below it: {}", subtree.len().saturating_sub(1));
    let choices = [
        choice(NULLIFY, "Keep them, without a parent"),
        choice(REASSIGN, "Keep them, below another page"),
        choice(DESTROY, "Delete them, too"),
    ];
    let todo = form
        .field(FieldKind::Radios, "todo", &label, NULLIFY)
        .with_choices(choices);
    let parent = PageField {
        attribute: "reassign_to",
        label: "New parent page",
        stored: page.parent_title.as_deref().unwrap_or_default(),
        excluded: &subtree,
    };
    let parent = tree::field(db, form, Some(page.wiki), &parent)?;
    let shown = FormField::new(FieldKind::Hidden, SHOWN, "", fingerprint(&subtree));
    Ok(confirmation.with_fields([shown, todo, parent]))
}
