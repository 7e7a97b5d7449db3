//! Registered applications.

use super::parse_scopes;
use crate::domain::ids::ApplicationId;
use crate::domain::oauth::{Application, RedirectUri};
use crate::store::engine::{Row, StatementError};
use crate::store::{Read, StoreError, Write};

const COLUMNS: &str =
    "id, client_id, secret_digest IS NOT NULL, name, redirect_uris, scopes, created_on";

fn application(row: &Row<'_>) -> Result<Application, StatementError> {
    let redirect_uris: String = row.get(4)?;
    let stored_scopes: String = row.get(5)?;
    Ok(Application {
        id: row.get(0)?,
        client_id: row.get(1)?,
        is_confidential: row.get(2)?,
        name: row.get(3)?,
        redirect_uris: redirect_uris
            .lines()
            .filter_map(|uri| RedirectUri::parse(uri).ok())
            .collect(),
        scopes: parse_scopes(&stored_scopes),
        created_on: row.get(6)?,
    })
}

/// Returns the application with this id.
pub fn find(db: &Read<'_>, id: ApplicationId) -> Result<Option<Application>, StoreError> {
    db.first(
        &format!("SELECT {COLUMNS} FROM oauth_applications WHERE id = ?1"),
        &[id.into()],
        application,
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
        application,
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
        application,
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

/// Inserts an application, with the digest of its secret if it is confidential; its `id` is
/// ignored.
pub fn insert(
    db: &mut Write<'_>,
    application: &Application,
    secret_digest: Option<&str>,
) -> Result<ApplicationId, StoreError> {
    db.insert(
        "INSERT INTO oauth_applications (client_id, secret_digest, name, redirect_uris, scopes, created_on) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id",
        &[
            application.client_id.as_str().into(),
            secret_digest.into(),
            application.name.as_str().into(),
            joined_uris(application).as_str().into(),
            application.scopes.to_string().as_str().into(),
            application.created_on.into(),
        ],
    )
}

/// Updates name, redirect URIs and scopes.
pub fn update(db: &mut Write<'_>, application: &Application) -> Result<(), StoreError> {
    db.execute(
        "UPDATE oauth_applications SET name = ?2, redirect_uris = ?3, scopes = ?4 WHERE id = ?1",
        &[
            application.id.into(),
            application.name.as_str().into(),
            joined_uris(application).as_str().into(),
            application.scopes.to_string().as_str().into(),
        ],
    )?;
    Ok(())
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
    Ok(())
}

/// Deletes an application with all its grants and tokens.
pub fn delete(db: &mut Write<'_>, id: ApplicationId) -> Result<(), StoreError> {
    db.execute("DELETE FROM oauth_applications WHERE id = ?1", &[id.into()])?;
    Ok(())
}

fn joined_uris(application: &Application) -> String {
    let uris: Vec<String> = application
        .redirect_uris
        .iter()
        .map(RedirectUri::to_string)
        .collect();
    uris.join("\n")
}
