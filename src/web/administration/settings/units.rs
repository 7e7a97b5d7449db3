//! Settings with a unit, as people write them: `5 MiB`, `7 days`. A number alone has the unit of
//! the stored value.

use quarry_domain::administration::setting::Setting;

/// The units of a quantity, each with how many of the stored unit it has, the largest first.
type Units = &'static [(&'static str, i64)];

const SIZES: Units = &[("GiB", 1_048_576), ("MiB", 1024), ("KiB", 1)];
const TIMES: Units = &[("days", 1440), ("hours", 60), ("minutes", 1)];

/// Other spellings of the units, in lower case.
const ALIASES: &[(&str, &str)] = &[
    ("gb", "GiB"),
    ("g", "GiB"),
    ("mb", "MiB"),
    ("m", "MiB"),
    ("kb", "KiB"),
    ("k", "KiB"),
    ("d", "days"),
    ("day", "days"),
    ("h", "hours"),
    ("hour", "hours"),
    ("min", "minutes"),
    ("minute", "minutes"),
];

/// Returns the units of a setting.
fn units(setting: Setting) -> Option<Units> {
    match setting {
        Setting::AttachmentMaxSize | Setting::UnattachedUploadsMaxSize => Some(SIZES),
        Setting::SessionLifetime | Setting::SessionTimeout => Some(TIMES),
        _ => None,
    }
}

/// Returns what can be typed for a setting with a unit; `None` for others.
pub fn examples(setting: Setting) -> Option<&'static str> {
    match setting {
        Setting::AttachmentMaxSize | Setting::UnattachedUploadsMaxSize => {
            Some("a size such as 5 MiB or 500 KiB")
        }
        Setting::SessionLifetime | Setting::SessionTimeout => {
            Some("a time such as 7 days, 12 hours or 90 minutes")
        }
        _ => None,
    }
}

/// Returns the stored value with the largest unit of which it is a whole number.
pub fn format(setting: Setting, value: &str) -> String {
    let number = value.parse::<i64>().ok();
    let Some((units, number)) = units(setting).zip(number.filter(|number| *number > 0)) else {
        return value.to_owned();
    };
    let fitting = units.iter().find(|(_, factor)| number % factor == 0);
    fitting.map_or_else(
        || value.to_owned(),
        |(unit, factor)| {
            let count = number / factor;
            let unit = if count == 1 {
                unit.trim_end_matches('s')
            } else {
                unit
            };
            format!("{count} {unit}")
        },
    )
}

/// Returns the stored value of what somebody typed; the text itself if it is no number with a unit
/// of the setting, which is then refused.
pub fn parse(setting: Setting, typed: &str) -> String {
    units(setting)
        .and_then(|units| parse_quantity(units, typed))
        .map_or_else(|| typed.to_owned(), |number| number.to_string())
}

fn parse_quantity(units: Units, typed: &str) -> Option<i64> {
    let typed = typed.trim();
    let end = typed
        .find(|letter: char| !letter.is_ascii_digit() && letter != '.')
        .unwrap_or(typed.len());
    let unit = typed.get(end..)?.trim().to_lowercase();
    let alias = ALIASES.iter().find(|(alias, _)| *alias == unit);
    let unit = alias.map_or(unit.as_str(), |(_, unit)| unit);
    let factor = if unit.is_empty() {
        1
    } else {
        let known = units
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(unit));
        known?.1
    };
    let number: f64 = typed.get(..end)?.parse().ok()?;
    #[allow(clippy::cast_precision_loss, reason = "factors are small")]
    let product = (number * factor as f64).round();
    let is_exact = (0.0..1e15).contains(&product);
    #[allow(clippy::cast_possible_truncation, reason = "checked to be in range")]
    is_exact.then_some(product as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_largest_whole_unit() {
        let size = |value| format(Setting::AttachmentMaxSize, value);
        assert_eq!(size("5120"), "5 MiB");
        assert_eq!(size("1048576"), "1 GiB");
        assert_eq!(size("1500"), "1500 KiB");
        assert_eq!(size("0"), "0");
        let time = |value| format(Setting::SessionLifetime, value);
        assert_eq!(time("10080"), "7 days");
        assert_eq!(time("1440"), "1 day");
        assert_eq!(time("90"), "90 minutes");
        assert_eq!(format(Setting::Autologin, "30"), "30");
    }

    #[test]
    fn typed_quantities_are_converted() {
        let size = |typed| parse(Setting::AttachmentMaxSize, typed);
        for typed in ["5 MiB", "5MB", "5 m", "5120", "5120 KiB", " 5.0 mib "] {
            assert_eq!(size(typed), "5120", "{typed}");
        }
        assert_eq!(size("1.5 GiB"), "1572864");
        let time = |typed| parse(Setting::SessionTimeout, typed);
        assert_eq!(time("1 day"), "1440");
        assert_eq!(time("90 min"), "90");
        for wrong in ["a week", "5 MiB", "-1", "1e3", "", "1.2.3", "5 days 3"] {
            assert_eq!(time(wrong), wrong);
        }
    }
}
