//! The words of a hit in their surroundings.
//!
//! The texts are those that the viewer may read, in order. They are read no further than it needs, and markup is taken out of what
//! is read alone.

use super::passage::{Passage, joined};
use super::{Highlighter, Known, Mark, Place, Trace, sort};
use crate::markup::strip::Stripper;

/// At most this many bytes of text are read for an excerpt: until a word is found, until the others are found too, and until
/// they are found together. Words that the title shows need not be found.
const READ: usize = 256 * 1024;
const READ_FOR_MORE: usize = 32 * 1024;
const READ_FOR_BETTER: usize = 4 * 1024;
/// How many bytes are read at once, about, and how many behind the last of them are there to be shown.
const PART: usize = 2 * 1024;
const AHEAD: usize = 1024;
/// The length of an excerpt in characters, about.
const LENGTH: usize = 240;
/// The most fragments in an excerpt.
const FRAGMENTS: usize = 3;
/// Stands between fragments and where text was left out.
const GAP: &str = "…";

/// Up to three passages around the words of the question; the beginning of the text when none is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The passages in the order of the texts.
    pub passages: Vec<Passage>,
    /// What stands before the first, and behind the last, where text was left out.
    before: &'static str,
    after: &'static str,
    /// Whether there is something to show, and every word was seen in it or was known, or another that was asked for in its place.
    pub complete: bool,
}

/// A text as far as it was read, without markup.
struct Text {
    place: Place,
    plain: String,
}

/// A piece of a text that will be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fragment {
    text: usize,
    from: usize,
    to: usize,
}

impl Excerpt {
    /// As HTML that is safe to show, each word in `<mark>`.
    pub fn html(&self) -> String {
        let mut out = String::with_capacity(LENGTH * 2);
        out.push_str(self.before);
        for (number, passage) in self.passages.iter().enumerate() {
            out.push_str(if number == 0 { "" } else { " … " });
            passage.write(&mut out);
        }
        out.push_str(self.after);
        out
    }
}

impl Highlighter<'_> {
    /// What these texts say around the words, of which some are known from the title. Texts are taken one after the other, no more
    /// than it needs.
    pub fn excerpt<'t>(&self, texts: impl IntoIterator<Item = (Place, &'t str)>, known: &Known) -> Excerpt {
        let (texts, marks) = self.read_on(texts, known);
        let complete = self.seen(&marks).is_all_with(known);
        let mut fragments = choose(&marks, &texts, self.stands_for.len());
        if fragments.is_empty() {
            let first = texts.iter().position(|text| !text.plain.trim().is_empty());
            let Some(first) = first else { return Excerpt::default() };
            let start = texts[first].plain.len() - texts[first].plain.trim_start().len();
            fragments.push(widen(&texts, first, start, start, LENGTH));
        }
        fragments.sort_unstable_by_key(|fragment| (fragment.text, fragment.from));
        Excerpt { complete, ..shown(&fragments, &marks, &texts) }
    }

    /// Reads on until there is enough for a good excerpt: what was read, and where the words stand in it.
    fn read_on<'t>(&self, texts: impl IntoIterator<Item = (Place, &'t str)>, known: &Known) -> (Vec<Text>, Vec<Mark>) {
        let (mut taken, mut marks, mut bytes) = (Vec::new(), Vec::new(), 0);
        for (place, text) in texts {
            let mut stripper = Stripper::of(text);
            let (mut plain, mut trace, mut enough) = (String::with_capacity(text.len().min(2 * PART)), Trace::default(), false);
            while !enough && !stripper.is_done() {
                let from = plain.len();
                bytes += stripper.next(PART, &mut plain);
                self.read(&plain[from..], (taken.len(), from), &mut trace, &mut marks);
                enough = self.is_enough(&marks, bytes, known);
            }
            if !stripper.is_done() {
                stripper.next(AHEAD, &mut plain);
            }
            taken.push(Text { place, plain });
            if enough {
                break;
            }
        }
        sort(&mut marks);
        (taken, marks)
    }

    fn is_enough(&self, marks: &[Mark], bytes: usize, known: &Known) -> bool {
        if !self.seen(marks).is_all_with(known) {
            return bytes >= if marks.is_empty() { READ } else { READ_FOR_MORE };
        }
        if marks.is_empty() {
            return bytes >= READ_FOR_BETTER;
        }
        let mut open = vec![false; self.stands_for.len()];
        marks.iter().for_each(|mark| open[mark.word] = true);
        bytes >= READ_FOR_BETTER || densest(marks, &open, LENGTH, &[]).is_some_and(|best| best.shown == open)
    }
}

/// The windows that show the most words: one of full length when it shows all there are, otherwise up to three shorter ones.
fn choose(marks: &[Mark], texts: &[Text], words: usize) -> Vec<Fragment> {
    let mut open = vec![false; words];
    marks.iter().for_each(|mark| open[mark.word] = true);
    if let Some(best) = densest(marks, &open, LENGTH, &[]).filter(|best| best.shown == open) {
        return vec![around(texts, marks, &best, LENGTH)];
    }
    let mut fragments: Vec<Fragment> = Vec::new();
    let length = LENGTH / FRAGMENTS + 20;
    while open.contains(&true) && fragments.len() < FRAGMENTS {
        let Some(best) = densest(marks, &open, length, &fragments) else { break };
        fragments.push(around(texts, marks, &best, length));
        open.iter_mut().zip(best.shown).for_each(|(open, shown)| *open &= !shown);
    }
    merge(fragments)
}

/// A run of marks.
struct Window {
    first: usize,
    last: usize,
    /// Which words it shows.
    shown: Vec<bool>,
}

/// The window that shows the most of the `open` words, then the most marks, then comes first.
fn densest(marks: &[Mark], open: &[bool], length: usize, taken: &[Fragment]) -> Option<Window> {
    let mut best: Option<Window> = None;
    let (mut most_words, mut most_marks) = (0, 0);
    let mut counts = vec![0_usize; open.len()];
    let (mut from, mut words) = (0, 0);
    for (last, mark) in marks.iter().enumerate() {
        if open[mark.word] {
            words += usize::from(counts[mark.word] == 0);
            counts[mark.word] += 1;
        }
        while from < last && (marks[from].text != mark.text || mark.to.saturating_sub(marks[from].from) > length * 3 / 4) {
            let gone = marks[from].word;
            if open[gone] {
                counts[gone] -= 1;
                words -= usize::from(counts[gone] == 0);
            }
            from += 1;
        }
        let size = last - from;
        let better = words > most_words || (words == most_words && size > most_marks);
        let inside = |fragment: &Fragment| fragment.text == mark.text && mark.from >= fragment.from && mark.to <= fragment.to;
        if words > 0 && better && !taken.iter().any(inside) {
            (most_words, most_marks) = (words, size);
            best = Some(Window { first: from, last, shown: counts.iter().map(|count| *count > 0).collect() });
        }
    }
    best
}

fn around(texts: &[Text], marks: &[Mark], window: &Window, length: usize) -> Fragment {
    widen(texts, marks[window.first].text, marks[window.first].from, marks[window.last].to, length)
}

/// What is shown around `from..to`: about `length` characters, cut between words.
fn widen(texts: &[Text], text: usize, from: usize, to: usize, length: usize) -> Fragment {
    let content = texts[text].plain.as_str();
    let inner = content[from..to].chars().count();
    let room = length.saturating_sub(inner);
    let back = |room: usize| content[..from].char_indices().rev().take(room).last().map_or(from, |(at, _)| at);
    let ahead = |room: usize| content[to..].char_indices().nth(room).map_or(content.len(), |(at, _)| to + at);
    // a third of the room stands before the words; what is not needed there stands behind them
    let before = content[back(room / 3)..from].chars().count();
    let mut end = ahead(room - before);
    let after = content[to..end].chars().count();
    let mut start = back(room - after.min(room));
    if after >= room - before {
        start = back(room / 3);
    }
    if start > 0 && !content[..start].ends_with(char::is_whitespace) {
        start += content[start..from].find(char::is_whitespace).unwrap_or(if from - start > 40 { 0 } else { from - start });
    }
    if end < content.len() && !content[end..].starts_with(char::is_whitespace) {
        end = content[to..end].rfind(char::is_whitespace).map_or(if end - to > 40 { end } else { to }, |at| to + at);
    }
    Fragment { text, from: start, to: end.max(to) }
}

/// Fragments that touch become one.
fn merge(mut fragments: Vec<Fragment>) -> Vec<Fragment> {
    fragments.sort_unstable_by_key(|fragment| (fragment.text, fragment.from));
    let mut merged: Vec<Fragment> = Vec::with_capacity(fragments.len());
    for fragment in fragments {
        match merged.last_mut() {
            Some(before) if before.text == fragment.text && fragment.from <= before.to => before.to = before.to.max(fragment.to),
            _ => merged.push(fragment),
        }
    }
    merged
}

/// The fragments with the words marked in them.
fn shown(fragments: &[Fragment], marks: &[Mark], texts: &[Text]) -> Excerpt {
    let mut excerpt = Excerpt::default();
    for fragment in fragments {
        let Text { place, plain } = &texts[fragment.text];
        let mut text = String::with_capacity(fragment.to - fragment.from);
        if excerpt.passages.is_empty() && !plain[..fragment.from].trim().is_empty() {
            excerpt.before = if plain[fragment.from..].starts_with(is_space) { "… " } else { GAP };
        }
        let inside = |mark: &&Mark| mark.text == fragment.text && mark.from >= fragment.from && mark.to <= fragment.to;
        let mut at = fragment.from;
        let mut places = Vec::new();
        for (from, to) in joined(marks.iter().filter(inside).map(|mark| (mark.from, mark.to))) {
            spaced(&plain[at..from], &mut text);
            let start = text.len();
            spaced(&plain[from..to], &mut text);
            places.push((start, text.len()));
            at = to;
        }
        spaced(&plain[at..fragment.to], &mut text);
        text.truncate(text.trim_end().len());
        excerpt.passages.push(Passage { place: *place, text, marks: places });
    }
    if let Some(last) = fragments.last()
        && !texts[last.text].plain[last.to..].trim().is_empty()
    {
        excerpt.after = GAP;
    }
    excerpt
}

/// Adds `text` with every run of spaces, line ends and control characters as one space, and none at the beginning.
fn spaced(text: &str, out: &mut String) {
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
