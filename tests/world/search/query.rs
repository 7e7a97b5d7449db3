//! Random queries and their text.

use super::random::{Random, SLIPS};
use super::random_world::{AREAS, PLANS, PROJECTS};
use super::words::Term;
use crate::percent_encode;
use quarry::domain::index_feed::kind::Kind;

/// A clause of a query.
#[derive(Clone, Debug)]
pub enum Item {
    /// Alternatives of which one must match.
    Group(Vec<Term>),
    Without(Term),
    Qualifier {
        name: &'static str,
        value: String,
        negated: bool,
    },
}

/// A query with all its options.
#[derive(Clone, Debug)]
pub struct SearchQuery {
    pub items: Vec<Item>,
    pub kinds: Vec<Kind>,
    /// The project, and whether it is given in the path.
    pub project: Option<(i64, bool)>,
    pub scope: Option<&'static str>,
    pub all_words: bool,
    pub titles_only: bool,
    /// Whether file names are excluded, included, or the only texts.
    pub attachments: &'static str,
    pub open_issues: bool,
    pub sort: &'static str,
}

/// The facets that every query asks for.
pub const FACETS: &str = "type,project,status,tracker,author,year";

impl SearchQuery {
    /// Returns a random query.
    pub fn random(random: &mut Random) -> SearchQuery {
        let mut used = Vec::new();
        let mut items: Vec<Item> = Vec::new();
        let words = if random.chance(9) { random.up_to(3) } else { 0 };
        for _ in 0..words {
            let more = if random.chance(2) { random.up_to(2) } else { 0 };
            let group: Vec<Term> = (0..=more)
                .filter_map(|n| random_term(random, &mut used, n == 0 && more == 0))
                .collect();
            if !group.is_empty() {
                items.push(Item::Group(group));
            }
        }
        if random.chance(2) {
            items.extend(random_term(random, &mut used, true).map(Item::Without));
        }
        let qualifiers = if random.chance(5) { random.up_to(2) } else { 0 };
        for _ in 0..qualifiers {
            let place = random.up_to(items.len() as i64 + 1) as usize - 1;
            let first = qualifier(random);
            // The same qualifier twice.
            if let Item::Qualifier { name, .. } = &first
                && random.chance(3)
            {
                let name = *name;
                let again = (0..40).map(|_| qualifier(random)).find(
                    |item| matches!(item, Item::Qualifier { name: other, .. } if *other == name),
                );
                items.extend(again);
            }
            items.insert(place, first);
        }
        let project = random
            .chance(3)
            .then(|| (random.up_to(PROJECTS), random.chance(5)));
        SearchQuery {
            items,
            kinds: Kind::ALL.into_iter().filter(|_| random.chance(1)).collect(),
            project,
            scope: random.chance(3).then(|| {
                random.of(&["all", "my_projects", "bookmarks", "subprojects", "nonsense"])
            }),
            all_words: random.chance(6),
            titles_only: random.chance(1),
            attachments: if random.chance(7) {
                "0"
            } else {
                random.of(&["1", "only"])
            },
            open_issues: random.chance(1),
            sort: random.of(&["", "relevance", "date"]),
        }
    }

    /// Returns the words that must match.
    pub fn groups(&self) -> impl Iterator<Item = &Vec<Term>> {
        self.items.iter().filter_map(|item| {
            if let Item::Group(group) = item {
                Some(group)
            } else {
                None
            }
        })
    }

    /// Returns the terms that must not match.
    pub fn without(&self) -> impl Iterator<Item = &Term> {
        self.items.iter().filter_map(|item| {
            if let Item::Without(term) = item {
                Some(term)
            } else {
                None
            }
        })
    }

    /// Returns the qualifiers with their values and whether they are negated.
    pub fn qualifiers(&self) -> impl Iterator<Item = (&'static str, &str, bool)> {
        self.items.iter().filter_map(|item| {
            if let &Item::Qualifier {
                name,
                ref value,
                negated,
            } = item
            {
                Some((name, value.as_str(), negated))
            } else {
                None
            }
        })
    }

    /// Returns the words that must match, repeated ones once, each with the compounds that it makes
    /// with its neighbours.
    pub fn words(&self) -> Vec<(&Vec<Term>, Vec<String>)> {
        let pairs = self
            .items
            .windows(2)
            .filter_map(|pair| Some((single_word(&pair[0])?, single_word(&pair[1])?)));
        let pairs: Vec<_> = pairs
            .filter(|((_, first), (_, second))| first.len() + second.len() <= 30)
            .collect();
        let mut words: Vec<(&Vec<Term>, Vec<String>)> = Vec::new();
        for group in self.groups() {
            if group.len() > 1 || words.iter().all(|(known, _)| *known != group) {
                let of_pair = pairs
                    .iter()
                    .filter(|((first, _), (second, _))| group[0] == *first || group[0] == *second);
                let joined = of_pair.map(|((_, first), (_, second))| format!("{first}{second}"));
                words.push((group, joined.collect()));
            }
        }
        words
    }

    /// Returns the query without these words, and their texts.
    pub fn leave_out(&self, words: &[&Vec<Term>]) -> (SearchQuery, Vec<String>) {
        let (left_out, kept): (Vec<&Item>, Vec<&Item>) = self.items.iter().partition(|item| matches!(item, Item::Group(group) if words.iter().any(|word| word[0] == group[0])));
        let items = kept.into_iter().cloned().collect();
        let mut texts: Vec<String> = Vec::new();
        for text in left_out.into_iter().map(Item::typed) {
            if texts
                .iter()
                .all(|other| other.to_lowercase() != text.to_lowercase())
            {
                texts.push(text);
            }
        }
        (
            SearchQuery {
                items,
                ..self.clone()
            },
            texts,
        )
    }

    /// Returns whether a word must match.
    pub fn has_words(&self) -> bool {
        self.groups().next().is_some()
    }

    /// Returns the text of the query.
    pub fn typed(&self) -> String {
        self.items
            .iter()
            .map(Item::typed)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Returns the address of the results from this offset on.
    pub fn address(&self, offset: usize) -> String {
        let mut address = match self.project {
            Some((project, true)) => format!("/projects/{project}/search.json?"),
            Some((project, false)) => format!("/search.json?id=place{project}&"),
            None => "/search.json?".to_owned(),
        };
        for kind in &self.kinds {
            address += &format!("{}=1&", kind.parameter());
        }
        for (name, on) in [
            ("all_words", self.all_words),
            ("titles_only", self.titles_only),
            ("open_issues", self.open_issues),
        ] {
            address += &format!("{name}={}&", u8::from(on));
        }
        if let Some(scope) = self.scope {
            address += &format!("scope={scope}&");
        }
        let attachments = self.attachments;
        let sort = self.sort;
        let typed = percent_encode(&self.typed());
        address
            + &format!(
                "attachments={attachments}&sort={sort}&facets={FACETS}&limit=100&offset={offset}&description=0&q={typed}"
            )
    }
}

impl Item {
    /// Returns the text, also in corrections, where values of qualifiers are quoted only if they
    /// have spaces.
    pub fn typed(&self) -> String {
        match self {
            Item::Group(group) => group
                .iter()
                .map(Term::typed)
                .collect::<Vec<_>>()
                .join(" OR "),
            Item::Without(term) => format!("-{}", term.typed()),
            Item::Qualifier {
                name,
                value,
                negated,
            } => {
                let quote = if value.contains(' ') { "\"" } else { "" };
                format!(
                    "{}{name}:{quote}{value}{quote}",
                    if *negated { "-" } else { "" }
                )
            }
        }
    }
}

/// Names with punctuation, and their letters alone.
const NAMES: [&str; 5] = ["c++", "c#", ".net", "c", "net"];

/// Returns a random word, prefix or phrase; each word occurs once in a query. Compounds are words that
/// `_` and `.` join.
fn random_term(
    random: &mut Random,
    used: &mut Vec<String>,
    allows_compounds: bool,
) -> Option<Term> {
    if random.up_to(25) == 1 {
        let name = random.of(&NAMES);
        let is_new = used.iter().all(|other| other != name);
        used.push(name.to_owned());
        return is_new.then(|| Term::Word(name.to_owned()));
    }
    let word = if random.chance(1) {
        random.of(&SLIPS)
    } else {
        random.word()
    };
    if used.iter().any(|other| other == word) || (!allows_compounds && word.contains(['_', '.'])) {
        return None;
    }
    used.push(word.to_owned());
    let simple = !word.contains(['_', '.']);
    Some(match random.up_to(10) {
        1 if !simple => Term::Begin(word.chars().take(word.len() - 2).collect()),
        1 => Term::Begin(word.chars().take(2 + random.up_to(3) as usize).collect()),
        2 if simple => {
            let next = random.word();
            if next.contains(['_', '.']) {
                Term::Word(word.to_owned())
            } else {
                Term::Phrase(vec![word.to_owned(), next.to_owned()])
            }
        }
        _ => Term::Word(word.to_owned()),
    })
}

/// Returns a random word, prefix or phrase.
pub fn term(random: &mut Random) -> Term {
    loop {
        if let Some(term) = random_term(random, &mut Vec::new(), true) {
            return term;
        }
    }
}

/// Returns a random qualifier about what only the store knows of issues, and its value.
pub fn issue_qualifier(random: &mut Random) -> (&'static str, String) {
    let logins = ["me", "alice", "bob", "carol", "dave", "nobody"];
    let issue = random.up_to(45).to_string();
    let number = |random: &mut Random, step: f64, count: i64| {
        let first = random.up_to(count) as f64 * step;
        match random.up_to(4) {
            1 => format!(">={first}"),
            2 => format!("<{first}"),
            3 => format!("{first}..{}", first + 2.0 * step),
            _ => first.to_string(),
        }
    };
    let name = random.of(&[
        "due",
        "start",
        "closed",
        "done",
        "estimated",
        "parent",
        "blocks",
        "blocked-by",
        "duplicates",
        "duplicated-by",
        "relates",
        "watcher",
        "commenter",
        "involves",
        "was",
        "changed",
        "has",
        "is",
    ]);
    let value = match name {
        "due" | "start" | "closed" if random.chance(2) => "none".to_owned(),
        "due" | "start" | "closed" => span(random),
        "done" => number(random, 10.0, 8),
        "estimated" if random.chance(2) => "none".to_owned(),
        "estimated" => number(random, 0.5, 7),
        "watcher" | "commenter" | "involves" => random.of(&logins).to_owned(),
        "was" => {
            let status = random.of(&["new", "In Progress", "closed"]);
            format!("{status}{}", modifiers(random))
        }
        "changed" => {
            let attribute = random.of(&["status", "priority", "parent"]);
            format!("{attribute}{}", modifiers(random))
        }
        "has" => random
            .of(&[
                "notes",
                "description",
                "parent",
                "children",
                "assignee",
                "version",
                "category",
                "start",
                "due",
                "estimate",
            ])
            .to_owned(),
        "is" => random.of(&["mine", "watched", "private"]).to_owned(),
        _ => match random.up_to(3) {
            1 => "any".to_owned(),
            2 => "none".to_owned(),
            _ => issue,
        },
    };
    (name, value)
}

/// Returns who made a change and when, or nothing of it.
fn modifiers(random: &mut Random) -> String {
    let mut modifiers = String::new();
    if random.chance(4) {
        let login = random.of(&["me", "alice", "bob", "carol", "dave", "nobody"]);
        modifiers.push_str(&format!(" by:{login}"));
    }
    if random.chance(3) {
        modifiers.push_str(&format!(" on:{}", span(random)));
    }
    modifiers
}

/// Returns a random qualifier, which may be negated.
pub fn qualifier(random: &mut Random) -> Item {
    let logins = ["me", "alice", "bob", "carol", "dave", "nobody"];
    let (name, value) = match random.up_to(14) {
        1 => ("is", random.of(&["open", "closed"]).to_owned()),
        2 => (
            "type",
            random
                .of(&[
                    "issue",
                    "wiki",
                    "news",
                    "document",
                    "changeset",
                    "message",
                    "project",
                ])
                .to_owned(),
        ),
        3 => (
            "project",
            if random.chance(5) {
                format!("place{}", random.up_to(PROJECTS))
            } else {
                random.up_to(PROJECTS).to_string()
            },
        ),
        4 => ("author", random.of(&logins).to_owned()),
        5 => (
            "assignee",
            if random.chance(2) {
                "none".to_owned()
            } else {
                random.of(&logins).to_owned()
            },
        ),
        6 => (
            "status",
            random
                .of(&["new", "In Progress", "closed", "Rejected"])
                .to_owned(),
        ),
        7 => (
            "tracker",
            random.of(&["bug", "Feature", "SUPPORT"]).to_owned(),
        ),
        8 => (
            "priority",
            random.of(&["Low", "normal", "Immediate"]).to_owned(),
        ),
        9 => (
            "version",
            if random.chance(2) {
                "none".to_owned()
            } else {
                random.of(&PLANS).to_lowercase()
            },
        ),
        10 => (
            "category",
            if random.chance(2) {
                "none".to_owned()
            } else {
                random.of(&AREAS).to_uppercase()
            },
        ),
        11 => ("created", span(random)),
        12 => ("updated", span(random)),
        13 => ("has", "attachment".to_owned()),
        _ => {
            return Item::Qualifier {
                name: "in",
                value: "title".to_owned(),
                negated: random.chance(2),
            };
        }
    };
    Item::Qualifier {
        name,
        value,
        negated: random.chance(3),
    }
}

/// Returns a group that is one simple word, and its text.
fn single_word(item: &Item) -> Option<(Term, String)> {
    match item {
        Item::Group(group) if group.len() == 1 => {
            group[0].simple().map(|text| (group[0].clone(), text))
        }
        _ => None,
    }
}

fn day(random: &mut Random) -> String {
    random.moment().to_string()[..10].to_owned()
}

fn span(random: &mut Random) -> String {
    let one = day(random);
    let other = day(random);
    match random.up_to(9) {
        1 => one[..4].to_owned(),
        2 => one[..7].to_owned(),
        3 => format!(">={one}"),
        4 => format!(">{one}"),
        5 => format!("<={one}"),
        6 => format!("<{one}"),
        7 => format!("{one}.."),
        8 => format!("..{one}"),
        _ => format!("{one}..{other}"),
    }
}
