//! What users can choose: language, time zone, mail.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use quarry_domain::accounts::user::MAIL_NOTIFICATIONS;
use quarry_domain::administration::time_zone;

/// The languages that pages exist in.
const LANGUAGES: [(&str, &str); 1] = [("en", "English")];

/// A choice of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The value in the form.
    pub value: String,
    pub label: String,
    /// Whether it is selected.
    pub is_selected: bool,
}

impl Choice {
    /// Returns a choice, which is selected if it has this current value.
    pub fn new(value: impl Into<String>, label: impl Into<String>, current: &str) -> Choice {
        let value = value.into();
        Choice {
            is_selected: value == current,
            value,
            label: label.into(),
        }
    }
}

/// Adds the current value if it is not among the choices, so that it stays when the form is saved.
fn with_current(
    mut choices: Vec<Choice>,
    current: &str,
    label: impl FnOnce() -> String,
) -> Vec<Choice> {
    if choices.iter().all(|choice| !choice.is_selected) {
        choices.push(Choice::new(current, label(), current));
    }
    choices
}

/// Returns the languages. An imported user may have one that pages do not exist in.
pub fn languages(current: &str) -> Vec<Choice> {
    let mut choices = vec![Choice::new("", "Default (English)", current)];
    choices.extend(
        LANGUAGES
            .iter()
            .map(|(value, label)| Choice::new(*value, *label, current)),
    );
    with_current(choices, current, || {
        format!("{current} (not available yet, shown in English)")
    })
}

/// Returns the time zones, each with the time there.
pub fn time_zones(current: &str, now: Timestamp) -> Vec<Choice> {
    let label =
        |name: &str, zone: TimeZone| format!("{name} ({})", now.to_zoned(zone).strftime("%H:%M"));
    let mut choices = vec![Choice::new("", label("UTC", TimeZone::UTC), current)];
    choices.extend(time_zone::names().into_iter().filter_map(|name| {
        let zone = time_zone::find(&name)?;
        Some(Choice::new(name.clone(), label(&name, zone), current))
    }));
    with_current(choices, current, || match time_zone::find(current) {
        Some(zone) => label(current, zone),
        None => format!("{current} (unknown, shown in UTC)"),
    })
}

/// Returns the choices of events that cause mail.
pub fn mail_notifications(current: &str) -> Vec<Choice> {
    let mut choices = vec![Choice::new("", "Default", current)];
    choices.extend(
        MAIL_NOTIFICATIONS
            .iter()
            .map(|(value, label)| Choice::new(*value, *label, current)),
    );
    with_current(choices, current, || current.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(choices: &[Choice]) -> Vec<(&str, &str)> {
        choices
            .iter()
            .filter(|choice| choice.is_selected)
            .map(|choice| (choice.value.as_str(), choice.label.as_str()))
            .collect()
    }

    #[test]
    fn stored_value_is_selected_even_if_it_is_not_offered() {
        assert_eq!(selected(&languages("")), [("", "Default (English)")]);
        assert_eq!(
            selected(&languages("de")),
            [("de", "de (not available yet, shown in English)")]
        );
        let now = "2026-11-20T12:00:00Z".parse().unwrap();
        assert_eq!(selected(&time_zones("", now)), [("", "UTC (12:00)")]);
        assert_eq!(
            selected(&time_zones("Europe/Berlin", now)),
            [("Europe/Berlin", "Europe/Berlin (13:00)")]
        );
        assert_eq!(
            selected(&time_zones("Berlin", now)),
            [("Berlin", "Berlin (13:00)")]
        );
        assert_eq!(
            selected(&time_zones("Nowhere", now)),
            [("Nowhere", "Nowhere (unknown, shown in UTC)")]
        );
        assert_eq!(
            selected(&mail_notifications("none")),
            [("none", "No events")]
        );
    }
}
