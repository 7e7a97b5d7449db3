//! The API of random worlds: for every viewer, no response contains a word of a record that the
//! oracle refuses, hidden records are missing, and what the oracle allows is shown. The worlds and
//! their words are those of `pages`.

use super::oracle::Oracle;
use super::pages::words::{Contents, Rule};
use super::pages::{RECORDS, VIEWERS, WORD};
use quarry::domain::access::permission::Permission;
use quarry::domain::index_feed::kind::Kind;
use quarry_world::complete_world::reindex;
use quarry_world::environment;
use quarry_world::search::random::Random;
use quarry_world::search::random_world;
use quarry_world::user;
use std::collections::BTreeMap;

/// Number of worlds in all rounds, and of sets of permissions for each.
const WORLDS: u64 = 2;
const RIGHTS: usize = 3;

#[test]
fn no_response_shows_what_the_viewer_may_not_see() {
    let mut shown = 0;
    let mut refused = 0;
    let mut columns = BTreeMap::<String, usize>::new();
    let first = environment::seed();
    let worlds = environment::rounds("QUARRY_API_WORLDS", WORLDS);
    // Enough for the bounds below, and others on each day.
    for seed in (1..=WORLDS).chain(first..first + worlds) {
        let mut random = Random::new(seed + 700);
        let world = random_world::world(&mut random);
        world.sql(&RECORDS.replace("{n}", &seed.to_string()));
        reindex(&world);
        for part in 0..RIGHTS {
            for _ in 0..12 {
                random_world::rights(&world, &mut random, part == 0);
            }
            let contents = Contents::load(&world);
            let catalogue = world.app.store.catalogue().unwrap();
            for viewer in VIEWERS {
                let oracle = Oracle {
                    catalogue: &catalogue,
                    user: viewer.map(user),
                    scopes: None,
                };
                let client = viewer.map_or_else(|| world.anonymous(), |login| world.as_user(login));
                for (path, rule) in addresses(&contents) {
                    let at = || format!("{path} for {viewer:?} in world {seed}");
                    let allowed = contents.allows(&rule, &oracle);
                    let response = client.get(&path);
                    match response.status {
                        200 => assert!(allowed, "{} is shown", at()),
                        401 | 403 | 404 => assert!(!allowed, "{} is hidden: {response:?}", at()),
                        _ => panic!("{}: {response:?}", at()),
                    }
                    assert!(
                        response.status == 200
                            || !is_record(&path, &rule)
                            || viewer.is_none()
                            || response.status == 404,
                        "{}",
                        at()
                    );
                    *if allowed { &mut shown } else { &mut refused } += 1;
                    for word in WORD
                        .find_iter(&response.body.to_lowercase())
                        .map(|word| word.as_str())
                    {
                        let rule = contents
                            .words
                            .get(word)
                            .unwrap_or_else(|| panic!("{} shows a part of a word, {word}", at()));
                        assert!(
                            contents.allows(rule, &oracle),
                            "{} shows {word} ({rule:?}): {}",
                            at(),
                            response.body
                        );
                        *columns.entry(word[2..4].to_owned()).or_default() += 1;
                    }
                }
            }
        }
    }
    println!("{shown} shown, {refused} refused, {columns:?}");
    assert!(shown > 800 && refused > 500, "{shown} {refused}");
    for column in COLUMNS {
        assert!(
            columns.contains_key(*column),
            "no response has shown a word zq{column}…: {columns:?}"
        );
    }
}

/// The columns whose words some response must show.
const COLUMNS: &[&str] = &[
    "dt", "dd", "an", "ad", "bn", "bd", "ms", "mc", "ch", "ce", "co", "is", "wt", "wx", "wc",
];

/// Whether the address is that of a record, outside of any project: if hidden, it must look like a
/// missing one.
fn is_record(path: &str, rule: &Rule) -> bool {
    matches!(rule, Rule::Record(..)) && !path.starts_with("/projects/")
}

fn addresses_in_api(address: &str, rule: &Rule) -> Vec<(String, Rule)> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let last = path.rsplit('/').next().unwrap_or_default();
    let paths = match rule {
        Rule::Record(Kind::Document, _) => vec![path.to_owned()],
        Rule::Record(Kind::Message, _) => vec![format!("/messages/{last}")],
        Rule::Permission(Permission::ViewMessages, _) if path.starts_with("/boards/") => {
            vec![path.to_owned(), format!("{path}/topics")]
        }
        Rule::Record(Kind::Changeset, _) => {
            vec![path.replace("/repository/", &format!("/repository/{}/", place(path)))]
        }
        Rule::OldVersion(_) if ["history", "diff"].contains(&last) => vec![path.to_owned()],
        Rule::Permission(..) if last == "repository" => {
            vec![
                format!("{path}/{}/revisions", place(path)),
                path.replace("/repository", "/repositories"),
            ]
        }
        Rule::Permission(..) if ["documents", "boards"].contains(&last) => {
            vec![path.to_owned()]
        }
        _ => Vec::new(),
    };
    paths
        .into_iter()
        .map(|path| {
            (
                format!("{path}.json?include=attachments&{query}"),
                rule.clone(),
            )
        })
        .collect::<Vec<_>>()
}

/// Returns the addresses in the API with what is needed to see them.
fn addresses(contents: &Contents) -> Vec<(String, Rule)> {
    contents
        .addresses
        .iter()
        .flat_map(|(address, rule)| addresses_in_api(address, rule))
        .collect()
}

/// Returns the id of the project in a path, which is that of its repository, too.
fn place(path: &str) -> String {
    path.chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect()
}
