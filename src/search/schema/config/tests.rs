use super::super::config_files::FILES;
use super::IndexConfig;
use quarry_domain::index_feed::kind::Kind;
use std::path::Path;

fn parse_with(file: &str, from: &str, to: &str) -> Result<IndexConfig, String> {
    let files = FILES.map(|(name, text)| {
        (
            name,
            if name == file {
                text.replace(from, to)
            } else {
                text.to_owned()
            },
        )
    });
    assert!(
        files
            .iter()
            .zip(FILES)
            .any(|((_, text), (_, original))| text != original),
        "{file} contains {from}"
    );
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    IndexConfig::parse(files.try_into().unwrap()).map_err(|error| error.to_string())
}

#[test]
fn files_determine_the_config() {
    let config = IndexConfig::embedded().unwrap();
    assert_eq!(
        config.feeds(Kind::Issue, "subject").collect::<Vec<_>>(),
        [("all", 3), ("title", 1)]
    );
    assert_eq!(config.feeds(Kind::Issue, "unknown").count(), 0);
    let changed = parse_with("issue.toml", "all = 3", "all = 5").unwrap();
    assert_eq!(
        changed.feeds(Kind::Issue, "subject").collect::<Vec<_>>(),
        [("all", 5), ("title", 1)]
    );
    assert_ne!(changed.fingerprint, config.fingerprint);
}

#[test]
fn errors_name_file_and_key() {
    for (file, from, to, expected) in [
        (
            "issue.toml",
            "all = 3",
            "every = 3",
            "issue.toml: feeds.subject.every: index.toml has no such field",
        ),
        (
            "news.toml",
            "all = 3",
            "all = 99",
            "news.toml: feeds.title.all: the weight must be between 1 and 20",
        ),
        (
            "news.toml",
            "all = 3",
            "restricted = 3",
            "news.toml: feeds.title.restricted: restricted text and no other",
        ),
        (
            "project.toml",
            "{ project_files = 1",
            "{ attachments = 1",
            "feeds.project_files.attachments: files of projects and nothing else",
        ),
        (
            "issue.toml",
            "{ attachments = 1",
            "{ project_files = 1",
            "feeds.attachments.project_files: files of projects and nothing else",
        ),
        (
            "index.toml",
            "\"titles\"",
            "\"text\"",
            "index.toml: fields: none has the role Titles",
        ),
        (
            "index.toml",
            "pair_slop",
            "pair_slopp",
            "unknown field `pair_slopp`",
        ),
        (
            "project.toml",
            "\"created_on\"",
            "\"born_on\"",
            "project.toml: ",
        ),
    ] {
        let error = parse_with(file, from, to).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn weights_of_the_ranking_are_numbers_that_make_sense() {
    for (from, to, name) in [
        ("k3 = 2.0", "k3 = -1.0", "k3"),
        ("k3 = 2.0", "k3 = nan", "k3"),
        ("exact_title = 0.3", "exact_title = inf", "exact_title"),
        ("recency_days = 365.0", "recency_days = 0.0", "recency_days"),
    ] {
        let error = parse_with("index.toml", from, to).unwrap_err();
        assert!(
            error.contains(&format!("ranking: {name} must be")),
            "{error}"
        );
    }
}

#[test]
fn errors_of_other_files_name_their_folder() {
    let error = IndexConfig::read(Path::new("/nonexistent/trial")).unwrap_err();
    let message = error.to_string();
    let expected = "/nonexistent/trial/index.toml: cannot be read";
    assert!(message.starts_with(expected), "{message}");
}
