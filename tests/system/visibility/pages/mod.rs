//! Pages of random worlds: for every viewer, no page contains a word of a record that the oracle
//! refuses, links to such a record, or is anything but missing for it; and what the oracle allows
//! is shown.
//!
//! Each text of a world has a word of its own (`records.sql`). Viewers open the addresses of all
//! records, hidden ones too, and follow the links that they find. `QUARRY_PAGE_WORLDS` is the
//! number of worlds, `QUARRY_SEED` the seed of the first.

pub mod words;

use super::oracle::Oracle;
use quarry::domain::administration::setting::Setting;
use quarry::domain::index_feed::kind::Kind;
use quarry::store::accounts::pictures;
use quarry_world::browser::Browser;
use quarry_world::complete_world::reindex;
use quarry_world::environment;
use quarry_world::search::random::Random;
use quarry_world::search::random_world;
use quarry_world::{LOGINS, World, user};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::LazyLock;
use words::{Contents, Rule};

pub(super) const RECORDS: &str = include_str!("records.sql");
/// Number of worlds in a normal run, and of sets of permissions for each.
const WORLDS: u64 = 2;
const RIGHTS: usize = 2;
/// Maximum number of pages that each viewer opens, of which so many are addresses of records.
const MAX_PAGES: usize = 170;
const MAX_RECORDS: usize = 110;
/// Maximum number of addresses that differ only in their query string.
const MAX_QUERIES: usize = 3;
pub(super) const VIEWERS: [Option<&str>; 6] = [
    Some("admin"),
    Some("alice"),
    Some("bob"),
    Some("carol"),
    Some("dave"),
    None,
];

pub(super) static WORD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("zq[a-z]{2}[0-9]+z?").unwrap());
static LINK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("(?:href|src|action)=\"(/[^\"]*)\"").unwrap());

#[test]
fn no_page_shows_what_the_viewer_may_not_see() {
    let worlds = environment::rounds("QUARRY_PAGE_WORLDS", WORLDS);
    let first = environment::seed();
    let mut total = Tally::default();
    // Enough for the columns below, and others on each day.
    for seed in (1..=WORLDS).chain(first..first + worlds) {
        println!(
            "to see it again: QUARRY_SEED={seed} QUARRY_PAGE_WORLDS=1 cargo test --test system visibility::pages"
        );
        let mut random = Random::new(seed + 500);
        let world = random_world::world(&mut random);
        world.sql(&RECORDS.replace("{n}", &seed.to_string()));
        for login in LOGINS {
            world.write(move |db| pictures::set(db, user(login), "00ff", b"picture"));
        }
        reindex(&world);
        let browsers = VIEWERS.map(|viewer| match viewer {
            Some(login) => Browser::logged_in(&world, login),
            None => Browser::new(&world),
        });
        for part in 0..RIGHTS {
            for _ in 0..12 {
                random_world::rights(&world, &mut random, part == 0);
            }
            let people = ["all", "members_of_visible_projects"][part];
            world.sql(&format!("UPDATE roles SET users_visibility = '{people}'"));
            let contents = Contents::load(&world);
            for (viewer, browser) in VIEWERS.into_iter().zip(&browsers) {
                // With a login required, anonymous sees nothing.
                world.set(
                    Setting::LoginRequired,
                    if seed % 5 == 0 { "1" } else { "0" },
                );
                let mut visit = Visit::new(&world, &contents, viewer, browser);
                visit.run(&mut random);
                total.add(&visit.tally);
            }
        }
    }
    println!("{total:?}");
    assert!(
        total.pages > 1_000 && total.refused > 100 && total.words > 2_000 && total.kept > 1_000,
        "{total:?}"
    );
    let seen = [
        "is", "id", "jn", "dn", "cv", "fn", "vn", "cn", "pn", "nt", "nd", "nc", "dt", "dd", "dv",
        "bn", "ms", "mc", "ch", "wt", "wx", "wc", "an", "ad", "um",
    ];
    for column in seen {
        assert!(
            total.columns.contains_key(column),
            "no page has shown a word zq{column}…: {total:?}"
        );
    }
}

/// Counts, so that a test of nothing fails.
#[derive(Debug, Default)]
struct Tally {
    pages: usize,
    refused: usize,
    /// Different words that were seen, and hidden ones that were not, by each viewer.
    words: usize,
    kept: usize,
    columns: BTreeMap<String, usize>,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.pages += other.pages;
        self.refused += other.refused;
        self.words += other.words;
        self.kept += other.kept;
        for (column, count) in &other.columns {
            *self.columns.entry(column.clone()).or_default() += count;
        }
    }
}

/// What one viewer does.
struct Visit<'w> {
    world: &'w World,
    contents: &'w Contents,
    viewer: Option<&'static str>,
    browser: &'w Browser<'w>,
    /// Addresses of records and whether the viewer may open them, without query string.
    allowed: HashMap<&'w str, bool>,
    /// The words and whether the viewer may read them.
    readable: HashMap<&'w str, bool>,
    tally: Tally,
}

impl<'w> Visit<'w> {
    fn new(
        world: &'w World,
        contents: &'w Contents,
        viewer: Option<&'static str>,
        browser: &'w Browser<'w>,
    ) -> Visit<'w> {
        let catalogue = world.app.store.catalogue().unwrap();
        let oracle = Oracle {
            catalogue: &catalogue,
            user: viewer.map(user),
            scopes: None,
        };
        let logged_out = viewer.is_none() && catalogue.setting(Setting::LoginRequired) == "1";
        let allows = |rule: &Rule| !logged_out && contents.allows(rule, &oracle);
        let allowed = contents
            .addresses
            .iter()
            .map(|(address, rule)| (address.as_str(), allows(rule)))
            .collect();
        let readable = contents
            .words
            .iter()
            .map(|(word, rule)| (word.as_str(), allows(rule)))
            .collect();
        Visit {
            world,
            contents,
            viewer,
            browser,
            allowed,
            readable,
            tally: Tally::default(),
        }
    }

    fn run(&mut self, random: &mut Random) {
        let mut records: Vec<&str> = self
            .contents
            .addresses
            .iter()
            .map(|(address, _)| address.as_str())
            .collect();
        // A shuffle: every viewer opens other ones.
        for at in (1..records.len()).rev() {
            records.swap(
                at,
                usize::try_from(random.up_to(at as i64 + 1)).unwrap() - 1,
            );
        }
        let mut queue: VecDeque<String> = records
            .into_iter()
            .take(MAX_RECORDS)
            .map(str::to_owned)
            .collect();
        for start in [
            "/",
            "/search?q=zq*&all_words=",
            "/search?q=place",
            "/issues?status_id=*&limit=100",
            "/projects",
            "/news?limit=100",
            "/my/account",
        ] {
            queue.push_front(start.to_owned());
        }
        let hidden: Vec<&str> = self
            .readable
            .iter()
            .filter(|(_, readable)| !**readable)
            .map(|(word, _)| *word)
            .collect();
        for _ in 0..4.min(hidden.len()) {
            let word = hidden[usize::try_from(random.up_to(hidden.len() as i64)).unwrap() - 1];
            queue.push_front(format!("/search?q={word}"));
            queue.push_front(format!("/search?q={}", &word[..word.len() - 1]));
            queue.push_front(format!("/search/suggest?q={}", &word[..word.len() - 2]));
        }
        let mut seen: BTreeSet<String> = queue.iter().cloned().collect();
        let mut queries: HashMap<String, usize> = HashMap::new();
        let mut found = BTreeSet::new();
        while let Some(path) = queue.pop_front().filter(|_| self.tally.pages < MAX_PAGES) {
            let Some(html) = self.open(&path, &mut found) else {
                continue;
            };
            for link in LINK.captures_iter(&html) {
                let link = link[1].replace("&amp;", "&").replace("&#38;", "&");
                let link = link.split('#').next().unwrap_or_default();
                let (without_query, query) = link.split_once('?').unwrap_or((link, ""));
                self.assert_may_link(&path, without_query);
                let is_page = ![
                    "/static",
                    "/login",
                    "/logout",
                    "/theme",
                    "/attachments/download",
                    "/favicon",
                ]
                .iter()
                .any(|prefix| link.starts_with(prefix));
                if is_page && seen.insert(link.to_owned()) {
                    let count = queries.entry(without_query.to_owned()).or_default();
                    *count += usize::from(!query.is_empty());
                    if *count <= MAX_QUERIES {
                        queue.push_back(link.to_owned());
                    }
                }
            }
        }
        self.tally.words = found.len();
        self.tally.kept = self
            .readable
            .values()
            .filter(|readable| !**readable)
            .count();
        for word in &found {
            *self.tally.columns.entry(word[2..4].to_owned()).or_default() += 1;
        }
    }

    /// Whether a word is one that was typed with the letters of a word that the viewer may read: the
    /// search corrects the letters of a word with digits.
    fn corrects(&self, typed: &str, word: &str) -> bool {
        let digits = |word: &str| word.trim_start_matches(char::is_alphabetic).to_owned();
        let letters = &word[..word.len() - digits(word).len()];
        let mut typed = WORD.find_iter(typed).map(|word| word.as_str());
        let mut readable = self.readable.iter().filter(|(_, readable)| **readable);
        typed.any(|typed| digits(typed) == digits(word))
            && readable
                .any(|(known, _)| known.strip_prefix(letters) == Some(digits(known).as_str()))
    }

    /// Opens a page and checks it; returns it if it is shown.
    fn open(&mut self, path: &str, found: &mut BTreeSet<String>) -> Option<String> {
        let app = &self.world.app;
        assert!(
            app.search
                .wait_until(app.store.last_change(), quarry_world::wait::TIMEOUT)
        );
        let page = self.browser.get(path);
        self.tally.pages += 1;
        assert!(page.status < 500, "{}: {page:?}", self.at(path));
        let allowed = self.allowed.get(path).copied();
        match page.status {
            200 => assert_ne!(allowed, Some(false), "{} is shown", self.at(path)),
            302 | 303 => {
                let to_login = page.location().starts_with("/login");
                assert!(
                    !to_login || self.viewer.is_none(),
                    "{}: {page:?}",
                    self.at(path)
                );
                assert!(
                    !to_login || allowed != Some(true),
                    "{} is hidden",
                    self.at(path)
                );
            }
            403 | 404 | 422 => {
                assert_ne!(allowed, Some(true), "{} is hidden: {page:?}", self.at(path))
            }
            _ => panic!("{}: {page:?}", self.at(path)),
        }
        if page.status != 200 {
            self.tally.refused += 1;
        }
        // What was typed is shown again.
        let typed = path.to_lowercase();
        let text = page
            .body
            .replace("<mark>", "")
            .replace("</mark>", "")
            .to_lowercase();
        for word in WORD.find_iter(&text).map(|word| word.as_str()) {
            if typed.contains(word) {
                continue;
            }
            match self.readable.get(word) {
                Some(true) => drop(found.insert(word.to_owned())),
                Some(false) => {
                    let at = text.find(word).unwrap();
                    let start = (0..=at.saturating_sub(300))
                        .rev()
                        .find(|at| text.is_char_boundary(*at))
                        .unwrap();
                    panic!(
                        "{} shows {word} ({:?}): …{}",
                        self.at(path),
                        self.contents.words[word],
                        &text[start..at + word.len()]
                    );
                }
                None => assert!(
                    self.corrects(&typed, word),
                    "{} shows a part of a word, {word}",
                    self.at(path)
                ),
            }
        }
        if allowed == Some(true) {
            self.assert_shows_record(path, &text);
        }
        (page.status == 200).then_some(page.body)
    }

    /// Asserts that the page of a record shows its texts.
    #[track_caller]
    fn assert_shows_record(&self, path: &str, text: &str) {
        let Some((_, Rule::Record(kind, id))) = self
            .contents
            .addresses
            .iter()
            .find(|(address, _)| address == path)
        else {
            return;
        };
        let columns: &[&str] = match kind {
            Kind::Issue => &["is"],
            Kind::News => &["nt", "ns", "nd"],
            Kind::Document => &["dt", "dd"],
            Kind::Changeset => &["ch", "ce"],
            Kind::WikiPage => &["wt"],
            Kind::Message => &["mc"],
            Kind::Project => &["pn", "pd"],
        };
        for column in columns {
            assert!(
                text.contains(&format!("zq{column}{id}z")),
                "{} does not show zq{column}{id}z: {text}",
                self.at(path)
            );
        }
    }

    /// Asserts that a link does not lead to a record that the viewer may not see.
    #[track_caller]
    fn assert_may_link(&self, path: &str, link: &str) {
        let link = link.replace("/attachments/download/", "/attachments/");
        let mut parts: Vec<&str> = link.split('/').collect();
        if link.starts_with("/attachments/") {
            parts.truncate(3);
        }
        let link = parts.join("/");
        // A page that lacks the permission to read it may be edited.
        if link != path
            && !link.contains("/wiki/")
            && self.allowed.get(link.as_str()) == Some(&false)
        {
            panic!("{} links to {link}", self.at(path));
        }
    }

    fn at(&self, path: &str) -> String {
        format!("{path} for {}", self.viewer.unwrap_or("anonymous"))
    }
}
