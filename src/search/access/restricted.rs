//! Text that not every viewer of a record may read: private notes, project files and some custom
//! fields.

use super::visibility::Visibility;
use crate::schema::access_class::AccessClass;
use quarry_domain::access::visible::AccessAttributes;

/// A kind of restricted text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RestrictedText {
    /// Private notes of anybody.
    AllNotes,
    /// Private notes of the viewer.
    OwnNotes,
    /// Names and descriptions of project files.
    ProjectFiles,
    /// Values of a custom field, by its index in [`Visibility::custom_fields`].
    CustomField(usize),
}

/// Decides in which records a viewer may read a kind of restricted text.
#[derive(Clone, Debug)]
pub(crate) struct RestrictedTextFilter {
    pub text: RestrictedText,
    pub visibility: Visibility,
}

impl RestrictedTextFilter {
    /// Whether the viewer may read the text in records of this class.
    pub fn allows(&self, class: AccessClass) -> bool {
        let project = class.project();
        match self.text {
            RestrictedText::AllNotes => self.visibility.may_read_all_notes(project),
            RestrictedText::OwnNotes => self.visibility.may_read_own_notes(project),
            RestrictedText::ProjectFiles => self.visibility.may_see_project_files(project),
            RestrictedText::CustomField(index) => {
                let attributes = AccessAttributes {
                    project,
                    ..AccessAttributes::default()
                };
                self.visibility
                    .custom_fields()
                    .get(index)
                    .is_some_and(|(_, visible)| visible.matches(&attributes))
            }
        }
    }
}
