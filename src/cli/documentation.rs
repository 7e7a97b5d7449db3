//! Tests that README and `docs/` match the program: commands parse, and `operations.md` lists every
//! command, key and setting.

#![allow(
    clippy::unwrap_used,
    reason = "a document that cannot be read fails the test"
)]

use super::arguments::Arguments;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use quarry_config::{Environment, Key};
use quarry_domain::administration::setting::Setting;
use std::ffi::OsString;
use std::path::Path;

/// Returns README and the files of `docs/`, each with its name.
fn documents() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<_> = std::fs::read_dir(root.join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.push(root.join("README.md"));
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            (
                path.file_name().unwrap().to_string_lossy().into_owned(),
                std::fs::read_to_string(path).unwrap(),
            )
        })
        .collect()
}

/// Returns a section of `operations.md`, from its heading to the next one of the same level.
fn operations_section(heading: &str) -> String {
    let (_, text) = documents()
        .into_iter()
        .find(|(name, _)| name == "operations.md")
        .unwrap();
    let section = text
        .split_once(heading)
        .unwrap_or_else(|| panic!("operations.md has no heading {heading:?}"))
        .1;
    section.split("\n## ").next().unwrap().to_owned()
}

/// Returns the text between each pair of backticks of a line.
fn inline_code(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Returns the arguments of a documented command after the name of the program, without a comment,
/// brackets and a final `…`.
fn words(command: &str) -> Vec<String> {
    let words = command.split_whitespace().take_while(|word| *word != "#");
    let mut words: Vec<String> = words
        .map(|word| word.trim_matches(['[', ']', '\'', '"']).to_owned())
        .collect();
    words.pop_if(|word| word == "…");
    words
}

/// Returns the commands of a document: each with its place, its arguments, and whether it is
/// complete (a line of its own) or a mention in a text.
fn commands(name: &str, text: &str) -> Vec<(String, Vec<String>, bool)> {
    let mut commands = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let location = format!("{name} line {}: {line}", index + 1);
        if let Some(line) = line.strip_prefix("    ") {
            let line = line.strip_prefix("sudo -u quarry ").unwrap_or(line);
            let mut rest = line
                .split_whitespace()
                .skip_while(|word| word.starts_with("QUARRY_") && word.contains('='));
            let arguments = match rest.next() {
                Some("quarry") => Some(rest.collect::<Vec<_>>().join(" ")),
                Some("cargo") if line.contains("cargo run ") => line
                    .split_once(" -- ")
                    .map(|(_, arguments)| arguments.to_owned()),
                _ => None,
            };
            commands.extend(arguments.map(|arguments| (location.clone(), words(&arguments), true)));
        }
        let mentions = inline_code(line).filter_map(|code| code.strip_prefix("quarry "));
        commands.extend(mentions.map(|arguments| (location.clone(), words(arguments), false)));
    }
    commands
}

fn parse(arguments: &[String]) -> Result<Arguments, clap::Error> {
    Arguments::try_parse_from(std::iter::once("quarry").chain(arguments.iter().map(String::as_str)))
}

#[test]
fn documented_commands_parse() {
    let commands: Vec<_> = documents()
        .iter()
        .flat_map(|(name, text)| commands(name, text))
        .collect();
    assert!(
        commands.iter().filter(|command| command.2).count() > 8,
        "{commands:?}"
    );
    for (location, arguments, is_complete) in commands {
        let Err(error) = parse(&arguments) else {
            continue;
        };
        let is_shortened = matches!(
            error.kind(),
            ErrorKind::MissingRequiredArgument
                | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        );
        assert!(!is_complete && is_shortened, "{location}\n{error}");
    }
}

#[test]
fn documented_values_of_settings_are_valid() {
    let documents = documents();
    let commands = documents
        .iter()
        .flat_map(|(name, text)| commands(name, text));
    let changes: Vec<_> = commands
        .filter(|(_, arguments, _)| {
            arguments.starts_with(&["setting".to_owned(), "set".to_owned()])
        })
        .collect();
    assert!(
        changes.iter().filter(|change| change.2).count() > 4,
        "{changes:?}"
    );
    for (location, arguments, _) in changes {
        let [_, _, name, value, ..] = arguments.as_slice() else {
            continue;
        };
        let setting = Setting::parse(name).unwrap_or_else(|| panic!("{location}: unknown setting"));
        assert!(setting.accept(value).is_ok(), "{location}");
    }
}

#[test]
fn table_of_commands_is_complete_and_parses() {
    let section = operations_section("## 4. Commands\n");
    let cells = section
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let documented: Vec<Vec<String>> = cells
        .flat_map(|cell| {
            inline_code(&format!("`{cell}"))
                .map(words)
                .collect::<Vec<_>>()
        })
        .collect();
    for arguments in &documented {
        assert!(parse(arguments).is_ok(), "quarry {}", arguments.join(" "));
    }
    for command in Arguments::command().get_subcommands() {
        let subcommands: Vec<&str> = command
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        let paths = if subcommands.is_empty() {
            vec![vec![command.get_name()]]
        } else {
            subcommands
                .iter()
                .map(|sub| vec![command.get_name(), sub])
                .collect()
        };
        for path in paths {
            assert!(
                documented
                    .iter()
                    .any(|arguments| arguments.iter().take(path.len()).eq(path.iter())),
                "{path:?} is missing"
            );
        }
    }
}

#[test]
fn table_of_the_configuration_lists_every_key_and_no_other_variable() {
    let section = operations_section("## 2. Configuration\n");
    for key in Key::all() {
        let row = section
            .lines()
            .find(|line| line.starts_with('|') && line.contains(&format!("`{}`", key.name())));
        let row = row.unwrap_or_else(|| panic!("{} is missing", key.name()));
        let flag = key.flag();
        assert!(
            row.contains(&format!("`{}", flag.split(' ').next().unwrap())),
            "{row}"
        );
        assert!(
            matches!(key, Key::Limit(_)) || row.contains(&format!("`{}`", key.variable())),
            "{row}"
        );
    }
    for (name, text) in documents()
        .iter()
        .filter(|(name, _)| name != "CONTRIBUTING.md")
    {
        let names = text
            .split(|c: char| !c.is_ascii_uppercase() && c != '_')
            .filter(|word| word.len() > 7 && word.starts_with("QUARRY_"));
        for variable in names {
            let result =
                Environment::from_variables([(OsString::from(variable), OsString::from("x"))]);
            assert!(result.is_ok(), "{name}: {variable}");
        }
    }
}

#[test]
fn table_of_settings_lists_every_setting_with_its_default() {
    let section = operations_section("## 3. Settings\n");
    let mut documented = Vec::new();
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let names: Vec<&str> = inline_code(cells[0]).collect();
        let defaults: Vec<&str> = cells[1]
            .split(", ")
            .map(|default| default.trim_matches('`'))
            .collect();
        for (index, name) in names.iter().enumerate() {
            let setting = Setting::parse(name).unwrap_or_else(|| panic!("unknown setting {name}"));
            let default = defaults.get(index).or(defaults.last()).unwrap();
            let is_described = match *default {
                "empty" | "all" => setting.default_value().is_empty(),
                "nine events" => setting.default_value().split(',').count() == 9,
                "ten modules" => setting.default_value().split(',').count() == 10,
                value => setting.default_value() == value,
            };
            assert!(
                is_described,
                "{name} is {:?} by default, not {default}",
                setting.default_value()
            );
            documented.push(setting);
        }
    }
    let missing: Vec<&str> = Setting::all()
        .filter(|setting| !documented.contains(setting))
        .map(Setting::name)
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
