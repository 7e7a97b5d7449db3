//! Chance that can be repeated, and the words that it chooses.

use jiff::Timestamp;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Words of which some have a stem in common, some have parts, and some are a slip away from each other.
pub const WORDS: [&str; 35] = [
    "pump",
    "pumps",
    "pumping",
    "valve",
    "valves",
    "leaking",
    "leaks",
    "leak",
    "engine",
    "engines",
    "rocket",
    "marble",
    "garble",
    "warble",
    "walnut",
    "valnut",
    "wagon",
    "lagon",
    "brücke",
    "straße",
    "fuel_tank",
    "tank",
    "fuel",
    "pump.valve",
    "telescope",
    "telescape",
    "observatory",
    "observetory",
    "running",
    "runs",
    "cat",
    "cats",
    "hull",
    "kerosene",
    "pumpa",
];
/// Words that stand nowhere, each a slip away from some that may.
pub const SLIPS: [&str; 10] =
    ["narble", "pumpo", "amrble", "talnut", "zagon", "tellescape", "observattery", "enginw", "keroseen", "nothingnear"];

pub struct Random(StdRng);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(StdRng::seed_from_u64(seed))
    }

    /// Chance for another thread, that goes on by itself.
    pub fn fork(&mut self) -> Random {
        Random::new(self.0.random())
    }

    pub fn chance(&mut self, of_ten: u32) -> bool {
        self.0.random_range(0..10) < of_ten
    }

    pub fn up_to(&mut self, most: i64) -> i64 {
        self.0.random_range(1..=most)
    }

    pub fn of<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.0.random_range(0..among.len())]
    }

    /// A word that stands somewhere; the later in the list, the rarer.
    pub fn word(&mut self) -> &'static str {
        let most = self.0.random_range(1..=WORDS.len());
        WORDS[self.0.random_range(0..most)]
    }

    /// Up to so many words.
    pub fn text(&mut self, words: i64) -> String {
        (0..self.up_to(words)).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }

    /// A moment in the three years before the worlds' present.
    pub fn moment(&mut self) -> Timestamp {
        let day = 86_400 * self.up_to(1_000);
        Timestamp::from_second(1_795_176_000 - day - self.up_to(86_400)).unwrap()
    }
}
