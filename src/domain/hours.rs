//! Hours in every notation that people write them in (contract 4.4, 7).

/// More than these are a slip; and sums of them stay finite.
const MOST: f64 = 1e9;

/// The hours that a text says: `2.25`, `1,5`, `1:30`, `2h30`, `2h 30m`, `1.5h`, `30m`; `None` when it says none, fewer than 0, or more
/// than 1,000,000,000.
pub fn parse(text: &str) -> Option<f64> {
    let text = text.trim().to_lowercase().replace(',', ".");
    let hours = match text.split_once(':') {
        Some((hours, minutes)) => whole(hours)? + whole(minutes).filter(|minutes| *minutes < 60.0)? / 60.0,
        None => with_units(&text)?,
    };
    (0.0..=MOST).contains(&hours).then_some(hours)
}

/// `2h30`, `2h 30m`, `1.5h`, `30m`, or a number alone.
fn with_units(text: &str) -> Option<f64> {
    if let Some((hours, minutes)) = text.split_once('h') {
        let minutes = minutes.trim_start_matches("ours").trim_start_matches("our").trim();
        let minutes = minutes.trim_end_matches("inutes").trim_end_matches("in").trim_end_matches('m').trim();
        return Some(number(hours)? + if minutes.is_empty() { 0.0 } else { whole(minutes)? / 60.0 });
    }
    let minutes = text.strip_suffix("min").or_else(|| text.strip_suffix('m'));
    minutes.map_or_else(|| number(text), |minutes| Some(whole(minutes.trim())? / 60.0))
}

/// A number without a sign, an exponent only as numbers of JSON have it.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = !text.is_empty() && text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let fits = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | '+' | '-'));
    text.parse::<f64>().ok().filter(|_| plain && fits)
}

fn whole(text: &str) -> Option<f64> {
    let digits = !text.is_empty() && text.len() < 16 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_is_read() {
        let cases = [
            ("2h30", 2.5),
            ("2h 30m", 2.5),
            ("2h30min", 2.5),
            ("1:30", 1.5),
            ("2h", 2.0),
            ("1.5h", 1.5),
            ("1,5", 1.5),
            ("30m", 0.5),
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
    fn anything_else_says_no_hours() {
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
