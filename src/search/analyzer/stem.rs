//! English stems, remembered: a text has few words that another has not.

use frostem::{Algorithm, Stemmer};
use std::cell::RefCell;

/// How many words each thread remembers, half a megabyte of them. A power of two.
const PLACES: usize = 1 << 13;
/// The longest word that is remembered, in bytes: a place is as large as a line of the processor's cache.
const LONGEST: usize = 31;

thread_local! {
    static STEMS: RefCell<Vec<Place>> = const { RefCell::new(Vec::new()) };
}

/// A word with its stem, at the place that its hash gives. Nothing is as long as no word.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Place {
    word: [u8; LONGEST],
    stem: [u8; LONGEST],
    word_length: u8,
    stem_length: u8,
}

const NOTHING: Place = Place { word: [0; LONGEST], stem: [0; LONGEST], word_length: 0, stem_length: 0 };

impl Place {
    fn holds(&self, word: &str) -> bool {
        self.word.get(..usize::from(self.word_length)).is_some_and(|known| known == word.as_bytes())
    }

    /// `None` when either is too long.
    fn of(word: &str, stem: &str) -> Option<Place> {
        let mut place = NOTHING;
        place.word.get_mut(..word.len())?.copy_from_slice(word.as_bytes());
        place.stem.get_mut(..stem.len())?.copy_from_slice(stem.as_bytes());
        place.word_length = u8::try_from(word.len()).ok()?;
        place.stem_length = u8::try_from(stem.len()).ok()?;
        Some(place)
    }

    /// The stem; it was text when it was put here.
    fn stem(&self) -> &str {
        self.stem.get(..usize::from(self.stem_length)).and_then(|stem| std::str::from_utf8(stem).ok()).unwrap_or_default()
    }
}

/// Writes the stem of a word of lower-case ASCII letters into `out`.
pub(super) fn stem(word: &str, out: &mut String) {
    STEMS.with_borrow_mut(|places| {
        if places.is_empty() {
            places.resize(PLACES, NOTHING);
        }
        let place = &mut places[number(word)];
        if place.holds(word) {
            out.push_str(place.stem());
            return;
        }
        let stem = Stemmer::new(Algorithm::English).stem(word);
        out.push_str(&stem);
        if let Some(known) = Place::of(word, &stem) {
            *place = known;
        }
    });
}

/// FNV-1a, because a word is short; words that share a place forget each other.
fn number(word: &str) -> usize {
    let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash ^ (hash >> 32)) as usize & (PLACES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_the_stemmer_says() {
        let words =
            ["running", "hopping", "generically", "a", "antidisestablishmentarianisms", "pneumonoultramicroscopicsilicovolcanoconiosis"];
        for _ in 0..2 {
            for word in words {
                let mut found = String::from("before ");
                stem(word, &mut found);
                assert_eq!(found, format!("before {}", Stemmer::new(Algorithm::English).stem(word)));
            }
        }
    }

    #[test]
    fn words_that_share_a_place_keep_their_own_stems() {
        let words: Vec<String> = (0..PLACES * 2).map(|n| format!("{}ing", letters(n))).collect();
        for word in words.iter().chain(words.iter().rev()) {
            let mut found = String::new();
            stem(word, &mut found);
            assert_eq!(found, *Stemmer::new(Algorithm::English).stem(word));
        }
    }

    fn letters(mut number: usize) -> String {
        let mut word = String::from("b");
        while number > 0 {
            word.push(char::from(b'a' + (number % 26) as u8));
            number /= 26;
        }
        word
    }
}
