//! What a viewer may find: [`Visible`] as a table over access classes.
//!
//! For each project, content type and private flag the expression is evaluated once with author,
//! assignee and tracker unknown. Where they decide, [`Visible::matches`] evaluates it for the
//! record.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::project_masks::{ALL_NOTES, OWN_NOTES, PROJECT_FILES, ProjectMasks, UNDECIDED_SHIFT};
use crate::schema::access_class::{record_key, type_bit};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::access::visible::{AccessAttributes, Visible};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{CustomFieldId, ProjectId, UserId};
use quarry_domain::index_feed::kind::Kind;

/// What one viewer may find. Depends on the viewer alone, so it can be kept as long as the viewer,
/// until [`Visibility::without`]. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Visibility {
    compiled: Arc<Compiled>,
    /// Keys of records that are hidden, whatever the index says of them.
    hidden: Option<Arc<HashSet<u64>>>,
}

/// Clones of one visibility are equal; two that were compiled separately are not.
impl PartialEq for Visibility {
    fn eq(&self, other: &Visibility) -> bool {
        self.addresses() == other.addresses()
    }
}

impl Eq for Visibility {}

impl Hash for Visibility {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.addresses().hash(state);
    }
}

#[derive(Debug)]
struct Compiled {
    masks: ProjectMasks,
    kinds: [Visible; 7],
    /// The custom fields that the viewer may read, and where.
    custom_fields: Vec<(CustomFieldId, Visible)>,
    user: Option<UserId>,
}

impl Visibility {
    /// Compiles what the viewer may find.
    pub fn for_viewer(catalogue: &Catalogue, viewer: &Viewer) -> Visibility {
        let kinds = Kind::ALL.map(|kind| visibility::of_kind(viewer, kind).clone());
        let notes = visibility::notes(viewer);
        let files = visibility::project_files(viewer);
        Visibility::compile(
            kinds,
            notes,
            files,
            visibility::searchable_fields(catalogue, viewer),
            viewer.user,
        )
    }

    /// Returns the visibility of everything, for measurements and for the service itself.
    pub fn everything() -> Visibility {
        Visibility::compile(
            [const { Visible::Everything }; 7],
            &Visible::Everything,
            &Visible::Everything,
            Vec::new(),
            None,
        )
    }

    pub(crate) fn compile(
        kinds: [Visible; 7],
        notes: &Visible,
        files: &Visible,
        custom_fields: Vec<(CustomFieldId, Visible)>,
        user: Option<UserId>,
    ) -> Visibility {
        let mut projects = Vec::new();
        kinds
            .iter()
            .chain([notes, files])
            .for_each(|part| collect_projects(part, &mut projects));
        projects.sort_unstable();
        projects.dedup();
        let mask = |project| {
            types_mask(&kinds, project)
                | notes_mask(notes, user, project)
                | files_mask(files, project)
        };
        let otherwise = mask(ProjectId(-1));
        let pairs = projects
            .into_iter()
            .map(|id| (id, mask(ProjectId(id))))
            .collect();
        Visibility {
            compiled: Arc::new(Compiled {
                masks: ProjectMasks::new(pairs, otherwise),
                kinds,
                custom_fields,
                user,
            }),
            hidden: None,
        }
    }

    /// Returns this visibility without some records, which the viewer may no longer see although
    /// the index does not know it yet.
    #[must_use]
    pub fn without(&self, records: impl IntoIterator<Item = (Kind, i64)>) -> Visibility {
        let keys: HashSet<u64> = records
            .into_iter()
            .map(|(kind, id)| record_key(kind, id))
            .collect();
        Visibility {
            compiled: Arc::clone(&self.compiled),
            hidden: (!keys.is_empty()).then(|| Arc::new(keys)),
        }
    }

    /// Whether [`Visibility::without`] has hidden records.
    #[inline]
    pub(crate) fn hides_records(&self) -> bool {
        self.hidden.is_some()
    }

    /// Whether [`Visibility::without`] has hidden the record with this key.
    #[inline]
    pub(crate) fn hides(&self, key: u64) -> bool {
        self.hidden.as_ref().is_some_and(|keys| keys.contains(&key))
    }

    /// Returns what equality depends on.
    fn addresses(&self) -> (*const Compiled, Option<*const HashSet<u64>>) {
        (
            Arc::as_ptr(&self.compiled),
            self.hidden.as_ref().map(Arc::as_ptr),
        )
    }

    /// Returns the mask of each project.
    pub(super) fn masks(&self) -> &ProjectMasks {
        &self.compiled.masks
    }

    /// Returns which records of a content type the viewer may see, by [`Kind::code`].
    pub(super) fn of_kind(&self, code: u32) -> Option<&Visible> {
        self.compiled.kinds.get(code as usize)
    }

    /// Returns the user who is the viewer; `None` for an anonymous one.
    pub(crate) fn user(&self) -> Option<UserId> {
        self.compiled.user
    }

    /// Returns the custom fields that the viewer may read, and where.
    pub(crate) fn custom_fields(&self) -> &[(CustomFieldId, Visible)] {
        &self.compiled.custom_fields
    }

    /// Whether the viewer may read all private notes in the project.
    #[inline]
    pub(crate) fn may_read_all_notes(&self, project: ProjectId) -> bool {
        self.compiled.masks.get(project) & ALL_NOTES != 0
    }

    /// Whether the viewer may read their own private notes in the project.
    #[inline]
    pub(crate) fn may_read_own_notes(&self, project: ProjectId) -> bool {
        self.compiled.masks.get(project) & (OWN_NOTES | ALL_NOTES) != 0
    }

    /// Whether the viewer may see the files of the project.
    #[inline]
    pub(crate) fn may_see_project_files(&self, project: ProjectId) -> bool {
        self.compiled.masks.get(project) & PROJECT_FILES != 0
    }
}

/// Collects the projects that the expression names. It has the same value for all others.
fn collect_projects(visible: &Visible, projects: &mut Vec<i64>) {
    match visible {
        Visible::Any(parts) | Visible::All(parts) => parts
            .iter()
            .for_each(|part| collect_projects(part, projects)),
        Visible::InProjects(named) => projects.extend_from_slice(named.as_slice()),
        Visible::Everything
        | Visible::Nothing
        | Visible::NotPrivate
        | Visible::WrittenBy(_)
        | Visible::AssignedTo(_)
        | Visible::InTrackers(_) => {}
    }
}

/// Evaluates the expression with author, assignee and tracker unknown; `None` where they decide.
fn evaluate(visible: &Visible, project: ProjectId, private: bool) -> Option<bool> {
    match visible {
        Visible::Everything => Some(true),
        Visible::Nothing => Some(false),
        Visible::InProjects(projects) => Some(projects.contains(project)),
        Visible::NotPrivate => Some(!private),
        Visible::WrittenBy(_) | Visible::AssignedTo(_) | Visible::InTrackers(_) => None,
        Visible::Any(parts) => combine(parts, project, private, true),
        Visible::All(parts) => combine(parts, project, private, false),
    }
}

/// Returns `decisive` if any part has that value, its opposite if all parts do, and otherwise
/// `None`.
fn combine(parts: &[Visible], project: ProjectId, private: bool, decisive: bool) -> Option<bool> {
    let mut all_decided = true;
    for part in parts {
        match evaluate(part, project, private) {
            Some(value) if value == decisive => return Some(decisive),
            Some(_) => {}
            None => all_decided = false,
        }
    }
    all_decided.then_some(!decisive)
}

/// Returns the bits of a project for each type of records.
fn types_mask(kinds: &[Visible; 7], project: ProjectId) -> u32 {
    let mut mask = 0;
    for (kind, visible) in Kind::ALL.into_iter().zip(kinds) {
        for private in [false, true] {
            let bit = 1 << type_bit(kind, private);
            match evaluate(visible, project, private) {
                Some(true) => mask |= bit,
                Some(false) => {}
                None => mask |= bit << UNDECIDED_SHIFT,
            }
        }
    }
    mask
}

/// Returns the bits of a project for private notes.
fn notes_mask(notes: &Visible, user: Option<UserId>, project: ProjectId) -> u32 {
    let note = AccessAttributes {
        project,
        private: true,
        ..AccessAttributes::default()
    };
    let own_note = AccessAttributes {
        author: user,
        ..note
    };
    if notes.matches(&note) {
        ALL_NOTES
    } else if user.is_some() && notes.matches(&own_note) {
        OWN_NOTES
    } else {
        0
    }
}

/// Returns the bit of a project for its files.
fn files_mask(files: &Visible, project: ProjectId) -> u32 {
    let is_visible = files.matches(&AccessAttributes {
        project,
        ..AccessAttributes::default()
    });
    if is_visible { PROJECT_FILES } else { 0 }
}

#[cfg(test)]
mod tests;
