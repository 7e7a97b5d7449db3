//! How a setting is edited: the control that fits what its value may be.

use super::units;
use quarry_domain::administration::setting::{Setting, ValueType};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::projects::module::Module;

/// A control with its current value.
pub enum Control {
    /// A checkbox.
    Switch(bool),
    /// A whole number between two bounds.
    Number {
        /// The number as typed.
        value: String,
        /// The lower bound.
        min: i64,
        /// The upper bound.
        max: i64,
    },
    /// One line of text.
    Text(String),
    /// One of several choices.
    Select(Vec<Choice>),
    /// Any of several choices.
    Checks(Vec<Choice>),
}

/// A choice.
pub struct Choice {
    pub value: String,
    pub label: String,
    /// Whether it is chosen.
    pub is_selected: bool,
}

impl Control {
    /// Returns the control of a setting with this value.
    pub fn new(catalogue: &Catalogue, setting: Setting, value: &str) -> Control {
        if setting == Setting::NewProjectUserRoleId {
            return Control::Select(choices(roles(catalogue), &[value]));
        }
        match setting.value_type() {
            ValueType::Integer(..) if units::examples(setting).is_some() => {
                Control::Text(units::format(setting, value))
            }
            ValueType::Bool => Control::Switch(value == "1"),
            ValueType::Integer(min, max) => Control::Number {
                value: value.to_owned(),
                min,
                max,
            },
            ValueType::Line(_) | ValueType::Host | ValueType::UpdateRules => {
                Control::Text(value.to_owned())
            }
            ValueType::Choice(words) => {
                let offered = words
                    .iter()
                    .filter(|word| !is_legacy(setting, word) || **word == value);
                let labels = offered
                    .map(|word| ((*word).to_owned(), choice_label(setting, word).to_owned()));
                Control::Select(choices(labels, &[value]))
            }
            ValueType::List => {
                let selected: Vec<&str> = value.split(',').map(str::trim).collect();
                Control::Checks(choices(items(catalogue, setting).into_iter(), &selected))
            }
        }
    }
}

/// Whether a choice is offered only where it is in use: an old name of Markdown, and confirmation
/// by mail, which this version does not send.
fn is_legacy(setting: Setting, word: &str) -> bool {
    matches!(
        (setting, word),
        (Setting::TextFormatting, "markdown") | (Setting::SelfRegistration, "1")
    )
}

fn choices(labels: impl Iterator<Item = (String, String)>, selected: &[&str]) -> Vec<Choice> {
    labels
        .map(|(value, label)| Choice {
            is_selected: selected.contains(&value.as_str()),
            value,
            label,
        })
        .collect()
}

fn roles(catalogue: &Catalogue) -> impl Iterator<Item = (String, String)> {
    let first = std::iter::once((
        "0".to_owned(),
        "The first role in the list of roles".to_owned(),
    ));
    let roles = catalogue.roles.iter().filter(|role| role.builtin.is_none());
    first.chain(roles.map(|role| (role.id.to_string(), role.name.clone())))
}

/// Returns the items that a list can have.
fn items(catalogue: &Catalogue, setting: Setting) -> Vec<(String, String)> {
    match setting {
        Setting::DefaultProjectsTrackerIds => catalogue
            .trackers
            .iter()
            .map(|tracker| (tracker.id.to_string(), tracker.name.clone()))
            .collect(),
        Setting::DefaultProjectsModules => Module::ALL
            .iter()
            .map(|module| own((module.name(), module_label(*module))))
            .collect(),
        Setting::NonWorkingWeekDays => {
            let days = [
                "Monday",
                "Tuesday",
                "Wednesday",
                "Thursday",
                "Friday",
                "Saturday",
                "Sunday",
            ];
            (1..)
                .zip(days)
                .map(|(number, day): (u8, &str)| (number.to_string(), day.to_owned()))
                .collect()
        }
        Setting::TimelogRequiredFields => [("issue_id", "Issue"), ("comments", "Comment")]
            .map(own)
            .into(),
        _ => Vec::new(),
    }
}

fn own((value, label): (&str, &str)) -> (String, String) {
    (value.to_owned(), label.to_owned())
}

/// Returns the label of a module.
pub fn module_label(module: Module) -> &'static str {
    match module {
        Module::IssueTracking => "Issues",
        Module::TimeTracking => "Time tracking",
        Module::News => "News",
        Module::Documents => "Documents",
        Module::Files => "Files",
        Module::Wiki => "Wiki",
        Module::Repository => "Repository",
        Module::Boards => "Forums",
        Module::Calendar => "Calendar",
        Module::Gantt => "Gantt",
    }
}

fn choice_label(setting: Setting, value: &'static str) -> &'static str {
    match (setting, value) {
        (Setting::TextFormatting, "") => "None: plain text",
        (Setting::TextFormatting, "common_mark") => "Markdown",
        (Setting::TextFormatting, "markdown") => "Markdown (older name)",
        (Setting::TextFormatting, "textile") => "Textile",
        (Setting::Protocol, "http") => "HTTP",
        (Setting::Protocol, "https") => "HTTPS",
        (Setting::CrossProjectSubtasks, "") => "The same project only",
        (Setting::CrossProjectSubtasks, "descendants") => "Its subprojects",
        (Setting::CrossProjectSubtasks, "hierarchy") => "Its subprojects and the projects above it",
        (Setting::CrossProjectSubtasks, "tree") => "All projects of its tree",
        (Setting::CrossProjectSubtasks, "system") => "All projects",
        (Setting::Twofa, "0") => "Off: nobody is asked for a code",
        (Setting::Twofa, "1") => "Optional: each user decides",
        (Setting::Twofa, "2") => "Required for everybody",
        (Setting::Twofa, "3") => "Required for administrators",
        (Setting::SelfRegistration, "0") => "No: administrators invite people",
        (Setting::SelfRegistration, "1") => "Yes, confirmed by mail (for now approved as below)",
        (Setting::SelfRegistration, "2") => "Yes, approved by an administrator",
        (Setting::SelfRegistration, "3") => "Yes, at once",
        (Setting::IssueDoneRatio, "issue_field") => "Is a field of the issue",
        (Setting::IssueDoneRatio, "issue_status") => "Follows from its status",
        (Setting::UserFormat, "firstname_lastname") => "Jean-Philippe Smith",
        (Setting::UserFormat, "firstname_lastinitial") => "Jean-Philippe S.",
        (Setting::UserFormat, "firstinitial_lastname") => "J.-P. Smith",
        (Setting::UserFormat, "firstname") => "Jean-Philippe",
        (Setting::UserFormat, "lastname_firstname") => "Smith Jean-Philippe",
        (Setting::UserFormat, "lastnamefirstname") => "SmithJean-Philippe",
        (Setting::UserFormat, "lastname_comma_firstname") => "Smith, Jean-Philippe",
        (Setting::UserFormat, "lastname") => "Smith",
        (Setting::UserFormat, "username") => "jsmith (the login)",
        (Setting::StartOfWeek, "") => "The day of the user's language",
        (Setting::StartOfWeek, "1") => "Monday",
        (Setting::StartOfWeek, "6") => "Saturday",
        (Setting::StartOfWeek, "7") => "Sunday",
        (Setting::GravatarDefault, "") => "Default of Gravatar",
        (_, "derived") => "Calculated from the subtasks",
        (_, "independent") => "Independent of the subtasks",
        (_, value) => value,
    }
}
