//! `/attachments`

mod attach;
mod delete;
mod download;
mod show;
pub mod thumbnail;
mod thumbnail_cache;
mod update;

use crate::world::{World, user};
use axum::http::Method;
use quarry::actions::ActionError;
use quarry::actions::attachments::{NewUpload, attach as hang};
use quarry::domain::access::viewer::Viewer;
use quarry::domain::content::attachment::{Attachment, ContainerType};

/// A world with an issue in each of an open and a private project; alice manages both, bob is a
/// developer and carol a reporter in the open one.
pub fn world() -> World {
    let world = World::with_projects();
    for project in ["open", "secret"] {
        world.issue(project).create();
    }
    world
}

/// Uploads a file and returns its token.
pub fn upload(world: &World, login: &str, name: &str, content: &str) -> String {
    let kind = Some("application/octet-stream");
    let response = world.as_user(login).send(
        Method::POST,
        &format!("/uploads.json?filename={name}"),
        kind,
        content.into(),
    );
    response.assert_status(201).json()["upload"]["token"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// Attaches uploads to a record.
pub fn attaching(
    world: &World,
    login: &str,
    container_type: impl Into<ContainerType>,
    id: i64,
    uploads: Vec<NewUpload>,
) -> Result<Vec<Attachment>, ActionError> {
    let container_type = container_type.into();
    let user = user(login);
    world.app.store.write(move |db| {
        let viewer = Viewer::new(db.catalogue(), Some(user));
        hang(db, &viewer, container_type, id, &uploads)
    })
}

/// Attaches an upload to a record and returns the id of the attachment.
pub fn attach(
    world: &World,
    login: &str,
    container_type: impl Into<ContainerType>,
    id: i64,
    token: &str,
) -> i64 {
    let upload = NewUpload {
        token: token.to_owned(),
        ..NewUpload::default()
    };
    attaching(world, login, container_type, id, vec![upload]).unwrap()[0]
        .id
        .0
}

/// Uploads a file and attaches it to a record.
pub fn file(
    world: &World,
    login: &str,
    container_type: impl Into<ContainerType>,
    id: i64,
    name: &str,
    content: &str,
) -> i64 {
    attach(
        world,
        login,
        container_type,
        id,
        &upload(world, login, name, content),
    )
}

/// Returns the sorted relative paths of all stored files, or what their paths would be if they are
/// in the database.
pub fn files(world: &World) -> Vec<String> {
    if world.app.store.file().is_none() {
        let sql = "SELECT DISTINCT sha256 FROM blobs ORDER BY sha256";
        let digests = world.database().rows(sql);
        let paths = digests.iter().map(|row| {
            let digest: String = row.get(0);
            format!("{}/{digest}", &digest[..2])
        });
        return paths.collect();
    }
    let folder = world.app.config.data.join("files");
    let mut found = Vec::new();
    let mut open = vec![folder.clone()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(
                    path.strip_prefix(&folder)
                        .unwrap()
                        .to_str()
                        .unwrap()
                        .to_owned(),
                );
            }
        }
    }
    found.sort();
    found
}

/// Deletes a stored file without its attachment.
pub fn lose_file(world: &World, digest: &str) {
    if world.app.store.file().is_none() {
        world.sql(&format!("DELETE FROM blobs WHERE sha256 = '{digest}'"));
    } else {
        let folder = world.app.config.data.join("files").join(&digest[..2]);
        std::fs::remove_file(folder.join(digest)).unwrap();
    }
}
