//! A seeded random generator and its words.

use super::words::NAMES;
use jiff::Timestamp;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Words; some share a stem, some have parts, some are two others joined, and some differ in one
/// edit.
pub const WORDS: [&str; 39] = [
    "motor",
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
    "pumpvalve",
    "fueltank",
    "mtoor",
];
/// Words that occur nowhere or rarely, each one edit away from others.
pub const SLIPS: [&str; 11] = [
    "mtoor",
    "narble",
    "pumpo",
    "amrble",
    "talnut",
    "zagon",
    "tellescape",
    "observattery",
    "enginw",
    "keroseen",
    "nothingnear",
];

/// A generator of random values, the same for the same seed.
pub struct Random(StdRng);

impl Random {
    /// Creates a generator with this seed.
    pub fn new(seed: u64) -> Random {
        Random(StdRng::seed_from_u64(seed))
    }

    /// Returns an independent generator for another thread.
    pub fn fork(&mut self) -> Random {
        Random::new(self.0.random())
    }

    /// Returns `true` in so many of ten cases.
    pub fn chance(&mut self, of_ten: u32) -> bool {
        self.0.random_range(0..10) < of_ten
    }

    /// Returns a number from 1 to the maximum.
    pub fn up_to(&mut self, most: i64) -> i64 {
        self.0.random_range(1..=most)
    }

    /// Returns one of these values.
    pub fn of<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.0.random_range(0..among.len())]
    }

    /// Returns a word that occurs in texts; later words are rarer.
    pub fn word(&mut self) -> &'static str {
        let most = self.0.random_range(1..=WORDS.len());
        WORDS[self.0.random_range(0..most)]
    }

    /// Returns at most this many words.
    pub fn text(&mut self, words: i64) -> String {
        (0..self.up_to(words))
            .map(|_| self.word())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Returns up to this many words, and sometimes a name with punctuation.
    pub fn text_with_name(&mut self, words: i64) -> String {
        let text = self.text(words);
        if self.chance(1) {
            format!("{text} {}", self.of(&NAMES))
        } else {
            text
        }
    }

    /// Returns a timestamp in the three years before the present of the worlds.
    pub fn moment(&mut self) -> Timestamp {
        let day = 86_400 * self.up_to(1_000);
        Timestamp::from_second(1_795_176_000 - day - self.up_to(86_400)).unwrap()
    }
}
