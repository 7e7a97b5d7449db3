//! Folding of case, accents, ligatures and width.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Appends `word` to `out` in lower case without accents and apostrophes, at most `max_bytes` of
/// it.
pub(super) fn fold(word: &str, max_bytes: usize, out: &mut String) {
    if word.is_ascii() {
        if !word.as_bytes().contains(&b'\'') {
            let start = out.len();
            out.push_str(&word[..word.len().min(max_bytes)]);
            out[start..].make_ascii_lowercase();
            return;
        }
        out.extend(
            word.bytes()
                .filter(|byte| *byte != b'\'')
                .take(max_bytes)
                .map(|byte| char::from(byte.to_ascii_lowercase())),
        );
        return;
    }
    for letter in word.nfkd().flat_map(char::to_lowercase) {
        if is_accent(letter) || matches!(letter, '\'' | '’') {
            continue;
        }
        let start = out.len();
        match transliterate(letter) {
            Some(letters) => out.push_str(letters),
            None => out.push(letter),
        }
        if out.len() > max_bytes {
            out.truncate(start);
            return;
        }
    }
}

/// Returns the first letter of the folded `word`; `None` when the whole word must be folded to
/// tell.
pub(super) fn first(word: &str) -> Option<char> {
    let letter = word.chars().next()?;
    if letter.is_ascii_alphanumeric() {
        return Some(letter.to_ascii_lowercase());
    }
    if letter.is_ascii() || is_combining_mark(letter) {
        return None;
    }
    let letter = std::iter::once(letter)
        .nfkd()
        .flat_map(char::to_lowercase)
        .find(|letter| !is_accent(*letter))?;
    transliterate(letter).map_or(Some(letter), |letters| letters.chars().next())
}

/// Returns the ASCII spelling of letters that do not decompose.
fn transliterate(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ı' => "i",
        'ĸ' => "k",
        'ł' => "l",
        'ŋ' => "n",
        'ŧ' => "t",
        'þ' => "th",
        'ς' => "σ",
        _ => return None,
    })
}

/// Whether the character is an optional mark, or the skin tone of an emoji. Vowel signs of Indic scripts are combining marks too,
/// but belong to the word.
fn is_accent(letter: char) -> bool {
    matches!(u32::from(letter),
        0x0300..=0x036F | 0x0591..=0x05BD | 0x05BF | 0x05C1..=0x05C7 | 0x0610..=0x061A | 0x064B..=0x065F | 0x0670
        | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE00..=0xFE0F | 0xFE20..=0xFE2F | 0x1F3FB..=0x1F3FF)
        || matches!(
            letter,
            '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}'
        )
}

/// A normalized CJK character, with its byte offsets in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CjkChar {
    pub letter: char,
    pub from: usize,
    pub to: usize,
}

/// Returns the characters of a CJK run after NFKC: half-width kana become wide and are composed
/// with voice marks.
pub(super) fn cjk_units(run: &str) -> Vec<CjkChar> {
    let mut chars = Vec::new();
    let mut from = 0;
    while from < run.len() {
        let mut to = from;
        for (n, letter) in run[from..].char_indices() {
            if n > 0 && !is_composed_with_previous(letter) {
                break;
            }
            to = from + n + letter.len_utf8();
        }
        chars.extend(
            run[from..to]
                .nfkc()
                .map(|letter| CjkChar { letter, from, to }),
        );
        from = to;
    }
    chars
}

/// Whether the character is composed with the one before it: voice marks, and the later jamo of a
/// syllable.
fn is_composed_with_previous(letter: char) -> bool {
    matches!(
        u32::from(letter),
        0x1160..=0x11FF | 0x3099 | 0x309A | 0xFF9E | 0xFF9F
    ) || is_combining_mark(letter)
}
