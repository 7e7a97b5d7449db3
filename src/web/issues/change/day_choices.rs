//! Days that the form of a date offers: most dates are set to one of the next days.

use crate::components::form_field::{Choice, FieldKind, FormField, choice};
use crate::prelude::*;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use quarry_domain::administration::time_zone;

/// Adds choices to all dates, relative to the day of the viewer.
pub fn add(request: &RequestContext, db: &Read<'_>, fields: &mut [FormField]) {
    let viewer = request.viewer().user;
    let today = time_zone::date_for_user(db.catalogue(), viewer, db.now());
    let dates = fields
        .iter_mut()
        .filter(|field| field.kind == FieldKind::Date);
    for field in dates {
        field.choices = choices(today);
        if !field.is_required && !field.value.is_empty() {
            field.choices.push(choice("", "No date"));
        }
    }
}

fn choices(today: Date) -> Vec<Choice> {
    let in_days = |days: i32| today.checked_add(days.days()).ok();
    let monday = today.nth_weekday(1, Weekday::Monday).ok();
    let days = [
        ("Today", Some(today)),
        ("Tomorrow", in_days(1)),
        ("Next Monday", monday),
        ("In a week", in_days(7)),
        ("In two weeks", in_days(14)),
    ];
    let mut choices: Vec<Choice> = Vec::new();
    for (label, day) in days {
        let Some(day) = day else { continue };
        let value = day.to_string();
        if choices.iter().all(|choice| choice.value != value) {
            choices.push(choice(value, label));
        }
    }
    choices
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn each_day_is_offered_once() {
        let labels = |today| -> Vec<(String, String)> {
            let choices = choices(today).into_iter();
            choices.map(|choice| (choice.label, choice.value)).collect()
        };
        let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            let pairs = pairs.iter();
            pairs
                .map(|(label, day)| ((*label).to_owned(), (*day).to_owned()))
                .collect()
        };
        let friday = labels(date(2026, 11, 20));
        let expected = [
            ("Today", "2026-11-20"),
            ("Tomorrow", "2026-11-21"),
            ("Next Monday", "2026-11-23"),
            ("In a week", "2026-11-27"),
            ("In two weeks", "2026-12-04"),
        ];
        assert_eq!(friday, pairs(&expected));
        let sunday = labels(date(2026, 11, 22));
        assert_eq!(sunday.len(), 4);
        assert_eq!(sunday[1], pairs(&[("Tomorrow", "2026-11-23")])[0]);
        assert_eq!(labels(Date::MAX).len(), 1);
    }
}
