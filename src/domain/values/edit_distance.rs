//! Finds the known name that a misspelled name probably means.

/// Returns the closest of the known names, if at most a third of its characters differ.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_lowercase();
    let length = name.chars().count();
    // A difference in length is at least as many edits: a long name is not compared with many short
    // ones.
    let is_near =
        |candidate: &&str| candidate.chars().count().abs_diff(length) <= max_edits(candidate);
    let ranked = known
        .into_iter()
        .filter(is_near)
        .map(|candidate| (distance(&name, &candidate.to_lowercase()), candidate));
    let (distance, candidate) = ranked.min_by_key(|(distance, _)| *distance)?;
    (distance <= max_edits(candidate)).then_some(candidate)
}

/// Returns how many edits a candidate may be away.
fn max_edits(candidate: &str) -> usize {
    candidate.chars().count().max(3) / 3
}

/// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one
/// text into the other.
pub fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, c) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, d) in b.iter().enumerate() {
            let mut least = (last[j + 1] + 1)
                .min(row[j] + 1)
                .min(last[j] + usize::from(c != d));
            if i > 0 && j > 0 && *c == b[j - 1] && a[i - 1] == *d {
                least = least.min(before_last[j - 1] + 1);
            }
            row.push(least);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_name_finds_the_nearest_and_another_word_finds_none() {
        let known = ["listen", "data", "body_limit"];
        assert_eq!(nearest("lisetn", known), Some("listen"));
        assert_eq!(nearest("body-limit", known), Some("body_limit"));
        assert_eq!(nearest("Dta", known), Some("data"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest("x", []), None);
    }

    #[test]
    fn swapped_neighbours_count_as_one_edit() {
        assert_eq!(distance("abcd", "abdc"), 1);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
