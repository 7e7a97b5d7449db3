//! The fuzz targets, one file each. `cargo test --test fuzz` replays the corpus in `fixtures/fuzz`;
//! `fuzz/README.md` describes how to search for new inputs.
//!
//! A target accepts any bytes, and panics if a rule is broken.

mod http;
mod json;
mod mail;
mod markup;
mod search;
mod service;
mod xml;

/// A target.
pub struct Target {
    /// The name of the folder of its corpus, and of its program for `cargo fuzz`.
    pub name: &'static str,
    pub run: fn(&[u8]),
}

/// All targets.
pub const ALL: [Target; 7] = [
    Target {
        name: "http",
        run: http::run,
    },
    Target {
        name: "json",
        run: json::run,
    },
    Target {
        name: "mail",
        run: mail::run,
    },
    Target {
        name: "markdown",
        run: markup::run_markdown,
    },
    Target {
        name: "search",
        run: search::run,
    },
    Target {
        name: "textile",
        run: markup::run_textile,
    },
    Target {
        name: "xml",
        run: xml::run,
    },
];

/// Runs the target with this name.
pub fn run(name: &str, data: &[u8]) {
    let target = ALL.iter().find(|target| target.name == name);
    (target
        .unwrap_or_else(|| panic!("there is no target {name}"))
        .run)(data);
}
