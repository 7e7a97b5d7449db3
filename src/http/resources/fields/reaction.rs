//! What a reaction says, in a request.

use crate::Error;
use quarry_domain::content::reaction::ReactionContent;

/// Parses the name of what a reaction says, by default a thumb up.
///
/// # Errors
/// `Invalid` for an unknown name, with those that there are.
pub fn parse_content(name: Option<&str>) -> Result<ReactionContent, Error> {
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return Ok(ReactionContent::default());
    };
    ReactionContent::parse(name).ok_or_else(|| {
        let names: Vec<&str> = ReactionContent::ALL.iter().map(|one| one.name()).collect();
        let message = format!("is not included in the list ({})", names.join(", "));
        Error::invalid_attribute("content", "Content", &message)
    })
}
