use super::{Sight, VIEWERS};
use crate::domain::id_set::IdSet;
use crate::domain::ids::{ProjectId, StatusId, UserId};
use crate::domain::kind::Kind;
use crate::domain::visibility::Visible;
use crate::search::schema::Class;
use crate::search::snapshot::tests::snapshot_of;
use crate::search::visibility::{Filter, Visibility};
use proptest::prelude::*;
use std::sync::Arc;

/// Sees everything in some projects, and in the others what is not private or the viewer's own.
fn viewer(projects: &[i64], user: i64) -> Visibility {
    let all = Visible::InProjects(Arc::new(projects.iter().copied().collect()));
    let some = Visible::Any(vec![all.clone(), Visible::NotPrivate, Visible::WrittenBy(UserId(user))]);
    let mut kinds = [const { Visible::Nothing }; 7];
    (kinds[0], kinds[1], kinds[2]) = (some, all, Visible::Everything);
    Visibility::compile(kinds, &Visible::Nothing, &Visible::Nothing, Vec::new(), Some(UserId(user)))
}

fn documents() -> impl Strategy<Value = Vec<(Class, u64, i64)>> {
    let document = (1..5_i64, 0..7_usize, any::<bool>(), 1..3_i64, 0..4_u64).prop_map(|(project, kind, private, status, author)| {
        (Class::new(ProjectId(project), Kind::ALL[kind], private, Some(StatusId(status))), author, 1)
    });
    proptest::collection::vec(document, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whoever_asks_however_often_sees_what_the_filter_lets_through(
        documents in documents(),
        projects in proptest::collection::vec(1..5_i64, 0..3),
        kinds in proptest::sample::subsequence(Kind::ALL.to_vec(), 1..7),
        scope in proptest::option::of(1..5_i64),
        open in any::<bool>(),
    ) {
        let snapshot = snapshot_of(&documents);
        let scope: Option<IdSet> = scope.map(|project| [project].into_iter().collect());
        let closed: IdSet = [2_i64].into_iter().collect();
        let stays = viewer(&projects, 1);
        for turn in 0..4 {
            // Others come and go.
            let comes = viewer(&[1, turn], 2);
            for visibility in [&stays, &comes, &comes, &stays, &comes] {
                for segment in snapshot.segments().unwrap() {
                    let filter = Filter::new(visibility, &kinds, scope.as_ref(), open.then_some(&closed));
                    let sight = Sight::of(segment.columns, &filter);
                    for doc in 0..segment.reader.max_doc() {
                        let found = segment.columns.found(&filter, doc).map(|class| (class.combination() >> 1) as usize);
                        prop_assert_eq!(sight.kind(doc), found, "turn {}", turn);
                    }
                }
            }
        }
    }
}

#[test]
fn who_has_not_asked_for_long_is_forgotten() {
    let class = Class::new(ProjectId(1), Kind::Issue, false, None);
    let snapshot = snapshot_of(&[(class, 0, 1)]);
    let columns = snapshot.segments().unwrap().next().unwrap().columns;
    let viewers: Vec<Visibility> = (0..=VIEWERS).map(|_| viewer(&[1], 1)).collect();
    let knows = |visibility: &Visibility| columns.sights.of(visibility, &columns.classes()).is_some();
    assert!(!knows(&viewers[0]) && knows(&viewers[0]));
    assert!(viewers[1..VIEWERS].iter().all(|viewer| !knows(viewer)));
    assert!(knows(&viewers[0]), "the last who asked are known");
    assert!(!knows(&viewers[VIEWERS]) && !knows(&viewers[1]) && knows(&viewers[0]));
}
