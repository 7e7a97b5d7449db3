use super::Index;
use crate::execute::deadline::{DeadlineGuard, is_timeout};
use crate::request::{SearchRequest, SearchResponse};
use crate::{Attachments, IndexConfig, Order, ParsedQuery, SearchError, Visibility};
use jiff::Timestamp;
use quarry_domain::access::visible::Visible;
use quarry_domain::ids::{PrincipalId, ProjectId, StatusId, TrackerId, UserId};
use quarry_domain::index_feed::indexed_record::IndexedRecord;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::id_set::IdSet;
use std::sync::Arc;

/// Returns a public, open issue.
pub(crate) fn issue(id: i64, subject: &str, description: &str) -> IndexedRecord {
    IndexedRecord {
        kind: Kind::Issue,
        id,
        change: id,
        project: ProjectId(1),
        status: Some(StatusId(1)),
        author: Some(UserId(1)),
        created_on: Timestamp::from_second(1_700_000_000 + id).unwrap(),
        updated_on: Timestamp::from_second(1_700_000_000 + id).unwrap(),
        fields: vec![
            ("subject", subject.to_owned()),
            ("description", description.to_owned()),
        ],
        ..IndexedRecord::default()
    }
}

fn index(sources: Vec<IndexedRecord>) -> Index {
    let index = Index::in_memory(Arc::new(IndexConfig::embedded().unwrap())).unwrap();
    index.add_all(sources).unwrap();
    index
}

fn try_search_as<'q>(
    index: &Index,
    words: &str,
    visibility: Visibility,
    change: impl FnOnce(&mut SearchRequest<'q>),
) -> Result<SearchResponse, SearchError> {
    let words = Box::leak(Box::new(
        ParsedQuery::parse(words, &index.config().bounds).unwrap(),
    ));
    let now = Timestamp::from_second(1_700_000_000).unwrap();
    let mut request = SearchRequest::new(words, Box::leak(Box::new(visibility)), now, 100);
    change(&mut request);
    index.search(&request)
}

fn search_as<'q>(
    index: &Index,
    words: &str,
    visibility: Visibility,
    change: impl FnOnce(&mut SearchRequest<'q>),
) -> SearchResponse {
    try_search_as(index, words, visibility, change).unwrap()
}

fn search_ids(index: &Index, words: &str) -> Vec<i64> {
    sorted(&search_as(index, words, Visibility::everything(), |_| {}))
}

fn sorted(response: &SearchResponse) -> Vec<i64> {
    let mut ids: Vec<i64> = response.hits.iter().map(|hit| hit.id).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn words_identifier_parts_and_phrases_match() {
    let index = index(vec![
        issue(1, "Crash in issue_query.rb", "the query of the issue"),
        issue(2, "issue query", "rb stands elsewhere, createHTTPClient"),
        issue(
            3,
            "createhttpclient fails",
            "configuration of the lightbulb",
        ),
        issue(4, "create the http client", "東京都庁へ行く e-mail"),
    ]);
    for (words, expected) in [
        ("issue_query.rb", vec![1]),
        ("query", vec![1, 2]),
        ("issue_query", vec![1, 2]),
        ("\"issue query\"", vec![1, 2]),
        ("\"query issue\"", vec![]),
        ("createHTTPClient", vec![2, 3]),
        ("createhttpclient", vec![2, 3]),
        ("http client", vec![2, 4]),
        ("crashes", vec![1]),
        ("configur*", vec![3]),
        ("configurati*", vec![3]),
        ("configurable*", vec![]),
        ("create*", vec![2, 3, 4]),
        ("issue_q*", vec![1, 2]),
        ("東京", vec![4]),
        ("都", vec![4]),
        ("京庁", vec![]),
        ("nothing", vec![]),
        ("***", vec![]),
        ("e-mail", vec![4]),
    ] {
        assert_eq!(search_ids(&index, words), expected, "{words}");
    }
    assert_eq!(
        search_as(
            &index,
            "crash lightbulb",
            Visibility::everything(),
            |request| request.all_words = false
        )
        .total,
        2
    );
    assert_eq!(
        search_as(&index, "query", Visibility::everything(), |request| {
            request.titles_only = true
        })
        .total,
        2
    );
    assert_eq!(
        search_as(&index, "elsewhere", Visibility::everything(), |request| {
            request.titles_only = true
        })
        .total,
        0
    );
}

#[test]
fn prefix_matches_many_words() {
    let index = index((0..300).map(|n| issue(n, &format!("zz{n}x"), "")).collect());
    let response = search_as(&index, "zz*", Visibility::everything(), |request| {
        request.limit = 10
    });
    assert_eq!((response.total, response.hits.len()), (300, 10));
    assert_eq!(
        search_as(&index, "zz*", Visibility::everything(), |request| request
            .order =
            Order::Date)
        .total,
        300
    );
}

#[test]
fn pages_run_over_one_sequence() {
    let mut sources: Vec<IndexedRecord> = (1..=40)
        .map(|id| issue(id, "apple", if id % 3 == 0 { "apple pie" } else { "tart" }))
        .collect();
    for (source, kind) in sources.iter_mut().zip(
        [Kind::Issue, Kind::News, Kind::WikiPage]
            .into_iter()
            .cycle(),
    ) {
        source.kind = kind;
        source.fields = vec![(
            if kind == Kind::Issue {
                "subject"
            } else {
                "title"
            },
            "apple".to_owned(),
        )];
    }
    let index = index(sources);
    for order in [Order::Grouped, Order::Relevance, Order::Date] {
        let whole = search_as(&index, "apple", Visibility::everything(), |request| {
            request.order = order
        });
        assert_eq!((whole.total, whole.hits.len()), (40, 40));
        assert_eq!(whole.counts[..2], [14, 13]);
        let mut joined = Vec::new();
        for offset in (0..45).step_by(7) {
            let page = search_as(&index, "apple", Visibility::everything(), |request| {
                (request.order, request.offset, request.limit) = (order, offset, 7)
            });
            assert_eq!(page.total, 40);
            joined.extend(page.hits);
        }
        assert_eq!(joined, whole.hits, "{order:?}");
        let kinds: Vec<Kind> = whole.hits.iter().map(|hit| hit.kind).collect();
        let changes = kinds.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert_eq!(changes == 2, order == Order::Grouped, "{order:?} {kinds:?}");
        let past = search_as(&index, "apple", Visibility::everything(), |request| {
            (request.order, request.offset) = (order, 1000)
        });
        assert_eq!((past.total, past.hits.len()), (40, 0));
        let none = search_as(&index, "apple", Visibility::everything(), |request| {
            (request.order, request.limit) = (order, 0)
        });
        assert_eq!(
            (none.total, none.hits.len(), none.counts),
            (40, 0, whole.counts)
        );
    }
    let dated = search_as(&index, "apple", Visibility::everything(), |request| {
        request.order = Order::Date
    });
    assert_eq!(
        dated.hits.iter().map(|hit| hit.id).collect::<Vec<_>>(),
        (1..=40).rev().collect::<Vec<_>>()
    );
}

#[test]
fn scores_are_parts_of_the_best() {
    let index = index(vec![
        issue(1, "apple", "apple"),
        issue(2, "pear", "an apple among many other things that are not"),
    ]);
    let response = search_as(&index, "apple", Visibility::everything(), |_| {});
    assert_eq!(response.hits[0].score, Some(1.0));
    assert!(
        response.hits[1]
            .score
            .is_some_and(|score| score > 0.0 && score < 1.0)
    );
    let later = search_as(&index, "apple", Visibility::everything(), |request| {
        request.offset = 1
    });
    assert_eq!(later.hits[0], response.hits[1]);
}

/// Words of the random records. They differ in more than two letters, so that none is corrected to
/// another.
const WORDS: [&str; 5] = ["amber", "birch", "cedar", "delta", "flint"];

/// A random record, with the words of each of its texts as bits by their index in [`WORDS`].
#[derive(Clone, Debug)]
struct Record {
    source: IndexedRecord,
    /// Title, body and public notes.
    unrestricted: u8,
    title: u8,
    attachments: u8,
    /// Private notes, with the ids of their authors.
    private_notes: Vec<(i64, u8)>,
}

fn words_of(bits: u8) -> String {
    (0..5)
        .filter(|bit| bits & 1 << bit != 0)
        .map(|bit| WORDS[bit])
        .collect::<Vec<_>>()
        .join(" ")
}

fn record() -> impl proptest::strategy::Strategy<Value = Record> {
    use proptest::prelude::*;
    let attributes = (
        0..7u8,
        1..5i64,
        any::<bool>(),
        1..4i64,
        1..4i64,
        proptest::option::of(1..4i64),
        proptest::option::of(1..5i64),
    );
    let texts = (
        0..32u8,
        0..32u8,
        0..32u8,
        0..32u8,
        proptest::collection::vec((1..4i64, 0..32u8), 0..3),
    );
    (attributes, texts).prop_map(
        |(
            (kind, project, private, status, tracker, author, assignee),
            (title, body, notes, attached, hidden),
        )| {
            let kind = Kind::from_code(kind).unwrap();
            let is_issue = kind == Kind::Issue;
            let mut source = issue(0, "", "");
            source.kind = kind;
            source.project = ProjectId(project);
            source.private = private && is_issue;
            source.status = is_issue.then_some(StatusId(status));
            source.tracker = is_issue.then_some(TrackerId(tracker));
            source.author = author.map(UserId);
            source.assignee = assignee.filter(|_| is_issue).map(PrincipalId);
            let (title_field, text_field) = match kind {
                Kind::Issue => ("subject", "description"),
                Kind::News | Kind::Document => ("title", "description"),
                Kind::Changeset => ("first_line", "rest"),
                Kind::WikiPage => ("title", "text"),
                Kind::Message => ("subject", "content"),
                Kind::Project => ("name", "description"),
            };
            let files_field = if kind == Kind::Project {
                "project_files"
            } else {
                "attachments"
            };
            let notes = if is_issue { notes } else { 0 };
            let hidden = if is_issue { hidden } else { Vec::new() };
            source.fields = vec![
                (title_field, words_of(title)),
                (text_field, words_of(body)),
                (files_field, words_of(attached)),
            ];
            if is_issue {
                source.fields.push(("notes", words_of(notes)));
            }
            source.restricted = hidden
                .iter()
                .map(|(author, bits)| (UserId(*author), words_of(*bits)))
                .collect();
            Record {
                source,
                unrestricted: title | body | notes,
                title,
                attachments: attached,
                private_notes: hidden,
            }
        },
    )
}

fn visible() -> impl proptest::strategy::Strategy<Value = Visible> {
    use proptest::prelude::*;
    let leaf = prop_oneof![
        Just(Visible::Everything),
        Just(Visible::Nothing),
        proptest::collection::vec(1..5i64, 0..4)
            .prop_map(|ids| Visible::InProjects(Arc::new(ids.into_iter().collect()))),
        Just(Visible::NotPrivate),
        (1..4i64).prop_map(|id| Visible::WrittenBy(UserId(id))),
        proptest::collection::vec(1..5i64, 0..3)
            .prop_map(|ids| Visible::AssignedTo(ids.into_iter().map(PrincipalId).collect())),
        proptest::collection::vec(1..4i64, 0..3)
            .prop_map(|ids| Visible::InTrackers(Arc::new(ids.into_iter().collect()))),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let parts = proptest::collection::vec(inner, 0..3);
        (parts, proptest::bool::ANY).prop_map(|(parts, any)| {
            if any {
                Visible::Any(parts)
            } else {
                Visible::All(parts)
            }
        })
    })
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 120, ..proptest::test_runner::Config::default() })]

    /// The index finds exactly the records that match the query and the visibility of the viewer.
    #[test]
    fn index_matches_the_visibility_rules(
        mut records in proptest::collection::vec(record(), 1..30),
        rules in proptest::collection::vec(visible(), 7),
        user in proptest::option::of(1..4i64),
        readers in proptest::collection::vec(1..5i64, 0..3),
        with_files in proptest::collection::vec(1..5i64, 0..3),
        query in 1..32u8,
        kind_bits in 1..128u8,
        scope in proptest::option::of(proptest::collection::vec(1..6i64, 0..4)),
        open_only: bool, titles_only: bool, all_words: bool, attachments in 0..3u8, prefix: bool,
    ) {
        for (record, id) in records.iter_mut().zip(1..) {
            record.source.id = id;
        }
        let index = index(records.iter().map(|record| record.source.clone()).collect());
        let kinds: [Visible; 7] = rules.try_into().unwrap();
        let user = user.map(UserId);
        let readers: IdSet = readers.into_iter().collect();
        let files = Visible::InProjects(Arc::new(with_files.into_iter().collect()));
        let mut notes = vec![Visible::NotPrivate, Visible::InProjects(Arc::new(readers.clone()))];
        notes.extend(user.map(Visible::WrittenBy));
        let visibility = Visibility::compile(kinds.clone(), &Visible::Any(notes), &files, Vec::new(), user);
        let types: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| kind_bits & 1 << kind.code() != 0).collect();
        let projects: Option<IdSet> = scope.map(|ids| ids.into_iter().collect());
        let closed: IdSet = [2i64, 3].into_iter().collect();
        let attachments = [Attachments::Without, Attachments::With, Attachments::Only][usize::from(attachments)];

        let words = words_of(query).split(' ').map(|word| if prefix { format!("{}*", &word[..3]) } else { word.to_owned() }).collect::<Vec<_>>().join(" ");
        let response = search_as(&index, &words, visibility, |request| {
            request.kinds = &types;
            request.projects = projects.as_ref();
            request.closed = open_only.then_some(&closed);
            (request.titles_only, request.all_words, request.attachments) = (titles_only, all_words, attachments);
        });

        let expected: Vec<(Kind, i64)> = records.iter().filter(|record| {
            let source = &record.source;
            let attributes = source.access_attributes();
            let mut readable = 0;
            if attachments != Attachments::Only {
                readable |= if titles_only { record.title } else { record.unrestricted };
                for (author, bits) in record.private_notes.iter().filter(|_| !titles_only) {
                    if readers.contains(source.project) || user == Some(UserId(*author)) {
                        readable |= bits;
                    }
                }
            }
            if attachments != Attachments::Without && (source.kind != Kind::Project || files.matches(&attributes)) {
                readable |= record.attachments;
            }
            types.contains(&source.kind)
                && projects.as_ref().is_none_or(|projects| projects.contains(source.project))
                && !(open_only && source.status.is_some_and(|status| closed.contains(status)))
                && kinds[usize::from(source.kind.code())].matches(&attributes)
                && if all_words { readable & query == query } else { readable & query != 0 }
        }).map(|record| (record.source.kind, record.source.id)).collect();

        let mut found: Vec<(Kind, i64)> = response.hits.iter().map(|hit| (hit.kind, hit.id)).collect();
        found.sort_unstable_by_key(|(_, id)| *id);
        proptest::prop_assert_eq!(&found, &expected);
        proptest::prop_assert_eq!(response.total, expected.len() as u64);
        for kind in Kind::ALL {
            let count = expected.iter().filter(|(expected_kind, _)| *expected_kind == kind).count() as u64;
            proptest::prop_assert_eq!(response.counts[usize::from(kind.code())], count);
        }
    }
}

#[test]
fn search_fails_at_its_deadline() {
    let index = index(vec![issue(1, "rocket", "fuel")]);
    let deadline = DeadlineGuard::start(std::time::Duration::ZERO);
    for words in ["rocket", "roc*", "rockett", "-fuels"] {
        let response = try_search_as(&index, words, Visibility::everything(), |_| {});
        assert!(
            matches!(response, Err(SearchError::Tantivy(error)) if is_timeout(&error)),
            "{words}"
        );
    }
    drop(deadline);
    let response = try_search_as(&index, "rocket", Visibility::everything(), |_| {});
    assert_eq!(response.unwrap().total, 1);
}
