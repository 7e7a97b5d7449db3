//! What a journal changed, as sentences with names instead of ids.

use super::{custom_values, paths};
use quarry_domain::access::permission::Permission;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::administration::custom_field::{CustomField, Format};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{
    CategoryId, EnumerationId, PrincipalId, ProjectId, StatusId, TrackerId, VersionId,
};
use quarry_domain::issues::journal::JournalDetail;
use quarry_domain::issues::relation::RelationType;
use quarry_domain::values::text::{date, shorten};

/// Maximum number of characters of a value in a sentence.
const MAX_VALUE_CHARS: usize = 200;

/// A change of one attribute.
pub struct Change {
    /// What was done: set, changed, removed, added.
    pub verb: &'static str,
    /// The attribute.
    pub label: String,
    /// The old value, where it is shown.
    pub old: Option<String>,
    /// The new value, where it is shown.
    pub new: Option<String>,
    /// The address of what was added.
    pub path: Option<String>,
}

impl Change {
    /// Returns the sentence without markup.
    pub fn to_text(&self) -> String {
        let start = format!("{} {}", self.verb, self.label);
        match (&self.old, &self.new) {
            (Some(old), Some(new)) if self.verb == "set" => format!("{start} from {old} to {new}"),
            (_, Some(new)) if self.verb == "set" => format!("{start} to {new}"),
            (_, Some(new)) => format!("{start} {new}"),
            (Some(old), None) => format!("{start} (was {old})"),
            (None, None) => start,
        }
    }

    /// Returns the sentence for a detail. Projects, versions and categories that the viewer may not
    /// see have no name, like deleted ones.
    pub fn new(catalogue: &Catalogue, viewer: &Viewer, detail: &JournalDetail) -> Change {
        let old = present(detail.old_value.as_deref());
        let new = present(detail.new_value.as_deref());
        match detail.property.as_str() {
            "attachment" => file(detail, old, new),
            "relation" => relation(detail, old, new),
            "cf" => custom_field(catalogue, viewer, detail, old, new),
            _ => attribute(catalogue, viewer, &detail.name, old, new),
        }
    }
}

fn present(value: Option<&str>) -> Option<&str> {
    value.filter(|value| !value.is_empty())
}

fn shortened(value: &str) -> String {
    shorten(value, MAX_VALUE_CHARS)
}

fn change(label: String, old: Option<String>, new: Option<String>) -> Change {
    let verb = match (&old, &new) {
        (None, None) => "changed",
        (_, Some(_)) => "set",
        (Some(_), None) => "removed",
    };
    Change {
        verb,
        label,
        old,
        new,
        path: None,
    }
}

fn file(detail: &JournalDetail, old: Option<&str>, new: Option<&str>) -> Change {
    let path = new
        .map(|_| paths::attachment(&detail.name))
        .filter(|_| detail.name.bytes().all(|byte| byte.is_ascii_digit()));
    let verb = if new.is_some() { "added" } else { "removed" };
    Change {
        verb,
        label: "file".to_owned(),
        old: None,
        new: new.or(old).map(shortened),
        path,
    }
}

fn relation(detail: &JournalDetail, old: Option<&str>, new: Option<&str>) -> Change {
    let relation_type = detail.name.parse().ok();
    let label = relation_type.map_or("related to", RelationType::label);
    let verb = if new.is_some() {
        "added relation"
    } else {
        "removed relation"
    };
    let path = new.map(paths::issue).filter(|path| {
        path.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'/')
    });
    Change {
        verb,
        label: label.to_owned(),
        old: None,
        new: new.or(old).map(|id| format!("#{}", shortened(id))),
        path,
    }
}

/// Returns the sentence about an issue that became a subtask, or is one no longer.
fn subtask(old: Option<&str>, new: Option<&str>) -> Change {
    let verb = if new.is_some() { "added" } else { "removed" };
    let id = new.or(old).unwrap_or_default();
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    Change {
        verb,
        label: "subtask".to_owned(),
        old: None,
        new: Some(format!("#{}", shortened(id))),
        path: is_id.then(|| paths::issue(id)),
    }
}

fn custom_field(
    catalogue: &Catalogue,
    viewer: &Viewer,
    detail: &JournalDetail,
    old: Option<&str>,
    new: Option<&str>,
) -> Change {
    let field = catalogue
        .custom_fields
        .iter()
        .find(|field| field.id.to_string() == detail.name);
    let label = field.map_or_else(|| "Custom field".to_owned(), |field| field.name.clone());
    if field.is_some_and(|field| field.format == Format::Text) {
        return change(label, None, None);
    }
    let value = |value: &str| match field {
        Some(field) if !is_hidden(catalogue, viewer, field, value) => {
            custom_values::text_of(catalogue, field, value)
        }
        _ => value.to_owned(),
    };
    change(
        label,
        old.map(|old| shortened(&value(old))),
        new.map(|new| shortened(&value(new))),
    )
}

/// Whether the value is a version that the viewer does not see.
fn is_hidden(catalogue: &Catalogue, viewer: &Viewer, field: &CustomField, value: &str) -> bool {
    let version = value
        .parse()
        .ok()
        .and_then(|id| catalogue.versions.get(&VersionId(id)));
    field.format == Format::Version
        && version.is_some_and(|version| !viewer.may(Permission::ViewIssues, version.project))
}

fn attribute(
    catalogue: &Catalogue,
    viewer: &Viewer,
    name: &str,
    old: Option<&str>,
    new: Option<&str>,
) -> Change {
    let label = match name {
        "description" => return change("Description".to_owned(), None, None),
        "child_id" => return subtask(old, new),
        "subject" => "Subject",
        "project_id" => "Project",
        "tracker_id" => "Tracker",
        "status_id" => "Status",
        "priority_id" => "Priority",
        "assigned_to_id" => "Assignee",
        "author_id" => "Author",
        "category_id" => "Category",
        "fixed_version_id" => "Target version",
        "parent_id" => "Parent task",
        "start_date" => "Start date",
        "due_date" => "Due date",
        "done_ratio" => "% Done",
        "estimated_hours" => "Estimated time",
        "is_private" => "Private",
        other => other,
    };
    let value = |text: &str| shortened(&value(catalogue, viewer, name, text));
    change(label.to_owned(), old.map(value), new.map(value))
}

/// Returns the name behind an id, or the value for people.
fn value(catalogue: &Catalogue, viewer: &Viewer, name: &str, text: &str) -> String {
    let readable = match name {
        "project_id" => text.parse::<i64>().ok().and_then(|id| {
            let project = catalogue
                .projects
                .get(&ProjectId(id))
                .filter(|project| viewer.sees(project.id))?;
            Some(project.name.clone())
        }),
        "tracker_id" => text
            .parse::<i64>()
            .ok()
            .and_then(|id| Some(catalogue.tracker(TrackerId(id))?.name.clone())),
        "status_id" => text
            .parse::<i64>()
            .ok()
            .and_then(|id| Some(catalogue.status(StatusId(id))?.name.clone())),
        "priority_id" => text
            .parse::<i64>()
            .ok()
            .and_then(|id| Some(catalogue.enumeration(EnumerationId(id))?.name.clone())),
        "assigned_to_id" | "author_id" => text
            .parse::<i64>()
            .ok()
            .and_then(|id| Some(catalogue.principal_name(PrincipalId(id))?.to_owned())),
        "category_id" => text.parse::<i64>().ok().and_then(|id| {
            let category = catalogue
                .categories
                .get(&CategoryId(id))
                .filter(|category| viewer.may(Permission::ViewIssues, category.project))?;
            Some(category.name.clone())
        }),
        "fixed_version_id" => text.parse::<i64>().ok().and_then(|id| {
            let version = catalogue
                .versions
                .get(&VersionId(id))
                .filter(|version| viewer.may(Permission::ViewIssues, version.project))?;
            Some(version.name.clone())
        }),
        "parent_id" => Some(format!("#{text}")),
        "start_date" | "due_date" => text.parse().ok().map(date),
        "done_ratio" => Some(format!("{text} %")),
        "estimated_hours" => Some(format!("{text} h")),
        "is_private" => Some(
            if text == "1" || text == "true" {
                "yes"
            } else {
                "no"
            }
            .to_owned(),
        ),
        _ => None,
    };
    readable.unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_domain::administration::custom_field::Customized;
    use quarry_domain::ids::CustomFieldId;
    use quarry_domain::projects::version::Version;

    fn sentence(property: &str, name: &str, old: Option<&str>, new: Option<&str>) -> String {
        let detail = JournalDetail {
            property: property.to_owned(),
            name: name.to_owned(),
            old_value: old.map(str::to_owned),
            new_value: new.map(str::to_owned),
        };
        let catalogue = Catalogue::default();
        let change = Change::new(&catalogue, &Viewer::new(&catalogue, None), &detail);
        format!(
            "{} {} {:?} {:?} {:?}",
            change.verb, change.label, change.old, change.new, change.path
        )
    }

    #[test]
    fn change_names_attribute_and_values() {
        assert_eq!(
            sentence("attr", "done_ratio", Some("0"), Some("30")),
            r#"set % Done Some("0 %") Some("30 %") None"#
        );
        assert_eq!(
            sentence("attr", "due_date", None, Some("2013-12-20")),
            r#"set Due date None Some("20 Dec 2013") None"#
        );
        assert_eq!(
            sentence("attr", "due_date", Some("2013-12-20"), Some("")),
            r#"removed Due date Some("20 Dec 2013") None None"#
        );
        assert_eq!(
            sentence("attr", "description", Some("a"), Some("b")),
            "changed Description None None None"
        );
    }

    #[test]
    fn hidden_version_in_a_custom_field_has_no_name() {
        let mut catalogue = Catalogue::default();
        let field = CustomField::new(Customized::Issue, "Found in", Format::Version);
        catalogue.custom_fields.push(CustomField {
            id: CustomFieldId(3),
            ..field
        });
        let id = VersionId(8);
        let project = ProjectId(1);
        let name = "Secret".to_owned();
        let status = "open".to_owned();
        catalogue.versions.insert(
            id,
            Version {
                id,
                project,
                name,
                status,
                ..Version::default()
            },
        );
        let property = "cf".to_owned();
        let name = "3".to_owned();
        let new_value = Some("8".to_owned());
        let detail = JournalDetail {
            property,
            name,
            old_value: None,
            new_value,
        };
        let change = Change::new(&catalogue, &Viewer::new(&catalogue, None), &detail);
        assert_eq!(
            (change.label.as_str(), change.new.as_deref()),
            ("Found in", Some("8"))
        );
    }

    #[test]
    fn added_and_removed_subtasks_have_links() {
        assert_eq!(
            sentence("attr", "child_id", None, Some("12")),
            r##"added subtask None Some("#12") Some("/issues/12")"##
        );
        assert_eq!(
            sentence("attr", "child_id", Some("12"), None),
            r##"removed subtask None Some("#12") Some("/issues/12")"##
        );
    }

    #[test]
    fn added_files_and_relations_have_links() {
        assert_eq!(
            sentence("attachment", "7", None, Some("a.png")),
            r#"added file None Some("a.png") Some("/attachments/7")"#
        );
        assert_eq!(
            sentence("attachment", "7", Some("a.png"), None),
            r#"removed file None Some("a.png") None"#
        );
        assert_eq!(
            sentence("relation", "blocks", None, Some("12")),
            r##"added relation blocks None Some("#12") Some("/issues/12")"##
        );
        assert_eq!(
            sentence("relation", "blocks", None, Some("javascript:1")),
            r##"added relation blocks None Some("#javascript:1") None"##
        );
    }
}
