//! `/setup/import/upload`: takes the database of a Redmine as an SQLite file.
//!
//! Invariant: a file is stored only for the browser that has sent the code of the set-up.

use super::{PROGRESS, is_own, spawn};
use crate::components::form_field::{FieldKind, FormField};
use crate::components::form_page::FormPage;
use crate::form::show_again;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_app::import_state::{ImportPhase, ImportSource};
use quarry_domain::validation::ValidationError;
use std::sync::Arc;

const PATH: &str = "/setup/import/upload";
/// The first bytes of an SQLite file.
const SQLITE: &[u8; 16] = b"SQLite format 3\0";

/// `GET /setup/import/upload`: the form.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if !is_awaited(request)? {
        return Ok(Reply::redirect("/setup/import".to_owned()));
    }
    page(request, db, ValidationErrors::new())
}

/// `POST /setup/import/upload`: takes the file, and checks what would be imported.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    if !is_awaited(request)? || request.require_login_csrf().is_err() {
        return Err(Error::Forbidden);
    }
    let (files, errors) = request.take_files();
    let invalid = |message: &str| {
        let error = ValidationError::new("file", "SQLite file", message);
        show_again(request, |db| page(request, db, error.into()))
    };
    if let Some(message) = errors.first() {
        return invalid(message);
    }
    let Some(file) = files.into_iter().next() else {
        return invalid("is missing: choose one");
    };
    let kept = file.content.keep()?;
    if !has_sqlite_header(kept.path()) {
        return invalid("is not an SQLite database");
    }
    let app = &request.app;
    let import = app.import.get();
    let source = ImportSource {
        database: format!("sqlite:{}", kept.path().display()),
        upload: Some(Arc::new(kept)),
        ..import.source
    };
    if app.import.start(source, true, &import.token) {
        spawn(app)?;
    }
    Ok(Reply::see_other(PROGRESS.to_owned()))
}

/// Whether this browser shall upload a file.
fn is_awaited(request: &RequestContext) -> Result<bool, Error> {
    let import = request.app.import.get();
    Ok(request.app.needs_setup()?
        && is_own(request, &import.token)
        && matches!(import.phase, ImportPhase::AwaitingUpload))
}

fn has_sqlite_header(path: &std::path::Path) -> bool {
    use std::io::Read;
    let mut header = [0; SQLITE.len()];
    let file = std::fs::File::open(path);
    file.and_then(|mut file| file.read_exact(&mut header))
        .is_ok_and(|()| header == *SQLITE)
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    let (csrf_token, _) = request.login_csrf();
    let mut frame = Frame::new(request, db, "Upload the database")
        .with_width(Width::Narrow)
        .without_search();
    frame.csrf_token = Some(csrf_token);
    frame.links.clear();
    let file = FormField::new(FieldKind::File, "file", "SQLite file", "")
        .required()
        .with_hint(
            "Stop the Redmine first, so that the file is complete. It is deleted after the import.",
        );
    FormPage::new(frame, PATH, vec![file])
        .with_submit("Upload and check")
        .with_cancel("/setup/import")
        .with_errors(errors)
        .render()
}
