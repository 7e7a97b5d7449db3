//! Resolves qualifiers for a viewer: names become filters by attributes.
//!
//! Invariant: what the viewer may not see is treated as unknown, and whether somebody has an
//! account is not revealed.

use super::clause::{Clause, QualifierFilter};
use super::dates::parse_date_range;
use super::lexer::ParseError;
use super::qualifier::Qualifier;
use crate::schema::columns::{Attribute, AttributeFilter, Predicate};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility::project_files;
use quarry_domain::accounts::user::User;
use quarry_domain::accounts::user_format::UserFormat;
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::ProjectId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::edit_distance::nearest;
use quarry_domain::values::id_set::IdSet;

/// Names of content types, besides those of their parameters.
pub(super) const TYPES: [(&str, Kind); 8] = [
    ("issue", Kind::Issue),
    ("news", Kind::News),
    ("document", Kind::Document),
    ("changeset", Kind::Changeset),
    ("wiki", Kind::WikiPage),
    ("wiki_page", Kind::WikiPage),
    ("message", Kind::Message),
    ("project", Kind::Project),
];

/// The attribute value of records without a value.
const NONE: i64 = 0;
/// An id that no user has: a filter by it matches nothing.
const NOBODY: i64 = -1;

/// Resolves qualifiers to filters. Those of the same name are alternatives, unless they are negated
/// or ranges of time. `in:` has no filter, because it is a part of the parsed query.
pub fn resolve_qualifiers(
    qualifiers: &[QualifierFilter],
    catalogue: &Catalogue,
    viewer: &Viewer,
) -> Result<Vec<AttributeFilter>, ParseError> {
    let mut filters: Vec<AttributeFilter> = Vec::with_capacity(qualifiers.len());
    // Qualifiers whose values are alternatives, with the places of their filters.
    let mut joined: Vec<(Qualifier, usize)> = Vec::new();
    for qualifier in qualifiers {
        let resolved = resolve(
            qualifier.qualifier,
            qualifier.value.trim(),
            catalogue,
            viewer,
        );
        let resolved = resolved.map_err(|problem| parse_error(qualifier, problem))?;
        let Some((attribute, predicate)) = resolved else {
            continue;
        };
        if let (false, Predicate::OneOf(ids)) = (qualifier.negated, &predicate)
            && qualifier.qualifier.joins_values()
        {
            let known = joined.iter().find(|(name, _)| *name == qualifier.qualifier);
            if let Some((_, place)) = known {
                if let Predicate::OneOf(others) = &mut filters[*place].predicate {
                    *others = others.union(ids);
                }
                continue;
            }
            joined.push((qualifier.qualifier, filters.len()));
        }
        filters.push(AttributeFilter {
            attribute,
            predicate,
            negated: qualifier.negated,
        });
    }
    Ok(filters)
}

/// The condition that a qualifier in a [`Clause`] stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResolvedQualifier {
    qualifier: Qualifier,
    value: String,
    filter: AttributeFilter,
}

impl ResolvedQualifier {
    /// Returns the condition if it is that of this qualifier.
    pub(crate) fn filter_of(&self, qualifier: &QualifierFilter) -> Option<&AttributeFilter> {
        (self.qualifier == qualifier.qualifier && self.value == qualifier.value)
            .then_some(&self.filter)
    }
}

/// Resolves the qualifiers of clauses.
pub fn resolve_clauses(
    clauses: &[Clause],
    catalogue: &Catalogue,
    viewer: &Viewer,
) -> Result<Vec<ResolvedQualifier>, ParseError> {
    let mut qualifiers: Vec<&QualifierFilter> = Vec::new();
    for clause in clauses {
        clause.for_each_qualifier(&mut |qualifier| qualifiers.push(qualifier));
    }
    let mut resolved = Vec::with_capacity(qualifiers.len());
    for filter in qualifiers {
        let condition = resolve(filter.qualifier, filter.value.trim(), catalogue, viewer);
        let condition = condition.map_err(|problem| parse_error(filter, problem))?;
        resolved.extend(condition.map(|(attribute, predicate)| ResolvedQualifier {
            qualifier: filter.qualifier,
            value: filter.value.clone(),
            filter: AttributeFilter {
                attribute,
                predicate,
                negated: false,
            },
        }));
    }
    Ok(resolved)
}

fn parse_error(qualifier: &QualifierFilter, problem: Option<String>) -> ParseError {
    let name = qualifier.qualifier.name();
    let problem =
        problem.unwrap_or_else(|| format!("{name}: expects {}", qualifier.qualifier.expects()));
    ParseError {
        position: qualifier.position,
        text: format!("{name}:{}", qualifier.value),
        problem,
    }
}

fn one_of(attribute: Attribute, ids: impl IntoIterator<Item = i64>) -> Resolved {
    let ids: IdSet = ids.into_iter().collect();
    Ok(Some((attribute, Predicate::OneOf(ids))))
}

/// The attribute and predicate of a qualifier; `None` for a qualifier without a filter. The error
/// is a message, or `None` for that of [`Qualifier::expects`].
pub(super) type Resolved = Result<Option<(Attribute, Predicate)>, Option<String>>;

pub(super) fn resolve(
    qualifier: Qualifier,
    value: &str,
    catalogue: &Catalogue,
    viewer: &Viewer,
) -> Resolved {
    match qualifier {
        Qualifier::Is => {
            let closed = match value {
                "open" => false,
                "closed" => true,
                _ => return Err(None),
            };
            let statuses = catalogue
                .statuses
                .iter()
                .filter(|status| status.is_closed == closed);
            one_of(Attribute::Status, statuses.map(|status| status.id.0))
        }
        Qualifier::Type => {
            let kind = TYPES
                .iter()
                .find(|(name, _)| *name == value)
                .map(|(_, kind)| *kind);
            let kind = kind
                .or_else(|| Kind::ALL.into_iter().find(|kind| kind.parameter() == value))
                .ok_or(None)?;
            one_of(Attribute::Kind, [i64::from(kind.code())])
        }
        Qualifier::Project => {
            let project = catalogue
                .project_by(value)
                .filter(|project| viewer.sees(project.id))
                .ok_or(None)?;
            let projects = catalogue.subtree(project.id).into_iter();
            one_of(Attribute::Project, projects.map(|id| id.0))
        }
        Qualifier::Author if value == "me" => {
            let user = viewer.user.map_or(NOBODY, |user| user.0);
            one_of(Attribute::Author, [user])
        }
        Qualifier::Author => one_of(Attribute::Author, people(value, catalogue)),
        Qualifier::Assignee if value == "none" => one_of(Attribute::Assignee, [NONE]),
        Qualifier::Assignee if value == "me" => {
            let principals = viewer.principals.iter();
            one_of(Attribute::Assignee, principals.map(|principal| principal.0))
        }
        Qualifier::Assignee => one_of(Attribute::Assignee, people(value, catalogue)),
        Qualifier::Status => by_name(
            Attribute::Status,
            value,
            catalogue
                .statuses
                .iter()
                .map(|status| (status.id.0, status.name.as_str())),
        ),
        Qualifier::Tracker => by_name(
            Attribute::Tracker,
            value,
            catalogue
                .trackers
                .iter()
                .map(|tracker| (tracker.id.0, tracker.name.as_str())),
        ),
        Qualifier::Priority => {
            let priorities = catalogue.enumerations_of(EnumerationKind::IssuePriority);
            by_name(
                Attribute::Priority,
                value,
                priorities.map(|priority| (priority.id.0, priority.name.as_str())),
            )
        }
        Qualifier::Version if value == "none" => one_of(Attribute::Version, [NONE]),
        Qualifier::Category if value == "none" => one_of(Attribute::Category, [NONE]),
        Qualifier::Version => {
            let visible = catalogue
                .versions
                .values()
                .filter(|version| is_visible(viewer, version.project));
            by_name(
                Attribute::Version,
                value,
                visible.map(|version| (version.id.0, version.name.as_str())),
            )
        }
        Qualifier::Category => {
            let visible = catalogue
                .categories
                .values()
                .filter(|category| is_visible(viewer, category.project));
            by_name(
                Attribute::Category,
                value,
                visible.map(|category| (category.id.0, category.name.as_str())),
            )
        }
        Qualifier::Created => Ok(Some((
            Attribute::Created,
            parse_date_range(value).ok_or(None)?,
        ))),
        Qualifier::Updated => Ok(Some((
            Attribute::Updated,
            parse_date_range(value).ok_or(None)?,
        ))),
        Qualifier::Has if value == "attachment" || value == "attachments" => Ok(Some((
            Attribute::Files,
            Predicate::HasFiles(project_files(viewer).clone()),
        ))),
        Qualifier::Has => Err(None),
        Qualifier::In if value == "title" => Ok(None),
        Qualifier::In => Err(None),
    }
}

/// Returns the user with this login, or else everybody with this name as pages show it, or first
/// and last name, ignoring case.
///
/// Not everybody may know who has an account: an unknown name finds nothing, like that of somebody
/// who has written nothing.
fn people(value: &str, catalogue: &Catalogue) -> Vec<i64> {
    if let Some(user) = catalogue.user_by_login(value) {
        return vec![user.id.0];
    }
    let name = value.to_lowercase();
    let users = catalogue
        .users
        .values()
        .filter(|user| has_name(user, &name))
        .map(|user| user.id.0);
    let groups = catalogue
        .groups
        .iter()
        .filter(|(_, group)| group.name.to_lowercase() == name)
        .map(|(id, _)| id.0);
    let builtin = catalogue
        .builtin
        .iter()
        .filter(|(_, builtin)| builtin.name().to_lowercase() == name)
        .map(|(id, _)| id.0);
    let ids: Vec<i64> = users.chain(groups).chain(builtin).collect();
    if ids.is_empty() { vec![NOBODY] } else { ids }
}

/// Whether pages show the user with this lowercase name, or it is their first and last name.
fn has_name(user: &User, lowercase: &str) -> bool {
    let full_name = UserFormat::FirstLast.name(&user.firstname, &user.lastname, &user.login);
    user.name.to_lowercase() == lowercase || full_name.to_lowercase() == lowercase
}

fn is_visible(viewer: &Viewer, project: ProjectId) -> bool {
    viewer.sees(project)
}

/// Matches everything with this name, ignoring case.
fn by_name<'n>(
    attribute: Attribute,
    value: &str,
    names: impl Iterator<Item = (i64, &'n str)>,
) -> Resolved {
    let mut names: Vec<(i64, &str)> = names.collect();
    names.sort_unstable_by_key(|(id, _)| *id);
    let lowercase = value.to_lowercase();
    let ids: IdSet = names
        .iter()
        .filter(|(_, name)| name.to_lowercase() == lowercase)
        .map(|(id, _)| *id)
        .collect();
    if !ids.is_empty() {
        return Ok(Some((attribute, Predicate::OneOf(ids))));
    }
    Err(nearest(value, names.iter().map(|(_, name)| *name))
        .map(|name| format!("there is none of this name, did you mean \"{name}\"?")))
}
