//! The cache of thumbnails, in the folder `thumbnails/` of the data folder.
//!
//! A file is named by the SHA-256 of the image and the size, so that it is never stale. It ends
//! with the SHA-256 of what precedes it; a damaged file counts as missing. Thumbnails are deleted
//! after the blob of their image. Callers check who may see the image.

use super::stored_files::{TEMPORARY_PREFIX, entries, io_error, is_digest, is_expired};
use crate::data_folder::file_mode;
use crate::{Read, Store, StoreError};
use quarry_domain::content::thumbnail::ThumbnailSize;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// Number of folders, named by the first digit of the image. Each has an equal part of the total
/// size, so that inserting reads only one folder.
const FOLDERS: u64 = 16;
/// Maximum size in bytes of all thumbnails on disk.
const MAX_TOTAL_SIZE: u64 = 256 * 1024 * 1024;
/// Maximum size in bytes of a thumbnail; those of the largest size are smaller.
const MAX_FILE_SIZE: u64 = 8 * 1024 * 1024;
/// Size in bytes of the blocks in which file systems store files.
const BLOCK_SIZE: u64 = 4096;
/// Size of a SHA-256 in bytes.
const DIGEST_SIZE: usize = 32;

/// Returns the folder of the cache.
pub fn folder(store: &Store) -> PathBuf {
    folder_in(store.folder())
}

fn folder_in(data: &Path) -> PathBuf {
    data.join("thumbnails")
}

fn path_of(data: &Path, image: &str, size: ThumbnailSize) -> PathBuf {
    folder_in(data)
        .join(image.get(..1).unwrap_or("0"))
        .join(format!("{image}-{size}"))
}

/// Returns the thumbnail of this size of the image with this SHA-256, if it is cached and
/// undamaged.
pub fn find(store: &Store, image: &str, size: ThumbnailSize) -> Option<Vec<u8>> {
    let file = File::open(path_of(store.folder(), image, size)).ok()?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_SIZE).read_to_end(&mut bytes).ok()?;
    let (thumbnail, digest) = bytes.split_at_checked(bytes.len().checked_sub(DIGEST_SIZE)?)?;
    if Sha256::digest(thumbnail).as_slice() != digest {
        return None;
    }
    bytes.truncate(bytes.len() - DIGEST_SIZE);
    Some(bytes)
}

/// Caches a thumbnail of the image with this SHA-256, and deletes the oldest ones when the cache is
/// full. Does nothing when the image was deleted meanwhile.
pub fn insert(
    store: &Store,
    image: &str,
    size: ThumbnailSize,
    thumbnail: &[u8],
) -> Result<(), StoreError> {
    let path = path_of(store.folder(), image, size);
    let folder = path.parent().unwrap_or(&path);
    file_mode::create_dir(folder).map_err(io_error(folder))?;
    evict_oldest(
        folder,
        thumbnail.len() + DIGEST_SIZE,
        MAX_TOTAL_SIZE / FOLDERS,
    )?;
    let temporary = temporary_path(folder);
    let written = write(&temporary, thumbnail).and_then(|()| std::fs::rename(&temporary, &path));
    if let Err(error) = written {
        // If this fails, `delete_orphans` deletes the file later.
        let _ = std::fs::remove_file(&temporary);
        return Err(io_error(&path)(error));
    }
    // Thumbnails are deleted after their blob, so a deletion that starts after this check also
    // deletes this file.
    if !store.read(|db: &Read<'_>| store.contents().contains(db, image))? {
        delete(store, image);
    }
    Ok(())
}

fn temporary_path(folder: &Path) -> PathBuf {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    folder.join(format!(
        "{TEMPORARY_PREFIX}-{}-{}",
        std::process::id(),
        COUNTER.fetch_add(1, Ordering::Relaxed)
    ))
}

fn write(path: &Path, thumbnail: &[u8]) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(thumbnail)?;
    file.write_all(&Sha256::digest(thumbnail))
}

fn size_on_disk(bytes: u64) -> u64 {
    bytes.next_multiple_of(BLOCK_SIZE)
}

/// Deletes the oldest files of the folder until a file of `bytes` fits within `max` bytes on disk.
fn evict_oldest(folder: &Path, bytes: usize, max: u64) -> Result<(), StoreError> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        // A file may disappear meanwhile.
        let Ok(metadata) = std::fs::symlink_metadata(&path) else {
            continue;
        };
        if metadata.is_file() {
            let created = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            files.push((created, size_on_disk(metadata.len()), path));
        }
    }
    let mut total: u64 =
        files.iter().map(|(_, size, _)| size).sum::<u64>() + size_on_disk(bytes as u64);
    files.sort_unstable();
    for (_, size, path) in files {
        if total <= max {
            break;
        }
        std::fs::remove_file(&path).map_err(io_error(&path))?;
        total -= size;
    }
    Ok(())
}

/// Deletes the thumbnails of the image with this SHA-256. The cleanup retries those that cannot be
/// deleted.
pub(crate) fn delete(store: &Store, image: &str) {
    for size in ThumbnailSize::all() {
        let _ = std::fs::remove_file(path_of(store.folder(), image, size));
    }
}

/// Deletes thumbnails of images that no longer exist, and old temporary files. Stops early when
/// `go_on` returns `false`.
pub fn delete_orphans(
    store: &Store,
    now: SystemTime,
    go_on: &dyn Fn() -> bool,
) -> Result<(), StoreError> {
    for folder in entries(&folder(store))?
        .into_iter()
        .filter(|path| path.is_dir())
        .take_while(|_| go_on())
    {
        let paths = entries(&folder)?;
        let images = paths.iter().filter_map(|path| image_of(path));
        let missing = store.read(|db: &Read<'_>| missing(store, db, images.collect()))?;
        for path in &paths {
            let is_unused = match image_of(path) {
                Some(image) => missing.contains(image),
                None => is_temporary(path) && is_expired(path, now),
            };
            if is_unused && path.is_file() {
                std::fs::remove_file(path).map_err(io_error(path))?;
            }
        }
    }
    Ok(())
}

/// Returns those of these images that do not exist.
fn missing<'i>(
    store: &Store,
    db: &Read<'_>,
    images: BTreeSet<&'i str>,
) -> Result<BTreeSet<&'i str>, StoreError> {
    let mut missing = BTreeSet::new();
    for image in images {
        if !store.contents().contains(db, image)? {
            missing.insert(image);
        }
    }
    Ok(missing)
}

/// Returns the SHA-256 of the image in the name of its thumbnail.
fn image_of(path: &Path) -> Option<&str> {
    let image = path.file_name()?.to_str()?.split_once('-')?.0;
    is_digest(image).then_some(image)
}

fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with(TEMPORARY_PREFIX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = entries(folder)
            .unwrap()
            .iter()
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn oldest_thumbnails_make_room_for_a_new_one() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes, age) in [("a-50", 1, 3), ("b-50", 4097, 2), ("c-50", 4096, 1)] {
            let path = folder.path().join(name);
            std::fs::write(&path, vec![0; bytes]).unwrap();
            let created = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1000 - age);
            File::options()
                .write(true)
                .open(&path)
                .unwrap()
                .set_modified(created)
                .unwrap();
        }
        let blocks = |count: u64| count * BLOCK_SIZE;
        evict_oldest(folder.path(), 10, blocks(5)).unwrap();
        assert_eq!(
            names(folder.path()),
            ["a-50", "b-50", "c-50"],
            "four blocks are in use"
        );
        evict_oldest(folder.path(), 4097, blocks(5)).unwrap();
        assert_eq!(names(folder.path()), ["b-50", "c-50"]);
        evict_oldest(folder.path(), 4096, blocks(2)).unwrap();
        assert_eq!(names(folder.path()), ["c-50"]);
    }
}
