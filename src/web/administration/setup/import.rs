//! `/setup/import`: imports a Redmine into a new installation, by the same code as
//! `quarry import redmine`.
//!
//! Invariant: only who has the code of the set-up starts an import, and only the browser that
//! started it sees how it goes.

pub mod upload;

use crate::components::form_field::{FieldKind, FormField};
use crate::components::form_page::FormPage;
use crate::form::{delay_message, field};
use crate::frame::cookies;
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::administration::install;
use quarry_app::App;
use quarry_app::import_state::{COOKIE, ImportPhase, ImportSource, ImportState};
use quarry_domain::validation::ValidationError;
use quarry_domain::values::text::capitalize;
use quarry_http::SecretCheck;
use quarry_import::{Options, Progress, Report};
use quarry_store::administration::nodes;
use quarry_store::{StoreError, imported};
use std::sync::Arc;
use std::thread::Builder;

const PATH: &str = "/setup/import";
const PROGRESS: &str = "/setup/import/progress";
const UPLOAD: &str = "/setup/import/upload";
/// Time in seconds in which the browser sees the import.
const COOKIE_SECONDS: u32 = 24 * 3600;
/// Maximum number of problems on the page; the command writes a report of all.
const MAX_PROBLEMS: usize = 50;
/// Maximum number of characters of an address or path.
const MAX_LENGTH: usize = 1000;

const DATABASE_HINT: &str = "Such as mysql://user@host/redmine, postgres://user@host/redmine or sqlite:///var/redmine.sqlite3. The service reads it, and writes nothing there. Empty: an SQLite file is uploaded on the next page.";
const FILES_HINT: &str = "The folder of Redmine's files on this machine. Empty: without the contents of files; they can be imported later.";
const TAKEN: &str = "Another node imports already, or the installation is set up.";
const WRONG_CODE: &str = "is not the code that the service printed when it last started";

/// `GET /setup/import`: the form.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if !request.app.setup.is_pending(db.catalogue()) {
        return Ok(Reply::redirect("/".to_owned()));
    }
    page(request, db, ValidationErrors::new())
}

/// `POST /setup/import`: checks the database, which writes nothing.
pub fn check(request: &RequestContext) -> Result<Reply, Error> {
    if !request.app.needs_setup()? {
        return Ok(Reply::see_other("/".to_owned()));
    }
    let again = |error: ValidationError, status| {
        let reply = request.app.read(|db| page(request, db, error.into()))?;
        Ok(reply.with_status(status))
    };
    let invalid = StatusCode::UNPROCESSABLE_ENTITY;
    if request.require_login_csrf().is_err() {
        let message = "Send the form once more. The browser must accept cookies.";
        return again(ValidationError::for_record(message), invalid);
    }
    let code = field(request, "code");
    let app = &request.app;
    let checked = request.check_secret(|permit| {
        Ok(app
            .setup
            .accepts(permit, app.store.secrets(), &code)
            .then_some(()))
    })?;
    match checked {
        SecretCheck::Right(()) => {}
        SecretCheck::Delayed(seconds) => {
            let error = ValidationError::for_record(delay_message(seconds));
            return again(error, StatusCode::TOO_MANY_REQUESTS);
        }
        SecretCheck::Missing => {
            return again(
                ValidationError::new("code", "Code", "cannot be blank"),
                invalid,
            );
        }
        SecretCheck::Wrong => {
            tracing::warn!(target: "audit", { client.address = %request.address() }, "a code for the set-up was wrong");
            return again(ValidationError::new("code", "Code", WRONG_CODE), invalid);
        }
    }
    let text = |name| -> String {
        field(request, name)
            .trim()
            .chars()
            .take(MAX_LENGTH)
            .collect()
    };
    let files = Some(text("files")).filter(|path| !path.is_empty());
    if files
        .as_ref()
        .is_some_and(|path| !std::path::Path::new(path).is_dir())
    {
        let error = ValidationError::new("files", "Files", "is not a folder on this machine");
        return again(error, invalid);
    }
    let source = ImportSource {
        database: text("database"),
        password: Some(field(request, "database_password")).filter(|text| !text.is_empty()),
        files: files.map(Into::into),
        upload: None,
    };
    let token = random_token(app);
    let is_upload = source.database.is_empty();
    let is_started = if is_upload {
        app.import.await_upload(source, &token)
    } else {
        app.import.start(source, true, &token)
    };
    if !is_started {
        let error = ValidationError::for_record("An import is running already.");
        return again(error, StatusCode::CONFLICT);
    }
    let cookie = cookies::set(request, COOKIE, &token, COOKIE_SECONDS);
    let next = if is_upload {
        UPLOAD
    } else {
        spawn(app)?;
        PROGRESS
    };
    Ok(Reply::see_other(next.to_owned()).with_cookie(cookie))
}

fn random_token(app: &App) -> String {
    let mut bytes = [0u8; 32];
    app.entropy.fill(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `POST /setup/import/progress`: imports what the check has read.
pub fn start(request: &RequestContext) -> Result<Reply, Error> {
    let app = &request.app;
    let import = app.import.get();
    if !is_own(request, &import.token) || request.require_login_csrf().is_err() {
        return Err(Error::Forbidden);
    }
    let may_start = match import.phase {
        ImportPhase::Finished { .. } => import.is_check && app.needs_setup()?,
        // What was imported until then stays, and the next run continues from there.
        ImportPhase::Failed(_) => !import.is_check && app.needs_setup()?,
        _ => false,
    };
    if may_start && app.import.start(import.source, false, &import.token) {
        // Before the first row, so that nobody else sets the installation up meanwhile, on any node.
        match claim(app) {
            Ok(true) => spawn(app)?,
            Ok(false) => app.import.set_phase(ImportPhase::Failed(TAKEN.to_owned())),
            Err(error) => {
                app.import
                    .set_phase(ImportPhase::Failed(format!("{error}.")));
                return Err(error.into());
            }
        }
    }
    Ok(Reply::see_other(PROGRESS.to_owned()))
}

/// Notes in the store that this node imports. Returns `false` when another node does, or the
/// installation has users.
fn claim(app: &App) -> Result<bool, StoreError> {
    let id = app.node.id.clone();
    let is_claimed = app.store.write(move |db| -> Result<bool, StoreError> {
        let catalogue = db.catalogue();
        if !catalogue.users.is_empty() && !catalogue.is_importing {
            return Ok(false);
        }
        if !nodes::start_import(db, &id)? {
            return Ok(false);
        }
        imported::set_incomplete(db, true)?;
        Ok(true)
    })?;
    app.node.set_importing(is_claimed);
    Ok(is_claimed)
}

/// `POST /setup/import/cancel`: stops the check or the import.
pub fn cancel(request: &RequestContext) -> Result<Reply, Error> {
    let import = request.app.import.get();
    if !is_own(request, &import.token) || request.require_login_csrf().is_err() {
        return Err(Error::Forbidden);
    }
    request.app.import.cancel();
    Ok(Reply::see_other(PROGRESS.to_owned()))
}

/// Whether this browser has started the import.
fn is_own(request: &RequestContext, token: &str) -> bool {
    !token.is_empty() && request.cookie(COOKIE) == Some(token)
}

/// Runs the import in a thread of its own: it may take hours.
fn spawn(app: &Arc<App>) -> Result<(), Error> {
    let app = Arc::clone(app);
    let thread = Builder::new().name("import".to_owned());
    let spawned = thread.spawn(move || {
        let import = app.import.get();
        let is_check = import.is_check;
        let options = Options {
            database: &import.source.database,
            password: import.source.password.as_deref(),
            files: import.source.files.as_deref(),
            dry_run: is_check,
            expects_no_users: true,
        };
        let outcome = quarry_import::run(&app.store, &options, &mut ShownProgress(&app.import));
        // An uploaded database is deleted before the end is shown.
        drop(import);
        if !is_check {
            end(&app, outcome.is_ok());
        }
        app.import.set_phase(match outcome {
            Ok(report) => finished(&report),
            Err(error) => ImportPhase::Failed(format!("{}.", capitalize(&error.to_string()))),
        });
    });
    spawned
        .map(drop)
        .map_err(|error| Error::Internal(error.to_string()))
}

/// Ends the time in which nobody may write. After a failure it lasts, so that nobody takes the ids of
/// what is missing, unless nothing was imported: then the installation is new again.
fn end(app: &App, is_complete: bool) {
    app.node.set_importing(false);
    let id = app.node.id.clone();
    let outcome = app.store.write(move |db| -> Result<(), ActionError> {
        nodes::set_importing(db, &id, false)?;
        if is_complete || imported::has_any(db)? {
            return Ok(());
        }
        if db.catalogue().users.is_empty() {
            install::default_data(db)?;
        }
        Ok(imported::set_incomplete(db, false)?)
    });
    if let Err(error) = outcome {
        tracing::error!(error = %error, "the import could not be ended");
    }
}

/// Shows the progress on the page.
struct ShownProgress<'s>(&'s ImportState);

impl Progress for ShownProgress<'_> {
    fn start(&mut self, label: &str, rows: u64) {
        self.0.start_step(label, rows);
    }

    fn advance(&mut self, rows: u64) {
        self.0.advance(rows);
    }

    fn finish(&mut self) {}

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

fn finished(report: &Report) -> ImportPhase {
    let tables = report.tables.iter();
    let tables = tables.map(|(table, counts)| {
        let imported = counts.taken + counts.unchanged + counts.updated;
        (table.clone(), imported, counts.broken + counts.kept)
    });
    let mut notes = report.notes.clone();
    if let Some(files) = report.files {
        notes.push(format!(
            "{} files copied, {} not found, {} different from what was recorded",
            files.copied, files.missing, files.mismatched
        ));
    }
    let problems = report.problems.iter().take(MAX_PROBLEMS);
    notes.extend(problems.map(|problem| {
        format!(
            "{} {}: {}, {}",
            problem.table, problem.id, problem.outcome, problem.reason
        )
    }));
    let left = report.left.iter().filter(|left| left.rows > 0);
    notes.extend(left.map(|left| {
        format!(
            "{}: {} rows left out; {}",
            left.what, left.rows, left.reason
        )
    }));
    ImportPhase::Finished {
        tables: tables
            .filter(|(_, rows, broken)| rows + broken > 0)
            .collect(),
        notes,
    }
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    let (csrf_token, cookie) = request.login_csrf();
    let mut frame = Frame::new(request, db, "Import from Redmine")
        .with_width(Width::Narrow)
        .without_search();
    frame.csrf_token = Some(csrf_token);
    frame.links.clear();
    let code = match field(request, "code") {
        code if code.is_empty() => request.query_param("code").unwrap_or_default().into_owned(),
        code => code,
    };
    let code: String = code.chars().take(100).collect();
    let fields = vec![
        FormField::new(FieldKind::Line, "code", "Code", code)
            .required()
            .with_hint("The service printed it to its terminal or log when it started."),
        FormField::new(
            FieldKind::Line,
            "database",
            "Database of the Redmine",
            field(request, "database"),
        )
        .with_hint(DATABASE_HINT),
        FormField::new(
            FieldKind::Password,
            "database_password",
            "Password of the database",
            "",
        )
        .with_hint("Only if the address does not contain it."),
        FormField::new(FieldKind::Line, "files", "Files", field(request, "files"))
            .with_hint(FILES_HINT),
    ];
    let reply = FormPage::new(frame, PATH, fields)
        .with_paragraph("Users, projects, issues, wiki pages, files and everything else are imported with their ids, users with their passwords. First, a check shows what would be imported; it writes nothing.")
        .with_submit("Check")
        .with_cancel("/setup")
        .with_errors(errors)
        .render()?;
    Ok(match cookie {
        Some(cookie) => reply.with_cookie(cookie),
        None => reply,
    })
}

#[derive(Template)]
#[template(path = "administration/setup/import.html")]
struct ProgressPage {
    frame: Frame,
    is_check: bool,
    phase: ImportPhase,
}

impl ProgressPage {
    /// Returns how many per cent of a step are done.
    fn percent(done: &u64, total: &u64) -> i64 {
        let percent = done.saturating_mul(100) / (*total).max(1);
        i64::try_from(percent.min(100)).unwrap_or(100)
    }
}

/// `GET /setup/import/progress`: how far the import has come, then its report.
pub fn progress(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let import = request.app.import.get();
    if !is_own(request, &import.token) {
        return Ok(Reply::redirect("/setup".to_owned()));
    }
    if matches!(import.phase, ImportPhase::AwaitingUpload) {
        return Ok(Reply::redirect(UPLOAD.to_owned()));
    }
    let (csrf_token, _) = request.login_csrf();
    let title = if import.is_check { "Check" } else { "Import" };
    let mut frame = Frame::new(request, db, title)
        .with_width(Width::Narrow)
        .without_search();
    frame.csrf_token = Some(csrf_token);
    frame.links.clear();
    let page = ProgressPage {
        frame,
        is_check: import.is_check,
        phase: import.phase,
    };
    render(&page.frame, &page)
}
