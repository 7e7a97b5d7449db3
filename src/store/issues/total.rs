//! How many issues a viewer sees, summed up from the counts of [`crate::store::classes`].

use super::list::Page;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::{PrincipalId, ProjectId, UserId};
use crate::domain::query::filter::Test;
use crate::domain::query::issues::{Condition, Field};
use crate::domain::visibility::Visible;
use crate::store::classes::{Class, Counts, Sum};
use crate::store::engine::Value;
use crate::store::remembered::Ids;
use crate::store::{Read, StoreError};

/// How many issues fit (at least: of those that are seen by whom they belong to or by their tracker, none is counted), and how many
/// there are at all.
/// `None` where the counts cannot tell.
pub fn estimate(db: &Read<'_>, page: &Page<'_>) -> Result<Option<(i64, i64)>, StoreError> {
    let (Some(classes), Some(statuses)) = (db.classes(), Statuses::of(page.conditions, db.catalogue())) else { return Ok(None) };
    classes.with(db, |counts| Some((sum(counts, page.visible, &statuses).count, counts.all())))
}

/// How many issues there are at all, for whomever: to be compared, never to be told. `None` where the counts cannot tell.
pub fn all(db: &Read<'_>) -> Result<Option<i64>, StoreError> {
    db.classes().map(|classes| classes.with(db, |counts| counts.all())).transpose()
}

/// All issues that fit, where the counts can tell: when nothing is asked but the status.
pub fn numbers(db: &Read<'_>, page: &Page<'_>) -> Result<Option<Ids>, StoreError> {
    let (Some(classes), Some(statuses)) = (db.classes(), Statuses::of(page.conditions, db.catalogue())) else { return Ok(None) };
    let Some(owner) = owner(page.visible) else { return Ok(None) };
    let fits = |class: &Class, own: bool| seen(page.visible, class, own) && statuses.have(class.status);
    let (others, depends) = classes.with(db, |counts| {
        let depends = counts.projects().flat_map(|(_, classes)| classes).any(|(class, _)| fits(class, true) && !fits(class, false));
        (counts.issues(|class| fits(class, false)), depends)
    })?;
    let (Owner::Of(user, principals), true) = (owner, depends) else { return Ok(Some(others)) };
    let mut own: Vec<i64> =
        own_numbers(db, user, principals)?.into_iter().filter(|(_, class)| fits(class, true)).map(|(id, _)| id).collect();
    own.sort_unstable();
    Ok(Some(others.either(&Ids::ascending(own))))
}

/// The statuses that are asked for.
#[derive(Hash)]
enum Statuses {
    All,
    These(Vec<i64>),
}

impl Statuses {
    fn of(conditions: &[Condition], catalogue: &Catalogue) -> Option<Statuses> {
        let known = || catalogue.statuses.iter();
        let mut fit = Statuses::All;
        for condition in conditions {
            let these: Vec<i64> = match (condition.field, &condition.test) {
                (Field::Subproject, _) | (Field::Status, Test::Anything | Test::Present) => continue,
                (Field::Status, Test::Open) => known().filter(|status| !status.is_closed).map(|status| status.id.0).collect(),
                (Field::Status, Test::Closed) => known().filter(|status| status.is_closed).map(|status| status.id.0).collect(),
                (Field::Status, Test::OneOf(ids)) => ids.clone(),
                (Field::Status, Test::NoneOf(ids)) => known().map(|status| status.id.0).filter(|id| !ids.contains(id)).collect(),
                _ => return None,
            };
            fit = Statuses::These(these.into_iter().filter(|status| fit.have(*status)).collect());
        }
        Some(fit)
    }

    fn have(&self, status: i64) -> bool {
        match self {
            Statuses::All => true,
            Statuses::These(these) => these.contains(&status),
        }
    }
}

fn sum(counts: &Counts<'_>, visible: &Visible, statuses: &Statuses) -> Sum {
    counts.sum((visible, statuses), || sum_up(counts, visible, statuses))
}

fn sum_up(counts: &Counts<'_>, visible: &Visible, statuses: &Statuses) -> Sum {
    let mut sum = Sum { count: 0, depends: false };
    for (project, classes) in counts.projects() {
        let may = |private: bool, own: bool| seen(visible, &Class { project, status: 0, private }, own);
        // Who sees private issues of others sees every one; mostly that or nothing is the answer.
        let (private, public) = if may(true, false) {
            (true, true)
        } else if may(false, true) {
            let public = may(false, false);
            sum.depends |= !public || may(true, true);
            (false, public)
        } else {
            continue;
        };
        let fit = classes.iter().filter(|(class, _)| (if class.private { private } else { public }) && statuses.have(class.status));
        sum.count += fit.map(|(_, count)| count).sum::<i64>();
    }
    sum
}

/// Whether an issue of the class is seen, when it is (or is not) the viewer's own.
fn seen(visible: &Visible, class: &Class, own: bool) -> bool {
    match visible {
        Visible::Everything => true,
        Visible::Nothing => false,
        Visible::Any(parts) => parts.iter().any(|part| seen(part, class, own)),
        Visible::All(parts) => parts.iter().all(|part| seen(part, class, own)),
        Visible::InProjects(projects) => projects.contains(ProjectId(class.project)),
        Visible::NotPrivate => !class.private,
        // The classes do not know the tracker.
        Visible::WrittenBy(_) | Visible::AssignedTo(_) | Visible::OfTrackers(_) => own,
    }
}

/// Whose the viewer's own issues are.
#[derive(Clone, Copy, PartialEq)]
enum Owner<'v> {
    /// Nothing depends on whose they are.
    Nobody,
    /// They are written by this user, or assigned to one of these.
    Of(UserId, &'v [PrincipalId]),
}

/// `None` where the expression tells authors from assignees, several owners from each other, or trackers: then an issue is not simply
/// own or not.
fn owner(visible: &Visible) -> Option<Owner<'_>> {
    let parts = match visible {
        Visible::Any(parts) | Visible::All(parts) => parts.as_slice(),
        Visible::WrittenBy(_) | Visible::AssignedTo(_) | Visible::OfTrackers(_) => return None,
        _ => return Some(Owner::Nobody),
    };
    let mut found = Owner::Nobody;
    let user = parts.iter().find_map(|part| if let Visible::WrittenBy(user) = part { Some(*user) } else { None });
    let principals = parts.iter().find_map(|part| if let Visible::AssignedTo(principals) = part { Some(principals) } else { None });
    match (visible, user, principals) {
        (_, None, None) => {}
        (Visible::Any(_), Some(user), Some(principals)) => found = Owner::Of(user, principals),
        _ => return None,
    }
    let single = |part: &&Visible| !matches!(part, Visible::WrittenBy(_) | Visible::AssignedTo(_));
    for part in parts.iter().filter(single) {
        found = match (found, owner(part)?) {
            (one, Owner::Nobody) => one,
            (Owner::Nobody, other) => other,
            (one, other) if one == other => one,
            _ => return None,
        };
    }
    Some(found)
}

/// This user's own issues, each with its class.
fn own_numbers(db: &Read<'_>, user: UserId, principals: &[PrincipalId]) -> Result<Vec<(i64, Class)>, StoreError> {
    let sql = "SELECT id, project_id, status_id, is_private FROM issues WHERE author_id = ?1 \
               UNION SELECT id, project_id, status_id, is_private FROM issues WHERE assigned_to_id IN ids(?2)";
    let principals = Value::Ids(principals.iter().map(|id| id.0).collect());
    db.rows(sql, &[user.into(), principals], |row| {
        Ok((row.read(0)?, Class { project: row.read(1)?, status: row.read(2)?, private: row.read(3)? }))
    })
}
