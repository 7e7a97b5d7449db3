//! The documents of an index in stretches, for threads that go over them together.
//!
//! To leave documents out on the way and come back into the middle of others costs time. So each thread goes over neighbours, and one that
//! has nothing left takes the second half of what another still has before it.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use tantivy::DocId;

use super::company::MOST;

/// How many documents a stretch has: some tens of microseconds of work. Tests share small worlds too.
const LENGTH: u32 = if cfg!(test) { 3 } else { 1 << 14 };

/// Some documents of the segment at this place.
pub(super) type Stretch = (usize, Range<DocId>);

/// Every document of an index once.
pub(super) struct Stretches {
    /// In their order.
    each: Vec<Stretch>,
    /// What each thread has before it.
    before: Vec<Before>,
    came: AtomicUsize,
}

/// From which stretch to which a thread has still to go; empty when it has nothing.
struct Before(AtomicU64);

impl Before {
    fn new(stretches: Range<u32>) -> Before {
        Before(AtomicU64::new(packed(stretches)))
    }

    fn len(&self) -> usize {
        unpacked(self.0.load(Ordering::Relaxed)).len()
    }

    /// Leaves it without the first.
    fn first(&self) -> Option<u32> {
        let rest = |all: Range<u32>| (!all.is_empty()).then(|| all.start + 1..all.end);
        self.change(rest).map(|before| before.start)
    }

    /// Leaves it with the first half, if there are at least two: to go on with another's costs about as much as one.
    fn second_half(&self) -> Option<Range<u32>> {
        let middle = |all: &Range<u32>| all.start + (all.end - all.start) / 2;
        let rest = |all: Range<u32>| (all.len() > 1).then(|| all.start..middle(&all));
        self.change(rest).map(|before| middle(&before)..before.end)
    }

    /// What it had before; `None` where it stays as it is.
    fn change(&self, rest: impl Fn(Range<u32>) -> Option<Range<u32>>) -> Option<Range<u32>> {
        let rest = |before| rest(unpacked(before)).map(packed);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest).ok().map(unpacked)
    }
}

fn packed(stretches: Range<u32>) -> u64 {
    u64::from(stretches.start) << 32 | u64::from(stretches.end)
}

fn unpacked(stretches: u64) -> Range<u32> {
    (stretches >> 32) as u32..stretches as u32
}

impl Stretches {
    /// Of segments with so many documents.
    pub fn of(segments: impl Iterator<Item = DocId>) -> Stretches {
        let cut = |(place, end): (usize, DocId)| {
            (0..end).step_by(LENGTH as usize).map(move |from| (place, from..end.min(from.saturating_add(LENGTH))))
        };
        let each: Vec<Stretch> = segments.enumerate().flat_map(cut).collect();
        let all = 0..u32::try_from(each.len()).unwrap_or(u32::MAX);
        let before = std::iter::once(all).chain(std::iter::repeat_n(0..0, MOST)).map(Before::new);
        Stretches { before: before.collect(), each, came: AtomicUsize::new(0) }
    }

    /// Those that one thread goes over, each taken when it is asked for; nobody else has it. They come in their order, but for where the
    /// thread goes on with what was another's.
    pub fn taken(&self) -> impl Iterator<Item = Stretch> {
        let own = self.came.fetch_add(1, Ordering::Relaxed);
        std::iter::from_fn(move || self.each.get(self.next(self.before.get(own)?)?).cloned())
    }

    fn next(&self, own: &Before) -> Option<usize> {
        loop {
            if let Some(first) = own.first() {
                return Some(first as usize);
            }
            let other = self.before.iter().max_by_key(|before| before.len()).filter(|before| before.len() > 1)?;
            if let Some(taken) = other.second_half() {
                // Nobody else changes what is empty.
                own.0.store(packed(taken), Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn documents(stretches: impl IntoIterator<Item = Stretch>) -> Vec<(usize, DocId)> {
        stretches.into_iter().flat_map(|(place, documents)| documents.map(move |doc| (place, doc))).collect()
    }

    proptest! {
        #[test]
        fn every_document_is_gone_over_once_however_many_threads_there_are(
            segments in proptest::collection::vec(0..200_u32, 0..5),
            threads in 1..=MOST + 1,
            pauses in proptest::collection::vec(0..50_u64, MOST + 1),
        ) {
            let stretches = Stretches::of(segments.iter().copied());
            let all: Vec<(usize, DocId)> = segments.iter().enumerate().flat_map(|(place, end)| (0..*end).map(move |doc| (place, doc))).collect();
            let mut seen = std::thread::scope(|scope| {
                let go = |pause: u64| {
                    let wait = move |_: &Stretch| (0..pause).for_each(|_| std::hint::spin_loop());
                    let stretches = &stretches;
                    scope.spawn(move || documents(stretches.taken().inspect(wait)))
                };
                let threads: Vec<_> = pauses[..threads].iter().map(|pause| go(*pause)).collect();
                threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
            });
            if threads == 1 {
                prop_assert_eq!(&seen, &all);
            }
            seen.sort_unstable();
            prop_assert_eq!(seen, all);
        }
    }
}
