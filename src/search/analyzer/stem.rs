//! English stems, remembered: a text has few words that another has not.

use frostem::{Algorithm, Stemmer};
use std::cell::RefCell;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// How many words each thread remembers. A power of two.
const PLACES: usize = 1 << 15;

thread_local! {
    static STEMS: RefCell<Stems> = const { RefCell::new(Stems { places: Vec::new() }) };
}

/// Words with their stems, each at the place that its hash gives.
struct Stems {
    places: Vec<(Box<str>, Box<str>)>,
}

/// Writes the stem of a word of lower-case ASCII letters into `out`.
pub(super) fn stem(word: &str, out: &mut String) {
    STEMS.with_borrow_mut(|stems| {
        if stems.places.is_empty() {
            stems.places.resize_with(PLACES, Default::default);
        }
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(word);
        let place = &mut stems.places[hash as usize & (PLACES - 1)];
        if &*place.0 != word {
            *place = (word.into(), Stemmer::new(Algorithm::English).stem(word).into());
        }
        out.push_str(&place.1);
    });
}
