//! `/attachments`

mod attach;
mod delete;
mod download;
mod show;
pub mod thumbnail;
mod thumbnail_cache;
mod update;

use quarry_world::World;

/// A world with an issue in each of an open and a private project; alice manages both, bob is a
/// developer and carol a reporter in the open one.
pub fn world() -> World {
    let world = World::with_projects();
    for project in ["open", "secret"] {
        world.issue(project).create();
    }
    world
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
