//! Pairs of a text and its HTML in `fixtures/markup`. After an intended change, run the test with
//! `UPDATE_FIXTURES=1` and read the diff.

use super::*;
use std::fs;
use std::path::Path;

/// A small world: `#404`, `Secret` and everything called "none" or "nobody" do not exist for the
/// viewer.
pub(super) struct World;

impl LinkResolver for World {
    fn resolve(&self, reference: &Reference<'_>) -> Option<Link> {
        let project = reference.project.unwrap_or("own");
        let (href, label) = match reference.target {
            Target::Issue { id: 404, .. } => return None,
            Target::Issue {
                id,
                note,
                with_subject,
            } => {
                let note = note.map_or(String::new(), |note| format!("#note-{note}"));
                (
                    format!("/issues/{id}{note}"),
                    with_subject.then(|| format!("Bug #{id}: <Subject>")),
                )
            }
            Target::Note(note) => (format!("#note-{note}"), None),
            Target::WikiPage(title)
            | Target::Revision(title)
            | Target::Commit(title)
            | Target::Source(title)
            | Target::Image(title)
                if is_hidden(title) =>
            {
                return None;
            }
            Target::WikiPage(title) => (
                format!("/projects/{project}/wiki/{title}"),
                title.is_empty().then(|| "Start".to_owned()),
            ),
            Target::Revision(revision) | Target::Commit(revision) => (
                format!("/projects/{project}/repository/revisions/{revision}"),
                None,
            ),
            Target::Source(path) => (format!("/projects/{project}/repository/entry/{path}"), None),
            Target::Image(name) => (format!("/attachments/download/1/{name}"), None),
            Target::User(Key::Name("anna")) => {
                ("/users/5".to_owned(), Some("Anna \"A\" Ä.".to_owned()))
            }
            Target::Attachment(key) => (record("attachments", key)?, None),
            Target::User(key) => (record("users", key)?, None),
            Target::FullName("Anna A.") => ("/users/5".to_owned(), Some("Anna A.".to_owned())),
            Target::FullName(_) => return None,
            Target::Version(key) => (record("versions", key)?, None),
            Target::Document(key) => (record("documents", key)?, None),
            Target::Forum(key) => (record("boards", key)?, None),
            Target::Message(key) => (record("messages", key)?, None),
            Target::News(key) => (record("news", key)?, None),
            Target::Project(key) => (record("projects", key)?, None),
        };
        let state = match reference.target {
            Target::Issue { id: 99, .. } => LinkState::Closed,
            Target::WikiPage("New page") => LinkState::Missing,
            _ => LinkState::Normal,
        };
        let title = matches!(reference.target, Target::Issue { .. })
            .then(|| "A \"subject\" <b>".to_owned());
        Some(Link {
            href,
            label,
            title,
            state,
        })
    }
}

fn is_hidden(name: &str) -> bool {
    matches!(name, "Secret" | "nobody" | "none" | "none.png")
}

fn record(kind: &str, key: Key<'_>) -> Option<String> {
    match key {
        Key::Id(id) => Some(format!("/{kind}/{id}")),
        Key::Name(name) => (!is_hidden(name)).then(|| format!("/{kind}/{name}")),
    }
}

fn check(folder: &str, extension: &str, format: TextFormat) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/markup")
        .join(folder);
    let options = RenderOptions {
        timeout: Duration::from_secs(60),
        ..RenderOptions::default()
    };
    let mut count = 0;
    let mut differing = Vec::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|found| found != extension) {
            continue;
        }
        let html = format!(
            "{}\n",
            render(
                &fs::read_to_string(&path).unwrap(),
                format,
                &World,
                &options
            )
            .as_str()
            .trim_end()
        );
        let expected = path.with_extension("html");
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            fs::write(&expected, &html).unwrap();
        }
        if fs::read_to_string(&expected).unwrap_or_default() != html {
            differing.push(format!("{}:\n{html}", path.display()));
        }
        count += 1;
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    count
}

#[test]
fn markdown_texts_have_the_expected_html() {
    assert!(check("markdown", "md", TextFormat::Markdown) >= 50);
}

#[test]
fn textile_texts_have_the_expected_html() {
    assert!(check("textile", "textile", TextFormat::Textile) >= 35);
}
