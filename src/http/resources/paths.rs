//! The paths of records and pages, and the percent-encoding of their segments. Whatever the API, a
//! page, a redirect or a search result leads to gets its path here.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::ProjectId;
use quarry_domain::projects::project::Project;
use std::fmt::Display;

/// What is encoded in a segment: everything but letters, digits and the marks of RFC 2396.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'(')
    .remove(b')')
    .remove(b'!')
    .remove(b'*')
    .remove(b'\'');

/// Percent-encodes a segment of a path, or a name or value of a query string.
pub fn encode(segment: &str) -> String {
    utf8_percent_encode(segment, SEGMENT).to_string()
}

/// Returns the path of a project.
pub fn project(project: &Project) -> String {
    project_by_identifier(&project.identifier)
}

/// Returns a path below that of the project with this id, such as `/settings/members`.
pub fn below_project(catalogue: &Catalogue, id: ProjectId, suffix: &str) -> String {
    let path = catalogue
        .projects
        .get(&id)
        .map_or_else(|| project_by_identifier(&id.to_string()), project);
    format!("{path}{suffix}")
}

/// Returns the path of the project with this identifier, or with this id as text.
pub fn project_by_identifier(identifier: &str) -> String {
    format!("/projects/{}", encode(identifier))
}

/// Returns the path of the form for a subproject.
pub fn new_subproject(parent: impl Display) -> String {
    format!("/projects/new?parent_id={parent}")
}

/// Returns the path of a wiki page of the project with this identifier.
pub fn wiki_page(project: &str, title: &str) -> String {
    format!("{}/wiki/{}", project_by_identifier(project), encode(title))
}

/// Returns the path of a changeset. Without a repository it is one of the main repository.
pub fn changeset(project: &str, repository: Option<&str>, revision: &str) -> String {
    let repository = match repository {
        Some(repository) => format!("/{}", encode(repository)),
        None => String::new(),
    };
    format!(
        "{}/repository{repository}/revisions/{}",
        project_by_identifier(project),
        encode(revision)
    )
}

/// Returns the path of an issue.
pub fn issue(id: impl Display) -> String {
    format!("/issues/{id}")
}

/// Returns the path of a note of an issue, by its number.
pub fn note(issue: impl Display, number: impl Display) -> String {
    format!("/issues/{issue}#note-{number}")
}

/// Returns the path of the form for a journal of an issue.
pub fn journal(id: impl Display) -> String {
    format!("/journals/{id}")
}

/// Returns the path of a news item.
pub fn news(id: impl Display) -> String {
    format!("/news/{id}")
}

/// Returns the path of a comment on a news item.
pub fn comment(news: impl Display, id: impl Display) -> String {
    format!("/news/{news}/comments/{id}")
}

/// Returns the path of a document.
pub fn document(id: impl Display) -> String {
    format!("/documents/{id}")
}

/// Returns the path of a board.
pub fn board(id: impl Display) -> String {
    format!("/boards/{id}")
}

/// Returns the path of a topic of a board.
pub fn topic(board: impl Display, id: impl Display) -> String {
    format!("/boards/{board}/topics/{id}")
}

/// Returns the path of a reply to a topic.
pub fn reply(board: impl Display, topic: impl Display, id: impl Display) -> String {
    format!("/boards/{board}/topics/{topic}?r={id}#message-{id}")
}

/// Returns the path of a message for changes.
pub fn message(id: impl Display) -> String {
    format!("/messages/{id}")
}

/// Returns the path of a version.
pub fn version(id: impl Display) -> String {
    format!("/versions/{id}")
}

/// Returns the path of an issue category.
pub fn issue_category(id: impl Display) -> String {
    format!("/issue_categories/{id}")
}

/// Returns the path of a saved query.
pub fn query(id: impl Display) -> String {
    format!("/queries/{id}")
}

/// Returns the path of the form that deletes a saved query.
pub fn delete_query(id: impl Display) -> String {
    format!("/queries/{id}/delete")
}

/// Returns the path of an attachment.
pub fn attachment(id: impl Display) -> String {
    format!("/attachments/{id}")
}

/// Returns the path of the content of an attachment.
pub fn download(attachment: impl Display, filename: &str) -> String {
    format!("/attachments/download/{attachment}/{}", encode(filename))
}

/// Returns the path of a thumbnail with at most `size` pixels in each direction.
pub fn thumbnail(attachment: impl Display, size: impl Display) -> String {
    format!("/attachments/thumbnail/{attachment}/{size}")
}

/// Returns the path of a user.
pub fn user(id: impl Display) -> String {
    format!("/users/{id}")
}

/// Returns the path of the picture of a user.
pub fn user_picture(id: impl Display) -> String {
    format!("/users/{id}/picture")
}

/// Returns the path of the picture of a user as long as it has this digest.
pub fn current_picture(id: impl Display, digest: &str) -> String {
    format!("{}?v={digest}", user_picture(id))
}

/// Returns the path of the form for a user.
pub fn edit_user(id: impl Display) -> String {
    format!("/users/{id}/edit")
}

/// Returns the path of an OAuth application.
pub fn application(id: impl Display) -> String {
    format!("/oauth/applications/{id}")
}

/// Returns the path of the login form that leads back to the path.
pub fn login(back: &str) -> String {
    format!("/login?back_url={}", encode(back))
}

/// Returns the path of the preview of a text about a record, such as `project` and its id.
pub fn preview(of: &str, id: impl Display) -> String {
    format!("/preview?{of}={id}")
}

#[cfg(test)]
mod tests {
    use super::{changeset, encode, wiki_page};

    #[test]
    fn segments_are_encoded() {
        assert_eq!(encode("a-b._~()!*'"), "a-b._~()!*'");
        assert_eq!(encode("ä/b c?&#%+"), "%C3%A4%2Fb%20c%3F%26%23%25%2B");
        assert_eq!(wiki_page("x y", "A/B"), "/projects/x%20y/wiki/A%2FB");
        assert_eq!(
            changeset("p", Some("main"), "1"),
            "/projects/p/repository/main/revisions/1"
        );
        assert_eq!(
            changeset("p", None, "1"),
            "/projects/p/repository/revisions/1"
        );
    }
}
