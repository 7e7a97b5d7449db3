//! Parses hours in all supported notations (compatibility 6.4 and 9).

/// Maximum number of hours. Sums of such values stay finite.
const MAX_HOURS: f64 = 1e9;

/// Parses hours: `2.25`, `1,5`, `1:30`, `2h30`, `2h 30m`, `1.5h`, `30m`. Returns `None` for
/// anything else, and for values below 0 or above 1,000,000,000.
pub fn parse(text: &str) -> Option<f64> {
    let text = text.trim().to_lowercase().replace(',', ".");
    let hours = match text.split_once(':') {
        Some((hours, minutes)) => {
            parse_integer(hours)? + parse_integer(minutes).filter(|minutes| *minutes < 60.0)? / 60.0
        }
        None => parse_with_units(&text)?,
    };
    (0.0..=MAX_HOURS).contains(&hours).then_some(hours)
}

/// Parses `2h30`, `2h 30m`, `1.5h`, `30m`, or a number without a unit.
fn parse_with_units(text: &str) -> Option<f64> {
    if let Some((hours, minutes)) = text.split_once('h') {
        let minutes = minutes
            .trim_start_matches("ours")
            .trim_start_matches("our")
            .trim();
        let minutes = minutes
            .trim_end_matches("inutes")
            .trim_end_matches("in")
            .trim_end_matches('m')
            .trim();
        return Some(
            parse_decimal(hours)?
                + if minutes.is_empty() {
                    0.0
                } else {
                    parse_integer(minutes)? / 60.0
                },
        );
    }
    let minutes = text.strip_suffix("min").or_else(|| text.strip_suffix('m'));
    minutes.map_or_else(
        || parse_decimal(text),
        |minutes| Some(parse_integer(minutes.trim())? / 60.0),
    )
}

/// Parses a number without a sign; an exponent is accepted as in JSON.
fn parse_decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    let starts_with_number =
        !text.is_empty() && text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let is_decimal = text
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | '+' | '-'));
    text.parse::<f64>()
        .ok()
        .filter(|_| starts_with_number && is_decimal)
}

fn parse_integer(text: &str) -> Option<f64> {
    let is_integer =
        !text.is_empty() && text.len() < 16 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_integer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_notations_are_parsed() {
        let cases = [
            ("2h30", 2.5),
            ("2h 30m", 2.5),
            ("2h30min", 2.5),
            ("1:30", 1.5),
            ("1:15", 1.25),
            ("1 h 15 min", 1.25),
            ("2h", 2.0),
            ("1.5h", 1.5),
            ("1,5", 1.5),
            ("2,5", 2.5),
            ("30m", 0.5),
            ("90m", 1.5),
            ("90 min", 1.5),
            ("2.25", 2.25),
            ("0", 0.0),
            ("1000000000.0", 1e9),
            (" 7 ", 7.0),
            ("1e3", 1000.0),
        ];
        for (text, hours) in cases {
            assert_eq!(parse(text), Some(hours), "{text}");
        }
    }

    #[test]
    fn other_text_is_rejected() {
        for text in [
            "",
            "-1",
            "abc",
            "1:75",
            "1:30:00",
            "h",
            "2h-30",
            "NaN",
            "inf",
            "1e999",
            "1e308",
            "1000000001",
            "999999999999h",
            "60000000001m",
            "--1",
            "2hx",
            "+1",
            "1h2h3",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
