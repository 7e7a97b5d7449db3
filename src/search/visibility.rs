//! The third interpreter of [`Visible`]: the expression as a table over classes.
//!
//! For each project, content type and private flag the expression is evaluated once with author, assignee and tracker unknown. What
//! stays open is answered for the single record by [`Visible::admits`].

use std::collections::HashMap;
use std::sync::Arc;

use super::schema::{Class, combination};
use crate::domain::catalogue::Catalogue;
use crate::domain::id_set::IdSet;
use crate::domain::ids::{CustomFieldId, PrincipalId, ProjectId, TrackerId, UserId};
use crate::domain::kind::Kind;
use crate::domain::viewer::Viewer;
use crate::domain::visibility::{self, Facts, Visible};

const COMBINATIONS: u32 = 14;
/// Every private note of the project may be read.
const NOTES_ANY: u32 = 1 << 14;
/// The viewer's own private notes of the project may be read.
const NOTES_OWN: u32 = 1 << 15;
/// Bits above this ask for author, assignee and tracker.
const ASK: u32 = 16;
/// The files of the project may be seen. Stands where the combination behind the last would ask further.
const PROJECT_FILES: u32 = 1 << 30;
/// Tables up to this highest project id are plain arrays.
const DENSE: usize = 1 << 16;

/// What one viewer may find. Depends on nothing but the viewer: compile it once and keep it as long as the viewer. Cheap to
/// clone.
#[derive(Clone, Debug)]
pub struct Visibility(Arc<Compiled>);

#[derive(Debug)]
struct Compiled {
    masks: Masks,
    kinds: [Visible; 7],
    /// The custom fields whose values the viewer may read, and where.
    fields: Vec<(CustomFieldId, Visible)>,
    user: Option<UserId>,
}

/// A mask for each project: the low bits allow a combination of content type and private flag, the high bits ask further.
#[derive(Clone, Debug)]
enum Masks {
    Dense(Vec<u32>, u32),
    Sparse(HashMap<i64, u32>, u32),
}

impl Masks {
    fn of(pairs: Vec<(i64, u32)>, otherwise: u32) -> Masks {
        let highest = pairs.iter().map(|(id, _)| *id).max().unwrap_or(0);
        match usize::try_from(highest) {
            Ok(highest) if highest < DENSE => {
                let mut masks = vec![otherwise; highest + 1];
                for (id, mask) in pairs {
                    if let Some(place) = usize::try_from(id).ok().and_then(|id| masks.get_mut(id)) {
                        *place = mask;
                    }
                }
                Masks::Dense(masks, otherwise)
            }
            _ => Masks::Sparse(pairs.into_iter().collect(), otherwise),
        }
    }

    #[inline]
    fn at(&self, project: ProjectId) -> u32 {
        match self {
            Masks::Dense(masks, otherwise) => usize::try_from(project.0).ok().and_then(|id| masks.get(id)).copied().unwrap_or(*otherwise),
            Masks::Sparse(masks, otherwise) => masks.get(&project.0).copied().unwrap_or(*otherwise),
        }
    }
}

impl Visibility {
    /// What this viewer may find.
    pub fn of(catalogue: &Catalogue, viewer: &Viewer) -> Visibility {
        let kinds = Kind::ALL.map(|kind| visibility::of(viewer, kind).clone());
        let (notes, files) = (visibility::notes(viewer), visibility::project_files(viewer));
        Visibility::compile(kinds, notes, files, visibility::searchable_fields(catalogue, viewer), viewer.user)
    }

    /// Everything, for measurements and for the machine itself.
    pub fn everything() -> Visibility {
        Visibility::compile([const { Visible::Everything }; 7], &Visible::Everything, &Visible::Everything, Vec::new(), None)
    }

    pub(super) fn compile(
        kinds: [Visible; 7],
        notes: &Visible,
        files: &Visible,
        fields: Vec<(CustomFieldId, Visible)>,
        user: Option<UserId>,
    ) -> Visibility {
        let mut projects = Vec::new();
        kinds.iter().chain([notes, files]).for_each(|part| mentioned(part, &mut projects));
        projects.sort_unstable();
        projects.dedup();
        let mask = |project| {
            let mut mask = 0;
            for (kind, visible) in Kind::ALL.into_iter().zip(&kinds) {
                for private in [false, true] {
                    let bit = 1 << combination(kind, private);
                    match partly(visible, project, private) {
                        Some(true) => mask |= bit,
                        Some(false) => {}
                        None => mask |= bit << ASK,
                    }
                }
            }
            let note = |author| notes.admits(&Facts { project, private: true, author, assignee: None, tracker: None });
            if note(None) {
                mask |= NOTES_ANY;
            } else if user.is_some() && note(user) {
                mask |= NOTES_OWN;
            }
            if files.admits(&Facts { project, private: false, author: None, assignee: None, tracker: None }) {
                mask |= PROJECT_FILES;
            }
            mask
        };
        let elsewhere = mask(ProjectId(-1));
        let pairs = projects.into_iter().map(|id| (id, mask(ProjectId(id)))).collect();
        Visibility(Arc::new(Compiled { masks: Masks::of(pairs, elsewhere), kinds, fields, user }))
    }

    /// The viewer, where the viewer's own private notes can make a difference.
    pub(super) fn user(&self) -> Option<UserId> {
        self.0.user
    }

    /// The custom fields whose values the viewer may read, and where.
    pub(super) fn fields(&self) -> &[(CustomFieldId, Visible)] {
        &self.0.fields
    }

    /// Whether the viewer may read private notes in the project: all of them, or only the viewer's own.
    #[inline]
    pub(super) fn notes(&self, project: ProjectId) -> (bool, bool) {
        let mask = self.0.masks.at(project);
        (mask & NOTES_ANY != 0, mask & (NOTES_OWN | NOTES_ANY) != 0)
    }

    /// Whether the viewer may see the files of the project.
    #[inline]
    pub(super) fn project_files(&self, project: ProjectId) -> bool {
        self.0.masks.at(project) & PROJECT_FILES != 0
    }
}

/// The visibility of a viewer narrowed to what a question asks for.
#[derive(Clone, Debug)]
pub struct Filter {
    visibility: Visibility,
    masks: Masks,
    closed: Option<IdSet>,
}

/// What the class of a record says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is found.
    Allow,
    /// It is not.
    Deny,
    /// That depends on author, assignee and tracker.
    Ask,
}

impl Filter {
    /// Only these content types, only these projects (`None`: any), and no issues in these statuses.
    pub fn new(visibility: &Visibility, kinds: &[Kind], projects: Option<&IdSet>, closed: Option<&IdSet>) -> Filter {
        let wanted: u32 = kinds.iter().map(|kind| 3u32 << combination(*kind, false)).sum();
        let wanted = wanted | wanted << ASK;
        let masks = match (projects, &visibility.0.masks) {
            (Some(scope), masks) => Masks::of(scope.as_slice().iter().map(|id| (*id, masks.at(ProjectId(*id)) & wanted)).collect(), 0),
            (None, Masks::Dense(masks, otherwise)) => Masks::Dense(masks.iter().map(|mask| mask & wanted).collect(), otherwise & wanted),
            (None, Masks::Sparse(masks, otherwise)) => {
                Masks::Sparse(masks.iter().map(|(id, mask)| (*id, mask & wanted)).collect(), otherwise & wanted)
            }
        };
        Filter { visibility: visibility.clone(), masks, closed: closed.cloned() }
    }

    /// What the class alone says.
    #[inline]
    pub fn verdict(&self, class: Class) -> Verdict {
        let mask = self.masks.at(class.project()) >> class.combination();
        if mask & (1 | 1 << ASK) == 0 {
            return Verdict::Deny;
        }
        if let Some(closed) = &self.closed
            && class.combination() >> 1 == u32::from(Kind::Issue.code())
            && closed.contains(class.status().0)
        {
            return Verdict::Deny;
        }
        if mask & 1 != 0 { Verdict::Allow } else { Verdict::Ask }
    }

    /// The answer where the class leaves it open. Numbers are those of the columns: 0 is nobody, or no tracker.
    pub fn admits(&self, class: Class, author: u64, assignee: u64, tracker: u64) -> bool {
        let Some(visible) = self.visibility.0.kinds.get((class.combination() >> 1) as usize) else { return false };
        let known = |id: u64| (id != 0).then_some(id.cast_signed());
        visible.admits(&Facts {
            project: class.project(),
            private: class.combination() & 1 == 1,
            author: known(author).map(UserId),
            assignee: known(assignee).map(PrincipalId),
            tracker: known(tracker).map(TrackerId),
        })
    }

    /// The values of the field `scope` that can be found, if there are at most `limit`; `None` when there are more.
    pub fn scopes(&self, limit: usize) -> Option<Vec<u64>> {
        let pairs: Vec<(i64, u32)> = match &self.masks {
            Masks::Dense(_, otherwise) | Masks::Sparse(_, otherwise) if *otherwise != 0 => return None,
            Masks::Dense(masks, _) => (0..).zip(masks.iter().copied()).filter(|(_, mask)| *mask != 0).collect(),
            Masks::Sparse(masks, _) => masks.iter().map(|(id, mask)| (*id, *mask)).filter(|(_, mask)| *mask != 0).collect(),
        };
        let count = |mask: u32| ((mask | mask >> ASK) & ((1 << COMBINATIONS) - 1)).count_ones() as usize;
        if pairs.iter().map(|(_, mask)| count(*mask)).sum::<usize>() > limit {
            return None;
        }
        let mut scopes = Vec::new();
        for (project, mask) in pairs {
            let mask = mask | mask >> ASK;
            let set = (0..COMBINATIONS).filter(|bit| mask & 1 << bit != 0);
            scopes.extend(set.map(|bit| project.unsigned_abs() << 4 | u64::from(bit)));
        }
        Some(scopes)
    }
}

/// All projects that the expression names: elsewhere it holds alike.
fn mentioned(visible: &Visible, into: &mut Vec<i64>) {
    match visible {
        Visible::Any(parts) | Visible::All(parts) => parts.iter().for_each(|part| mentioned(part, into)),
        Visible::InProjects(projects) => into.extend_from_slice(projects.as_slice()),
        Visible::Everything
        | Visible::Nothing
        | Visible::NotPrivate
        | Visible::WrittenBy(_)
        | Visible::AssignedTo(_)
        | Visible::OfTrackers(_) => {}
    }
}

/// The expression with author, assignee and tracker unknown; `None` when they decide.
fn partly(visible: &Visible, project: ProjectId, private: bool) -> Option<bool> {
    match visible {
        Visible::Everything => Some(true),
        Visible::Nothing => Some(false),
        Visible::InProjects(projects) => Some(projects.contains(project)),
        Visible::NotPrivate => Some(!private),
        Visible::WrittenBy(_) | Visible::AssignedTo(_) | Visible::OfTrackers(_) => None,
        Visible::Any(parts) => combine(parts, project, private, true),
        Visible::All(parts) => combine(parts, project, private, false),
    }
}

/// `decisive` as soon as one part is; its opposite when all parts are; unknown otherwise.
fn combine(parts: &[Visible], project: ProjectId, private: bool, decisive: bool) -> Option<bool> {
    let mut all_known = true;
    for part in parts {
        match partly(part, project, private) {
            Some(value) if value == decisive => return Some(decisive),
            Some(_) => {}
            None => all_known = false,
        }
    }
    all_known.then_some(!decisive)
}

#[cfg(test)]
mod tests;
