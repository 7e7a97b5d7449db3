//! The words of a hit in their surroundings, as safe HTML.
//!
//! The texts are those that the viewer may read, in order and without markup. The same analyzer that made the index reads
//! them, so what is marked is what matched: stems, prefixes, phrases, parts of identifiers.

use std::borrow::Cow;
use std::collections::HashMap;

use super::analyzer::Pieces;
use super::query::{Query, Step};
use crate::markup::html::escape_into;

/// At most this many bytes of text are read for an excerpt: until a word is found, until the others are found too, and until
/// they are found together.
const READ: usize = 256 * 1024;
const READ_FOR_MORE: usize = 32 * 1024;
const READ_FOR_BETTER: usize = 8 * 1024;
/// How many bytes are read at once, and by how many two parts overlap.
const CHUNK: usize = 2 * 1024;
const OVERLAP: usize = 200;
/// The length of an excerpt in characters, about.
const LENGTH: usize = 240;
/// The most fragments in an excerpt.
const FRAGMENTS: usize = 3;
/// Stands between fragments and where text was left out.
const GAP: &str = "…";

/// A place in a text that answers a word of the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    text: usize,
    from: usize,
    to: usize,
    word: usize,
}

/// A piece of a text that will be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fragment {
    text: usize,
    from: usize,
    to: usize,
}

/// Up to three fragments around the words of the question, each word in `<mark>`; the beginning of the text when none is
/// there. The HTML is escaped and safe to show. Texts are taken one after the other, no more than it needs.
pub fn excerpt<'t>(query: &Query, texts: impl IntoIterator<Item = Cow<'t, str>>) -> String {
    let (texts, marks) = read(query, texts);
    let mut fragments = choose(&marks, &texts);
    if fragments.is_empty() {
        let first = texts.iter().position(|text| !text.trim().is_empty());
        let Some(first) = first else { return String::new() };
        let start = texts[first].len() - texts[first].trim_start().len();
        fragments.push(widen(&texts, first, start, start, LENGTH));
    }
    fragments.sort_unstable_by_key(|fragment| (fragment.text, fragment.from));
    write(&fragments, &marks, &texts)
}

/// Reads on until there is enough for a good excerpt: the texts that were taken, and where the words stand in them.
fn read<'t>(query: &Query, texts: impl IntoIterator<Item = Cow<'t, str>>) -> (Vec<Cow<'t, str>>, Vec<Mark>) {
    let (reader, mut taken, mut marks, mut bytes) = (Reader::of(query), Vec::new(), Vec::new(), 0);
    'texts: for content in texts {
        let text = taken.len();
        let mut from = 0;
        while from < content.len() {
            let to = cut(&content, from + CHUNK);
            reader.read(query, &content[from..to], (text, from), &mut marks);
            bytes += to - from;
            if is_enough(query, &marks, bytes) {
                taken.push(content);
                break 'texts;
            }
            // The next part begins a little before the end of this one: a phrase may stand across it.
            from = if to == content.len() { to } else { cut(&content, to.saturating_sub(OVERLAP).max(from + 1)) };
        }
        taken.push(content);
    }
    marks.sort_unstable_by_key(|mark| (mark.text, mark.from, usize::MAX - mark.to, mark.word));
    marks.dedup();
    (taken, marks)
}

/// The first end of a word at or after `at`.
fn cut(text: &str, at: usize) -> usize {
    let at = text.ceil_char_boundary(at);
    // A text without any space is cut all the same.
    let near = text.ceil_char_boundary((at + OVERLAP).min(text.len()));
    text[at..near].find(char::is_whitespace).map_or(near, |space| at + space)
}

fn is_enough(query: &Query, marks: &[Mark], bytes: usize) -> bool {
    let mut seen: Vec<usize> = marks.iter().map(|mark| mark.word).collect();
    seen.sort_unstable();
    seen.dedup();
    match seen.len() {
        0 => bytes >= READ,
        some if some < query.words.len() => bytes >= READ_FOR_MORE,
        _ => bytes >= READ_FOR_BETTER || densest(marks, &seen, LENGTH, &[]).is_some_and(|(_, _, shown)| shown.len() == seen.len()),
    }
}

/// What is looked for.
struct Reader<'q> {
    prefixes: Vec<&'q str>,
    wanted: HashMap<&'q str, usize>,
    firsts: [bool; 256],
}

impl<'q> Reader<'q> {
    fn of(query: &'q Query) -> Reader<'q> {
        let prefixed = query.words.iter().filter(|word| word.prefix).flat_map(|word| &word.readings);
        let prefixes = prefixed.filter_map(|steps| steps.last()).map(|step| step.plain.as_str()).collect();
        let mut wanted: HashMap<&str, usize> = HashMap::new();
        for step in query.words.iter().flat_map(|word| word.readings.iter().flatten()) {
            let next = wanted.len();
            wanted.entry(&step.term).or_insert(next);
        }
        let mut firsts = [false; 256];
        for byte in wanted.keys().filter_map(|term| term.as_bytes().first()) {
            firsts[usize::from(*byte)] = true;
        }
        Reader { prefixes, wanted, firsts }
    }

    /// Adds where the readings of the words stand in this part of a text, which begins at `base`: text and byte.
    fn read(&self, query: &Query, part: &str, base: (usize, usize), marks: &mut Vec<Mark>) {
        // where each wanted term stands: position → from, to
        let mut places: Vec<HashMap<usize, (usize, usize)>> = vec![HashMap::new(); self.wanted.len()];
        let mut begun: Vec<(usize, usize, usize, usize)> = Vec::new();
        let mut pieces = Pieces::looking_for(part, self.firsts);
        while let Some(piece) = pieces.advance() {
            if let Some(term) = self.wanted.get(piece.term.as_str()) {
                places[*term].entry(piece.position).or_insert((piece.from, piece.to));
            }
            for (number, prefix) in self.prefixes.iter().enumerate() {
                if piece.plain.starts_with(prefix) {
                    begun.push((number, piece.position, piece.from, piece.to));
                }
            }
        }
        for (word, asked) in query.words.iter().enumerate() {
            for steps in &asked.readings {
                let Some((last, before)) = steps.split_last() else { continue };
                let at = |step: &Step, position: usize| {
                    self.wanted.get(step.term.as_str()).and_then(|term| places[*term].get(&position)).copied()
                };
                // the last step fixes the place; the steps before it must stand where the phrase wants them
                let ends: Vec<(usize, usize, usize)> = if asked.prefix {
                    let mine = |number: &usize| self.prefixes[*number] == last.plain;
                    begun.iter().filter(|(number, ..)| mine(number)).map(|(_, position, from, to)| (*position, *from, *to)).collect()
                } else {
                    let term = self.wanted.get(last.term.as_str());
                    term.into_iter().flat_map(|term| &places[*term]).map(|(position, (from, to))| (*position, *from, *to)).collect()
                };
                for (position, from, to) in ends {
                    let start = before.iter().try_fold(from, |start, step| {
                        let position = (position + step.offset).checked_sub(last.offset)?;
                        at(step, position).map(|(from, _)| from.min(start))
                    });
                    marks.extend(start.map(|from| Mark { text: base.0, from: base.1 + from, to: base.1 + to, word }));
                }
            }
        }
    }
}

/// The windows that show the most words: one of full length when it shows all there are, otherwise up to three shorter ones.
fn choose(marks: &[Mark], texts: &[Cow<'_, str>]) -> Vec<Fragment> {
    let mut open: Vec<usize> = marks.iter().map(|mark| mark.word).collect();
    open.sort_unstable();
    open.dedup();
    let all = open.len();
    let mut fragments: Vec<Fragment> = Vec::new();
    for length in [LENGTH, LENGTH / FRAGMENTS + 20] {
        let Some((first, last, shown)) = densest(marks, &open, length, &fragments) else { break };
        if length == LENGTH && shown.len() < all {
            continue;
        }
        fragments.push(widen(texts, marks[first].text, marks[first].from, marks[last].to, length));
        open.retain(|word| !shown.contains(word));
        break;
    }
    let length = LENGTH / FRAGMENTS + 20;
    while !open.is_empty() && fragments.len() < FRAGMENTS {
        let Some((first, last, shown)) = densest(marks, &open, length, &fragments) else { break };
        fragments.push(widen(texts, marks[first].text, marks[first].from, marks[last].to, length));
        open.retain(|word| !shown.contains(word));
    }
    merge(fragments)
}

/// The first and last mark of the window that shows the most of the `open` words, then the most marks, then comes first.
fn densest(marks: &[Mark], open: &[usize], length: usize, taken: &[Fragment]) -> Option<(usize, usize, Vec<usize>)> {
    let mut best: Option<(usize, usize, Vec<usize>, usize)> = None;
    let mut counts: HashMap<usize, usize> = HashMap::new();
    let mut from = 0;
    for (last, mark) in marks.iter().enumerate() {
        if open.contains(&mark.word) {
            *counts.entry(mark.word).or_default() += 1;
        }
        while from < last && (marks[from].text != mark.text || mark.to.saturating_sub(marks[from].from) > length * 3 / 4) {
            if let Some(count) = counts.get_mut(&marks[from].word) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(&marks[from].word);
                }
            }
            from += 1;
        }
        let inside = taken.iter().any(|fragment| fragment.text == mark.text && mark.from >= fragment.from && mark.to <= fragment.to);
        let (shown, size) = (counts.len(), last - from);
        let better = best.as_ref().is_none_or(|(_, _, words, most)| shown > words.len() || (shown == words.len() && size > *most));
        if shown > 0 && better && !inside {
            best = Some((from, last, counts.keys().copied().collect(), size));
        }
    }
    best.map(|(first, last, words, _)| (first, last, words))
}

/// What is shown around `from..to`: about `length` characters, cut between words.
fn widen(texts: &[Cow<'_, str>], text: usize, from: usize, to: usize, length: usize) -> Fragment {
    let content = &texts[text];
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

fn write(fragments: &[Fragment], marks: &[Mark], texts: &[Cow<'_, str>]) -> String {
    let mut out = String::with_capacity(LENGTH * 2);
    for fragment in fragments {
        let content = &texts[fragment.text];
        if !out.is_empty() || !content[..fragment.from].trim().is_empty() {
            out.push_str(if out.is_empty() { GAP } else { " … " });
        }
        let mut at = fragment.from;
        for mark in marks.iter().filter(|mark| mark.text == fragment.text && mark.from >= fragment.from && mark.to <= fragment.to) {
            if mark.from < at {
                continue; // inside a longer mark
            }
            spaced(&content[at..mark.from], &mut out);
            out.push_str("<mark>");
            spaced(&content[mark.from..mark.to], &mut out);
            out.push_str("</mark>");
            at = mark.to;
        }
        spaced(&content[at..fragment.to], &mut out);
    }
    if let Some(last) = fragments.last()
        && !texts[last.text][last.to..].trim().is_empty()
    {
        out.truncate(out.trim_end().len());
        out.push_str(GAP);
    }
    out
}

/// Escapes `text` with every run of spaces, line ends and control characters as one space.
fn spaced(text: &str, out: &mut String) {
    let mut words = text.split(|letter: char| letter.is_whitespace() || letter.is_control()).peekable();
    while let Some(word) = words.next() {
        escape_into(word, out);
        if words.peek().is_some() && !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
}

#[cfg(test)]
mod tests;
