//! Excerpts of hits.
//!
//! The texts are those that the viewer may read, in order. They are read only as far as necessary,
//! and markup is stripped only from that.

use super::fields::TextField;
use super::highlighter::{CoveredWords, Highlighter, ReadState, WordSpan, sort};
use super::passage::{Passage, merge_ranges};
use quarry_markup::strip::Stripper;

/// Maximum number of bytes that are read until a word is found. Words in the title need not be
/// found.
const MAX_BYTES: usize = 256 * 1024;
/// Maximum number of bytes that are read until all words are found.
const MAX_BYTES_FOR_ALL_WORDS: usize = 32 * 1024;
/// Maximum number of bytes that are read until all words are found close together.
const MAX_BYTES_FOR_CLOSE_WORDS: usize = 4 * 1024;
/// Approximate number of bytes that are read at once.
const CHUNK_BYTES: usize = 2 * 1024;
/// Approximate number of further bytes for the text after the last word.
const LOOKAHEAD_BYTES: usize = 1024;
/// Approximate length of an excerpt in characters.
const EXCERPT_CHARS: usize = 240;
/// Maximum number of fragments of an excerpt.
const MAX_FRAGMENTS: usize = 3;
/// Marks omitted text.
const ELLIPSIS: &str = "…";

/// Up to three passages around the words of the query; the start of the text when it contains none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The passages in the order of the texts.
    pub passages: Vec<Passage>,
    /// The ellipses before the first and after the last passage.
    before: &'static str,
    after: &'static str,
    /// Whether there is a passage, and every word of the query or an alternative occurs in the
    /// texts or the title.
    pub complete: bool,
}

/// The part of a text that was read, without markup.
struct Text {
    field: TextField,
    plain: String,
}

/// A range of a text that will be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fragment {
    text: usize,
    from: usize,
    to: usize,
}

impl Fragment {
    fn contains(&self, mark: &WordSpan) -> bool {
        mark.text == self.text && mark.from >= self.from && mark.to <= self.to
    }
}

impl Excerpt {
    /// Returns escaped HTML with each word in `<mark>`.
    pub fn html(&self) -> String {
        self.html_of(|_| true)
    }

    /// Returns the HTML of the passages from some fields; empty where there are none.
    pub fn html_of(&self, is_shown: impl Fn(TextField) -> bool) -> String {
        let passages = self.passages.iter();
        let mut passages = passages
            .filter(|passage| is_shown(passage.field))
            .peekable();
        if passages.peek().is_none() {
            return String::new();
        }
        let mut out = String::with_capacity(EXCERPT_CHARS * 2);
        out.push_str(self.before);
        for (number, passage) in passages.enumerate() {
            out.push_str(if number == 0 { "" } else { " … " });
            passage.write(&mut out);
        }
        out.push_str(self.after);
        out
    }
}

impl Highlighter<'_> {
    /// Makes an excerpt of the texts. Words that are `covered` by the title need not be found.
    pub fn excerpt<'t>(
        &self,
        texts: impl IntoIterator<Item = (TextField, &'t str)>,
        covered: &CoveredWords,
    ) -> Excerpt {
        let (texts, marks) = self.read_texts(texts, covered);
        let complete = self.covered_words(&marks).covers_all_with(covered);
        let mut fragments = choose(&marks, &texts, self.query_index.len());
        if fragments.is_empty() {
            let first = texts.iter().position(|text| !text.plain.trim().is_empty());
            let Some(first) = first else {
                return Excerpt::default();
            };
            let start = texts[first].plain.len() - texts[first].plain.trim_start().len();
            fragments.push(extend(&texts, first, start, start, EXCERPT_CHARS));
        }
        fragments.sort_unstable_by_key(|fragment| (fragment.text, fragment.from));
        Excerpt {
            complete,
            ..render_fragments(&fragments, &marks, &texts)
        }
    }

    /// Reads texts until there is enough for a good excerpt. Returns what was read, with the spans
    /// of the words.
    fn read_texts<'t>(
        &self,
        texts: impl IntoIterator<Item = (TextField, &'t str)>,
        covered: &CoveredWords,
    ) -> (Vec<Text>, Vec<WordSpan>) {
        let mut texts_read = Vec::new();
        let mut marks = Vec::new();
        let mut bytes = 0;
        for (field, text) in texts {
            let mut stripper = Stripper::new(text);
            let mut plain = String::with_capacity(text.len().min(2 * CHUNK_BYTES));
            let mut state = ReadState::default();
            let mut enough = false;
            while !enough && !stripper.is_done() {
                let from = plain.len();
                bytes += stripper.strip_next(CHUNK_BYTES, &mut plain);
                self.find_words(
                    &plain[from..],
                    (texts_read.len(), from),
                    &mut state,
                    &mut marks,
                );
                enough = self.is_enough(&marks, bytes, covered);
            }
            if !stripper.is_done() {
                stripper.strip_next(LOOKAHEAD_BYTES, &mut plain);
            }
            texts_read.push(Text { field, plain });
            if enough {
                break;
            }
        }
        sort(&mut marks);
        (texts_read, marks)
    }

    fn is_enough(&self, marks: &[WordSpan], bytes: usize, covered: &CoveredWords) -> bool {
        if !self.covered_words(marks).covers_all_with(covered) {
            return bytes
                >= if marks.is_empty() {
                    MAX_BYTES
                } else {
                    MAX_BYTES_FOR_ALL_WORDS
                };
        }
        if marks.is_empty() {
            return bytes >= MAX_BYTES_FOR_CLOSE_WORDS;
        }
        let mut uncovered = vec![false; self.query_index.len()];
        marks.iter().for_each(|mark| uncovered[mark.word] = true);
        bytes >= MAX_BYTES_FOR_CLOSE_WORDS
            || best_window(marks, &uncovered, EXCERPT_CHARS, &[])
                .is_some_and(|best| best.shown == uncovered)
    }
}

/// Returns the windows with the most words: one of full length if it contains all, otherwise up to
/// three shorter ones.
fn choose(marks: &[WordSpan], texts: &[Text], words: usize) -> Vec<Fragment> {
    let mut uncovered = vec![false; words];
    marks.iter().for_each(|mark| uncovered[mark.word] = true);
    if let Some(best) =
        best_window(marks, &uncovered, EXCERPT_CHARS, &[]).filter(|best| best.shown == uncovered)
    {
        return vec![fragment_around(texts, marks, &best, EXCERPT_CHARS)];
    }
    let mut fragments: Vec<Fragment> = Vec::new();
    let length = EXCERPT_CHARS / MAX_FRAGMENTS + 20;
    while uncovered.contains(&true) && fragments.len() < MAX_FRAGMENTS {
        let Some(best) = best_window(marks, &uncovered, length, &fragments) else {
            break;
        };
        fragments.push(fragment_around(texts, marks, &best, length));
        uncovered
            .iter_mut()
            .zip(best.shown)
            .for_each(|(uncovered, shown)| *uncovered &= !shown);
    }
    merge(fragments)
}

/// A range of spans.
struct Window {
    first: usize,
    last: usize,
    /// The words that it contains.
    shown: Vec<bool>,
}

/// Returns the window with the most `uncovered` words, then the most spans, then the first one.
fn best_window(
    marks: &[WordSpan],
    uncovered: &[bool],
    length: usize,
    texts_read: &[Fragment],
) -> Option<Window> {
    let mut best: Option<Window> = None;
    let mut most_words = 0;
    let mut most_marks = 0;
    let mut counts = vec![0_usize; uncovered.len()];
    let mut from = 0;
    let mut words = 0;
    for (last, mark) in marks.iter().enumerate() {
        if uncovered[mark.word] {
            words += usize::from(counts[mark.word] == 0);
            counts[mark.word] += 1;
        }
        while from < last
            && (marks[from].text != mark.text
                || mark.to.saturating_sub(marks[from].from) > length * 3 / 4)
        {
            let removed = marks[from].word;
            if uncovered[removed] {
                counts[removed] -= 1;
                words -= usize::from(counts[removed] == 0);
            }
            from += 1;
        }
        let size = last - from;
        let better = words > most_words || (words == most_words && size > most_marks);
        if words > 0 && better && !texts_read.iter().any(|fragment| fragment.contains(mark)) {
            (most_words, most_marks) = (words, size);
            best = Some(Window {
                first: from,
                last,
                shown: counts.iter().map(|count| *count > 0).collect(),
            });
        }
    }
    best
}

fn fragment_around(texts: &[Text], marks: &[WordSpan], window: &Window, length: usize) -> Fragment {
    extend(
        texts,
        marks[window.first].text,
        marks[window.first].from,
        marks[window.last].to,
        length,
    )
}

/// Extends `from..to` to about `length` characters, cut between words.
fn extend(texts: &[Text], text: usize, from: usize, to: usize, length: usize) -> Fragment {
    let content = texts[text].plain.as_str();
    let inner = content[from..to].chars().count();
    let remaining = length.saturating_sub(inner);
    // A third of the remaining characters precedes the words; the rest follows them.
    let third = move_back(content, from, remaining / 3);
    let before = content[third..from].chars().count();
    let mut end = content[to..]
        .char_indices()
        .nth(remaining - before)
        .map_or(content.len(), |(at, _)| to + at);
    let after = content[to..end].chars().count();
    let mut start = if after < remaining - before {
        move_back(content, from, remaining - after)
    } else {
        third
    };
    if start > 0 && !content[..start].ends_with(char::is_whitespace) {
        start += content[start..from]
            .find(char::is_whitespace)
            .unwrap_or(if from - start > 40 { 0 } else { from - start });
    }
    if end < content.len() && !content[end..].starts_with(char::is_whitespace) {
        end = content[to..end]
            .rfind(char::is_whitespace)
            .map_or(if end - to > 40 { end } else { to }, |at| to + at);
    }
    Fragment {
        text,
        from: start,
        to: end.max(to),
    }
}

/// Returns the offset `count` characters before another one, or the start of the text.
fn move_back(text: &str, from: usize, count: usize) -> usize {
    let before = text[..from].char_indices().rev().take(count);
    before.last().map_or(from, |(at, _)| at)
}

/// Merges fragments that touch.
fn merge(mut fragments: Vec<Fragment>) -> Vec<Fragment> {
    fragments.sort_unstable_by_key(|fragment| (fragment.text, fragment.from));
    let mut merged: Vec<Fragment> = Vec::with_capacity(fragments.len());
    for fragment in fragments {
        match merged.last_mut() {
            Some(before) if before.text == fragment.text && fragment.from <= before.to => {
                before.to = before.to.max(fragment.to)
            }
            _ => merged.push(fragment),
        }
    }
    merged
}

/// Renders fragments with marked words.
fn render_fragments(fragments: &[Fragment], marks: &[WordSpan], texts: &[Text]) -> Excerpt {
    let mut excerpt = Excerpt::default();
    for fragment in fragments {
        let Text { field, plain } = &texts[fragment.text];
        let mut text = String::with_capacity(fragment.to - fragment.from);
        if excerpt.passages.is_empty() && !plain[..fragment.from].trim().is_empty() {
            excerpt.before = if plain[fragment.from..].starts_with(is_space) {
                "… "
            } else {
                ELLIPSIS
            };
        }
        let ranges = marks
            .iter()
            .filter(|mark| fragment.contains(mark))
            .map(|mark| (mark.from, mark.to));
        let mut at = fragment.from;
        let mut fields = Vec::new();
        for (from, to) in merge_ranges(ranges) {
            push_collapsed(&plain[at..from], &mut text);
            let start = text.len();
            push_collapsed(&plain[from..to], &mut text);
            fields.push((start, text.len()));
            at = to;
        }
        push_collapsed(&plain[at..fragment.to], &mut text);
        text.truncate(text.trim_end().len());
        excerpt.passages.push(Passage {
            field: *field,
            source: fragment.text,
            text,
            marks: fields,
        });
    }
    if let Some(last) = fragments.last()
        && !texts[last.text].plain[last.to..].trim().is_empty()
    {
        excerpt.after = ELLIPSIS;
    }
    excerpt
}

/// Appends `text` with each run of white space and control characters as one space, and none at the
/// start.
fn push_collapsed(text: &str, out: &mut String) {
    let mut words = text.split(is_space);
    out.push_str(words.next().unwrap_or_default());
    for word in words {
        if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        out.push_str(word);
    }
}

fn is_space(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control()
}

#[cfg(test)]
mod tests;
