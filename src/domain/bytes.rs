//! Bytes of a text are looked at many together where most of them do not matter.

/// How many together: a vector of any machine.
const LANES: usize = 16;

/// The place of the first byte at or behind `from` for which this holds; the length where there is none. What is asked should be
/// comparisons alone, joined by `|` and `&`: then the compiler asks them of all bytes of a vector at once.
#[inline]
pub fn next(bytes: &[u8], from: usize, holds: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let (together, alone) = rest.as_chunks::<LANES>();
    for (number, some) in together.iter().enumerate() {
        let mut held = [0_u8; LANES];
        for (held, byte) in held.iter_mut().zip(some) {
            *held = u8::from(holds(*byte));
        }
        let held = u128::from_le_bytes(held);
        if held != 0 {
            return from + number * LANES + held.trailing_zeros() as usize / 8;
        }
    }
    let before = rest.len() - alone.len();
    alone.iter().position(|byte| holds(*byte)).map_or(bytes.len(), |place| from + before + place)
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn the_first_of_many_is_found_wherever_it_stands() {
        for length in 0..70 {
            for from in 0..=length {
                for (one, other) in (from..length).map(|one| (one, (one + length) / 2)) {
                    let mut bytes = vec![b'.'; length];
                    (bytes[one], bytes[other]) = (b'x', b'x');
                    assert_eq!(next(&bytes, from, |byte| byte == b'x'), one, "{length} {from}");
                }
                assert_eq!(next(&vec![b'.'; length], from, |byte| byte == b'x'), length);
            }
        }
        assert_eq!(next(b"x", 5, |_| true), 1);
    }
}
