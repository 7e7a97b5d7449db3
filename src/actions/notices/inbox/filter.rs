//! Resolves the words of a filter for a viewer.

use quarry_domain::access::viewer::Viewer;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::notices::filter::{FilterWord, InboxFilter, parse};

/// Parses a filter, and returns it with its words. A project stands for its subprojects, too; one
/// that the viewer does not see is unknown.
///
/// # Errors
/// A message that names the word that is wrong, and what is possible.
pub fn parse_filter(
    catalogue: &Catalogue,
    viewer: &Viewer,
    text: &str,
) -> Result<(InboxFilter, Vec<FilterWord>), String> {
    let words = parse(text)?;
    let filter = InboxFilter::from_words(&words, |name| {
        let project = catalogue.project_by(name)?;
        viewer
            .sees(project.id)
            .then(|| catalogue.subtree(project.id))
    })?;
    Ok((filter, words))
}
