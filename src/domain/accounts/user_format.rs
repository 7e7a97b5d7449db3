//! The format of the names of users, which the setting `user_format` selects (compatibility 11.1).

use strum::{EnumString, VariantArray, VariantNames};

/// A format of the names of users.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, VariantArray, VariantNames)]
pub enum UserFormat {
    /// `Jean-Philippe Smith`
    #[default]
    #[strum(serialize = "firstname_lastname")]
    FirstLast,
    /// `Jean-Philippe S.`
    #[strum(serialize = "firstname_lastinitial")]
    FirstLastInitial,
    /// `J.-P. Smith`
    #[strum(serialize = "firstinitial_lastname")]
    FirstInitialLast,
    /// `Jean-Philippe`
    #[strum(serialize = "firstname")]
    First,
    /// `Smith Jean-Philippe`
    #[strum(serialize = "lastname_firstname")]
    LastFirst,
    /// `SmithJean-Philippe`, without a space.
    #[strum(serialize = "lastnamefirstname")]
    LastFirstJoined,
    /// `Smith, Jean-Philippe`
    #[strum(serialize = "lastname_comma_firstname")]
    LastCommaFirst,
    /// `Smith`
    #[strum(serialize = "lastname")]
    Last,
    /// `jsmith`
    #[strum(serialize = "username")]
    Login,
}

impl UserFormat {
    /// Returns the name of a user. It is the login where the format leaves nothing else.
    pub fn name(self, firstname: &str, lastname: &str, login: &str) -> String {
        let name = match self {
            Self::FirstLast => format!("{firstname} {lastname}"),
            Self::FirstLastInitial => match lastname.chars().next() {
                Some(initial) => format!("{firstname} {initial}."),
                None => firstname.to_owned(),
            },
            Self::FirstInitialLast => format!("{} {lastname}", initials(firstname)),
            Self::First => firstname.to_owned(),
            Self::LastFirst => format!("{lastname} {firstname}"),
            Self::LastFirstJoined => format!("{lastname}{firstname}"),
            Self::LastCommaFirst if firstname.is_empty() || lastname.is_empty() => {
                format!("{lastname}{firstname}")
            }
            Self::LastCommaFirst => format!("{lastname}, {firstname}"),
            Self::Last => lastname.to_owned(),
            Self::Login => login.to_owned(),
        };
        let name = name.trim();
        if name.is_empty() { login } else { name }.to_owned()
    }

    /// Returns the columns of users by which lists are sorted, most significant first. The last one
    /// is the id, so that users with the same name do not mix.
    pub fn sort_columns(self) -> &'static [&'static str] {
        match self {
            Self::FirstLast | Self::FirstLastInitial | Self::FirstInitialLast => {
                &["firstname", "lastname", "id"]
            }
            Self::First => &["firstname", "id"],
            Self::LastFirst | Self::LastFirstJoined | Self::LastCommaFirst => {
                &["lastname", "firstname", "id"]
            }
            Self::Last => &["lastname", "id"],
            Self::Login => &["login", "id"],
        }
    }
}

/// Returns the text with each run of letters shortened to its first letter and a full stop.
fn initials(text: &str) -> String {
    let mut initials = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        initials.push(c);
        if c.is_alphabetic() {
            while chars.next_if(|next| next.is_alphabetic()).is_some() {}
            chars.next_if_eq(&'.');
            initials.push('.');
        }
    }
    initials
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::administration::setting::{Setting, ValueType};

    #[test]
    fn each_format_has_its_name() {
        let cases = [
            ("firstname_lastname", "Jean-Philippe Smith"),
            ("firstname_lastinitial", "Jean-Philippe S."),
            ("firstinitial_lastname", "J.-P. Smith"),
            ("firstname", "Jean-Philippe"),
            ("lastname_firstname", "Smith Jean-Philippe"),
            ("lastnamefirstname", "SmithJean-Philippe"),
            ("lastname_comma_firstname", "Smith, Jean-Philippe"),
            ("lastname", "Smith"),
            ("username", "jsmith"),
        ];
        for (format, name) in cases {
            assert_eq!(
                format.parse().map(|format: UserFormat| format.name(
                    "Jean-Philippe",
                    "Smith",
                    "jsmith"
                )),
                Ok(name.to_owned()),
                "{format}"
            );
        }
        assert_eq!(
            Setting::UserFormat.value_type(),
            ValueType::Choice(<UserFormat as VariantNames>::VARIANTS)
        );
    }

    #[test]
    fn missing_names_leave_no_punctuation() {
        for format in <UserFormat as VariantArray>::VARIANTS {
            let name = format.name("", "", "jsmith");
            assert_eq!(name, "jsmith", "{format:?}");
            assert!(
                !format.name("Émile", "", "e").ends_with([' ', ',']),
                "{format:?}"
            );
        }
        assert_eq!(
            UserFormat::FirstInitialLast.name("J. R. R.", "Smith", "x"),
            "J. R. R. Smith"
        );
        assert_eq!(
            UserFormat::FirstInitialLast.name("Élodie anne", "Ó", "x"),
            "É. a. Ó"
        );
    }
}
