//! `/projects/:id/issues/board/limits`: how many issues the columns of the project's boards should
//! have at most.

use super::columns::{COLUMNS, column_field, label, values};
use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_page::FormPage;
use crate::form::save;
use crate::frame::{Frame, ProjectTab};
use crate::prelude::*;
use quarry_actions::issues::board_limits as actions;
use quarry_domain::query::board::BoardField;
use quarry_store::issues::board_limits::{self, BoardLimits};

const OBJECT: &str = "board";

/// Returns the address of the form.
pub fn limits_path(project: &Project, field: BoardField) -> String {
    format!(
        "{}/issues/board/limits?{COLUMNS}={}",
        paths::project(project),
        field.name()
    )
}

fn board_path(project: &Project, field: BoardField) -> String {
    let path = paths::project(project);
    format!("{path}/issues/board?{COLUMNS}={}", field.name())
}

/// `GET`: the form.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &request.query, ValidationErrors::new())
}

/// `POST`: saves the limits.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let catalogue = request.app.store.catalogue()?;
    let project = access::managed_project(request, &catalogue, Permission::EditProject)?;
    let field = column_field(request)?;
    let id = project.id;
    save(
        request,
        || {
            let mut body = BodyFields::from_body(request, OBJECT)?;
            let mut limits = BoardLimits::new();
            for value in values(&catalogue, Some(project), field, &[]) {
                let attribute = actions::attribute(value);
                let name = label(&catalogue, field, value);
                if let Some(limit) = body.integer(&attribute, &name).value() {
                    limits.insert(value, *limit);
                }
            }
            body.check()?;
            request.write(move |db, viewer| actions::replace(db, viewer, id, field, &limits))
        },
        |()| {
            let path = board_path(project, field);
            Ok((path, "The limits were saved.".to_owned()))
        },
        |db, errors| page(request, db, &request.body, errors),
    )
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    sent: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = access::managed_project(request, catalogue, Permission::EditProject)?;
    let field = column_field(request)?;
    let limits = board_limits::find(db, project.id, field)?;
    let builder = FieldBuilder::new(OBJECT, sent);
    let fields = values(catalogue, Some(project), field, &[])
        .into_iter()
        .take(actions::MAX_LIMITED_COLUMNS)
        .map(|value| {
            let name = label(catalogue, field, value);
            let limit = limits.get(&value).copied();
            builder.integer(&actions::attribute(value), &name, limit)
        })
        .collect();
    let title = format!(
        "Limit columns by {} · {}",
        field.label().to_lowercase(),
        project.name
    );
    let frame = Frame::new(request, db, title).in_project(
        db,
        request.viewer(),
        project,
        Some(ProjectTab::Issues),
    );
    FormPage::new(frame, limits_path(project, field), fields)
        .with_heading("Limit columns")
        .with_paragraph("How many issues may be in a column at once, so that work in progress is finished before more is begun (a WIP limit). A column with more is marked; nothing is blocked. Leave a field empty for no limit.")
        .with_cancel(board_path(project, field))
        .with_errors(errors)
        .render()
}
