//! With which letters do the words begin that somebody looks for? What begins otherwise is passed over.

/// With which letters, folded, terms begin that somebody looks for.
#[derive(Clone, Debug)]
pub struct Firsts {
    /// For each byte that some term begins with, in either case, which may follow: a bit for each [`CLASS`]. Two bytes of nearly every
    /// place in a text show that nothing begins there. What is not ASCII may be folded to anything.
    pairs: [u32; 256],
    others: Vec<char>,
    /// How those begin that begin with ASCII, in the order of the alphabet.
    begins: Vec<Begin>,
}

/// The first bytes of a term that begins with ASCII: which letter, and which may follow; anything where nothing is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Begin {
    first: u8,
    second: Option<u8>,
    third: Option<u8>,
}

/// The class of a byte that stands second: one for each letter, and digits share a few, which only lets more through. What is neither is
/// of class 0, which always fits: folding may leave it out, and then another letter is the second.
static CLASS: [u8; 256] = {
    let (mut table, mut byte) = ([0; 256], 0);
    while byte < 128 {
        let letter = (byte as u8).to_ascii_lowercase();
        if letter.is_ascii_lowercase() {
            table[byte] = letter - b'a' + 1;
        } else if letter.is_ascii_digit() {
            table[byte] = 27 + letter % 5;
        }
        byte += 1;
    }
    table
};

/// Whether all words of this stem have its third letter in common. Stemming alters the last letters of a word, and of short ones that
/// may be the third: `fly`, `using` and `skies` become `fli`, `use` and `sky`.
fn keeps_third(stem: &[u8]) -> bool {
    match stem {
        [_, _, third] => !matches!(third, b'e' | b'i' | b'y'),
        _ => stem.len() > 3,
    }
}

impl Firsts {
    /// Those of these terms.
    pub fn of<'t>(terms: impl IntoIterator<Item = &'t str>) -> Firsts {
        let mut firsts = Firsts { pairs: [0; 256], others: Vec::new(), begins: Vec::new() };
        firsts.pairs[128..].fill(u32::MAX);
        for term in terms {
            match term.chars().next() {
                Some(letter) if letter.is_ascii() => firsts.begin(term.as_bytes()),
                Some(letter) if !firsts.others.contains(&letter) => firsts.others.push(letter),
                _ => {}
            }
        }
        firsts.begins.sort_unstable();
        firsts.begins.dedup();
        firsts
    }

    fn begin(&mut self, term: &[u8]) {
        let known = |at: usize| term.get(at).copied().filter(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        let (first, second) = (term[0], known(1));
        let third = second.and(known(2)).filter(|_| keeps_third(term));
        // The stem of `dying` is `die`.
        for second in [second, Some(b'y')].into_iter().take(if second == Some(b'i') { 2 } else { 1 }) {
            self.begins.push(Begin { first, second, third });
            let classes = second.map_or(u32::MAX, |second| 1 | 1 << CLASS[usize::from(second)]);
            for first in [first, first.to_ascii_uppercase()] {
                self.pairs[usize::from(first)] |= classes;
            }
        }
    }

    /// Whether a part that begins with these bytes, of which the first is an ASCII letter or digit, may be one of them.
    pub(super) fn want_part(&self, part: &[u8]) -> bool {
        let Some(first) = part.first().map(u8::to_ascii_lowercase) else { return false };
        // What is neither letter nor digit may be left out by folding, and then another letter follows.
        let letter = |at: usize| part.get(at).filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase);
        let fits = |wanted: Option<u8>, there: Option<u8>| wanted.is_none() || there.is_none() || wanted == there;
        let (second, third) = (letter(1), letter(1).and_then(|_| letter(2)));
        let begins = &self.begins[self.begins.partition_point(|begin| begin.first < first)..];
        let mut begins = begins.iter().take_while(|begin| begin.first == first);
        begins.any(|begin| fits(begin.second, second) && fits(begin.third, third))
    }

    /// Whether some part of a word of ASCII may be one of them: a part begins where the word does, behind what is neither letter nor digit,
    /// or at a capital.
    pub(super) fn want_part_of(&self, word: &[u8]) -> bool {
        let mut inside = false;
        word.iter().enumerate().any(|(at, byte)| {
            let begins = at == 0 || (byte.is_ascii_alphanumeric() && (!inside || byte.is_ascii_uppercase()));
            inside = byte.is_ascii_alphanumeric();
            begins && self.want_part(&word[at..])
        })
    }

    pub(super) fn want(&self, letter: char) -> bool {
        if letter.is_ascii() { self.pairs[letter as usize] != 0 } else { self.others.contains(&letter) }
    }

    /// The next place at or behind `from` where a part may begin that is looked for, or where a byte is not ASCII; the end of the text
    /// when there is none.
    pub(super) fn next_in(&self, text: &[u8], from: usize) -> usize {
        let mut at = from;
        while at < text.len() {
            let mut pairs = text[at..].array_windows();
            let may_begin = |[first, second]: &[u8; 2]| (self.pairs[usize::from(*first)] >> CLASS[usize::from(*second)]) & 1 != 0;
            // Without a pair the last byte is left.
            at = pairs.position(may_begin).map_or(text.len() - 1, |before| at + before);
            let inside = at > 0 && text[at - 1].is_ascii_alphanumeric();
            let begins = text[at].is_ascii_alphanumeric() && (!inside || text[at].is_ascii_uppercase());
            if !text[at].is_ascii() || (begins && self.want_part(&text[at..])) {
                return at;
            }
            at += 1;
        }
        text.len()
    }
}
