//! The settings of the service: name, default, and what a value may be.

/// What a setting's value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `1` or `0`.
    Switch,
    /// A whole number between the bounds, both included.
    Number(i64, i64),
    /// One line of text of at most so many characters.
    Line(usize),
}

macro_rules! settings {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $default:literal, $shape:expr;)*) => {
        /// A setting. Its meaning is the first line of its documentation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Setting { $($(#[$doc])* $variant),* }

        const TABLE: &[(Setting, &str, &str, Shape)] = &[$((Setting::$variant, $name, $default, $shape)),*];
    };
}

settings! {
    /// Whether the REST API answers anybody at all (spec, rule 1).
    RestApiEnabled = "rest_api_enabled", "0", Shape::Switch;
    /// Whether every request must be authenticated (contract part A).
    LoginRequired = "login_required", "1", Shape::Switch;
    /// Whether the wire is Redmine's to the letter (contract part A).
    RedmineCompatibility = "redmine_compatibility", "0", Shape::Switch;
    /// How many search results a page for people shows (spec, "Content search" rule 8).
    SearchResultsPerPage = "search_results_per_page", "10", Shape::Number(1, 100);
    /// Whether a new issue starts today when nothing else is said (contract 4.4).
    DefaultIssueStartDateToCreationDate = "default_issue_start_date_to_creation_date", "1", Shape::Switch;
    /// Whether issues can be assigned to groups (contract 4.4).
    IssueGroupAssignment = "issue_group_assignment", "0", Shape::Switch;
    /// The name of this installation, shown on its pages.
    AppTitle = "app_title", "Quarry", Shape::Line(255);
}

impl Setting {
    /// The setting of this name.
    pub fn parse(name: &str) -> Option<Setting> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Every setting.
    pub fn all() -> impl Iterator<Item = Setting> {
        TABLE.iter().map(|row| row.0)
    }

    /// The stored name.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// The value as long as nobody has set one.
    pub fn default_value(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// The value as it is stored, or a sentence that says what it may be.
    pub fn accept(self, value: &str) -> Result<String, String> {
        let value = value.trim();
        let shape = TABLE[self as usize].3;
        match shape {
            Shape::Switch => match super::text::switch(value) {
                Some(on) => Ok(if on { "1" } else { "0" }.to_owned()),
                None => Err(format!("{} must be 1 or 0", self.name())),
            },
            Shape::Number(from, to) => match value.parse::<i64>() {
                Ok(number) if (from..=to).contains(&number) => Ok(number.to_string()),
                _ => Err(format!("{} must be a whole number from {from} to {to}", self.name())),
            },
            Shape::Line(most) => {
                if value.chars().count() <= most && !value.chars().any(char::is_control) {
                    Ok(value.to_owned())
                } else {
                    Err(format!("{} must be one line of at most {most} characters", self.name()))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_value_that_the_setting_accepts() {
        for setting in Setting::all() {
            assert_eq!(setting.accept(setting.default_value()).as_deref(), Ok(setting.default_value()), "{}", setting.name());
        }
    }

    #[test]
    fn a_refusal_names_the_setting_and_what_would_be_right() {
        let refusal = Setting::SearchResultsPerPage.accept("0").unwrap_err();
        assert_eq!(refusal, "search_results_per_page must be a whole number from 1 to 100");
    }
}
