//! `quarry doctor --fix`: repairs that lose nothing. Whatever they change is copied first.

use super::finding::{Finding, Fix};
use anyhow::Context;
use jiff::Timestamp;
use quarry_config::Config;
use quarry_search::rebuild_index;
use quarry_store::checks::repair::{self, KeptRow};
use quarry_store::data_folder::file_mode;
use quarry_store::{Store, StoreLocation};
use serde_json::json;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The result of the repairs.
#[derive(Debug, Default)]
pub struct Fixed {
    /// The names of the findings.
    pub names: Vec<&'static str>,
    /// The folder with the copies, if anything was removed or changed.
    pub copies: Option<PathBuf>,
}

/// The folder with copies of what was removed or changed.
struct Copies {
    folder: PathBuf,
    exists: bool,
}

impl Copies {
    /// Returns the folder, and creates it at the first call.
    fn create(&mut self) -> anyhow::Result<&Path> {
        if !self.exists {
            file_mode::create_dir(&self.folder)
                .with_context(|| format!("{} cannot be created", self.folder.display()))?;
            self.exists = true;
        }
        Ok(&self.folder)
    }

    fn append(&mut self, name: &str, lines: impl Iterator<Item = String>) -> anyhow::Result<()> {
        let path = self.create()?.join(name);
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        for line in lines {
            writeln!(file, "{line}")?;
        }
        // Nothing is removed before its copy is on disk.
        file.sync_all()?;
        Ok(File::open(&self.folder)?.sync_all()?)
    }
}

/// Repairs the findings that have a fix.
pub fn apply(
    config: &Config,
    location: &StoreLocation,
    findings: &[Finding],
    now: Timestamp,
) -> anyhow::Result<Fixed> {
    let name = format!("doctor-{}", now.strftime("%Y%m%dT%H%M%SZ"));
    let mut copies = Copies {
        folder: config.data.join(name),
        exists: false,
    };
    let mut fixed = Fixed::default();
    for finding in findings {
        let Some(fix) = &finding.fix else { continue };
        apply_one(config, location, fix, &mut copies)
            .with_context(|| format!("{} cannot be mended", finding.name))?;
        fixed.names.push(finding.name);
    }
    fixed.copies = copies.exists.then_some(copies.folder);
    Ok(fixed)
}

fn apply_one(
    config: &Config,
    location: &StoreLocation,
    fix: &Fix,
    copies: &mut Copies,
) -> anyhow::Result<()> {
    match fix {
        Fix::Records(repair) => {
            let store = Store::open_secondary(location.clone())?;
            let rows = repair::affected_rows(&store, repair)?;
            if !rows.is_empty() {
                copies.append("rows.jsonl", rows.iter().map(row_text))?;
            }
            repair::apply(&store, repair.clone())?;
            store.close();
        }
        Fix::Permissions(paths) => {
            copies.append("modes.txt", paths.iter().map(|path| mode_text(path)))?;
            for path in paths {
                restrict(path)?;
            }
        }
        Fix::MoveFiles(paths) => {
            let folder = copies.create()?.join("files");
            file_mode::create_dir(&folder)?;
            let store = Store::open_secondary(location.clone())?;
            for path in paths {
                let path = path.clone();
                let folder = folder.clone();
                let name = path.file_name().context("the file has no name")?;
                let name = name.to_string_lossy().into_owned();
                repair::with_unused_content(&store, name, move || move_file(&path, &folder))?;
            }
            store.close();
        }
        Fix::RebuildIndex => {
            let store = Store::open_secondary(location.clone())?;
            rebuild_index(&config.index, &store, |_| {})?;
            store.close();
        }
    }
    Ok(())
}

fn row_text(row: &KeptRow) -> String {
    let columns = row.columns.iter();
    let columns: serde_json::Map<String, serde_json::Value> = columns
        .map(|(name, value)| (name.clone(), json!(value)))
        .collect();
    json!({"table": row.table, "row": columns}).to_string()
}

/// Moves a file, also to another file system. A file of the same name is never replaced.
fn move_file(path: &Path, folder: &Path) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default();
    let mut target = folder.join(name);
    for number in 1.. {
        if std::fs::symlink_metadata(&target).is_err() {
            break;
        }
        target = folder.join(format!("{}.{number}", name.to_string_lossy()));
    }
    if std::fs::rename(path, &target).is_ok() {
        return Ok(());
    }
    let copied = std::fs::copy(path, &target).and_then(|_| File::open(&target)?.sync_all());
    copied.and_then(|()| std::fs::remove_file(path))
}

#[cfg(unix)]
fn mode_text(path: &Path) -> String {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path).map_or(0, |metadata| metadata.permissions().mode());
    format!("{:o} {}", mode & 0o7777, path.display())
}

#[cfg(not(unix))]
fn mode_text(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(unix)]
fn restrict(path: &Path) -> anyhow::Result<()> {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;
    let metadata = std::fs::symlink_metadata(path)?;
    // The file may have become a link meanwhile.
    if metadata.is_symlink() {
        return Ok(());
    }
    let mode = metadata.permissions().mode() & 0o700;
    std::fs::set_permissions(path, Permissions::from_mode(mode))
        .with_context(|| format!("the permissions of {} cannot be changed", path.display()))
}

#[cfg(not(unix))]
fn restrict(_path: &Path) -> anyhow::Result<()> {
    Ok(())
}
