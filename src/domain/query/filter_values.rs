//! Parses values of filters that need no context (compatibility 6.3).

/// Returns 0 for each value that is 0, and 1 for any other (compatibility 6.3).
pub fn flags(values: &[&str]) -> Vec<i64> {
    values
        .iter()
        .map(|value| value.trim().parse::<i64>() != Ok(0))
        .map(i64::from)
        .collect()
}

/// Returns the words of a text. A single letter does not count beside a longer word, except an
/// ideograph or a syllable (compatibility 6.3).
pub fn words_of_text(text: &str) -> Vec<String> {
    let words: Vec<String> = text
        .split_whitespace()
        .map(str::to_owned)
        .filter(|word| !is_single_letter(word))
        .collect();
    if words.is_empty() {
        text.split_whitespace().map(str::to_owned).collect()
    } else {
        words
    }
}

/// Whether a word is a single letter of an alphabetic script. CJK scripts begin with U+2E80.
fn is_single_letter(word: &str) -> bool {
    let mut characters = word.chars();
    characters
        .next()
        .is_some_and(|character| character < '\u{2E80}')
        && characters.next().is_none()
}

/// Parses ids separated by commas; `None` if one is not a number.
pub fn parse_ids(values: &[&str]) -> Option<Vec<i64>> {
    values
        .iter()
        .flat_map(|value| value.split(','))
        .map(|value| value.trim().parse().ok())
        .collect()
}

/// Returns the integer that each value between commas begins with; 0, which no record has, for
/// other text.
pub fn leading_integers(values: &[&str]) -> Vec<i64> {
    values
        .iter()
        .flat_map(|value| value.split(','))
        .map(leading_integer)
        .collect()
}

fn leading_integer(value: &str) -> i64 {
    let value = value.trim();
    let end = value
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(value.len());
    value[..end].parse().unwrap_or(0)
}

/// Like [`parse_ids`], with 0, which no record has, for text that is not a number.
pub fn parse_ids_lossy(values: &[&str]) -> Vec<i64> {
    values
        .iter()
        .flat_map(|value| value.split(','))
        .map(|value| value.trim().parse().unwrap_or(0))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_letters_do_not_count_beside_longer_words() {
        assert_eq!(words_of_text("This is a  part"), ["This", "is", "part"]);
        assert_eq!(
            words_of_text("a é x"),
            ["a", "é", "x"],
            "there is nothing else to search for"
        );
        assert_eq!(
            words_of_text("水 pump"),
            ["水", "pump"],
            "an ideograph is a word"
        );
        assert_eq!(words_of_text(" "), [""; 0]);
    }

    #[test]
    fn flags_are_false_only_for_zero() {
        assert_eq!(
            flags(&["0", " 0", "1", "-1", "abc", "", "00"]),
            [0, 0, 1, 1, 1, 1, 0]
        );
    }
}
