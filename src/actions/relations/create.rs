//! Relating issues (contract 4.8).

use super::note;
use crate::actions::Refused;
use crate::actions::issues::{self, watching};
use crate::domain::clock::Clock;
use crate::domain::given::Given;
use crate::domain::ids::{IssueId, RelationId};
use crate::domain::issue::Issue;
use crate::domain::permission::Permission;
use crate::domain::relation::{Relation, RelationType};
use crate::domain::setting::Setting;
use crate::domain::validation::Complaints;
use crate::domain::viewer::Viewer;
use crate::domain::{visibility, workdays};
use crate::store::{self, Read, StoreError, Write, relations, subtasks};

/// How many issues one request can relate.
const MOST: usize = 100;

/// What a request wants of a relation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RelationChange {
    /// The other issue: `28`, `#28`, or several, `29,31`.
    pub to: Given<String>,
    /// How the one relates to the other; `relates` when nothing is said.
    pub kind: Given<String>,
    /// Working days between them.
    pub delay: Given<String>,
}

/// Relates the issue to what is asked for; the relation as it is kept, the last one of several. All of them or none. What now
/// waits for something else moves (contract 4.6).
///
/// # Errors
/// `NotFound`; `Forbidden` when the viewer may not see the issue or not manage its relations; `Invalid` with the sentences of
/// contract 4.8. What the viewer may not see is, for the viewer, not there.
pub fn create(db: &mut Write<'_>, viewer: &Viewer, id: IssueId, asked: &RelationChange, clock: &dyn Clock) -> Result<Relation, Refused> {
    let issue = issues::find(db, viewer, id)?;
    let Some(user) = viewer.writer(db.catalogue()).filter(|_| viewer.may(Permission::ManageIssueRelations, issue.project)) else {
        return Err(Refused::Forbidden);
    };
    let mut made = Vec::new();
    for number in numbers(&asked.to)? {
        let other = match number {
            Some(number) => store::issues::find(db, visibility::issues(viewer), number)?,
            None => None,
        };
        let (draft, other) = judge(db, &issue, other, asked)?;
        made.push(Relation { id: relations::insert(db, &draft)?, ..draft });
        watching::contributor(db, viewer, user, &other)?;
    }
    watching::contributor(db, viewer, user, &issue)?;
    note(db, user, issue.id, &made, true, clock)?;
    for relation in made.iter().filter(|relation| relation.kind == RelationType::Precedes) {
        issues::follow(db, viewer, relation.from, clock)?;
    }
    made.pop().ok_or_else(|| Refused::Invalid(vec!["Related issue cannot be blank".to_owned()]))
}

/// The numbers that were given; `None` for what is no number.
fn numbers(to: &Given<String>) -> Result<Vec<Option<IssueId>>, Refused> {
    let text = to.value().map_or("", String::as_str);
    let parts: Vec<&str> = text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    if parts.len() > MOST {
        return Err(Refused::Invalid(vec![format!("Related issue is invalid (at most {MOST} issues can be related at once)")]));
    }
    let number = |part: &str| part.strip_prefix('#').unwrap_or(part).parse().ok().map(IssueId);
    Ok(if parts.is_empty() { vec![None] } else { parts.into_iter().map(number).collect() })
}

/// The relation to be kept, or what is wrong with it.
fn judge(db: &Read<'_>, issue: &Issue, other: Option<Issue>, asked: &RelationChange) -> Result<(Relation, Issue), Refused> {
    let mut complaints = Complaints::new();
    if other.is_none() {
        complaints.add("Related issue", "cannot be blank");
    }
    let kind = asked.kind.value().map_or(Some(RelationType::Relates), |name| RelationType::parse(name));
    if kind.is_none() {
        complaints.add("Relation type", "is not included in the list");
    }
    let delay = asked.delay.value().map(|text| text.trim().parse::<i64>());
    match &delay {
        Some(Err(_)) => complaints.add("Delay", "is not a number"),
        Some(Ok(days)) if *days > workdays::MOST => complaints.add("Delay", &format!("must be less than or equal to {}", workdays::MOST)),
        Some(Ok(days)) if *days < -workdays::MOST => {
            complaints.add("Delay", &format!("must be greater than or equal to -{}", workdays::MOST))
        }
        _ => {}
    }
    let (Some(other), Some(kind)) = (other, kind) else { return Err(Refused::Invalid(complaints.messages().to_vec())) };
    let given = Relation { id: RelationId(0), from: issue.id, to: other.id, kind, delay: delay.and_then(Result::ok) };
    if issue.id == other.id {
        complaints.add("Related issue", "is invalid");
    } else {
        related(db, issue, &other, &given, &mut complaints)?;
    }
    complaints.into_result().map_err(Refused::Invalid)?;
    Ok((given.normalised(), other))
}

fn related(db: &Read<'_>, issue: &Issue, other: &Issue, given: &Relation, complaints: &mut Complaints) -> Result<(), StoreError> {
    let kept = given.normalised();
    // Two that merely have to do with each other are compared as they were named, everything else as it is kept.
    let (from, to) = if given.kind == RelationType::Relates { (given.from, given.to) } else { (kept.from, kept.to) };
    if relations::exists(db, from, to)? {
        complaints.add("Related issue", "has already been taken");
    }
    if issue.project != other.project && !db.catalogue().is_on(Setting::CrossProjectIssueRelations) {
        complaints.add("Related issue", "doesn't belong to the same project");
    }
    let circular = match kept.kind {
        RelationType::Precedes => issues::moves(db, to, from)?,
        RelationType::Blocks => relations::blocks(db, to, from)?,
        _ => relations::exists(db, to, from)?,
    };
    if circular {
        complaints.add("This relation", "would create a circular dependency");
    }
    if subtasks::is_above(db, from, to)? || subtasks::is_above(db, to, from)? {
        complaints.add("An issue", "cannot be linked to one of its subtasks");
    }
    Ok(())
}
