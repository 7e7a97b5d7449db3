//! What a viewer may see in each project, as one bit mask per project.

use std::collections::HashMap;

use quarry_domain::ids::ProjectId;

/// Number of combinations of content type and private flag. Each has a bit that allows it; see
/// `type_bit`.
pub(super) const TYPE_BITS: u32 = 14;
/// The viewer may read every private note of the project.
pub(super) const ALL_NOTES: u32 = 1 << 14;
/// The viewer may read their own private notes of the project.
pub(super) const OWN_NOTES: u32 = 1 << 15;
/// Shifts a type bit to the bit for "depends on author, assignee or tracker".
pub(super) const UNDECIDED_SHIFT: u32 = 16;
/// The viewer may see the files of the project. The bit after the last undecided one.
pub(super) const PROJECT_FILES: u32 = 1 << 30;
/// Tables are plain arrays up to this project id.
const MAX_DENSE_ID: usize = 1 << 16;

/// A mask for each project, and one for all other projects.
#[derive(Clone, Debug)]
pub(super) enum ProjectMasks {
    Dense(Vec<u32>, u32),
    Sparse(HashMap<i64, u32>, u32),
}

impl ProjectMasks {
    /// Creates the table from project ids with their masks.
    pub fn new(pairs: Vec<(i64, u32)>, otherwise: u32) -> ProjectMasks {
        let max_id = pairs.iter().map(|(id, _)| *id).max().unwrap_or(0);
        match usize::try_from(max_id) {
            Ok(max_id) if max_id < MAX_DENSE_ID => {
                let mut masks = vec![otherwise; max_id + 1];
                for (id, mask) in pairs {
                    if let Some(entry) = usize::try_from(id).ok().and_then(|id| masks.get_mut(id)) {
                        *entry = mask;
                    }
                }
                ProjectMasks::Dense(masks, otherwise)
            }
            _ => ProjectMasks::Sparse(pairs.into_iter().collect(), otherwise),
        }
    }

    /// Returns the mask of a project.
    #[inline]
    pub fn get(&self, project: ProjectId) -> u32 {
        match self {
            ProjectMasks::Dense(masks, otherwise) => usize::try_from(project.0)
                .ok()
                .and_then(|id| masks.get(id))
                .copied()
                .unwrap_or(*otherwise),
            ProjectMasks::Sparse(masks, otherwise) => {
                masks.get(&project.0).copied().unwrap_or(*otherwise)
            }
        }
    }
}
