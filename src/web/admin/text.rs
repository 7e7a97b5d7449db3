//! Numbers and durations as sentences need them.

use jiff::SignedDuration;

/// Returns a count with its noun, such as `1 user` or `12,077 documents`.
pub fn count(count: u64, singular: &str, plural: &str) -> String {
    format!(
        "{} {}",
        thousands(count),
        if count == 1 { singular } else { plural }
    )
}

/// Returns a number with commas between groups of three digits.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a duration in its largest two units, such as `3 days 4 hours`.
pub fn duration(duration: SignedDuration) -> String {
    let seconds = u64::try_from(duration.as_secs()).unwrap_or(0);
    let units = [
        (86_400, "day", "days"),
        (3_600, "hour", "hours"),
        (60, "minute", "minutes"),
    ];
    let mut left = seconds;
    let mut parts = Vec::new();
    for (length, singular, plural) in units {
        if left >= length {
            parts.push(count(left / length, singular, plural));
            left %= length;
        }
    }
    parts.truncate(2);
    if parts.is_empty() {
        count(seconds, "second", "seconds")
    } else {
        parts.join(" ")
    }
}

/// Returns a size such as 12.5 KB.
pub fn size(bytes: u64) -> String {
    crate::web::components::attachments::size(i64::try_from(bytes).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            [0, 999, 1_000, 12_077, 1_234_567].map(thousands),
            ["0", "999", "1,000", "12,077", "1,234,567"]
        );
        assert_eq!(count(1, "user", "users"), "1 user");
    }

    #[test]
    fn durations_have_at_most_two_units() {
        let texts =
            [5, 60, 3_700, 90_061].map(|seconds| duration(SignedDuration::from_secs(seconds)));
        assert_eq!(
            texts,
            ["5 seconds", "1 minute", "1 hour 1 minute", "1 day 1 hour"]
        );
    }
}
