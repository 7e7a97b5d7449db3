//! Checks the table of modules in `docs/architecture.md`: which module may import which, which
//! crate is named where, how long a file may be, and which words of SQL may be used. Checks that
//! comments cite existing sections of the documents, that links between documents lead somewhere,
//! that the documents name existing tests and benches, that stylesheets reach their own component
//! or page only, and that templates are not wide. `cargo test --test architecture -- --nocapture`
//! prints the table.
#![allow(
    clippy::unwrap_used,
    reason = "a file that cannot be read fails the test"
)]

#[path = "architecture/citations.rs"]
mod citations;
#[path = "architecture/commands.rs"]
mod commands;
#[path = "architecture/cycles.rs"]
mod cycles;
#[path = "architecture/documentation.rs"]
mod documentation;
#[path = "architecture/features.rs"]
mod features;
#[path = "architecture/layers.rs"]
mod layers;
#[path = "architecture/links.rs"]
mod links;
#[path = "architecture/openapi.rs"]
mod openapi;
#[path = "architecture/rules.rs"]
mod rules;
#[path = "architecture/source.rs"]
mod source;
#[path = "architecture/stylesheets.rs"]
mod stylesheets;
#[path = "architecture/templates.rs"]
mod templates;
#[path = "architecture/violations.rs"]
mod violations;

use source::Source;
use std::path::Path;

/// The binaries with the integration tests, and the library that they share.
const INTEGRATION_TESTS: [&str; 4] = ["tests/api", "tests/pages", "tests/system", "tests/world"];

/// Returns all files of code below the directory.
fn files(folder: &str) -> Vec<Source> {
    files_with(folder, &["rs", "sql"])
}

/// Returns all files below the directory whose names end with one of these extensions.
fn files_with(folder: &str, extensions: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .and_then(|extension| extension.to_str())
                .is_some_and(|extension| extensions.contains(&extension))
            {
                let name = path
                    .strip_prefix(root)
                    .unwrap()
                    .to_string_lossy()
                    .replace('\\', "/");
                sources.push(Source {
                    path: name,
                    text: std::fs::read_to_string(path).unwrap(),
                });
            }
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

#[test]
fn files_follow_the_rules() {
    println!("{:<10} {:<75} crates of its own", "layer", "may import");
    for layer in layers::LAYERS {
        println!(
            "{:<10} {:<75} {}",
            layer.name,
            layer.imports.join(" "),
            layer.crates.join(" ")
        );
    }
    let mut all = files("src");
    assert!(all.len() > 20, "the sources were not found");
    all.extend(files("tests"));
    let violations = rules::violations(&all);
    assert!(
        violations.is_empty(),
        "{} violations:\n{}",
        violations.len(),
        violations.join("\n")
    );
}

#[test]
fn program_has_the_features_of_crates_that_its_tests_have() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let manifest = std::fs::read_to_string(Path::new(folder).join("Cargo.toml")).unwrap();
    let violations = features::violations(folder, &manifest);
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn documented_modules_match_the_checked_table() {
    let document =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md"))
            .unwrap();
    let modules = rules::modules_of_document(&document);
    assert_eq!(
        modules
            .keys()
            .cloned()
            .collect::<std::collections::BTreeSet<_>>(),
        rules::modules_of_files(&files("src"))
    );
    for layer in layers::LAYERS {
        let documented = modules.get(layer.name).unwrap();
        assert_eq!(
            documented, layer.imports,
            "imports of {} in docs/architecture.md",
            layer.name
        );
    }
}

#[test]
fn public_functions_and_types_are_documented() {
    let undocumented: Vec<String> = files("src")
        .iter()
        .flat_map(documentation::undocumented)
        .collect();
    assert!(
        undocumented.is_empty(),
        "{} violations:\n{}",
        undocumented.len(),
        undocumented.join("\n")
    );
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let files = files("src");
    let imports = cycles::imports(&rules::outlines_outside_tests(&files));
    let cycles = cycles::cycles(&imports);
    assert!(
        cycles.is_empty(),
        "{} cycles:\n{}",
        cycles.len(),
        cycles.join("\n")
    );
    let out_of_order = cycles::out_of_order(&imports);
    assert!(
        out_of_order.is_empty(),
        "{} imports:\n{}",
        out_of_order.len(),
        out_of_order.join("\n")
    );
}

#[test]
fn no_files_of_benches_and_fuzz_targets_import_each_other_in_a_circle() {
    let benches = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("benches"));
    let programs = benches
        .unwrap()
        .map(|entry| format!("benches/{}", entry.unwrap().file_name().display()))
        .chain(["fuzz/targets".to_owned()]);
    let cycles: Vec<String> = programs
        .flat_map(|program| {
            let files = as_layer(files(&program), &program);
            assert!(files.len() > 1, "the files of {program} were not found");
            cycles::cycles(&cycles::imports(&rules::outlines_outside_tests(&files)))
        })
        .collect();
    assert!(cycles.is_empty(), "{}", cycles.join("\n"));
}

/// Returns the files of a program as if it were a layer of `src`, whose root `crate` stands for.
fn as_layer(files: Vec<Source>, program: &str) -> Vec<Source> {
    let (_, name) = program.rsplit_once('/').unwrap();
    let layer = format!("src/{name}");
    let renamed = files.into_iter().map(|file| Source {
        path: file
            .path
            .replace(program, &layer)
            .replace("/main.rs", "/lib.rs"),
        ..file
    });
    renamed.collect()
}

#[test]
fn stylesheets_reach_their_own_component_or_page_only() {
    let stylesheets = files_with("src/web", &["css"]);
    let templates = files_with("src/web", &["html", "rs", "js"]);
    assert!(stylesheets.len() > 20 && templates.len() > 100);
    let violations = stylesheets::violations(&stylesheets, &templates);
    assert!(
        violations.is_empty(),
        "{} violations:\n{}",
        violations.len(),
        violations.join("\n")
    );
}

#[test]
fn pages_with_a_part_of_a_view_link_the_stylesheet_of_views() {
    let assets = files_with("src/web", &["rs"])
        .into_iter()
        .find(|file| file.path == "src/web/assets.rs")
        .unwrap();
    let views = assets.text.split("const VIEWS_STYLE").nth(1).unwrap();
    let views = views.split(';').next().unwrap();
    let mut parts = files_with("src/web", &["css"]);
    parts.retain(|part| views.contains(&format!("\"{}\"", &part.path["src/web/".len()..])));
    assert!(parts.len() > 10);
    let templates = files_with("src/web", &["html"]);
    let pages = stylesheets::pages_without_views_style(&parts, &templates);
    assert!(pages.is_empty(), "without views_style.html: {pages:?}");
}

#[test]
fn templates_are_at_most_120_columns_wide() {
    let templates = files_with("src", &["html"]);
    assert!(templates.len() > 100, "the templates were not found");
    let violations = templates::violations(&templates);
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn comments_cite_existing_sections() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let documents = citations::DOCUMENTS.map(|(name, file)| {
        let sections = citations::sections(&std::fs::read_to_string(folder.join(file)).unwrap());
        assert!(sections.len() > 5, "the sections of {file} were not found");
        (name, sections)
    });
    let files: Vec<Source> = ["src", "benches"]
        .into_iter()
        .chain(INTEGRATION_TESTS)
        .flat_map(files)
        .collect();
    assert!(
        files
            .iter()
            .any(|file| citations::citations(&file.text).len() > 1),
        "no citations were found"
    );
    let violations = citations::violations(&files, &documents);
    assert!(
        violations.is_empty(),
        "{} citations:\n{}",
        violations.len(),
        violations.join("\n")
    );
}

#[test]
fn links_of_documents_lead_to_existing_files_and_headings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut documents = files_with("docs", &["md"]);
    documents.push(Source {
        path: "README.md".to_owned(),
        text: std::fs::read_to_string(root.join("README.md")).unwrap(),
    });
    let links: usize = documents
        .iter()
        .map(|document| links::targets(&document.text).len())
        .sum();
    assert!(links > 100, "only {links} links were found");
    let dead = links::dead(&documents, &|path| root.join(path).exists());
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

#[test]
fn paths_in_documents_about_the_code_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let about_code = ["architecture.md", "CONTRIBUTING.md", "design.md"];
    let mut documents = files_with("docs", &["md"]);
    documents.retain(|document| about_code.iter().any(|name| document.path.ends_with(name)));
    assert_eq!(documents.len(), about_code.len());
    let exists = |path: &str| root.join(path).exists();
    let missing: Vec<String> = documents
        .iter()
        .flat_map(|document| links::missing_paths(document, &exists))
        .collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn documented_tests_and_benches_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources: String = ["benches"]
        .into_iter()
        .chain(INTEGRATION_TESTS)
        .flat_map(files)
        .map(|file| file.text)
        .collect();
    let mut documents: Vec<_> = ["docs", "docs/measurements"]
        .into_iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    documents.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    documents.extend([root.join("README.md"), root.join("index-schema/README.md")]);
    let violations = documents.iter().flat_map(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        commands::violations(root, &path.display().to_string(), &text, &sources)
    });
    let violations: Vec<String> = violations.collect();
    assert!(
        violations.is_empty(),
        "{} commands:\n{}",
        violations.len(),
        violations.join("\n")
    );
}
