//! With which letters do the words begin that somebody looks for? What begins otherwise is passed over, many bytes at a time.

/// How many bytes of a text are looked at together: a few vectors of any machine.
const LANES: usize = 32;

/// With more beginnings than these, looking at every word is faster.
const MOST: usize = 16;

/// With which letters, folded, terms begin that somebody looks for.
#[derive(Clone, Debug)]
pub struct Firsts {
    ascii: [bool; 128],
    others: Vec<char>,
    /// For each first byte of ASCII which second bytes may follow, as bits of their lower five.
    seconds: [u32; 128],
    /// The first byte of ASCII with the second, where only that may follow.
    pairs: Vec<(u8, Option<u8>)>,
}

impl Firsts {
    /// Those of these terms.
    pub fn of<'t>(terms: impl IntoIterator<Item = &'t str>) -> Firsts {
        let mut firsts = Firsts { ascii: [false; 128], others: Vec::new(), seconds: [0; 128], pairs: Vec::new() };
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
            let first = term.as_bytes()[0];
            match term.as_bytes().get(1) {
                // The stem of `dying` is `die`.
                Some(b'i') => [b'i', b'y'].iter().for_each(|second| firsts.begin(first, Some(*second))),
                Some(second) if second.is_ascii_lowercase() || second.is_ascii_digit() => firsts.begin(first, Some(*second)),
                _ => firsts.begin(first, None),
            }
        }
        firsts
    }

    /// Adds a beginning: two bytes, or one that anything may follow.
    fn begin(&mut self, first: u8, second: Option<u8>) {
        self.seconds[usize::from(first)] |= second.map_or(u32::MAX, bit);
        if !self.pairs.contains(&(first, second)) {
            self.pairs.push((first, second));
        }
    }

    /// Whether a part that begins with these bytes, of which the first is an ASCII letter or digit, may be one of them.
    pub(super) fn want_part(&self, part: &[u8]) -> bool {
        let Some(first) = part.first().map(|first| usize::from(first.to_ascii_lowercase())) else { return false };
        // What is neither letter nor digit may be left out by folding.
        let fits = |second: &u8| !second.is_ascii_alphanumeric() || self.seconds[first] & bit(*second) != 0;
        self.ascii[first] && part.get(1).is_none_or(fits)
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
        if self.pairs.len() > MOST {
            return from;
        }
        let mut at = from;
        while at < text.len() {
            let mut padded = [0; LANES + 2];
            let near = text.get(at.wrapping_sub(1)..at + LANES + 1).and_then(|near| near.first_chunk());
            let near = near.unwrap_or_else(|| {
                let (from, to) = (at.saturating_sub(1), text.len().min(at + LANES + 1));
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

    /// The first such place among so many bytes; one byte more stands before and behind them. Branches only once, so that all of them
    /// are looked at together.
    fn first_of(&self, near: &[u8; LANES + 2]) -> Option<usize> {
        let (mut wanted, mut begins, mut lower) = ([0_u8; LANES], [0_u8; LANES], [0_u8; LANES + 2]);
        let mut inside = [0_u8; LANES + 2];
        for (at, byte) in near.iter().enumerate() {
            lower[at] = byte | 0x20;
            inside[at] = u8::from(lower[at].wrapping_sub(b'a') < 26) | u8::from(byte.wrapping_sub(b'0') < 10);
        }
        for (at, begins) in begins.iter_mut().enumerate() {
            let capital = u8::from(near[at + 1].wrapping_sub(b'A') < 26);
            *begins = inside[at + 1] & ((inside[at] ^ 1) | capital);
        }
        for (first, second) in &self.pairs {
            let (second, any) = (second.unwrap_or_default(), u8::from(second.is_none()));
            for (at, wanted) in wanted.iter_mut().enumerate() {
                let fits = u8::from(lower[at + 2] == second) | (inside[at + 2] ^ 1) | any;
                *wanted |= u8::from(lower[at + 1] == *first) & fits;
            }
        }
        for (at, wanted) in wanted.iter_mut().enumerate() {
            *wanted = (*wanted & begins[at]) | (near[at + 1] >> 7);
        }
        let (eights, _) = wanted.as_chunks::<8>();
        let mut eights = eights.iter().map(|eight| u64::from_le_bytes(*eight)).enumerate();
        eights.find(|(_, eight)| *eight != 0).map(|(number, eight)| number * 8 + eight.trailing_zeros() as usize / 8)
    }
}

/// The bit of a byte by its lower five bits: digits share theirs with letters, which only lets more through.
fn bit(byte: u8) -> u32 {
    1 << (byte & 31)
}
