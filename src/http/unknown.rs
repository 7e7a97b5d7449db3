//! Parameters that a list does not know: passed over with a warning, or refused with `strict=1` (contract part A).

use super::{Ask, Error};
use crate::domain::nearest::nearest;
use crate::domain::text::switch;

/// How many names a warning has, and how many characters of each.
const NAMED: usize = 10;
const SHOWN: usize = 60;

/// The warning for the parameters that are not among these; with `strict=1` a 422 that suggests the nearest known name.
pub fn judge<'n>(ask: &Ask, known: impl Iterator<Item = &'n str> + Clone) -> Result<Option<String>, Error> {
    let names = ask.query.entries().iter().map(|(name, _)| name.as_str());
    let unknown: Vec<&str> = names.filter(|name| *name != "strict" && known.clone().all(|known| known != *name)).collect();
    if unknown.is_empty() {
        return Ok(None);
    }
    if ask.parameter("strict").and_then(|text| switch(&text)).unwrap_or(false) {
        return Err(Error::Invalid(unknown.iter().map(|name| refusal(name, known.clone())).collect()));
    }
    let printable = |name: &&str| name.chars().filter(|c| c.is_ascii_graphic() && *c != '"').take(SHOWN).collect::<String>();
    let names: Vec<String> = unknown.iter().take(NAMED).map(printable).collect();
    Ok(Some(format!("299 quarry \"unknown parameters were ignored: {}\"", names.join(", "))))
}

fn refusal<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    let shown: String = name.chars().take(SHOWN).collect();
    match nearest(&shown, known) {
        Some(known) => format!("Unknown parameter {shown}; did you mean {known}?"),
        None => format!("Unknown parameter {shown}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_suggested() {
        let known = ["assigned_to_id", "status_id"];
        assert_eq!(refusal("asigned_to_id", known.into_iter()), "Unknown parameter asigned_to_id; did you mean assigned_to_id?");
        assert_eq!(refusal("qwertyuiop", known.into_iter()), "Unknown parameter qwertyuiop");
    }
}
