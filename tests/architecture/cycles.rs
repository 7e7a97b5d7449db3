//! Import cycles between files, and the order of the submodules of a module.

use super::source::{Named, Outline, Source};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Submodules in their order: each may import those before it. Files directly in the module stand
/// above them all, except those in [`BELOW`].
pub const ORDERED_SUBMODULES: &[(&str, &[&str])] = &[
    (
        "store",
        &[
            "disk",
            "engine",
            "error",
            "json",
            "data_folder",
            "transaction",
            "lists",
            "accounts",
            "administration",
            "content",
            "projects",
            "issues",
            "index_feed",
        ],
    ),
    ("http", &["server", "request", "response", "resources"]),
    (
        "search",
        &[
            "analyzer",
            "schema",
            "query",
            "access",
            "snapshot",
            "scoring",
            "request",
            "shortage",
            "error",
            "execute",
            "index",
            "highlight",
        ],
    ),
];

/// Files directly in a module that its submodules may import, such as its error type.
pub const BELOW: &[(&str, &[&str])] = &[("http", &["error"])];

/// The files that each file imports, by path.
pub type Imports = BTreeMap<String, BTreeSet<String>>;

/// Finds which file imports which, outside tests. A name that a `use` declaration passes on counts
/// as an import of the file that defines it. A public re-export counts only where the file uses the
/// name itself, so a module may re-export what its submodules define.
pub fn imports(files: &[(&Source, Outline)]) -> Imports {
    let modules: BTreeMap<Vec<String>, &(&Source, Outline)> =
        files.iter().map(|file| (file.0.module(), file)).collect();
    let mut imports = Imports::new();
    for (file, outline) in files {
        let children: BTreeSet<&str> = outline
            .modules
            .iter()
            .map(|(name, _, _)| name.as_str())
            .collect();
        let targets = outline
            .paths
            .iter()
            .filter(|path| !path.in_test && !is_only_reexport(path, outline))
            .filter_map(|path| {
                if path.parts[0] == "crate" {
                    return definition(&modules, &path.parts[1..]);
                }
                // A path that begins with a submodule of this file.
                let mut parts = file.module();
                parts.extend(path.parts.iter().cloned());
                children
                    .contains(path.parts[0].as_str())
                    .then(|| definition(&modules, &parts))
                    .flatten()
            });
        let targets = targets.filter(|target| *target != file.path).collect();
        imports.insert(file.path.clone(), targets);
    }
    imports
}

fn is_only_reexport(path: &Named, outline: &Outline) -> bool {
    path.is_reexport
        && path
            .parts
            .last()
            .is_none_or(|name| !outline.words.contains_key(name))
}

/// The file that defines the item of this path.
fn definition(
    modules: &BTreeMap<Vec<String>, &(&Source, Outline)>,
    path: &[String],
) -> Option<String> {
    let mut path = path.to_vec();
    // A longer chain of re-exports is a cycle.
    for _ in 0..8 {
        let len = (1..=path.len())
            .rev()
            .find(|len| modules.contains_key(&path[..*len]))?;
        let (file, outline) = modules[&path[..len]];
        let reexport = path.get(len).and_then(|name| {
            let matching = outline.paths.iter().filter(|import| {
                import.in_use && !import.in_test && import.parts.last() == Some(name)
            });
            matching
                .map(|import| &import.parts)
                .find(|parts| parts.len() > 1)
        });
        let Some(reexport) = reexport else {
            return Some(file.path.clone());
        };
        let target = match reexport.split_first() {
            Some((first, rest)) if first == "crate" => rest.to_vec(),
            _ => path[..len].iter().chain(reexport).cloned().collect(),
        };
        path = target
            .into_iter()
            .chain(path[len + 1..].iter().cloned())
            .collect();
    }
    None
}

/// Every shortest import cycle, as a sentence for each file that it begins with.
pub fn cycles(imports: &Imports) -> Vec<String> {
    let mut found = BTreeMap::new();
    for start in imports.keys() {
        if let Some(cycle) = shortest_cycle(imports, start) {
            let members: BTreeSet<&str> = cycle.iter().copied().collect();
            found
                .entry(members)
                .or_insert_with(|| format!("import cycle: {}", cycle.join(" → ")));
        }
    }
    found.into_values().collect()
}

fn shortest_cycle<'i>(imports: &'i Imports, start: &'i str) -> Option<Vec<&'i str>> {
    let mut previous = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(file) = queue.pop_front() {
        for import in imports.get(file).into_iter().flatten() {
            if import == start {
                let mut cycle = vec![start, file];
                while let Some(file) = previous.get(cycle.last()?) {
                    cycle.push(*file);
                }
                cycle.dedup();
                cycle.reverse();
                cycle.push(start);
                cycle.dedup();
                return Some(cycle);
            }
            if !previous.contains_key(import.as_str()) {
                previous.insert(import.as_str(), file);
                queue.push_back(import);
            }
        }
    }
    None
}

/// Every import of a submodule by one that comes before it.
pub fn out_of_order(imports: &Imports) -> Vec<String> {
    let mut found = Vec::new();
    for (module, submodules) in ORDERED_SUBMODULES {
        let below = BELOW
            .iter()
            .find(|(name, _)| name == module)
            .map_or(&[][..], |(_, files)| files);
        let rank = |path: &str| {
            let inside = path
                .strip_prefix("src/")?
                .strip_prefix(module)?
                .strip_prefix('/')?;
            let name = inside.split('/').next()?.trim_end_matches(".rs");
            let position = submodules
                .iter()
                .position(|submodule| *submodule == name)
                .map(|position| position + 1);
            Some(position.unwrap_or(if below.contains(&name) {
                0
            } else {
                submodules.len() + 1
            }))
        };
        for (file, targets) in imports {
            for target in targets {
                if let (Some(from), Some(to)) = (rank(file), rank(target))
                    && from < to
                {
                    found.push(format!(
                        "{file} may not import {target}: the order in {module} is {}",
                        submodules.join(", ")
                    ));
                }
            }
        }
    }
    found
}
