//! Text that reads as reports do: runs of words from real reports, as long as real reports are, and now and then a word that
//! nobody has used before, so that the vocabulary grows with the world.

use flate2::read::GzDecoder;
use rand::rngs::StdRng;
use rand::{Rng, RngExt};
use serde::Deserialize;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The sets whose reports are read.
const SETS: [&str; 3] = ["titanium", "hadoop", "seamonkey"];
/// The longest text in words; a few reports are whole logs.
const LONGEST: usize = 2_000;
/// A run of words from one report ends with this chance, in per cent, after each word.
const ENDS: u32 = 15;
/// One of so many words has never been used.
const NEW: u32 = 100;

/// The words of real reports in their order.
pub struct Words {
    text: String,
    /// Where each word begins in the text; a space stands before the next one.
    starts: Vec<usize>,
    titles: Vec<usize>,
    reports: Vec<usize>,
    notes: Vec<usize>,
}

#[derive(Deserialize)]
struct Report {
    #[serde(default)]
    title: String,
    text: String,
}

impl Words {
    /// Reads the sets of `fixtures/relevance`.
    pub fn read() -> Words {
        let mut words = Words { text: String::new(), starts: Vec::new(), titles: Vec::new(), reports: Vec::new(), notes: Vec::new() };
        for set in SETS {
            for report in lines(&format!("{set}/docs.jsonl.gz")) {
                let title = words.take(&report.title);
                let report = words.take(&report.text);
                words.titles.push(title.clamp(2, 20));
                words.reports.push(report.min(LONGEST));
            }
        }
        for note in lines("titanium/comments.jsonl.gz") {
            words.notes.push(note.text.split_whitespace().count().clamp(1, LONGEST));
        }
        words
    }

    fn take(&mut self, text: &str) -> usize {
        let before = self.starts.len();
        // The service takes no text with NUL characters; a log or two has some.
        for word in text.split(|letter: char| letter.is_whitespace() || letter == '\0').filter(|word| !word.is_empty()) {
            self.starts.push(self.text.len());
            self.text.push_str(word);
            self.text.push(' ');
        }
        self.starts.len() - before
    }

    /// A title.
    pub fn title(&self, random: &mut StdRng) -> String {
        let text = self.some(self.titles[random.random_range(0..self.titles.len())], random);
        text.chars().take(250).collect::<String>().trim_end().to_owned()
    }

    /// A report.
    pub fn report(&self, random: &mut StdRng) -> String {
        self.some(self.reports[random.random_range(0..self.reports.len())], random)
    }

    /// A note, a message or what is said of a commit.
    pub fn note(&self, random: &mut StdRng) -> String {
        self.some(self.notes[random.random_range(0..self.notes.len())], random)
    }

    fn some(&self, many: usize, random: &mut StdRng) -> String {
        let mut text = String::with_capacity(many * 8);
        let mut left = many;
        while left > 0 {
            let mut run = 1;
            while run < left && random.random_range(0..100) >= ENDS {
                run += 1;
            }
            let from = random.random_range(0..self.starts.len() - run);
            text.push_str(&self.text[self.starts[from]..self.starts[from + run]]);
            left -= run;
            if random.random_range(0..NEW) < run as u32 {
                text.push_str(&never_used(random.next_u64()));
                text.push(' ');
            }
        }
        text.truncate(text.trim_end().len());
        text
    }
}

/// A word of letters that stands for the number.
pub fn never_used(mut number: u64) -> String {
    let mut word = String::from("zq");
    for _ in 0..10 {
        word.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    word
}

fn lines(file: &str) -> impl Iterator<Item = Report> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/relevance").join(file);
    let reader = BufReader::new(GzDecoder::new(std::fs::File::open(path).expect("the fixture is there")));
    reader.lines().map(|line| serde_json::from_str(&line.expect("the fixture is text")).expect("the fixture is JSON"))
}
