//! What a viewer may find of a segment, document by document.
//!
//! Every question asks it of every document that it matches. For who asks a second time it is worked out once: a byte for each document,
//! which stays in the processor's memory where classes do not.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tantivy::DocId;

use super::schema::Class;
use super::snapshot::Columns;
use super::visibility::{Faint, Filter, Verdict, Visibility};
use crate::domain::kind::Kind;

/// So many viewers are known, those who asked last; it takes as many bytes for each document at most.
const VIEWERS: usize = 64;
/// The bytes of documents that are found are the code of their content type.
const DENIED: u8 = 0x40;
const ASK: u8 = 0x80;

/// A byte for each document, once it is worked out.
type Bytes = Arc<OnceLock<Arc<[u8]>>>;

/// What was worked out of one segment; who asked last stands last.
#[derive(Default)]
pub(super) struct Sights(Mutex<Vec<(Faint, Bytes)>>);

impl Sights {
    /// What this viewer may find, when the viewer has asked before.
    fn of(&self, visibility: &Visibility, classes: &[Class]) -> Option<Arc<[u8]>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(place) = known.iter().position(|(faint, _)| faint.is_the_same_as(visibility)) else {
            if known.len() >= VIEWERS {
                known.remove(0);
            }
            known.push((visibility.faint(), Bytes::default()));
            return None;
        };
        let (faint, sight) = known.remove(place);
        known.push((faint, Arc::clone(&sight)));
        drop(known);
        Some(Arc::clone(sight.get_or_init(|| made(visibility, classes))))
    }
}

fn made(visibility: &Visibility, classes: &[Class]) -> Arc<[u8]> {
    let filter = Filter::new(visibility, &Kind::ALL, None, None);
    let byte = |class: &Class| match filter.verdict(*class) {
        Verdict::Allow => (class.combination() >> 1) as u8,
        Verdict::Deny => DENIED,
        Verdict::Ask => ASK,
    };
    classes.iter().map(byte).collect()
}

/// What a filter lets through of a segment.
pub(super) struct Sight<'s> {
    columns: &'s Columns,
    filter: &'s Filter,
    /// What the viewer may find, and the content types that are wanted of it; `None` where that must be asked of each document.
    known: Option<(Arc<[u8]>, u8)>,
}

impl<'s> Sight<'s> {
    /// Looks at a segment through a filter.
    pub fn of(columns: &'s Columns, filter: &'s Filter) -> Sight<'s> {
        let known = filter.whole().and_then(|(visibility, kinds)| Some((columns.sights.of(visibility, &columns.classes())?, kinds)));
        Sight { columns, filter, known }
    }

    /// The code of the content type of a document that the filter lets through.
    #[inline]
    pub fn kind(&self, doc: DocId) -> Option<usize> {
        if let Some((sight, kinds)) = &self.known {
            match sight[doc as usize] {
                ASK => {}
                DENIED => return None,
                kind => return (kinds >> kind & 1 == 1).then_some(usize::from(kind)),
            }
        }
        self.columns.found(self.filter, doc).map(|class| (class.combination() >> 1) as usize)
    }
}

#[cfg(test)]
mod tests;
