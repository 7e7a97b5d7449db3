//! Templates of issues: what a new issue of a tracker begins with in a project.

use crate::ids::{IssueTemplateId, ProjectId, TrackerId};

/// Maximum length of the name of a template in characters.
pub const MAX_TEMPLATE_NAME_LENGTH: usize = 100;

/// Maximum length of the beginning of the subject in characters.
pub const MAX_TEMPLATE_SUBJECT_LENGTH: usize = 100;

/// Maximum length of the description in characters.
pub const MAX_TEMPLATE_LENGTH: usize = 20_000;

/// Maximum number of templates of a project.
pub const MAX_TEMPLATES: usize = 100;

/// A template of issues.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IssueTemplate {
    pub id: IssueTemplateId,
    pub project: ProjectId,
    pub tracker: TrackerId,
    pub name: String,
    /// What the subject begins with.
    pub subject: String,
    /// The description, as markup.
    pub description: String,
    /// Whether it fills the description of every new issue of the tracker. At most one template of
    /// a project and tracker does.
    pub is_default: bool,
}
