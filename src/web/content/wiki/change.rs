//! The forms that rename, move and protect a wiki page.

use super::address::{self, Target, name, path, require, typed_name};
use super::tree::{self, PageField};
use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{Choice, FieldKind, FormField, choice, typed};
use crate::components::form_page::FormPage;
use crate::form::form_merge::merge;
use crate::form::save;
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::content::wiki as actions;
use quarry_domain::content::wiki::{WikiChange, WikiPage, is_protected_by_name};
use quarry_domain::values::patch::Patch;
use quarry_http::resources::fields;
use quarry_store::content::wiki;

/// Maximum number of projects to choose from.
const MAX_PROJECTS: usize = 500;

const ALWAYS_PROTECTED: &str = "This page is always protected.";

/// `GET …/wiki/:title/rename`: the form.
pub fn rename_form(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    form(
        request,
        db,
        Permission::RenameWikiPages,
        "rename",
        |project, page| rename_page(request, db, project, page),
    )
}

/// `POST …/wiki/:title/rename`: renames the page, or moves it below another one or to another
/// project. What the form has not changed stays as somebody else may have saved it meanwhile.
pub fn rename(request: &RequestContext) -> Result<Reply, Error> {
    let (page, merged) = request.app.read(|db| -> Result<_, Error> {
        let page = page_of_form(request, db, Permission::RenameWikiPages)?;
        let saved = rename_fields(request, db, &page, &Input::Null)?;
        Ok((page, merge(&request.body, &saved)))
    })?;
    let form_again = |db: &Read<'_>| {
        let project = address::project(db, page.project)?;
        rename_page(request, db, project, &page)
    };
    if !merged.conflicts.is_empty() {
        let reply = request
            .app
            .read(|db| form_again(db)?.with_conflicts(&merged.conflicts).render())?;
        return Ok(reply.with_status(StatusCode::CONFLICT));
    }
    save(
        request,
        || save_rename(request, &page, &merged.form),
        |after| {
            let message = if after.project != page.project {
                "The page was moved."
            } else if after.title != page.title {
                "The page was renamed."
            } else {
                "The page was saved."
            };
            Ok((path_of(request, &after)?, message.to_owned()))
        },
        |db, errors| form_again(db)?.with_errors(errors).render(),
    )
}

fn save_rename(request: &RequestContext, page: &WikiPage, form: &Input) -> Result<WikiPage, Error> {
    let change = fields::wiki_page::parse(form)?;
    let id = page.project;
    let title = page.title.clone();
    let target = match typed(form, "project_id").filter(|text| !text.is_empty()) {
        Some(text) => ProjectId(text.parse().unwrap_or(0)),
        None => id,
    };
    if target == id {
        if !change.title.is_present() && !change.parent.is_present() {
            return Ok(page.clone());
        }
        return request.write_in_project(id, move |db, viewer| {
            actions::rename(db, viewer, id, &title, &change)
        });
    }
    if !actions::may_receive(request.viewer(), target) {
        let message = "is invalid (you may not move pages to the wiki of this project)";
        return Err(Error::invalid_attribute("project_id", "Project", message));
    }
    let change = WikiChange {
        parent: Patch::Unset,
        ..change
    };
    request.write_in_project(target, move |db, viewer| {
        actions::transfer(db, viewer, id, &title, target, &change)
    })
}

fn rename_page(
    request: &RequestContext,
    db: &Read<'_>,
    project: &Project,
    page: &WikiPage,
) -> Result<FormPage, Error> {
    let page_path = path(project, &page.title);
    let frame = address::frame(
        request,
        db,
        project,
        format!("Rename or move {}", name(&page.title)),
    );
    let rename = FormPage::new(
        frame.below(name(&page.title), &page_path),
        format!("{page_path}/rename"),
        rename_fields(request, db, page, &request.body)?,
    )
    .with_original(&rename_fields(request, db, page, &Input::Null)?)
    .with_cancel(page_path);
    Ok(match wiki::subtree(db, page.id)?.len() {
        0 | 1 => rename,
        count => rename.with_paragraph(format!(
            "The pages below it move along: {}.",
            count.saturating_sub(1)
        )),
    })
}

/// Returns the fields, with what was sent, or with what is saved.
fn rename_fields(
    request: &RequestContext,
    db: &Read<'_>,
    page: &WikiPage,
    sent: &Input,
) -> Result<Vec<FormField>, Error> {
    let form = FieldBuilder::new("wiki_page", sent);
    let subtree = wiki::subtree(db, page.id)?;
    let title = form
        .line("title", "Title", typed_name(&page.title))
        .required()
        .focused();
    let redirect = form
        .switch("redirect_existing_links", "Keep old links working", true)
        .with_hint("The old title leads to the page.");
    let parent = PageField {
        attribute: "parent_title",
        label: "Parent page",
        stored: page.parent_title.as_deref().unwrap_or_default(),
        excluded: &subtree,
    };
    let parent = tree::field(db, form, Some(page.wiki), &parent)?;
    let mut fields = vec![title, redirect, parent];
    fields.extend(project_field(request, db, page, sent));
    Ok(fields)
}

/// Returns the field of the project, if there is another one to which the viewer may move pages.
fn project_field(
    request: &RequestContext,
    db: &Read<'_>,
    page: &WikiPage,
    sent: &Input,
) -> Option<FormField> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let choices: Vec<Choice> = catalogue
        .tree
        .iter()
        .filter(|id| **id == page.project || actions::may_receive(viewer, **id))
        .take(MAX_PROJECTS)
        .map(|id| choice(id, catalogue.project_name(*id)))
        .collect();
    (choices.len() > 1).then(|| {
        FieldBuilder::without_object(sent)
            .select("project_id", "Project", page.project, choices)
            .with_hint("In the wiki of another project, the page has no parent.")
    })
}

/// `GET …/wiki/:title/protect`: asks whether to protect the page, or to remove the protection.
pub fn confirm_protection(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    form(
        request,
        db,
        Permission::ProtectWikiPages,
        "protect",
        |project, page| Ok(protection_page(request, db, project, page)),
    )
}

/// `POST …/wiki/:title/protect`: sets whether the page is protected.
pub fn protect(request: &RequestContext) -> Result<Reply, Error> {
    let page = request
        .app
        .read(|db| page_of_form(request, db, Permission::ProtectWikiPages))?;
    let id = page.project;
    let title = page.title.clone();
    let is_protected = typed(&request.body, "wiki_page[protected]").as_deref() == Some("1");
    save(
        request,
        || {
            request.write_in_project(id, move |db, viewer| {
                actions::protect(db, viewer, id, &title, is_protected)
            })
        },
        |after| {
            let message = if is_protected {
                "The page is protected now."
            } else {
                "The page is not protected any more."
            };
            Ok((path_of(request, &after)?, message.to_owned()))
        },
        |db, errors| {
            let project = address::project(db, id)?;
            protection_page(request, db, project, &page)
                .with_errors(errors)
                .render()
        },
    )
}

fn protection_page(
    request: &RequestContext,
    db: &Read<'_>,
    project: &Project,
    page: &WikiPage,
) -> FormPage {
    let page_path = path(project, &page.title);
    let title = name(&page.title);
    let (heading, paragraph, submit) = if page.protected {
        (
            format!("Remove the protection of {title}?"),
            "Everybody who may edit wiki pages can then change it.",
            "Remove the protection",
        )
    } else {
        (
            format!("Protect {title}?"),
            "Only users who may protect pages can then change it.",
            "Protect",
        )
    };
    let value = if page.protected { "0" } else { "1" };
    let field = FormField::new(FieldKind::Hidden, "wiki_page[protected]", "", value);
    let frame = address::frame(request, db, project, heading).below(title, &page_path);
    let form =
        FormPage::new(frame, format!("{page_path}/protect"), vec![field]).with_cancel(page_path);
    if is_protected_by_name(&page.title) {
        return form.with_refusal(ALWAYS_PROTECTED);
    }
    form.with_paragraph(paragraph).with_submit(submit)
}

/// Shows a form of the page in the path, for those who may send it. A former title redirects to the
/// same form.
pub fn form(
    request: &RequestContext,
    db: &Read<'_>,
    permission: Permission,
    below: &str,
    page: impl FnOnce(&Project, &WikiPage) -> Result<FormPage, Error>,
) -> Result<Reply, Error> {
    match address::find(request, db)? {
        Target::Page(project, found) => {
            require(request, permission, &found)?;
            page(project, &found)?.render()
        }
        Target::Moved(project, found) => {
            let below = format!("/{below}");
            Ok(address::redirect(request, project, &found, &below))
        }
        Target::Missing(_) => Err(access::missing(request)),
    }
}

/// Returns the page to whose address, or former address, a form was sent. Fails if the viewer may
/// not do this with it.
pub fn page_of_form(
    request: &RequestContext,
    db: &Read<'_>,
    permission: Permission,
) -> Result<WikiPage, Error> {
    match address::find(request, db)? {
        Target::Page(_, page) | Target::Moved(_, page) => {
            require(request, permission, &page)?;
            Ok(*page)
        }
        Target::Missing(_) => Err(access::missing(request)),
    }
}

/// Returns the address of a page.
fn path_of(request: &RequestContext, page: &WikiPage) -> Result<String, Error> {
    let below = format!("/wiki/{}", paths::encode(&page.title));
    let catalogue = request.app.store.catalogue()?;
    Ok(paths::below_project(&catalogue, page.project, &below))
}
