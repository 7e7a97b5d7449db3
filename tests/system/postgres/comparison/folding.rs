//! PostgreSQL folds texts to lower case as Rust does, which folds the values of filters.

use quarry::store::{Server, Store, StoreLocation};
use quarry_world::cluster::Cluster;

/// Texts whose letters depend on their neighbours, and others that are easily confused.
const TEXTS: [&str; 20] = [
    "ΣΊΣΥΦΟΣ",
    "ΟΔΟΣ ΣΟΦΙΑΣ",
    "Σ",
    "ΑΣ. ΑΣ' ΑΣ-Β Α\u{301}Σ\u{301}",
    "İSTANBUL IŞIK ıi",
    "I\u{307}",
    "STRASSE Straße ẞ",
    "ǅ Ǆ ǆ ǈ ǋ",
    "K Å Ω",
    "ﬀ ﬁ Ŀ",
    "ДЁЖ Ѐ Ѝ Ӏ",
    "ᎠᎡ ꭰ Ᏸ",
    "Ⴀ Ა ა",
    "Ⓐ Ⅷ",
    "𐐀 𐓐 𞤀",
    "ÀÉÎÕÜ ÇŁØ",
    "A\u{300}E\u{301}",
    "日本語 ＡＢＣ",
    "עברית العربية",
    "100% a_b \\ 'quoted'",
];
/// The letters that the server may not know yet: fewer than Unicode adds in some years.
const MAX_UNKNOWN_LETTERS: usize = 300;

#[test]
fn texts_are_folded_alike() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let database = cluster.create_database(None);
    let location = StoreLocation {
        folder: folder.path().to_owned(),
        server: Some(Server::parse(&cluster.url(&database), None, 5).unwrap()),
        files: None,
        backs_up_before_upgrade: false,
    };
    Store::open(location).unwrap().close();
    let mut client = cluster.connect(&database).unwrap();

    let statement = client.prepare("SELECT folded($1)").unwrap();
    for text in TEXTS {
        let row = client.query_one(&statement, &[&text]).unwrap();
        assert_eq!(row.get::<_, String>(0), text.to_lowercase(), "{text}");
    }

    let characters = "SELECT folded(chr(c)) FROM generate_series(1, 1114111) c WHERE c NOT BETWEEN 55296 AND 57343 ORDER BY c";
    let folded = client.query(characters, &[]).unwrap();
    let characters: Vec<char> = ('\u{1}'..=char::MAX).collect();
    assert_eq!(folded.len(), characters.len());
    let mut unknown = Vec::new();
    for (character, row) in characters.into_iter().zip(folded) {
        let folded: &str = row.get(0);
        let own: String = character.to_lowercase().collect();
        if folded != own {
            // The server has an older version of Unicode.
            assert_eq!(folded, character.to_string());
            unknown.push(character);
        }
    }
    println!("the server does not know {unknown:?}");
    assert!(unknown.len() < MAX_UNKNOWN_LETTERS);
    drop(client);
    cluster.drop_database(&database);
}
