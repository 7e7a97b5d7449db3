//! How does text become terms?
//!
//! Every text and every question goes through this one analyzer: the index, the query and the excerpt must agree on each
//! term. A piece is one term with its place in the text (bytes) and in the sequence of words (position).
//! Invariant: offsets are character boundaries of the text that was given; positions never fall.
//! May import: nothing of ours.

mod firsts;
mod fold;
mod scan;
mod split;
mod stream;

pub(super) use firsts::Firsts;
pub(super) use stream::WordTokenizer;

use frostem::{Algorithm, Stemmer};
use scan::{Found, Scanner, Script};

/// The version of what this module does to text. Raise it with every change that makes other terms: the index then rebuilds.
pub const ANALYZER_VERSION: u32 = 1;

/// Stands between texts of one field: phrases do not reach across it.
pub const SEPARATOR: char = '\u{1E}';

/// Begins the term under which a word is kept as it was written, when its stem differs.
pub const AS_WRITTEN: char = '\u{1}';

/// How far apart in positions a [`SEPARATOR`] puts two texts.
const GAP: usize = 16;

/// Longer words are cut to this many bytes, in the index and in questions alike.
const LONGEST: usize = 250;

/// The piece belongs to the finest reading of its word: `issue_query.rb` → `issue`, `query`, `rb`.
pub const FINE: u8 = 1;
/// The piece belongs to the reading that splits at dots and underscores only: `net.actionBar` → `net`, `actionbar`.
pub const MIDDLE: u8 = 2;
/// The piece belongs to the reading that leaves the word whole.
pub const WHOLE: u8 = 4;

/// One term of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// What is compared: folded and stemmed.
    pub term: String,
    /// The same before stemming.
    pub plain: String,
    /// Where it begins in the text, in bytes.
    pub from: usize,
    /// Where it ends in the text, in bytes.
    pub to: usize,
    /// Its place in the sequence of words. A whole stands where its first part stands.
    pub position: usize,
    /// To which readings of its word it belongs: `FINE`, `MIDDLE`, `WHOLE`, or none of them (a single CJK character).
    pub readings: u8,
    /// Whether it is made of CJK characters.
    pub cjk: bool,
}

impl Piece {
    /// The term under which the word is found as it was written.
    pub fn as_written(&self) -> String {
        if self.plain == self.term { self.term.clone() } else { format!("{AS_WRITTEN}{}", self.plain) }
    }
}

/// The pieces of one text, in order.
pub struct Pieces<'a> {
    text: &'a str,
    scanner: Scanner<'a>,
    ready: Vec<Piece>,
    used: usize,
    next: usize,
    position: usize,
    parts: split::Parts,
    firsts: Option<&'a Firsts>,
    /// Words at earlier positions are counted.
    counted: usize,
}

impl<'a> Pieces<'a> {
    /// Begins to read `text` for somebody who looks for terms that begin with these letters: the pieces of other words do not come,
    /// which saves most of the work, and words that are passed over have no positions unless [`Pieces::count`] asks for them.
    pub fn looking_for(text: &'a str, firsts: &'a Firsts) -> Pieces<'a> {
        Pieces { firsts: Some(firsts), ..Pieces::of(text) }
    }

    /// Begins to read `text`.
    pub fn of(text: &'a str) -> Pieces<'a> {
        Pieces {
            text,
            scanner: Scanner::new(text),
            ready: Vec::new(),
            used: 0,
            next: 0,
            position: 0,
            parts: split::Parts::default(),
            firsts: None,
            counted: 0,
        }
    }

    /// Gives exact positions as long as they are below this one, to somebody who looks for terms in their order. What comes later is
    /// told to be at this position or behind it.
    pub fn count(&mut self, to: usize) {
        self.counted = to;
    }

    /// The next piece; it is overwritten by the one after it.
    pub fn advance(&mut self) -> Option<&mut Piece> {
        while self.next == self.used {
            if let Some(firsts) = self.firsts.filter(|_| self.position >= self.counted) {
                self.scanner.pass_over(firsts);
            }
            let found = self.scanner.advance()?;
            self.used = 0;
            self.next = 0;
            self.position += GAP * found.gaps;
            match found.script {
                Script::Cjk => self.bigrams(&found),
                Script::Spaced => self.word(&found),
            }
        }
        self.next += 1;
        self.ready.get_mut(self.next - 1)
    }

    /// The position that the next word would have in a text that goes on; no more than it where words were passed over.
    pub fn position(&self) -> usize {
        self.position + GAP * self.scanner.gaps()
    }

    /// All pieces at once.
    pub fn all(text: &str) -> Vec<Piece> {
        let mut pieces = Pieces::of(text);
        let mut all = Vec::new();
        while let Some(piece) = pieces.advance() {
            all.push(piece.clone());
        }
        all
    }

    /// A word that is written between spaces: its whole, and beside it its parts at consecutive positions.
    fn word(&mut self, found: &Found) {
        let word = &self.text[found.from..found.to];
        let passes = |firsts: &Firsts| match found.plain {
            true => !firsts.want_part(word.as_bytes()),
            false => self.position >= self.counted && word.is_ascii() && !firsts.want_part_of(word.as_bytes()),
        };
        if self.firsts.is_some_and(passes) {
            self.position += 1;
            return;
        }
        if found.plain {
            self.position += usize::from(self.add(found.from, found.to, FINE | MIDDLE | WHOLE));
            return;
        }
        let mut parts = std::mem::take(&mut self.parts);
        parts.split(word);
        let single = parts.fine.len() == 1;
        let end = parts.middle.last().map_or(0, |last| last.to);
        let whole = end <= LONGEST;
        if !single && whole {
            let readings = if parts.middle.len() == 1 { WHOLE | MIDDLE } else { WHOLE };
            self.add(found.from, found.from + end, readings);
        }
        for middle in &parts.middle {
            let fine = &parts.fine[middle.first..middle.last];
            let unless_whole = if whole && !single { 0 } else { WHOLE };
            if fine.len() > 1 && parts.middle.len() > 1 {
                self.add(found.from + middle.from, found.from + middle.to, MIDDLE | unless_whole);
            }
            for part in fine {
                let readings = if fine.len() == 1 { FINE | MIDDLE | unless_whole } else { FINE };
                if self.add(found.from + part.0, found.from + part.1, readings) {
                    self.position += 1;
                }
            }
        }
        self.parts = parts;
    }

    /// Folds and stems what stands between two offsets, if it is looked for; `false` when nothing is left of it.
    fn add(&mut self, from: usize, to: usize, readings: u8) -> bool {
        let part = &self.text[from..to];
        let unwanted = |firsts: &Firsts| match part.as_bytes().first() {
            Some(first) if first.is_ascii_alphanumeric() => !firsts.want_part(part.as_bytes()),
            _ => fold::first(part).is_some_and(|first| !firsts.want(first)),
        };
        if self.firsts.is_some_and(unwanted) {
            return true;
        }
        let piece = reuse(&mut self.ready, self.used);
        fold::fold(part, LONGEST, &mut piece.plain);
        if piece.plain.is_empty() {
            return false;
        }
        if piece.plain.len() > 2 && piece.plain.bytes().all(|byte| byte.is_ascii_lowercase()) {
            piece.term.push_str(&Stemmer::new(Algorithm::English).stem(&piece.plain));
        } else {
            piece.term.push_str(&piece.plain);
        }
        (piece.from, piece.to, piece.position, piece.readings) = (from, to, self.position, readings);
        self.used += 1;
        true
    }

    /// A run of CJK characters: each character, and each two neighbours at the place of the first.
    fn bigrams(&mut self, found: &Found) {
        let units = fold::cjk_units(&self.text[found.from..found.to]);
        for (n, unit) in units.iter().enumerate() {
            if self.firsts.is_some_and(|firsts| !firsts.want(unit.letter)) {
                continue;
            }
            let readings = if units.len() == 1 { FINE | MIDDLE | WHOLE } else { 0 };
            self.add_cjk(found.from, self.position + n, readings, unit, None);
            if let Some(next) = units.get(n + 1) {
                self.add_cjk(found.from, self.position + n, FINE | MIDDLE | WHOLE, unit, Some(next));
            }
        }
        self.position += units.len();
    }

    fn add_cjk(&mut self, start: usize, position: usize, readings: u8, unit: &fold::Unit, next: Option<&fold::Unit>) {
        let piece = reuse(&mut self.ready, self.used);
        piece.plain.push(unit.letter);
        piece.plain.extend(next.map(|next| next.letter));
        piece.term.push_str(&piece.plain);
        piece.cjk = true;
        (piece.from, piece.to) = (start + unit.from, start + next.map_or(unit.to, |next| next.to));
        (piece.position, piece.readings) = (position, readings);
        self.used += 1;
    }
}

/// An emptied piece at this place of the list: strings keep their room from word to word.
fn reuse(list: &mut Vec<Piece>, place: usize) -> &mut Piece {
    if place == list.len() {
        list.push(Piece::default());
    }
    let piece = &mut list[place];
    piece.term.clear();
    piece.plain.clear();
    piece.cjk = false;
    piece
}

#[cfg(test)]
mod tests;
