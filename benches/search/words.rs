//! Generates text like that of real bug reports: runs of their words, of their lengths, with a
//! unique word now and then, so that the vocabulary grows with the data.

use flate2::read::GzDecoder;
use rand::rngs::StdRng;
use rand::{Rng, RngExt};
use serde::Deserialize;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Relevance sets whose reports are used.
const SETS: [&str; 3] = ["titanium", "hadoop", "seamonkey"];
/// Maximum number of words in a text; a few reports are whole logs.
const MAX_WORDS: usize = 2_000;
/// Probability, in per cent, that a run of words from one report ends after a word.
const RUN_END_PERCENT: u32 = 15;
/// Number of words per unique word.
const WORDS_PER_NEW_WORD: u32 = 100;

/// The words of real reports, in order.
pub struct Words {
    text: String,
    /// Offset of each word in the text; words are separated by a space.
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
    /// Loads the sets of `fixtures/relevance`.
    pub fn load() -> Words {
        let mut words = Words {
            text: String::new(),
            starts: Vec::new(),
            titles: Vec::new(),
            reports: Vec::new(),
            notes: Vec::new(),
        };
        for set in SETS {
            for report in lines(&format!("{set}/docs.jsonl.gz")) {
                let title = words.append(&report.title);
                let report = words.append(&report.text);
                words.titles.push(title.clamp(2, 20));
                words.reports.push(report.min(MAX_WORDS));
            }
        }
        for note in lines("titanium/comments.jsonl.gz") {
            words
                .notes
                .push(note.text.split_whitespace().count().clamp(1, MAX_WORDS));
        }
        words
    }

    fn append(&mut self, text: &str) -> usize {
        let before = self.starts.len();
        // The service takes no text with NUL characters; a log or two has generate.
        for word in text
            .split(|letter: char| letter.is_whitespace() || letter == '\0')
            .filter(|word| !word.is_empty())
        {
            self.starts.push(self.text.len());
            self.text.push_str(word);
            self.text.push(' ');
        }
        self.starts.len() - before
    }

    /// Generates a title.
    pub fn title(&self, random: &mut StdRng) -> String {
        let text = self.generate(
            self.titles[random.random_range(0..self.titles.len())],
            random,
        );
        text.chars()
            .take(250)
            .collect::<String>()
            .trim_end()
            .to_owned()
    }

    /// Generates the text of a report.
    pub fn report(&self, random: &mut StdRng) -> String {
        self.generate(
            self.reports[random.random_range(0..self.reports.len())],
            random,
        )
    }

    /// Generates a note, a message or a commit message.
    pub fn note(&self, random: &mut StdRng) -> String {
        self.generate(self.notes[random.random_range(0..self.notes.len())], random)
    }

    fn generate(&self, count: usize, random: &mut StdRng) -> String {
        let mut text = String::with_capacity(count * 8);
        let mut remaining = count;
        while remaining > 0 {
            let mut run = 1;
            while run < remaining && random.random_range(0..100) >= RUN_END_PERCENT {
                run += 1;
            }
            let from = random.random_range(0..self.starts.len() - run);
            text.push_str(&self.text[self.starts[from]..self.starts[from + run]]);
            remaining -= run;
            if random.random_range(0..WORDS_PER_NEW_WORD) < run as u32 {
                text.push_str(&unique_word(random.next_u64()));
                text.push(' ');
            }
        }
        text.truncate(text.trim_end().len());
        text
    }
}

/// Encodes the number as a word of letters.
pub fn unique_word(mut number: u64) -> String {
    let mut word = String::from("zq");
    for _ in 0..10 {
        word.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    word
}

fn lines(file: &str) -> impl Iterator<Item = Report> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/relevance")
        .join(file);
    let reader = BufReader::new(GzDecoder::new(
        std::fs::File::open(path).expect("the fixture exists"),
    ));
    reader.lines().map(|line| {
        serde_json::from_str(&line.expect("the fixture is text")).expect("the fixture is JSON")
    })
}
