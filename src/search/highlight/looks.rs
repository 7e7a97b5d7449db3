//! How hits looked that were shown lately.
//!
//! Clients ask the same again and again, people turn pages and come back, and most of what they see is as it was. Titles and excerpts
//! depend on nothing but the words of the question and the texts that the viewer may read. Both are what they are remembered by, so
//! that nothing has to be forgotten when something is written or somebody's rights change. From the second time on that a question
//! is asked: most are asked once.

use super::{Excerpt, Highlighter, Passage, Place};
use moka::sync::Cache;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
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
pub struct Looking<'l> {
    looks: &'l Looks,
    highlighter: &'l Highlighter<'l>,
    words: u64,
    /// `None` for a question that is new.
    known: Option<Arc<Hits>>,
    made: RefCell<Hits>,
}

impl Default for Looks {
    fn default() -> Looks {
        let bytes = |hits: &Hits| BESIDE + hits.values().map(|look| look.bytes()).sum::<usize>();
        let known = Cache::builder().max_capacity(BYTES).weigher(move |_, hits: &Arc<Hits>| u32::try_from(bytes(hits)).unwrap_or(u32::MAX));
        let secret = RandomState::new();
        Looks { known: known.build(), seed: secret.hash_one(BYTES), secret }
    }
}

impl Looks {
    /// Those of one question.
    pub fn of<'l>(&'l self, highlighter: &'l Highlighter<'l>) -> Looking<'l> {
        let words = self.secret.hash_one(highlighter);
        Looking { looks: self, highlighter, words, known: self.known.get(&words), made: RefCell::default() }
    }
}

impl Looking<'_> {
    /// How a hit looks with this title, `before` put before it, and these texts, of which the excerpt is made.
    pub fn look<'t>(&self, (before, title): (&str, &str), texts: impl Iterator<Item = (Place, &'t str)> + Clone) -> Arc<Look> {
        let make = || {
            let (title, known) = self.highlighter.title(before, title);
            Arc::new(Look { title, excerpt: self.highlighter.excerpt(texts.clone(), &known) })
        };
        let Some(known) = &self.known else { return make() };
        let key = fingerprint(self.looks.seed, (before, title), texts.clone());
        if let Some(look) = known.get(&key) {
            return Arc::clone(look);
        }
        Arc::clone(self.made.borrow_mut().entry(key).or_insert_with(make))
    }
}

impl Drop for Looking<'_> {
    fn drop(&mut self) {
        let made = self.made.take();
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
    use crate::search::query::Query;

    fn query(words: &str) -> Query {
        Query::parse(words, &Mapping::embedded().unwrap().bounds).unwrap()
    }

    #[test]
    fn the_same_words_in_the_same_texts_look_the_same() {
        let looks = Looks::default();
        let texts = [(Place::Text, "The pump leaks."), (Place::Notes, "Which pump?")];
        let (query, again) = (query("pump leaks"), query("pump leaks"));
        let look = |query: &Query| looks.of(&Highlighter::of(query, false)).look(("Bug #1: ", "A pump"), texts.into_iter());
        let (first, second, third) = (look(&query), look(&again), look(&query));
        assert!(Arc::ptr_eq(&second, &third));
        assert_eq!(first, second);
        assert_eq!(first.title.html(), "Bug #1: A <mark>pump</mark>");
        assert_eq!(first.excerpt.html(), "The <mark>pump</mark> <mark>leaks</mark>.");
    }

    #[test]
    fn whatever_differs_looks_as_if_nothing_were_remembered() {
        let bounds = Mapping::embedded().unwrap().bounds;
        let looks = Looks::default();
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
                            let look = looks.of(&highlighter).look(title, texts.iter().copied());
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
    fn no_more_is_remembered_than_may_be() {
        let looks = Looks::default();
        let pump = query("pump");
        let highlighter = Highlighter::of(&pump, false);
        for page in 0..20 {
            let looking = looks.of(&highlighter);
            (0..25).for_each(|number| drop(looking.look(("", &format!("pump {page} {number}")), std::iter::empty())));
            drop(looking);
            assert!(looks.of(&highlighter).known.as_ref().is_some_and(|known| known.len() <= HITS && (page == 0 || known.len() >= 25)));
        }
        let long = "- ".repeat(256 * 1024);
        for number in 0..64 {
            let query = query(&format!("pump {number}"));
            let highlighter = Highlighter::of(&query, false);
            (0..2).for_each(|_| drop(looks.of(&highlighter).look(("", &long), std::iter::empty())));
        }
        looks.known.run_pending_tasks();
        let kept = looks.known.entry_count();
        assert!(looks.known.weighted_size() <= BYTES && (16..64).contains(&kept), "{kept}");
    }
}
