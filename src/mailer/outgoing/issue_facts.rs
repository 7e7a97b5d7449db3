//! The attributes of an issue in mails about it.

use quarry_domain::access::permission::Permission;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::issue::Issue;
use quarry_domain::values::text::date;
use quarry_store::content::attachments;
use quarry_store::{Read, StoreError, issues};

/// Labels and values of attributes.
type Facts = Vec<(&'static str, String)>;

/// Returns the attributes that every mail about the issue has.
pub fn facts(db: &Read<'_>, issue: &Issue) -> Facts {
    let catalogue = db.catalogue();
    let status = catalogue.status(issue.status);
    let priority = catalogue.enumeration(issue.priority);
    let assignee = issue.assignee.and_then(|id| catalogue.principal_name(id));
    vec![
        ("Project", catalogue.project_name(issue.project).to_owned()),
        (
            "Status",
            status.map_or_else(String::new, |status| status.name.clone()),
        ),
        (
            "Priority",
            priority.map_or_else(String::new, |priority| priority.name.clone()),
        ),
        ("Assignee", assignee.unwrap_or("nobody").to_owned()),
    ]
}

/// Returns the further attributes in the mail about a new issue that have a value which the viewer may
/// see, and the names of the files that it was created with.
pub fn facts_of_new(db: &Read<'_>, viewer: &Viewer, issue: &Issue) -> Result<Facts, StoreError> {
    let catalogue = db.catalogue();
    let category = issue.category.and_then(|id| catalogue.categories.get(&id));
    let version = issue.version.and_then(|id| catalogue.versions.get(&id));
    let version = version.filter(|version| viewer.may(Permission::ViewIssues, version.project));
    let parent = match issue.parent {
        Some(parent) => issues::find(db, visibility::issues(viewer), parent)?,
        None => None,
    };
    let files = attachments::list_by_container(db, Kind::Issue, &[issue.id.0])?;
    let files: Vec<String> = files
        .into_values()
        .flatten()
        .filter(|file| file.created_on <= issue.created_on)
        .map(|file| file.filename)
        .collect();
    let facts = [
        ("Category", category.map(|category| category.name.clone())),
        (
            "Target version",
            version.map(|version| version.name.clone()),
        ),
        (
            "Parent task",
            parent.map(|parent| format!("#{} {}", parent.id, parent.subject)),
        ),
        ("Due date", issue.due_date.map(date)),
        (
            "Files",
            Some(files.join(", ")).filter(|files| !files.is_empty()),
        ),
    ];
    let with_value = facts
        .into_iter()
        .filter_map(|(label, value)| Some((label, value?)));
    Ok(with_value.collect())
}
