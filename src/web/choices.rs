//! What users can choose: language, time zone, mail.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{Choice, FormField, choice, with_current};
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
    select(form, ("language", "Language"), stored, choices, |current| {
        format!("{current} (not available yet, shown in English)")
    })
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
    let attribute = ("time_zone", "Time zone");
    select(
        form,
        attribute,
        stored,
        choices,
        |current| match time_zone::find(current) {
            Some(zone) => label(current, zone),
            None => format!("{current} (unknown, shown in UTC)"),
        },
    )
}

/// Returns the field of the events that cause mail.
pub fn mail_notification(form: FieldBuilder<'_>, stored: &str) -> FormField {
    let mut choices = vec![choice("", "Default")];
    choices.extend(MAIL_NOTIFICATIONS.map(|(value, label)| choice(value, label)));
    let attribute = ("mail_notification", "Email notifications");
    select(form, attribute, stored, choices, str::to_owned)
}

/// Returns a field with these choices and the stored value, which stays when the form is saved even
/// if it is not among them.
fn select(
    form: FieldBuilder<'_>,
    (attribute, label): (&str, &str),
    stored: &str,
    mut choices: Vec<Choice>,
    label_of: impl FnOnce(&str) -> String,
) -> FormField {
    with_current(&mut choices, Some((stored.to_owned(), label_of(stored))));
    form.select(attribute, label, stored, choices)
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
