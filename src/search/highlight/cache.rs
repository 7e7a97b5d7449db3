//! Caches highlighted hits by the query and by the texts that the viewer may read.
//!
//! Clients repeat searches, and most of what they see again is unchanged. Title and excerpt depend on the words of the query and on the
//! texts alone. Both are part of the key, so that no write and no change of rights has to invalidate anything. The hits of a query are
//! cached from its second search on, because most queries are searched once.

use super::{Excerpt, Highlighter, Passage, Place};
use crate::search::query::Query;
use moka::sync::Cache;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use twox_hash::XxHash3_128;

/// Maximum size of the cache in bytes, roughly.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// Bytes that a hit and a query take beside the texts, roughly.
const ENTRY_BYTES: usize = 400;
/// Maximum number of cached hits of one query; the hits shown last replace all earlier ones.
const MAX_HITS: usize = 200;

/// Title and excerpt of a hit.
#[derive(Debug, PartialEq, Eq)]
pub struct RenderedHit {
    /// The title, with the words marked.
    pub title: Passage,
    /// The text around the words that the title does not show.
    pub excerpt: Excerpt,
}

/// Rendered hits of recent searches.
pub struct HighlightCache {
    /// By the fingerprint of the query.
    queries: Cache<u64, Arc<Hits>>,
    /// Random in each process, so that nobody can construct two texts with one fingerprint.
    secret: RandomState,
    seed: u64,
}

/// The hits of one query, by the fingerprint of their texts.
type Hits = HashMap<u128, Arc<RenderedHit>>;

/// Renders the hits of one search; new ones are cached when it is dropped.
pub struct HitHighlighter<'q> {
    cache: &'q HighlightCache,
    highlighter: Highlighter<'q>,
    key: u64,
    /// `None` for a new query.
    cached: Option<Arc<Hits>>,
    rendered: RefCell<Hits>,
}

impl Default for HighlightCache {
    fn default() -> HighlightCache {
        let bytes = |hits: &Hits| ENTRY_BYTES + hits.values().map(|hit| hit.bytes()).sum::<usize>();
        let queries =
            Cache::builder().max_capacity(MAX_BYTES).weigher(move |_, hits: &Arc<Hits>| u32::try_from(bytes(hits)).unwrap_or(u32::MAX));
        let secret = RandomState::new();
        HighlightCache { queries: queries.build(), seed: secret.hash_one(MAX_BYTES), secret }
    }
}

impl HighlightCache {
    /// Returns a highlighter for the hits of a query. With `any_word`, a part of a compound word matches as well.
    pub fn highlighter<'q>(&'q self, query: &'q Query, any_word: bool) -> HitHighlighter<'q> {
        let highlighter = Highlighter::of(query, any_word);
        let key = self.secret.hash_one(&highlighter);
        HitHighlighter { cache: self, highlighter, key, cached: self.queries.get(&key), rendered: RefCell::default() }
    }
}

impl HitHighlighter<'_> {
    /// Renders a hit: `before` is put before its title, and the excerpt is made of the texts.
    pub fn render<'t>(&self, (before, title): (&str, &str), texts: impl Iterator<Item = (Place, &'t str)> + Clone) -> Arc<RenderedHit> {
        let Some(cached) = &self.cached else { return Arc::new(self.highlighter.render(before, title, texts)) };
        let key = fingerprint(self.cache.seed, (before, title), texts.clone());
        if let Some(hit) = cached.get(&key) {
            return Arc::clone(hit);
        }
        let hit = Arc::new(self.highlighter.render(before, title, texts));
        Arc::clone(self.rendered.borrow_mut().entry(key).or_insert(hit))
    }
}

impl Drop for HitHighlighter<'_> {
    fn drop(&mut self) {
        let rendered = std::mem::take(self.rendered.get_mut());
        let hits = match &self.cached {
            None => Hits::new(),
            Some(_) if rendered.is_empty() => return,
            Some(cached) if cached.len() + rendered.len() > MAX_HITS => rendered,
            Some(cached) => cached.iter().map(|(key, hit)| (*key, Arc::clone(hit))).chain(rendered).collect(),
        };
        self.cache.queries.insert(self.key, Arc::new(hits));
    }
}

impl Highlighter<'_> {
    /// Renders a hit: `before` is put before its title, and the excerpt is made of the texts.
    pub fn render<'t>(&self, before: &str, title: &str, texts: impl Iterator<Item = (Place, &'t str)> + Clone) -> RenderedHit {
        let (title, known) = self.title(before, title);
        RenderedHit { title, excerpt: self.excerpt(texts, &known) }
    }
}

impl RenderedHit {
    fn bytes(&self) -> usize {
        let passages = std::iter::once(&self.title).chain(&self.excerpt.passages);
        passages.map(|passage| passage.text.len() + size_of_val(passage.marks.as_slice())).sum::<usize>() + ENTRY_BYTES
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
    fn second_search_fills_the_cache_and_third_uses_it() {
        let cache = HighlightCache::default();
        let texts = [(Place::Text, "The pump leaks."), (Place::Notes, "Which pump?")];
        let (query, again) = (query("pump leaks"), query("pump leaks"));
        let look = |query: &Query| cache.highlighter(query, false).render(("Bug #1: ", "A pump"), texts.into_iter());
        let (first, second, third) = (look(&query), look(&again), look(&query));
        assert!(Arc::ptr_eq(&second, &third));
        assert_eq!(first, second);
        assert_eq!(first.title.html(), "Bug #1: A <mark>pump</mark>");
        assert_eq!(first.excerpt.html(), "The <mark>pump</mark> <mark>leaks</mark>.");
    }

    #[test]
    fn cached_hits_equal_rendered_ones() {
        let bounds = Mapping::embedded().unwrap().bounds;
        let cache = HighlightCache::default();
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
                        let made = RenderedHit { title: marked, excerpt: highlighter.excerpt(texts.iter().copied(), &known) };
                        for _ in 0..2 {
                            let look = cache.highlighter(query, any_word).render(title, texts.iter().copied());
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
    fn cache_is_bounded_per_query_and_in_bytes() {
        let cache = HighlightCache::default();
        let pump = query("pump");
        for page in 0..20 {
            let highlighter = cache.highlighter(&pump, false);
            (0..25).for_each(|number| drop(highlighter.render(("", &format!("pump {page} {number}")), std::iter::empty())));
            drop(highlighter);
            assert!(
                cache
                    .highlighter(&pump, false)
                    .cached
                    .as_ref()
                    .is_some_and(|known| known.len() <= MAX_HITS && (page == 0 || known.len() >= 25))
            );
        }
        let long = "- ".repeat(256 * 1024);
        for number in 0..64 {
            let query = query(&format!("pump {number}"));
            (0..2).for_each(|_| drop(cache.highlighter(&query, false).render(("", &long), std::iter::empty())));
        }
        cache.queries.run_pending_tasks();
        let kept = cache.queries.entry_count();
        assert!(cache.queries.weighted_size() <= MAX_BYTES && (16..64).contains(&kept), "{kept}");
    }
}
