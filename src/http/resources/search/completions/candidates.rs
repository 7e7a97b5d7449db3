//! The values with which qualifiers can be completed.

use crate::RequestContext;
use quarry_domain::access::visibility::principals;
use quarry_domain::administration::custom_field::{CustomField, Format};
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::query::issues::custom_fields;
use quarry_search::{IS_VALUES, PERIODS, Place, Qualifier, changed_values, has_values, sort_names};

/// A value of a qualifier.
pub struct Candidate {
    pub value: String,
    pub name: String,
    /// The values of the facet that it stands for.
    pub ids: Vec<i64>,
}

/// Returns the values of a qualifier that the viewer may see. `prefix` is what is typed of the value.
pub fn candidates(
    request: &RequestContext,
    catalogue: &Catalogue,
    qualifier: Qualifier,
    prefix: &str,
) -> Vec<Candidate> {
    let viewer = request.viewer();
    let fields = custom_fields(catalogue, viewer);
    match qualifier {
        Qualifier::Is => fixed(IS_VALUES),
        Qualifier::Has => fixed(has_values()),
        Qualifier::Sort => fixed(sort_names()),
        Qualifier::In => fixed(Place::ALL.map(|(name, _)| name)),
        Qualifier::Changed => fixed(changed_values())
            .into_iter()
            .chain(fields.map(|field| named(&field.name, field.id.0)))
            .collect(),
        Qualifier::Field if prefix.contains('=') => fields
            .filter(|field| prefix.starts_with(&format!("{}=", field.name.to_lowercase())))
            .flat_map(|field| {
                let values = field_values(request, catalogue, field).into_iter();
                values.map(|value| named(&format!("{}={value}", field.name), field.id.0))
            })
            .collect(),
        Qualifier::Field => fields
            .map(|field| named(&format!("{}=", field.name), field.id.0))
            .collect(),
        Qualifier::Type => [
            ("issue", Kind::Issue),
            ("wiki", Kind::WikiPage),
            ("news", Kind::News),
            ("document", Kind::Document),
            ("changeset", Kind::Changeset),
            ("message", Kind::Message),
            ("project", Kind::Project),
        ]
        .into_iter()
        .map(|(name, kind)| named(name, i64::from(kind.code())))
        .collect(),
        Qualifier::Project => catalogue
            .projects
            .values()
            .filter(|project| viewer.sees(project.id))
            .map(|project| Candidate {
                value: project.identifier.clone(),
                name: project.name.clone(),
                ids: vec![project.id.0],
            })
            .collect(),
        Qualifier::Status | Qualifier::Was => catalogue
            .statuses
            .iter()
            .map(|status| named(&status.name, status.id.0))
            .collect(),
        Qualifier::Tracker => catalogue
            .trackers
            .iter()
            .map(|tracker| named(&tracker.name, tracker.id.0))
            .collect(),
        Qualifier::Priority => catalogue
            .enumerations_of(EnumerationKind::IssuePriority)
            .map(|priority| named(&priority.name, priority.id.0))
            .collect(),
        Qualifier::Version => catalogue
            .versions
            .values()
            .filter(|version| viewer.sees(version.project))
            .map(|version| named(&version.name, version.id.0))
            .chain(fixed(["none"]))
            .collect(),
        Qualifier::Category => catalogue
            .categories
            .values()
            .filter(|category| viewer.sees(category.project))
            .map(|category| named(&category.name, category.id.0))
            .chain(fixed(["none"]))
            .collect(),
        Qualifier::Author
        | Qualifier::Assignee
        | Qualifier::Watcher
        | Qualifier::Commenter
        | Qualifier::Mentions
        | Qualifier::Involves => people(request, catalogue, qualifier),
        Qualifier::Created | Qualifier::Updated => fixed(PERIODS),
        Qualifier::Closed | Qualifier::Start | Qualifier::Due => {
            let none = fixed(["none"]);
            fixed(PERIODS).into_iter().chain(none).collect()
        }
        Qualifier::Estimated | Qualifier::Spent => fixed(["none"]),
        Qualifier::Parent
        | Qualifier::Blocks
        | Qualifier::BlockedBy
        | Qualifier::Duplicates
        | Qualifier::DuplicatedBy
        | Qualifier::Relates => fixed(["any", "none"]),
        Qualifier::Done => Vec::new(),
    }
}

/// Returns the values of a custom field that has a fixed choice of them; for others `any` and `none`.
fn field_values(
    request: &RequestContext,
    catalogue: &Catalogue,
    field: &CustomField,
) -> Vec<String> {
    let named = |candidates: Vec<Candidate>| candidates.into_iter().map(|named| named.value);
    let mut values: Vec<String> = match field.format {
        Format::List => field.possible_values.clone(),
        Format::Enumeration => {
            let values = field.enumeration.iter();
            values.map(|(_, name, _)| name.clone()).collect()
        }
        Format::Bool => ["yes", "no"].map(str::to_owned).into(),
        Format::User => named(people(request, catalogue, Qualifier::Commenter)).collect(),
        Format::Version => {
            let versions = candidates(request, catalogue, Qualifier::Version, "");
            named(versions).collect()
        }
        _ => Vec::new(),
    };
    values.retain(|value| !matches!(value.as_str(), "any" | "none"));
    values.extend(["any", "none"].map(str::to_owned));
    values
}

fn people(request: &RequestContext, catalogue: &Catalogue, qualifier: Qualifier) -> Vec<Candidate> {
    let visible = principals(request.viewer(), catalogue);
    let users = catalogue
        .users
        .values()
        .filter(|user| visible.contains(user.id.0))
        // A login comes before a name: that of somebody else would mean the other.
        .filter(|user| {
            let other = catalogue.user_by_login(&user.name);
            other.is_none_or(|other| other.id == user.id)
        })
        .map(|user| named(&user.name, user.id.0));
    let groups = catalogue
        .groups
        .iter()
        .filter(|(id, _)| qualifier == Qualifier::Assignee && visible.contains(id.0))
        .map(|(id, group)| named(&group.name, id.0));
    let mut people: Vec<Candidate> = users
        .chain(groups)
        .filter(|person| !matches!(person.value.as_str(), "me" | "none"))
        .collect();
    if let Some(user) = request.viewer().user {
        people.push(named("me", user.0));
    }
    if qualifier == Qualifier::Assignee {
        people.extend(fixed(["none"]));
    }
    people
}

fn fixed(values: impl IntoIterator<Item = &'static str>) -> Vec<Candidate> {
    values
        .into_iter()
        .map(|value| Candidate {
            value: value.to_owned(),
            name: String::new(),
            ids: Vec::new(),
        })
        .collect()
}

fn named(name: &str, id: i64) -> Candidate {
    Candidate {
        value: name.to_owned(),
        name: String::new(),
        ids: vec![id],
    }
}
