use super::{FILES, Mapping};
use crate::domain::kind::Kind;

fn with(file: &str, from: &str, to: &str) -> Result<Mapping, String> {
    let files = FILES.map(|(name, text)| (name, if name == file { text.replace(from, to) } else { text.to_owned() }));
    assert!(files.iter().zip(FILES).any(|((_, text), (_, before))| text != before), "{file} says {from}");
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    Mapping::read(files.try_into().unwrap()).map_err(|error| error.to_string())
}

#[test]
fn the_files_drive_the_index() {
    let mapping = Mapping::embedded().unwrap();
    assert_eq!(mapping.feeds(Kind::Issue, "subject").collect::<Vec<_>>(), [("all", 3), ("title", 1)]);
    assert_eq!(mapping.feeds(Kind::Issue, "unknown").count(), 0);
    let changed = with("issue.toml", "all = 3", "all = 5").unwrap();
    assert_eq!(changed.feeds(Kind::Issue, "subject").collect::<Vec<_>>(), [("all", 5), ("title", 1)]);
    assert_ne!(changed.fingerprint, mapping.fingerprint);
}

#[test]
fn what_is_wrong_is_named() {
    for (file, from, to, wanted) in [
        ("issue.toml", "all = 3", "every = 3", "index-schema/issue.toml: feeds.subject.every: index.toml has no such field"),
        ("news.toml", "all = 3", "all = 99", "index-schema/news.toml: feeds.title.all: the weight must be between 1 and 20"),
        ("news.toml", "all = 3", "restricted = 3", "index-schema/news.toml: feeds.title.restricted: restricted text and no other"),
        ("project.toml", "{ project_files = 1", "{ attachments = 1", "feeds.project_files.attachments: files of projects and nothing else"),
        ("issue.toml", "{ attachments = 1", "{ project_files = 1", "feeds.attachments.project_files: files of projects and nothing else"),
        ("index.toml", "\"titles\"", "\"text\"", "index-schema/index.toml: fields: none has the role Titles"),
        ("index.toml", "pair_slop", "pair_slopp", "unknown field `pair_slopp`"),
        ("project.toml", "\"created_on\"", "\"born_on\"", "index-schema/project.toml: "),
    ] {
        let error = with(file, from, to).unwrap_err();
        assert!(error.contains(wanted), "{error}");
    }
}
