//! `/attachments`

mod attach;
mod delete;
mod download;
mod show;
mod update;

use crate::world::{DEVELOPER, MANAGER, REPORTER, World, user};
use axum::http::Method;
use quarry::actions::Refused;
use quarry::actions::attachments::{NewUpload, attach as hang};
use quarry::domain::attachment::{Attachment, Holder};
use quarry::domain::viewer::Viewer;

/// An open project and a private one with an issue each; alice manages both, bob develops and carol reports in the open one.
pub fn world() -> World {
    let world = World::new();
    world.project("open", true, &[("alice", MANAGER), ("bob", DEVELOPER), ("carol", REPORTER)]);
    world.project("secret", false, &[("alice", MANAGER)]);
    for project in ["open", "secret"] {
        let body = format!("{{\"issue\":{{\"project_id\":\"{project}\",\"subject\":\"A thing\"}}}}");
        let _ = world.as_user("alice").post("/issues.json", &body).expect(201);
    }
    world
}

/// Sends a file; its token.
pub fn upload(world: &World, login: &str, name: &str, content: &str) -> String {
    let kind = Some("application/octet-stream");
    let answer = world.as_user(login).send(Method::POST, &format!("/uploads.json?filename={name}"), kind, content.into());
    answer.expect(201).json()["upload"]["token"].as_str().unwrap().to_owned()
}

/// What hanging these uploads on a record comes to.
pub fn attaching(
    world: &World,
    login: &str,
    holder: impl Into<Holder>,
    id: i64,
    uploads: Vec<NewUpload>,
) -> Result<Vec<Attachment>, Refused> {
    let (holder, user) = (holder.into(), user(login));
    world.app.store.write(move |db| {
        let viewer = Viewer::new(db.catalogue(), Some(user));
        hang(db, &viewer, holder, id, &uploads)
    })
}

/// Hangs an upload on a record; the number of the file.
pub fn attach(world: &World, login: &str, holder: impl Into<Holder>, id: i64, token: &str) -> i64 {
    let upload = NewUpload { token: token.to_owned(), ..NewUpload::default() };
    attaching(world, login, holder, id, vec![upload]).unwrap()[0].id.0
}

/// A file on a record.
pub fn file(world: &World, login: &str, holder: impl Into<Holder>, id: i64, name: &str, content: &str) -> i64 {
    attach(world, login, holder, id, &upload(world, login, name, content))
}

/// What lies in the folder of files, below it and in order.
pub fn files(world: &World) -> Vec<String> {
    let folder = world.app.config.data.join("files");
    let (mut found, mut open) = (Vec::new(), vec![folder.clone()]);
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}
