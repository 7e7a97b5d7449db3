//! Registered applications.

use crate::engine::{Row, StatementError};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::accounts::oauth::{Application, RedirectUri, Scopes};
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::ids::ApplicationId;

const COLUMNS: &str =
    "id, client_id, name, redirect_uris, scopes, secret_digest IS NOT NULL, created_on";

fn from_row(row: &Row<'_>) -> Result<Application, StatementError> {
    Ok(Application {
        id: row.next()?,
        client_id: row.next()?,
        name: row.next()?,
        redirect_uris: parse_uris(&row.next::<String>()?),
        scopes: Scopes::parse_known(&row.next::<String>()?),
        is_confidential: row.next()?,
        created_on: row.next()?,
    })
}

/// Parses stored redirect URIs, one in each line.
fn parse_uris(text: &str) -> Vec<RedirectUri> {
    text.lines()
        .filter_map(|uri| RedirectUri::parse(uri).ok())
        .collect()
}

/// Returns the application with this id.
pub fn find(db: &Read<'_>, id: ApplicationId) -> Result<Option<Application>, StoreError> {
    db.first(
        &format!("SELECT {COLUMNS} FROM oauth_applications WHERE id = ?1"),
        &[id.into()],
        from_row,
    )
}

/// Returns the application with this client id.
pub fn find_by_client_id(
    db: &Read<'_>,
    client_id: &str,
) -> Result<Option<Application>, StoreError> {
    db.first(
        &format!("SELECT {COLUMNS} FROM oauth_applications WHERE client_id = ?1"),
        &[client_id.into()],
        from_row,
    )
}

/// Returns the digest of the secret; `None` for a public application.
pub fn secret_digest(db: &Read<'_>, id: ApplicationId) -> Result<Option<String>, StoreError> {
    let digest = db.first(
        "SELECT secret_digest FROM oauth_applications WHERE id = ?1",
        &[id.into()],
        |row| row.next(),
    )?;
    Ok(digest.flatten())
}

/// Returns all applications, sorted by name.
pub fn list(db: &Read<'_>) -> Result<Vec<Application>, StoreError> {
    db.rows(
        &format!("SELECT {COLUMNS} FROM oauth_applications ORDER BY lower(name), id"),
        &[],
        from_row,
    )
}

/// Returns the number of applications.
pub fn count(db: &Read<'_>) -> Result<i64, StoreError> {
    Ok(db
        .first("SELECT COUNT(*) FROM oauth_applications", &[], |row| {
            row.next()
        })?
        .unwrap_or(0))
}

/// The columns that an update writes.
fn columns(application: &Application) -> ColumnValues {
    let uris: Vec<String> = application
        .redirect_uris
        .iter()
        .map(RedirectUri::to_string)
        .collect();
    ColumnValues::new()
        .set("name", &application.name)
        .set("redirect_uris", uris.join("\n"))
        .set("scopes", application.scopes.to_string())
}

/// Inserts an application, with the digest of its secret if it is confidential; its `id` is
/// ignored.
pub fn insert(
    db: &mut Write<'_>,
    application: &Application,
    secret_digest: Option<&str>,
) -> Result<ApplicationId, StoreError> {
    let columns = columns(application)
        .set("client_id", &application.client_id)
        .set("secret_digest", secret_digest)
        .set("created_on", application.created_on);
    let id = db.insert_record("oauth_applications", columns)?;
    audit(db, id, "created", None, Some(application));
    Ok(id)
}

/// Records a change of an application with the values that differ.
fn audit(
    db: &mut Write<'_>,
    id: ApplicationId,
    change: &'static str,
    before: Option<&Application>,
    after: Option<&Application>,
) {
    let describe = |application: &Application| {
        let uris = application.redirect_uris.iter().map(RedirectUri::to_string);
        [
            application.name.clone(),
            uris.collect::<Vec<_>>().join(" "),
            application.scopes.to_string(),
        ]
    };
    let texts = |application: Option<&Application>, index: usize| {
        application.map(|application| describe(application)[index].clone())
    };
    let mut event = AuditEvent::new(RecordType::OauthApplication, id, change).unlogged();
    for (index, field) in ["name", "redirect URIs", "scopes"].into_iter().enumerate() {
        let old = texts(before, index);
        let new = texts(after, index);
        if old != new {
            event = event.with_change(field, old, new);
        }
    }
    if let Some(application) = after.or(before) {
        event = event.with_name(&application.name);
    }
    db.audit(event);
}

/// Updates name, redirect URIs and scopes.
pub fn update(db: &mut Write<'_>, application: &Application) -> Result<(), StoreError> {
    let before = find(db, application.id)?;
    audit(
        db,
        application.id,
        "updated",
        before.as_ref(),
        Some(application),
    );
    db.update_record("oauth_applications", application.id, columns(application))
        .map(drop)
}

/// Replaces the digest of the secret.
pub fn set_secret_digest(
    db: &mut Write<'_>,
    id: ApplicationId,
    digest: &str,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE oauth_applications SET secret_digest = ?2 WHERE id = ?1",
        &[id.into(), digest.into()],
    )?;
    let application = find(db, id)?;
    audit(
        db,
        id,
        "new secret",
        application.as_ref(),
        application.as_ref(),
    );
    Ok(())
}

/// Deletes an application with all its grants and tokens.
pub fn delete(db: &mut Write<'_>, id: ApplicationId) -> Result<(), StoreError> {
    let before = find(db, id)?;
    audit(db, id, "deleted", before.as_ref(), None);
    db.execute("DELETE FROM oauth_applications WHERE id = ?1", &[id.into()])?;
    Ok(())
}
