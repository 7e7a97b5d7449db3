//! How a setting is edited: the control that fits what its value may be.

use super::units;
use crate::components::form_field::{Choice, FieldKind, FormField, choice};
use quarry_domain::accounts::user::MAIL_NOTIFICATIONS;
use quarry_domain::administration::setting::{Setting, ValueType};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::notices::notified_event::NotifiedEvent;
use quarry_domain::projects::module::Module;

const WEEK_DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// Returns the row of a setting with this value.
pub fn row(
    catalogue: &Catalogue,
    setting: Setting,
    (label, hint): (&str, &str),
    value: &str,
) -> FormField {
    let field = |kind, value: &str| {
        let list = if kind == FieldKind::Checkboxes {
            "[]"
        } else {
            ""
        };
        FormField::new(kind, format!("{}{list}", setting.name()), label, value).with_hint(hint)
    };
    if setting == Setting::NewProjectUserRoleId {
        return field(FieldKind::Select, value).with_choices(roles(catalogue));
    }
    match setting.value_type() {
        ValueType::Integer(..) if units::examples(setting).is_some() => {
            field(FieldKind::Line, &units::format(setting, value))
        }
        ValueType::Bool => field(FieldKind::Switch, value),
        ValueType::Integer(min, max) => field(FieldKind::Number { min, max }, value).required(),
        ValueType::Line(_)
        | ValueType::Secret(_)
        | ValueType::Host
        | ValueType::ReplyAddress
        | ValueType::UpdateRules => field(FieldKind::Line, value),
        ValueType::Lines(_) => field(FieldKind::LongText, value),
        ValueType::Choice(words) => {
            let offered = words
                .iter()
                .filter(|word| !is_legacy(setting, word) || **word == value);
            field(FieldKind::Select, value)
                .with_choices(offered.map(|word| choice(word, choice_label(setting, word))))
        }
        ValueType::List => {
            let selected: Vec<&str> = value.split(',').map(str::trim).collect();
            field(FieldKind::Checkboxes, &selected.join("\n"))
                .with_choices(items(catalogue, setting))
        }
    }
}

/// Whether a choice is offered only where it is in use: an old name of Markdown.
fn is_legacy(setting: Setting, word: &str) -> bool {
    matches!((setting, word), (Setting::TextFormatting, "markdown"))
}

fn roles(catalogue: &Catalogue) -> impl Iterator<Item = Choice> {
    let roles = catalogue.roles.iter().filter(|role| role.builtin.is_none());
    std::iter::once(choice(0, "The first role in the list of roles"))
        .chain(roles.map(|role| choice(role.id, &role.name)))
}

/// Returns the items that a list can have.
fn items(catalogue: &Catalogue, setting: Setting) -> Vec<Choice> {
    match setting {
        Setting::DefaultProjectsTrackerIds => catalogue
            .trackers
            .iter()
            .map(|tracker| choice(tracker.id, &tracker.name))
            .collect(),
        Setting::DefaultProjectsModules => Module::ALL
            .iter()
            .map(|module| choice(module.name(), module_label(*module)))
            .collect(),
        Setting::NonWorkingWeekDays => (1..)
            .zip(WEEK_DAYS)
            .map(|(number, day)| choice(number, day))
            .collect(),
        Setting::NotifiedEvents => NotifiedEvent::ALL
            .iter()
            .map(|event| choice(event.name(), event.label()))
            .collect(),
        Setting::TimelogRequiredFields => {
            vec![choice("issue_id", "Issue"), choice("comments", "Comment")]
        }
        _ => Vec::new(),
    }
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
        (Setting::SelfRegistration, "1") => {
            "Yes, confirmed by mail (while mail is not configured, approved as below)"
        }
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
        (Setting::DefaultNotificationOption, name) => MAIL_NOTIFICATIONS
            .iter()
            .find(|(known, _)| *known == name)
            .map_or(name, |(_, label)| label),
        (_, "derived") => "Calculated from the subtasks",
        (_, "independent") => "Independent of the subtasks",
        (_, value) => value,
    }
}
