//! Changes of a version, and which of them are valid (compatibility 11.8).

use crate::actions::{ActionError, custom_values};
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{Customized, RequestedValues, Values};
use crate::domain::patch::Patch;
use crate::domain::permission::Permission;
use crate::domain::validation::ValidationErrors;
use crate::domain::version::{
    MAX_VERSION_NAME_LENGTH, MAX_VERSION_TEXT_LENGTH, Sharing, VERSION_STATUSES, Version,
    VersionDetails,
};
use crate::domain::viewer::Viewer;
use jiff::civil::Date;

/// The requested attributes of a version. Unset ones stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VersionChange {
    /// The name.
    pub name: Patch<String>,
    /// The description.
    pub description: Patch<String>,
    /// `open`, `locked` or `closed`.
    pub status: Patch<String>,
    /// The due date as text.
    pub due_date: Patch<String>,
    /// The name of the sharing; ignored if the viewer may not share so widely.
    pub sharing: Patch<String>,
    /// The title of a wiki page.
    pub wiki_page_title: Patch<String>,
    /// Whether it is the default version of its project.
    pub is_default: Option<bool>,
    /// Values of custom fields.
    pub custom: RequestedValues,
}

/// A version with its details and the values of its custom fields.
pub(super) struct Draft {
    pub version: Version,
    pub details: VersionDetails,
    pub values: Values,
}

impl VersionChange {
    /// Returns the version after the self. `is_new` tells that the required custom fields must have
    /// values.
    ///
    /// # Errors
    /// `Invalid` with the sentences of compatibility 11.8.
    pub(super) fn apply_to(
        &self,
        catalogue: &Catalogue,
        viewer: &Viewer,
        before: &Draft,
        is_new: bool,
    ) -> Result<Draft, ActionError> {
        let mut version = before.version.clone();
        let mut details = before.details.clone();
        let mut errors = ValidationErrors::new();
        let set = |patch: &Patch<String>, text: &mut String| {
            if patch.is_present() {
                *text = patch.value().cloned().unwrap_or_default();
            }
        };
        set(&self.name, &mut version.name);
        set(&self.status, &mut version.status);
        details.description = self.description.apply_to(details.description);
        details.wiki_page_title = self.wiki_page_title.apply_to(details.wiki_page_title);
        errors.require_text("Name", &version.name, MAX_VERSION_NAME_LENGTH);
        let mut siblings = catalogue
            .versions
            .values()
            .filter(|sibling| sibling.project == version.project && sibling.id != version.id);
        if siblings.any(|sibling| sibling.name == version.name) {
            errors.add("Name", "has already been taken");
        }
        if details.description != before.details.description {
            errors.limit_text(
                "Description",
                details.description.as_deref().unwrap_or_default(),
                MAX_VERSION_TEXT_LENGTH,
            );
        }
        match self
            .due_date
            .value()
            .map(|text| text.parse::<Date>().ok().filter(|_| text.len() == 10))
        {
            Some(None) => errors.add("Due date", "is not a valid date"),
            Some(day) => version.due_date = day,
            None if self.due_date.is_present() => version.due_date = None,
            None => {}
        }
        if details.wiki_page_title != before.details.wiki_page_title {
            errors.limit_text(
                "Wiki page",
                details.wiki_page_title.as_deref().unwrap_or_default(),
                MAX_VERSION_TEXT_LENGTH,
            );
        }
        if !VERSION_STATUSES.contains(&version.status.as_str()) {
            errors.add("Status", "is not included in the list");
        }
        match self.sharing.value().map(|name| Sharing::parse(name)) {
            Some(None) => errors.add("Sharing", "is not included in the list"),
            Some(Some(sharing)) if may_share(catalogue, viewer, &before.version, sharing) => {
                version.sharing = sharing
            }
            Some(Some(_)) | None => {}
        }
        let project = version.project;
        let fields =
            custom_values::settable_fields(catalogue, viewer, Customized::Version, project);
        let is_selectable =
            |field: &_, id| custom_values::is_version_or_user(catalogue, project, field, id);
        let values = custom_values::apply(
            catalogue,
            &mut errors,
            &fields,
            &before.values,
            &self.custom,
            is_new,
            is_selectable,
        );
        errors.into_result().map_err(ActionError::Invalid)?;
        Ok(Draft {
            version,
            details,
            values,
        })
    }
}

/// Whether the viewer may share the version so widely: with the whole tree if they manage the
/// versions of its root, with everybody as an administrator.
fn may_share(catalogue: &Catalogue, viewer: &Viewer, version: &Version, sharing: Sharing) -> bool {
    match sharing {
        Sharing::None | Sharing::Descendants => true,
        sharing if sharing == version.sharing => true,
        Sharing::Hierarchy | Sharing::Tree => {
            viewer.may(Permission::ManageVersions, catalogue.root(version.project))
        }
        Sharing::System => viewer.admin,
    }
}
