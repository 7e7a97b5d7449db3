//! Where cargo has put the program and the files of tests. `CARGO_BIN_EXE_quarry` and
//! `CARGO_TARGET_TMPDIR` exist only in the tests of the root package. This library derives both from
//! the path of the test binary, `target/<profile>/deps/<name>-<hash>`.

use std::path::{Path, PathBuf};

/// Returns the path of the program, as `CARGO_BIN_EXE_quarry`.
pub fn program() -> PathBuf {
    let program = profile_folder().join(format!("quarry{}", std::env::consts::EXE_SUFFIX));
    assert!(
        program.exists(),
        "there is no {}; run `cargo build`",
        program.display()
    );
    program
}

/// Returns the folder for files of tests, as `CARGO_TARGET_TMPDIR`.
pub fn temporary_files() -> PathBuf {
    let folder = profile_folder().parent().unwrap().join("tmp");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the name of the test binary without its hash, such as `api`.
pub fn test_binary() -> String {
    let path = test_path();
    let name = path.file_stem().unwrap().to_str().unwrap();
    name.rsplit_once('-')
        .map_or(name, |(name, _)| name)
        .to_owned()
}

fn test_path() -> PathBuf {
    std::env::current_exe().unwrap()
}

/// Returns the folder with the programs of this profile, such as `target/debug`.
fn profile_folder() -> PathBuf {
    let folder = test_path()
        .parent()
        .and_then(Path::parent)
        .map(Path::to_owned);
    folder.unwrap()
}
