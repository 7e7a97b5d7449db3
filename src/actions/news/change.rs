//! Changes of a news item, and which of them are valid (compatibility 11.5).

use crate::actions::ActionError;
use crate::domain::catalogue::Catalogue;
use crate::domain::patch::Patch;
use crate::domain::text::is_blank;
use crate::domain::validation::ValidationErrors;
use crate::store::news::News;

/// Maximum number of characters of a title.
const MAX_TITLE: usize = 60;
/// Maximum number of characters of a summary.
const MAX_SUMMARY: usize = 255;

/// The requested attributes of a news item. Unset ones stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewsChange {
    /// The title.
    pub title: Patch<String>,
    /// The summary.
    pub summary: Patch<String>,
    /// The description.
    pub description: Patch<String>,
}

impl NewsChange {
    /// Returns the news item after the change. What stays as it is may be longer than permitted, as
    /// after an import.
    ///
    /// # Errors
    /// `Invalid` with the sentences of compatibility 11.5.
    pub(super) fn apply_to(
        &self,
        catalogue: &Catalogue,
        before: &News,
    ) -> Result<News, ActionError> {
        let mut after = before.clone();
        let set = |patch: &Patch<String>, text: &mut String| {
            if patch.is_present() {
                *text = patch.value().cloned().unwrap_or_default();
            }
        };
        set(&self.title, &mut after.title);
        after.summary = self.summary.apply_to(after.summary);
        set(&self.description, &mut after.description);
        let mut errors = ValidationErrors::new();
        for (label, text) in [("Title", &after.title), ("Description", &after.description)] {
            if is_blank(text) {
                errors.add(label, "cannot be blank");
            }
        }
        let summary = |news: &News| news.summary.clone().unwrap_or_default();
        for (label, new, old, max) in [
            ("Title", &after.title, &before.title, MAX_TITLE),
            ("Summary", &summary(&after), &summary(before), MAX_SUMMARY),
            (
                "Description",
                &after.description,
                &before.description,
                catalogue.max_text_length(),
            ),
        ] {
            if new != old {
                errors.limit_text(label, new, max);
            }
        }
        errors.into_result().map_err(ActionError::Invalid)?;
        Ok(after)
    }
}
