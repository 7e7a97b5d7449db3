//! How hits looked that were shown lately.
//!
//! Clients ask the same again and again, people turn pages and come back, and most of what they see is as it was. Titles and excerpts
//! depend on nothing but the words of the question and the texts that the viewer may read. Both are what they are remembered by, so
//! that nothing has to be forgotten when something is written or somebody's rights change. From the second time on that a question
//! is asked: most are asked once.

use super::{Excerpt, Highlighter, Passage, Place};
use crate::search::company::{Shared, together};
use crate::search::query::Query;
use moka::sync::Cache;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use twox_hash::XxHash3_128;

/// How many bytes all together take, about.
const BYTES: u64 = 16 * 1024 * 1024;
/// What a look and a question take beside the texts.
const BESIDE: usize = 400;
/// So many hits of a question are remembered; when there are more, those that were shown last.
const HITS: usize = 200;

/// How a hit looks.
#[derive(Debug, PartialEq, Eq)]
pub struct Look {
    /// What it is called, with the words marked.
    pub title: Passage,
    /// What it says around the words that its title does not show.
    pub excerpt: Excerpt,
}

/// The looks of hits that were shown lately.
pub struct Looks {
    /// By the fingerprint of the question.
    known: Cache<u64, Arc<Hits>>,
    /// Drawn when the process begins: nobody can make up a text that has the fingerprint of another.
    secret: RandomState,
    seed: u64,
}

/// The hits of a question, by the fingerprint of their texts.
type Hits = HashMap<u128, Arc<Look>>;

/// The looks of the hits of one question. They are remembered when this is dropped.
pub struct Looking {
    looks: Arc<Looks>,
    query: Query,
    any_word: bool,
    words: u64,
    /// `None` for a question that is new.
    known: Option<Arc<Hits>>,
    made: Mutex<Hits>,
}

/// Makes looks, in one thread.
pub struct Looker<'l> {
    looking: &'l Looking,
    highlighter: Highlighter<'l>,
}

/// A record, with how it looks.
pub type Looked<R> = (Arc<R>, Arc<Look>);

/// Records whose looks are to be made, by whoever has time.
struct Waiting<R, L> {
    looking: Arc<Looking>,
    records: Vec<Arc<R>>,
    look: L,
    next: AtomicUsize,
}

/// How many records there are at least where more than one thread is worth the while.
const SHARED_FROM: usize = 6;

impl Default for Looks {
    fn default() -> Looks {
        let bytes = |hits: &Hits| BESIDE + hits.values().map(|look| look.bytes()).sum::<usize>();
        let known = Cache::builder().max_capacity(BYTES).weigher(move |_, hits: &Arc<Hits>| u32::try_from(bytes(hits)).unwrap_or(u32::MAX));
        let secret = RandomState::new();
        Looks { known: known.build(), seed: secret.hash_one(BYTES), secret }
    }
}

impl Looks {
    /// Those of one question; where any of its words will do, a part of a word does as well.
    pub fn of(self: &Arc<Looks>, query: &Query, any_word: bool) -> Looking {
        let words = self.secret.hash_one(Highlighter::of(query, any_word));
        let known = self.known.get(&words);
        Looking { looks: Arc::clone(self), query: query.clone(), any_word, words, known, made: Mutex::default() }
    }
}

impl Looking {
    /// For making looks in this thread.
    pub fn looker(&self) -> Looker<'_> {
        Looker { looking: self, highlighter: Highlighter::of(&self.query, self.any_word) }
    }

    /// Records, about so `many`, each with how it looks. Fails as `records` does.
    pub fn all<R: Send + Sync + 'static, E>(
        self: &Arc<Looking>,
        many: usize,
        records: impl FnOnce() -> Result<Vec<R>, E>,
        look: impl Fn(&Looker<'_>, &R) -> Arc<Look> + Send + Sync + 'static,
    ) -> Result<Vec<Looked<R>>, E> {
        let waiting = || {
            let records = records()?.into_iter().map(Arc::new).collect();
            Ok(Waiting { looking: Arc::clone(self), records, look, next: AtomicUsize::new(0) })
        };
        // What was asked before is mostly remembered.
        Ok(together(many >= SHARED_FROM && self.known.is_none(), waiting)?.into_iter().flatten().collect())
    }
}

impl<R: Send + Sync + 'static, L: Fn(&Looker<'_>, &R) -> Arc<Look> + Send + Sync + 'static> Shared for Waiting<R, L> {
    type Share = Vec<Looked<R>>;

    fn share(&self) -> Vec<Looked<R>> {
        let looker = self.looking.looker();
        let next = || self.records.get(self.next.fetch_add(1, Ordering::Relaxed));
        std::iter::from_fn(next).map(|record| (Arc::clone(record), (self.look)(&looker, record))).collect()
    }
}

impl Looker<'_> {
    /// How a hit looks with this title, `before` put before it, and these texts, of which the excerpt is made.
    pub fn look<'t>(&self, (before, title): (&str, &str), texts: impl Iterator<Item = (Place, &'t str)> + Clone) -> Arc<Look> {
        let make = || {
            let (title, known) = self.highlighter.title(before, title);
            Arc::new(Look { title, excerpt: self.highlighter.excerpt(texts.clone(), &known) })
        };
        let Some(known) = &self.looking.known else { return make() };
        let key = fingerprint(self.looking.looks.seed, (before, title), texts.clone());
        if let Some(look) = known.get(&key) {
            return Arc::clone(look);
        }
        let look = make();
        Arc::clone(self.looking.made.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(look))
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        let made = std::mem::take(self.made.get_mut().unwrap_or_else(PoisonError::into_inner));
        let known = match &self.known {
            None => Hits::new(),
            Some(_) if made.is_empty() => return,
            Some(known) if known.len() + made.len() > HITS => made,
            Some(known) => known.iter().map(|(key, look)| (*key, Arc::clone(look))).chain(made).collect(),
        };
        self.looks.known.insert(self.words, Arc::new(known));
    }
}

impl Look {
    fn bytes(&self) -> usize {
        let passages = std::iter::once(&self.title).chain(&self.excerpt.passages);
        passages.map(|passage| passage.text.len() + size_of_val(passage.marks.as_slice())).sum::<usize>() + BESIDE
    }
}

/// Tells texts apart: a fingerprint over the fingerprint of each, its place, and what came before.
fn fingerprint<'t>(seed: u64, (before, title): (&str, &str), texts: impl Iterator<Item = (Place, &'t str)>) -> u128 {
    let add = |so_far: u128, (place, text): (Place, &str)| {
        let mut bytes = [place as u8; 33];
        bytes[..16].copy_from_slice(&u128::to_le_bytes(so_far));
        bytes[16..32].copy_from_slice(&XxHash3_128::oneshot_with_seed(seed, text.as_bytes()).to_le_bytes());
        XxHash3_128::oneshot_with_seed(seed, &bytes)
    };
    let titled = [(Place::Title, before), (Place::Title, title)].into_iter().fold(0, add);
    texts.fold(titled, add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::mapping::Mapping;

    fn query(words: &str) -> Query {
        Query::parse(words, &Mapping::embedded().unwrap().bounds).unwrap()
    }

    #[test]
    fn the_same_words_in_the_same_texts_look_the_same() {
        let looks = Arc::new(Looks::default());
        let texts = [(Place::Text, "The pump leaks."), (Place::Notes, "Which pump?")];
        let (query, again) = (query("pump leaks"), query("pump leaks"));
        let look = |query: &Query| looks.of(query, false).looker().look(("Bug #1: ", "A pump"), texts.into_iter());
        let (first, second, third) = (look(&query), look(&again), look(&query));
        assert!(Arc::ptr_eq(&second, &third));
        assert_eq!(first, second);
        assert_eq!(first.title.html(), "Bug #1: A <mark>pump</mark>");
        assert_eq!(first.excerpt.html(), "The <mark>pump</mark> <mark>leaks</mark>.");
    }

    #[test]
    fn whatever_differs_looks_as_if_nothing_were_remembered() {
        let bounds = Mapping::embedded().unwrap().bounds;
        let looks = Arc::new(Looks::default());
        let queries = [
            query("pump"),
            query("pumps leak"),
            query("leak pump"),
            query("pum*"),
            query("\"pump leaks\""),
            query("pump OR leaks"),
            query("pump").typing(&bounds),
            query("water-pump"),
        ];
        let titles = [("", "The pump"), ("The ", "pump"), ("The p", "ump"), ("", "The pumps")];
        let texts: [&[(Place, &str)]; 6] = [
            &[],
            &[(Place::Text, "")],
            &[(Place::Text, "water pump leaks")],
            &[(Place::Notes, "water pump leaks")],
            &[(Place::Text, "water pump"), (Place::Text, " leaks")],
            &[(Place::Text, "water "), (Place::Text, "pump leaks")],
        ];
        let mut seen = 0;
        for any_word in [false, true] {
            for query in &queries {
                let highlighter = Highlighter::of(query, any_word);
                for title in titles {
                    for texts in texts {
                        let (marked, known) = highlighter.title(title.0, title.1);
                        let made = Look { title: marked, excerpt: highlighter.excerpt(texts.iter().copied(), &known) };
                        for _ in 0..2 {
                            let look = looks.of(query, any_word).looker().look(title, texts.iter().copied());
                            assert_eq!(*look, made, "{query:?} {title:?} {texts:?}");
                            seen += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(seen, 2 * 8 * 4 * 6 * 2);
    }

    #[test]
    fn several_look_the_same_as_each_alone() {
        let pump = query("pump");
        let titles: Vec<String> = (0..40).map(|number| format!("pump {number}")).collect();
        for many in [0, 1, SHARED_FROM, titles.len()] {
            // New the first time, remembered later.
            let looks = Arc::new(Looks::default());
            for _ in 0..3 {
                let look = |looker: &Looker<'_>, title: &String| looker.look(("", title), std::iter::empty());
                let looking = Arc::new(looks.of(&pump, false));
                let mut made = looking.all(many, || Ok::<_, ()>(titles[..many].to_vec()), look).unwrap();
                made.sort_by_key(|(title, _)| titles.iter().position(|known| known == &**title));
                assert!(made.iter().map(|(title, _)| &**title).eq(&titles[..many]));
                let alone = Looks::default().into();
                assert!(made.iter().all(|(title, made)| *made == look(&Looks::of(&alone, &pump, false).looker(), title)));
            }
        }
        assert_eq!(
            Arc::new(Arc::new(Looks::default()).of(&pump, false)).all(9, || Err::<Vec<String>, _>("broken"), |_, _| unreachable!()),
            Err("broken")
        );
    }

    #[test]
    fn no_more_is_remembered_than_may_be() {
        let looks = Arc::new(Looks::default());
        let pump = query("pump");
        for page in 0..20 {
            let looking = looks.of(&pump, false);
            (0..25).for_each(|number| drop(looking.looker().look(("", &format!("pump {page} {number}")), std::iter::empty())));
            drop(looking);
            assert!(looks.of(&pump, false).known.as_ref().is_some_and(|known| known.len() <= HITS && (page == 0 || known.len() >= 25)));
        }
        let long = "- ".repeat(256 * 1024);
        for number in 0..64 {
            let query = query(&format!("pump {number}"));
            (0..2).for_each(|_| drop(looks.of(&query, false).looker().look(("", &long), std::iter::empty())));
        }
        looks.known.run_pending_tasks();
        let kept = looks.known.entry_count();
        assert!(looks.known.weighted_size() <= BYTES && (16..64).contains(&kept), "{kept}");
    }
}
