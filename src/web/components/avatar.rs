//! A person, as pages name them.

use crate::prelude::*;
use quarry_actions::accounts::pictures;
use quarry_domain::ids::PrincipalId;

/// Number of colours of avatars.
const TINTS: i64 = 5;

/// A user or group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The name; that of anonymous when there is no such person any more.
    pub name: String,
    /// Up to two letters.
    pub initials: String,
    /// The colour of the avatar, 0 to 4.
    pub tint: i64,
    /// The address of the page of a user.
    pub path: Option<String>,
    /// The address of the picture.
    pub picture: Option<String>,
}

impl Person {
    /// Returns the person with this id, where only the name is shown.
    pub fn new(catalogue: &Catalogue, id: PrincipalId) -> Person {
        let name = catalogue
            .principal_name(id)
            .unwrap_or("Anonymous")
            .to_owned();
        let path = catalogue
            .users
            .contains_key(&UserId(id.0))
            .then(|| paths::user(id));
        Person {
            initials: initials(&name),
            tint: id.0.rem_euclid(TINTS),
            path,
            name,
            picture: None,
        }
    }

    /// Returns the person with this id, with the picture of a user whom the viewer may see.
    pub fn with_picture(viewer: &Viewer, catalogue: &Catalogue, id: PrincipalId) -> Person {
        let digest = pictures::digest(catalogue, viewer, UserId(id.0));
        Person {
            picture: digest.map(|digest| paths::current_picture(id, digest)),
            ..Person::new(catalogue, id)
        }
    }
}

/// Returns the first letters of the first and of the last word.
fn initials(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    let ends = match words[..] {
        [] => Vec::new(),
        [word] => vec![word],
        [first, .., last] => vec![first, last],
    };
    ends.into_iter()
        .filter_map(|word| word.chars().find(|c| c.is_alphanumeric()))
        .flat_map(char::to_uppercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::initials;

    #[test]
    fn initials_are_those_of_the_first_and_last_word() {
        assert_eq!(initials("Alice Manager"), "AM");
        assert_eq!(initials("ada king of lovelace"), "AL");
        assert_eq!(initials("Developers"), "D");
        assert_eq!(initials("(Élise) Ōe"), "ÉŌ");
        assert_eq!(initials(" "), "");
    }
}
