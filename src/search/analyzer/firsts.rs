//! With which letters do the words begin that somebody looks for? What begins otherwise is passed over, many bytes at a time.

/// How many bytes of a text are looked at together: a few vectors of any machine.
const LANES: usize = 32;
/// How many stand before them and behind them that matter too.
const BEFORE: usize = 1;
const BEHIND: usize = 2;
const NEAR: usize = BEFORE + LANES + BEHIND;

/// With more beginnings than these, looking at every word is faster.
const MOST: usize = 16;

/// With which letters, folded, terms begin that somebody looks for.
#[derive(Clone, Debug)]
pub struct Firsts {
    ascii: [bool; 128],
    others: Vec<char>,
    /// How those begin that begin with ASCII, in the order of the alphabet.
    begins: Vec<Begin>,
}

/// The first bytes of a term that begins with ASCII: which letter, and which may follow; anything where nothing is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Begin {
    first: u8,
    second: Option<u8>,
    third: Option<u8>,
}

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
        let mut firsts = Firsts { ascii: [false; 128], others: Vec::new(), begins: Vec::new() };
        for term in terms {
            let Some(letter) = term.chars().next() else { continue };
            match firsts.ascii.get_mut(letter as usize) {
                Some(wanted) => *wanted = true,
                None if firsts.others.contains(&letter) => continue,
                None => {
                    firsts.others.push(letter);
                    continue;
                }
            }
            let known = |at: usize| term.as_bytes().get(at).copied().filter(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
            let (first, second) = (term.as_bytes()[0], known(1));
            let third = second.and(known(2)).filter(|_| keeps_third(term.as_bytes()));
            // The stem of `dying` is `die`.
            let seconds = [second, Some(b'y')].into_iter().take(if second == Some(b'i') { 2 } else { 1 });
            firsts.begins.extend(seconds.map(|second| Begin { first, second, third }));
        }
        firsts.begins.sort_unstable_by_key(|begin| (begin.first, begin.second, begin.third));
        firsts.begins.dedup();
        firsts
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
        self.ascii.get(letter as usize).copied().unwrap_or_else(|| self.others.contains(&letter))
    }

    /// The next place at or behind `from` where a part may begin that is looked for, or where a byte is not ASCII; the end of the text
    /// when there is none; `from` itself where so many beginnings are looked for that this is of no use.
    pub(super) fn next_in(&self, text: &[u8], from: usize) -> usize {
        if self.begins.len() > MOST {
            return from;
        }
        let mut at = from;
        while at < text.len() {
            let mut padded = [0; NEAR];
            let near = text.get(at.wrapping_sub(BEFORE)..at + LANES + BEHIND).and_then(|near| near.first_chunk());
            let near = near.unwrap_or_else(|| {
                let (from, to) = (at.saturating_sub(BEFORE), text.len().min(at + LANES + BEHIND));
                let start = usize::from(at == 0);
                padded[start..start + to - from].copy_from_slice(&text[from..to]);
                &padded
            });
            if let Some(place) = self.first_of(near) {
                return at + place;
            }
            at += LANES;
        }
        text.len()
    }

    /// The first such place among these bytes. Branches only once, so that all of them are looked at together.
    fn first_of(&self, near: &[u8; NEAR]) -> Option<usize> {
        let (mut lower, mut inside, mut wanted) = ([0_u8; NEAR], [0_u8; NEAR], [0_u8; LANES]);
        for (at, byte) in near.iter().enumerate() {
            lower[at] = byte | 0x20;
            inside[at] = u8::from(lower[at].wrapping_sub(b'a') < 26) | u8::from(byte.wrapping_sub(b'0') < 10);
        }
        for begin in &self.begins {
            let (second, any_second) = (begin.second.unwrap_or_default(), u8::from(begin.second.is_none()));
            let (third, any_third) = (begin.third.unwrap_or_default(), u8::from(begin.third.is_none()));
            for (at, wanted) in wanted.iter_mut().enumerate() {
                let here = at + BEFORE;
                let alone = inside[here + 1] ^ 1;
                let second = u8::from(lower[here + 1] == second) | any_second | alone;
                let third = u8::from(lower[here + 2] == third) | any_third | alone | (inside[here + 2] ^ 1);
                *wanted |= u8::from(lower[here] == begin.first) & second & third;
            }
        }
        for (at, wanted) in wanted.iter_mut().enumerate() {
            let here = at + BEFORE;
            let capital = u8::from(near[here].wrapping_sub(b'A') < 26);
            let begins = inside[here] & ((inside[here - 1] ^ 1) | capital);
            *wanted = (*wanted & begins) | (near[here] >> 7);
        }
        let (eights, _) = wanted.as_chunks::<8>();
        let mut eights = eights.iter().map(|eight| u64::from_le_bytes(*eight)).enumerate();
        eights.find(|(_, eight)| *eight != 0).map(|(number, eight)| number * 8 + eight.trailing_zeros() as usize / 8)
    }
}
