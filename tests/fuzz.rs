//! Replays the corpus of each target of `fuzz/targets`: the inputs that broke something once, and those
//! with which a search for others begins.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "in a test a panic is the message"
)]

#[path = "../fuzz/targets/mod.rs"]
mod targets;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Panics in this process, also those that the service catches.
static PANICS: AtomicUsize = AtomicUsize::new(0);

#[test]
fn corpus_breaks_nothing() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        default(info);
    }));
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/fuzz");
    for target in targets::ALL {
        let folder = std::fs::read_dir(corpus.join(target.name)).unwrap();
        let mut files: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(!files.is_empty(), "{} has no corpus", target.name);
        for file in files {
            targets::run(target.name, &std::fs::read(&file).unwrap());
            assert_eq!(PANICS.load(Ordering::SeqCst), 0, "{}", file.display());
        }
    }
}

#[test]
fn each_target_has_a_program_for_the_fuzzer() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let text = std::fs::read_to_string(manifest.join("Cargo.toml")).unwrap();
    for target in targets::ALL {
        let name = target.name;
        assert!(text.contains(&format!("name = \"{name}\"")), "{name}");
        let program = manifest.join(format!("fuzz_targets/{name}.rs"));
        let program = std::fs::read_to_string(program).unwrap();
        assert!(
            program.contains(&format!("run(\"{name}\", data)")),
            "{name}"
        );
    }
}
