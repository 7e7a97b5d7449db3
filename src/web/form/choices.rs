//! What users can choose: language, time zone, mail.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{FormField, choice};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use quarry_domain::accounts::user::MAIL_NOTIFICATIONS;
use quarry_domain::administration::time_zone;

/// The languages that pages exist in.
const LANGUAGES: [(&str, &str); 1] = [("en", "English")];

/// Returns the field of the language. An imported user may have one that pages do not exist in.
pub fn language(form: FieldBuilder<'_>, stored: &str) -> FormField {
    let mut choices = vec![choice("", "Default (English)")];
    choices.extend(LANGUAGES.map(|(value, label)| choice(value, label)));
    let current = format!("{stored} (not available yet, shown in English)");
    let current = Some((stored.to_owned(), current));
    form.select_or_keep("language", "Language", current, choices)
}

/// Returns the field of the time zone; the choices have the time there.
pub fn time_zone(form: FieldBuilder<'_>, stored: &str, now: Timestamp) -> FormField {
    let label =
        |name: &str, zone: TimeZone| format!("{name} ({})", now.to_zoned(zone).strftime("%H:%M"));
    let mut choices = vec![choice("", label("UTC", TimeZone::UTC))];
    choices.extend(time_zone::names().into_iter().filter_map(|name| {
        let zone = time_zone::find(&name)?;
        Some(choice(&name, label(&name, zone)))
    }));
    let current = match time_zone::find(stored) {
        Some(zone) => label(stored, zone),
        None => format!("{stored} (unknown, shown in UTC)"),
    };
    let current = Some((stored.to_owned(), current));
    form.select_or_keep("time_zone", "Time zone", current, choices)
}

/// Returns the field of the events that cause mail.
pub fn mail_notification(form: FieldBuilder<'_>, stored: &str) -> FormField {
    let mut choices = vec![choice("", "Default")];
    choices.extend(MAIL_NOTIFICATIONS.map(|(value, label)| choice(value, label)));
    let current = Some((stored.to_owned(), stored.to_owned()));
    form.select_or_keep("mail_notification", "Email notifications", current, choices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_wire::Input;

    fn selected(field: &FormField) -> Vec<(&str, &str)> {
        let choices = field.choices.iter();
        choices
            .filter(|choice| field.is_selected(choice))
            .map(|choice| (choice.value.as_str(), choice.label.as_str()))
            .collect()
    }

    #[test]
    fn stored_value_is_selected_even_if_it_is_not_offered() {
        let sent = Input::Null;
        let form = FieldBuilder::without_object(&sent);
        assert_eq!(selected(&language(form, "")), [("", "Default (English)")]);
        assert_eq!(
            selected(&language(form, "de")),
            [("de", "de (not available yet, shown in English)")]
        );
        let now = "2026-11-20T12:00:00Z".parse().unwrap();
        for (stored, label) in [
            ("", "UTC (12:00)"),
            ("Europe/Berlin", "Europe/Berlin (13:00)"),
            ("Berlin", "Berlin (13:00)"),
            ("Nowhere", "Nowhere (unknown, shown in UTC)"),
        ] {
            assert_eq!(selected(&time_zone(form, stored, now)), [(stored, label)]);
        }
        assert_eq!(
            selected(&mail_notification(form, "none")),
            [("none", "No events")]
        );
    }
}
