//! The format of the names of users, which the setting `user_format` selects (compatibility 11.1).

/// A format of the names of users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserFormat {
    /// `Jean-Philippe Smith`
    FirstLast,
    /// `Jean-Philippe S.`
    FirstLastInitial,
    /// `J.-P. Smith`
    FirstInitialLast,
    /// `Jean-Philippe`
    First,
    /// `Smith Jean-Philippe`
    LastFirst,
    /// `SmithJean-Philippe`, without a space.
    LastFirstJoined,
    /// `Smith, Jean-Philippe`
    LastCommaFirst,
    /// `Smith`
    Last,
    /// `jsmith`
    Login,
}

impl UserFormat {
    const TABLE: [(Self, &'static str); 9] = [
        (Self::FirstLast, "firstname_lastname"),
        (Self::FirstLastInitial, "firstname_lastinitial"),
        (Self::FirstInitialLast, "firstinitial_lastname"),
        (Self::First, "firstname"),
        (Self::LastFirst, "lastname_firstname"),
        (Self::LastFirstJoined, "lastnamefirstname"),
        (Self::LastCommaFirst, "lastname_comma_firstname"),
        (Self::Last, "lastname"),
        (Self::Login, "username"),
    ];

    /// Returns the format with this name; the first one for any other name.
    pub fn parse(name: &str) -> UserFormat {
        Self::TABLE
            .iter()
            .find(|row| row.1 == name)
            .map_or(Self::FirstLast, |row| row.0)
    }

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
                UserFormat::parse(format).name("Jean-Philippe", "Smith", "jsmith"),
                name,
                "{format}"
            );
        }
        let names: Vec<&str> = UserFormat::TABLE.iter().map(|row| row.1).collect();
        assert_eq!(
            Setting::UserFormat.value_type(),
            ValueType::Choice(names.leak())
        );
    }

    #[test]
    fn missing_names_leave_no_punctuation() {
        for (row, _) in UserFormat::TABLE {
            let name = row.name("", "", "jsmith");
            assert_eq!(name, "jsmith", "{row:?}");
            assert!(!row.name("Émile", "", "e").ends_with([' ', ',']), "{row:?}");
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
