//! The library of the tests finds what cargo tells only the tests of the root package.

use quarry_world::target_folder::{program, temporary_files, test_binary};
use std::path::Path;

#[test]
fn paths_are_those_of_cargo() {
    assert_eq!(program(), Path::new(env!("CARGO_BIN_EXE_quarry")));
    assert_eq!(temporary_files(), Path::new(env!("CARGO_TARGET_TMPDIR")));
    assert_eq!(test_binary(), "system");
}
