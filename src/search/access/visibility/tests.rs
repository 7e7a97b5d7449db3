use super::Visibility;
use crate::access::filter::{DocFilter, Verdict};
use crate::schema::access_class::AccessClass;
use quarry_domain::access::visible::Visible;
use quarry_domain::ids::{ProjectId, StatusId, UserId};
use quarry_domain::index_feed::kind::Kind;
use std::sync::Arc;

fn in_projects(ids: &[i64]) -> Visible {
    Visible::InProjects(Arc::new(ids.iter().copied().collect()))
}

fn issue_class(project: i64, private: bool, status: i64) -> AccessClass {
    AccessClass::new(
        ProjectId(project),
        Kind::Issue,
        private,
        Some(StatusId(status)),
    )
}

fn verdicts(projects: [i64; 3]) -> Vec<Verdict> {
    let own = Visible::Any(vec![Visible::NotPrivate, Visible::WrittenBy(UserId(7))]);
    let issues = Visible::Any(vec![
        in_projects(&projects[..1]),
        Visible::All(vec![in_projects(&projects[1..2]), own]),
    ]);
    let mut kinds = [const { Visible::Nothing }; 7];
    kinds[0] = issues;
    let notes = in_projects(&projects[..1]);
    let files = in_projects(&projects[1..]);
    let visibility = Visibility::compile(kinds, &notes, &files, Vec::new(), Some(UserId(7)));
    let closed = [5i64].into_iter().collect();
    let filter = DocFilter::new(&visibility, &Kind::ALL, None, Some(&closed));
    let scopes = filter.scopes(10).unwrap_or_default();
    assert_eq!(scopes.len(), 4, "open and private issues of two projects");
    assert_eq!(filter.scopes(3), None);
    for (project, may_read) in [(projects[0], true), (projects[1], false)] {
        let project = ProjectId(project);
        assert_eq!(visibility.may_read_all_notes(project), may_read);
        assert_eq!(visibility.may_read_own_notes(project), may_read);
    }
    assert_eq!(
        projects.map(|id| visibility.may_see_project_files(ProjectId(id))),
        [false, true, true]
    );
    let mut verdicts = Vec::new();
    for project in projects {
        for (private, status) in [(false, 1), (true, 1), (false, 5)] {
            let class = issue_class(project, private, status);
            assert_eq!(
                (class.project(), class.status()),
                (ProjectId(project), StatusId(status))
            );
            assert_eq!(
                filter.verdict(class) != Verdict::Deny && status != 5,
                scopes.contains(&class.scope()) && status != 5
            );
            verdicts.push(filter.verdict(class));
        }
    }
    let private = issue_class(projects[1], true, 1);
    assert!(filter.allows_record(private, 7, 0, 0));
    assert!(!filter.allows_record(private, 8, 7, 0));
    verdicts
}

#[test]
fn dense_and_sparse_masks_filter_the_same_documents() {
    use Verdict::{Allow, CheckRecord, Deny};
    let expected = [
        Allow,
        Allow,
        Deny,
        Allow,
        CheckRecord,
        Deny,
        Deny,
        Deny,
        Deny,
    ];
    assert_eq!(verdicts([1, 2, 3]), expected);
    assert_eq!(verdicts([1, 5_000_000, 6_000_000]), expected);
}

#[test]
fn everything_passes_for_the_requested_types() {
    let visibility = Visibility::everything();
    let filter = DocFilter::new(&visibility, &[Kind::News], None, None);
    assert_eq!(
        filter.verdict(AccessClass::new(ProjectId(9), Kind::News, false, None)),
        Verdict::Allow
    );
    assert_eq!(
        filter.verdict(AccessClass::new(ProjectId(9), Kind::WikiPage, false, None)),
        Verdict::Deny
    );
    assert_eq!(filter.scopes(1_000), None);
    assert!(visibility.may_see_project_files(ProjectId(9)));
}
