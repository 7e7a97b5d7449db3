//! Which known name did somebody mean?

/// The known name that is nearest to `given`, if one is near: at most a third of its letters are other ones.
pub fn nearest<'n>(given: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let given = given.to_lowercase();
    let ranked = known.into_iter().map(|name| (distance(&given, &name.to_lowercase()), name));
    let (distance, name) = ranked.min_by_key(|(distance, _)| *distance)?;
    (distance <= name.chars().count().max(3) / 3).then_some(name)
}

/// How many letters have to be put in, taken out, replaced or swapped with their neighbour to make one text the other.
pub fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, c) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, d) in other.iter().enumerate() {
            let mut least = (last[j + 1] + 1).min(row[j] + 1).min(last[j] + usize::from(c != d));
            if i > 0 && j > 0 && *c == other[j - 1] && one[i - 1] == *d {
                least = least.min(before_last[j - 1] + 1);
            }
            row.push(least);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_keys_is_understood_and_another_word_is_not() {
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
