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
    judge_groups(ask, &[strangers(names, known)])
}

/// Names that are not known, and those that are known in their place.
pub(super) struct Strangers<'g, 'n> {
    names: Vec<&'g str>,
    known: Vec<&'n str>,
}

/// Those of these names that are not known.
pub(super) fn strangers<'g, 'n>(given: impl Iterator<Item = &'g str>, known: impl Iterator<Item = &'n str>) -> Strangers<'g, 'n> {
    let known: Vec<&str> = known.collect();
    Strangers { names: given.filter(|name| *name != "strict" && !known.contains(name)).collect(), known }
}

/// The warning for names that are not known, in one place or another; with `strict=1` a 422.
pub(super) fn judge_groups(ask: &Ask, groups: &[Strangers<'_, '_>]) -> Result<Option<String>, Error> {
    let mut strange = groups.iter().flat_map(|group| group.names.iter().map(move |name| (*name, &group.known))).take(NAMED).peekable();
    if strange.peek().is_none() {
        return Ok(None);
    }
    if ask.parameter("strict").and_then(|text| switch(&text)).unwrap_or(false) {
        return Err(Error::Invalid(strange.map(|(name, known)| refusal(name, known)).collect()));
    }
    let printable = |name: &str| name.chars().filter(|c| c.is_ascii_graphic() && *c != '"').take(SHOWN).collect::<String>();
    let names: Vec<String> = strange.map(|(name, _)| printable(name)).collect();
    Ok(Some(format!("299 quarry \"unknown parameters were ignored: {}\"", names.join(", "))))
}

fn refusal(name: &str, known: &[&str]) -> String {
    let shown: String = name.chars().take(SHOWN).collect();
    match nearest(&shown, known.iter().copied()) {
        Some(known) => format!("Unknown parameter {shown}; did you mean {known}?"),
        None => format!("Unknown parameter {shown}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_suggested() {
        let strange =
            strangers(["asigned_to_id", "strict", "status_id", "qwertyuiop"].into_iter(), ["assigned_to_id", "status_id"].into_iter());
        assert_eq!(strange.names, ["asigned_to_id", "qwertyuiop"]);
        assert_eq!(refusal("asigned_to_id", &strange.known), "Unknown parameter asigned_to_id; did you mean assigned_to_id?");
        assert_eq!(refusal("qwertyuiop", &strange.known), "Unknown parameter qwertyuiop");
    }
}
