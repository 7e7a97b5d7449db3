//! Random questions, and how they are typed.

use super::random::{Random, SLIPS};
use super::scene::{AREAS, PLANS, PROJECTS};
use super::words::Said;
use quarry::domain::kind::Kind;

/// A piece of a question.
#[derive(Clone, Debug)]
pub enum Item {
    /// One of these must be found.
    Group(Vec<Said>),
    Without(Said),
    Qualifier {
        name: &'static str,
        value: String,
        negated: bool,
    },
}

/// A question with everything that it is narrowed by.
#[derive(Clone, Debug)]
pub struct Question {
    pub items: Vec<Item>,
    pub kinds: Vec<Kind>,
    /// In which project, and whether its address says so.
    pub project: Option<(i64, bool)>,
    pub scope: Option<&'static str>,
    pub all_words: bool,
    pub titles_only: bool,
    /// Names of files: not, too, alone.
    pub attachments: &'static str,
    pub open_issues: bool,
    pub sort: &'static str,
}

pub const FACETS: &str = "type,project,status,tracker,author,year";

impl Question {
    pub fn random(random: &mut Random) -> Question {
        let mut used = Vec::new();
        let mut items: Vec<Item> = Vec::new();
        let words = if random.chance(9) { random.up_to(3) } else { 0 };
        for _ in 0..words {
            let more = if random.chance(2) { random.up_to(2) } else { 0 };
            let group: Vec<Said> = (0..=more).filter_map(|n| said(random, &mut used, n == 0 && more == 0)).collect();
            if !group.is_empty() {
                items.push(Item::Group(group));
            }
        }
        if random.chance(2) {
            items.extend(said(random, &mut used, true).map(Item::Without));
        }
        let qualifiers = if random.chance(5) { random.up_to(2) } else { 0 };
        for _ in 0..qualifiers {
            let place = random.up_to(items.len() as i64 + 1) as usize - 1;
            items.insert(place, qualifier(random));
        }
        let project = random.chance(3).then(|| (random.up_to(PROJECTS), random.chance(5)));
        Question {
            items,
            kinds: Kind::ALL.into_iter().filter(|_| random.chance(1)).collect(),
            project,
            scope: random.chance(3).then(|| random.of(&["all", "my_projects", "bookmarks", "subprojects", "nonsense"])),
            all_words: random.chance(6),
            titles_only: random.chance(1),
            attachments: if random.chance(7) { "0" } else { random.of(&["1", "only"]) },
            open_issues: random.chance(1),
            sort: random.of(&["", "relevance", "date"]),
        }
    }

    /// The words that are asked for.
    pub fn groups(&self) -> impl Iterator<Item = &Vec<Said>> {
        self.items.iter().filter_map(|item| if let Item::Group(group) = item { Some(group) } else { None })
    }

    pub fn without(&self) -> impl Iterator<Item = &Said> {
        self.items.iter().filter_map(|item| if let Item::Without(said) = item { Some(said) } else { None })
    }

    /// The qualifiers with their values, and whether the opposite is asked for.
    pub fn qualifiers(&self) -> impl Iterator<Item = (&'static str, &str, bool)> {
        let asked =
            |item| if let &Item::Qualifier { name, ref value, negated } = item { Some((name, value.as_str(), negated)) } else { None };
        self.items.iter().filter_map(asked)
    }

    pub fn has_words(&self) -> bool {
        self.groups().next().is_some()
    }

    /// As somebody types it.
    pub fn typed(&self) -> String {
        self.items.iter().map(Item::typed).collect::<Vec<_>>().join(" ")
    }

    pub fn address(&self, offset: usize) -> String {
        let mut address = match self.project {
            Some((project, true)) => format!("/projects/{project}/search.json?"),
            Some((project, false)) => format!("/search.json?id=place{project}&"),
            None => "/search.json?".to_owned(),
        };
        for kind in &self.kinds {
            address += &format!("{}=1&", kind.parameter());
        }
        for (name, on) in [("all_words", self.all_words), ("titles_only", self.titles_only), ("open_issues", self.open_issues)] {
            address += &format!("{name}={}&", u8::from(on));
        }
        if let Some(scope) = self.scope {
            address += &format!("scope={scope}&");
        }
        let (attachments, sort, typed) = (self.attachments, self.sort, encoded(&self.typed()));
        address + &format!("attachments={attachments}&sort={sort}&facets={FACETS}&limit=100&offset={offset}&description=0&q={typed}")
    }
}

impl Item {
    /// As it is typed, and as it is said again where another word is put right. Only there has the value of a qualifier quotes always.
    pub fn typed(&self) -> String {
        match self {
            Item::Group(group) => group.iter().map(Said::typed).collect::<Vec<_>>().join(" OR "),
            Item::Without(said) => format!("-{}", said.typed()),
            Item::Qualifier { name, value, negated } => format!("{}{name}:\"{value}\"", if *negated { "-" } else { "" }),
        }
    }
}

/// A word, a beginning or a phrase, each word once in a question.
fn said(random: &mut Random, used: &mut Vec<String>, parts: bool) -> Option<Said> {
    let word = if random.chance(1) { random.of(&SLIPS) } else { random.word() };
    if used.iter().any(|other| other == word) || (!parts && word.contains(['_', '.'])) {
        return None;
    }
    used.push(word.to_owned());
    let simple = !word.contains(['_', '.']);
    Some(match random.up_to(10) {
        1 if !simple => Said::Begin(word.chars().take(word.len() - 2).collect()),
        1 => Said::Begin(word.chars().take(2 + random.up_to(3) as usize).collect()),
        2 if simple => {
            let next = random.word();
            Said::Phrase(if next.contains(['_', '.']) { vec![word.to_owned()] } else { vec![word.to_owned(), next.to_owned()] })
        }
        _ => Said::Word(word.to_owned()),
    })
}

fn qualifier(random: &mut Random) -> Item {
    let logins = ["me", "alice", "bob", "carol", "dave", "nobody"];
    let (name, value) = match random.up_to(14) {
        1 => ("is", random.of(&["open", "closed"]).to_owned()),
        2 => ("type", random.of(&["issue", "wiki", "news", "document", "changeset", "message", "project"]).to_owned()),
        3 => ("project", if random.chance(5) { format!("place{}", random.up_to(PROJECTS)) } else { random.up_to(PROJECTS).to_string() }),
        4 => ("author", random.of(&logins).to_owned()),
        5 => ("assignee", if random.chance(2) { "none".to_owned() } else { random.of(&logins).to_owned() }),
        6 => ("status", random.of(&["new", "In Progress", "closed", "Rejected"]).to_owned()),
        7 => ("tracker", random.of(&["bug", "Feature", "SUPPORT"]).to_owned()),
        8 => ("priority", random.of(&["Low", "normal", "Immediate"]).to_owned()),
        9 => ("version", if random.chance(2) { "none".to_owned() } else { random.of(&PLANS).to_lowercase() }),
        10 => ("category", if random.chance(2) { "none".to_owned() } else { random.of(&AREAS).to_uppercase() }),
        11 => ("created", span(random)),
        12 => ("updated", span(random)),
        13 => ("has", "attachment".to_owned()),
        _ => return Item::Qualifier { name: "in", value: "title".to_owned(), negated: random.chance(2) },
    };
    Item::Qualifier { name, value, negated: random.chance(3) }
}

fn span(random: &mut Random) -> String {
    let day = |random: &mut Random| random.moment().to_string()[..10].to_owned();
    let (one, other) = (day(random), day(random));
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

pub fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
