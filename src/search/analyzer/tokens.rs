//! Splits words into parts, folds and stems them, and splits runs of CJK characters into bigrams.

use frostem::{Algorithm, Stemmer};

use super::prefilter::PrefixFilter;
use super::scan::{ScannedWord, Scanner, Script};
use super::{fold, joined, names, split};

/// The version of the analyzer. Increase it with every change of the resulting terms, so that the
/// index is rebuilt.
pub const ANALYZER_VERSION: u32 = 3;

/// Prefix of the unstemmed term of a word, which is indexed when its stem differs.
pub const EXACT_MARKER: char = '\u{1}';

/// Distance in positions that a [`SEPARATOR`](super::SEPARATOR) puts between two texts.
pub(super) const SEPARATOR_GAP: usize = 16;

/// Longer words are truncated to this number of bytes, in the index and in queries.
const MAX_TOKEN_BYTES: usize = 250;

/// The token belongs to the finest split of its word: `tableView2.rb` → `table`, `view`, `2`, `rb`.
pub const SUBPART: u8 = 1;
/// The token belongs to the split at separators and digits, not at capitals: `tableView2.rb` →
/// `tableview`, `2`, `rb`.
pub const SEGMENT: u8 = 2;
/// The token belongs to the split at separators only: `tableView2.rb` → `tableview2`, `rb`.
pub const PART: u8 = 4;
/// The token is the whole word, or both halves of `e-mail`.
pub const WHOLE: u8 = 8;
/// The token is the rest of a word after a single letter, in addition to that word: `iOS` → `os`. It
/// finds the word and is a part of it, but belongs to none of its splits.
pub const REST: u8 = 16;
/// The token is a word that is not split.
const ALL: u8 = SUBPART | SEGMENT | PART | WHOLE;

/// One term of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnalyzedToken {
    /// The folded and stemmed term.
    pub term: String,
    /// The folded word before stemming.
    pub unstemmed: String,
    /// Start offset in bytes.
    pub from: usize,
    /// End offset in bytes.
    pub to: usize,
    /// Position in the sequence of words. A whole word has the position of its first part.
    pub position: usize,
    /// The splits of its word to which it belongs: `SUBPART`, `SEGMENT`, `PART`, `WHOLE`; or
    /// `REST`, or none of them (a single CJK character, the `c` of `C++`).
    pub levels: u8,
    /// Whether it consists of CJK characters.
    pub cjk: bool,
}

impl AnalyzedToken {
    /// Returns the term that matches the word exactly, without stemming.
    pub fn exact_term(&self) -> String {
        if self.unstemmed == self.term {
            self.term.clone()
        } else {
            format!("{EXACT_MARKER}{}", self.unstemmed)
        }
    }
}

/// The tokens of one text, in order.
pub struct Tokens<'a> {
    text: &'a str,
    scanner: Scanner<'a>,
    ready: Vec<AnalyzedToken>,
    used: usize,
    next: usize,
    position: usize,
    parts: split::WordParts,
    /// A buffer for the joined spelling of a word.
    joined: String,
    prefilter: Option<&'a PrefixFilter>,
    /// Positions below this one are exact.
    exact_below: usize,
}

impl<'a> Tokens<'a> {
    /// Creates the tokens of `text` for terms that pass the filter. Other words are skipped, which
    /// saves most of the work, and are not counted in positions unless [`Tokens::count`] requests
    /// it.
    pub fn with_prefilter(text: &'a str, prefilter: &'a PrefixFilter) -> Tokens<'a> {
        Tokens {
            prefilter: Some(prefilter),
            ..Tokens::new(text)
        }
    }

    /// Creates the tokens of `text`.
    pub fn new(text: &'a str) -> Tokens<'a> {
        Tokens {
            text,
            scanner: Scanner::new(text),
            ready: Vec::new(),
            used: 0,
            next: 0,
            position: 0,
            parts: split::WordParts::default(),
            joined: String::new(),
            prefilter: None,
            exact_below: 0,
        }
    }

    /// Makes positions below this one exact, for phrases. Later tokens have this position or a
    /// greater one.
    pub fn count(&mut self, to: usize) {
        self.exact_below = to;
    }

    /// Returns the next token, which the call after it overwrites.
    pub fn advance(&mut self) -> Option<&mut AnalyzedToken> {
        while self.next == self.used {
            if let Some(prefilter) = self.prefilter.filter(|_| self.position >= self.exact_below) {
                self.scanner.skip_to_candidate(prefilter);
            }
            let scanned = self.scanner.advance()?;
            self.used = 0;
            self.next = 0;
            self.position += SEPARATOR_GAP * scanned.gaps;
            match scanned.script {
                Script::Cjk => self.bigrams(&scanned),
                Script::Spaced => self.word(&scanned),
            }
        }
        self.next += 1;
        self.ready.get_mut(self.next - 1)
    }

    /// Returns the position of the next word, or a lower bound of it if words were skipped.
    pub fn position(&self) -> usize {
        self.position + SEPARATOR_GAP * self.scanner.gaps()
    }

    /// Returns all tokens.
    pub fn all(text: &str) -> Vec<AnalyzedToken> {
        let mut tokens = Tokens::new(text);
        let mut all = Vec::new();
        while let Some(token) = tokens.advance() {
            all.push(token.clone());
        }
        all
    }

    /// Adds the tokens of a word: the whole word, and its parts at consecutive positions.
    fn word(&mut self, scanned: &ScannedWord) {
        let word = &self.text[scanned.from..scanned.to];
        let is_skipped = self.prefilter.is_some_and(|prefilter| {
            if scanned.is_single_part {
                !prefilter.may_match_part(word.as_bytes())
            } else {
                self.position >= self.exact_below
                    && word.is_ascii()
                    && !prefilter.may_match_any_part(word.as_bytes())
            }
        });
        if is_skipped {
            self.position += 1;
            return;
        }
        if let Some((from, to)) = names::find_name(self.text, scanned.from, scanned.to) {
            self.add(from, to, ALL);
            // `c` and `net` also find the names, but the names do not find these.
            self.add(scanned.from, scanned.to, 0);
            self.position += 1;
            return;
        }
        let hyphenated = joined::find_hyphenated(self.text, scanned.from, scanned.to);
        if let Some((from, to)) = hyphenated.filter(|(from, _)| *from == scanned.from) {
            self.add_joined(from, to, WHOLE);
        }
        let whole = if hyphenated.is_none() { WHOLE } else { 0 };
        if scanned.is_single_part {
            let levels = SUBPART | SEGMENT | PART | whole;
            self.position += usize::from(self.add(scanned.from, scanned.to, levels));
            return;
        }
        let mut split = std::mem::take(&mut self.parts);
        split.split(word);
        self.add_parts(&split, scanned.from, whole);
        self.parts = split;
    }

    /// Adds the tokens of a word that was split: the whole word with this level, and its parts.
    fn add_parts(&mut self, split: &split::WordParts, start: usize, whole: u8) {
        let is_single = split.subparts.len() == 1;
        let end = split.parts.last().map_or(0, |last| last.to);
        let has_whole = end <= MAX_TOKEN_BYTES;
        if !is_single && has_whole {
            let part = level(PART, split.parts.len() == 1);
            let segment = level(SEGMENT, split.segments.len() == 1);
            self.add_joined(start, start + end, whole | part | segment);
        }
        let unless_whole = if has_whole && !is_single { 0 } else { whole };
        for part in &split.parts {
            let segments = split.segments_of(part);
            let subparts = split.subparts_of(segments);
            let is_single_part = subparts.len() == 1;
            if !is_single_part && split.parts.len() > 1 {
                let segment = level(SEGMENT, segments.len() == 1);
                let levels = PART | segment | unless_whole;
                self.add(start + part.from, start + part.to, levels);
            }
            for segment in segments {
                let subparts = split.subparts_of(std::slice::from_ref(segment));
                let is_single_segment = subparts.len() == 1;
                if !is_single_segment && segments.len() > 1 {
                    self.add(start + segment.from, start + segment.to, SEGMENT);
                }
                for subpart in subparts {
                    let levels = SUBPART
                        | level(SEGMENT, is_single_segment)
                        | level(PART | unless_whole, is_single_part);
                    let is_word = self.add(start + subpart.from, start + subpart.to, levels);
                    if let Some(rest) = subpart.rest {
                        self.add(start + rest, start + subpart.to, REST);
                    }
                    self.position += usize::from(is_word);
                }
            }
        }
    }

    /// Adds the token of the text between two offsets in its joined spelling. Where that leaves out
    /// a separator, it is not stemmed, because another term for the unstemmed word would enlarge
    /// the index.
    fn add_joined(&mut self, from: usize, to: usize, levels: u8) {
        let mut joined = std::mem::take(&mut self.joined);
        joined.clear();
        joined::join(&self.text[from..to], &mut joined);
        let is_stemmed = joined.len() == to - from;
        self.add_spelling(from, to, levels, &joined, is_stemmed);
        self.joined = joined;
    }

    /// Adds the token of the text between two offsets if it passes the filter. Returns `false` when
    /// folding leaves nothing of it.
    fn add(&mut self, from: usize, to: usize, levels: u8) -> bool {
        self.add_spelling(from, to, levels, &self.text[from..to], true)
    }

    /// Adds the token of a spelling of the text between two offsets.
    fn add_spelling(
        &mut self,
        from: usize,
        to: usize,
        levels: u8,
        spelling: &str,
        is_stemmed: bool,
    ) -> bool {
        let part = &self.text[from..to];
        let may_match = self
            .prefilter
            .is_none_or(|prefilter| match part.as_bytes().first() {
                Some(first) if first.is_ascii_alphanumeric() => {
                    prefilter.may_match_part(part.as_bytes())
                }
                _ => fold::first(part).is_none_or(|first| prefilter.may_match(first)),
            });
        if !may_match {
            return true;
        }
        let token = reuse(&mut self.ready, self.used);
        fold::fold(spelling, MAX_TOKEN_BYTES, &mut token.unstemmed);
        if token.unstemmed.is_empty() {
            return false;
        }
        if is_stemmed
            && token.unstemmed.len() > 2
            && token
                .unstemmed
                .bytes()
                .all(|byte| byte.is_ascii_lowercase())
        {
            token
                .term
                .push_str(&Stemmer::new(Algorithm::English).stem(&token.unstemmed));
        } else {
            token.term.push_str(&token.unstemmed);
        }
        (token.from, token.to, token.position, token.levels) = (from, to, self.position, levels);
        self.used += 1;
        true
    }

    /// Adds the tokens of a run of CJK characters: each character, and each bigram at the position
    /// of its first character.
    fn bigrams(&mut self, scanned: &ScannedWord) {
        let chars = fold::cjk_units(&self.text[scanned.from..scanned.to]);
        for (n, char) in chars.iter().enumerate() {
            if self
                .prefilter
                .is_some_and(|prefilter| !prefilter.may_match(char.letter))
            {
                continue;
            }
            let levels = level(ALL, chars.len() == 1);
            self.add_cjk(scanned.from, self.position + n, levels, char, None);
            if let Some(next) = chars.get(n + 1) {
                self.add_cjk(scanned.from, self.position + n, ALL, char, Some(next));
            }
        }
        self.position += chars.len();
    }

    fn add_cjk(
        &mut self,
        start: usize,
        position: usize,
        levels: u8,
        char: &fold::CjkChar,
        next: Option<&fold::CjkChar>,
    ) {
        let token = reuse(&mut self.ready, self.used);
        token.unstemmed.push(char.letter);
        token.unstemmed.extend(next.map(|next| next.letter));
        token.term.push_str(&token.unstemmed);
        token.cjk = true;
        (token.from, token.to) = (
            start + char.from,
            start + next.map_or(char.to, |next| next.to),
        );
        (token.position, token.levels) = (position, levels);
        self.used += 1;
    }
}

/// Returns these levels, if the condition holds.
fn level(levels: u8, condition: bool) -> u8 {
    if condition { levels } else { 0 }
}

/// Returns an empty token at this index of the list, and reuses the memory of its strings.
fn reuse(list: &mut Vec<AnalyzedToken>, index: usize) -> &mut AnalyzedToken {
    if index == list.len() {
        list.push(AnalyzedToken::default());
    }
    let token = &mut list[index];
    token.term.clear();
    token.unstemmed.clear();
    token.cjk = false;
    token
}

#[cfg(test)]
mod tests;
