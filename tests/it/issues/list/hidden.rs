//! What a viewer may not see shapes no answer. Two worlds are alike but for what carol may not see; she is asked everything in
//! both, and the answers must be the same to the letter.

use super::ids;
use super::rows::{self, field, field_roles, hours, issue, journal, relation, value, watcher};
use crate::world::{DEVELOPER, MANAGER, REPORTER, World};
use quarry::domain::permission::Permission;
use quarry::domain::role::IssuesVisibility;
use quarry::store::roles::{self, NewRole};

/// Carol reports in `open` (1), may only look at issues in `quiet` (3), and knows nothing of `secret` (2). The issues 1 to 5 are
/// hers to see. Beyond the roles of the default data there is 6, whose holder sees issues and nothing more.
fn world(with_hidden: bool) -> World {
    let world = World::new();
    world.project("open", true, &[("alice", MANAGER), ("bob", DEVELOPER), ("carol", REPORTER)]);
    world.project("secret", false, &[("alice", MANAGER)]);
    let guest = world.write(|db| {
        let permissions = [Permission::ViewIssues].into_iter().collect();
        roles::insert(db, &NewRole { name: "Guest", position: 9, builtin: 0, permissions, issues_visibility: IssuesVisibility::Default })
    });
    world.project("quiet", false, &[("alice", MANAGER), ("carol", guest)]);
    issue(&world, 1, 1, &[]);
    issue(&world, 2, 1, &[("assigned_to_id", 4.into())]);
    issue(&world, 3, 3, &[("status_id", 2.into())]);
    issue(&world, 4, 1, &[("parent_id", 1.into())]);
    issue(&world, 5, 1, &[]);
    // Nobody but managers sees field 1; reporters see field 2, which shows it to carol in `open` and hides it in `quiet`.
    field(&world, 1, "Hidden", "string", &[("visible", 0.into()), ("searchable", 1.into())]);
    field(&world, 2, "Half", "int", &[("visible", 0.into()), ("searchable", 1.into())]);
    field_roles(&world, 1, &[MANAGER.0]);
    field_roles(&world, 2, &[MANAGER.0, REPORTER.0]);
    value(&world, 1, 1, 2, "5");
    journal(&world, 1, 1, 2, "spoken", false, None);
    watcher(&world, 1, 3, 4);
    hours(&world, 1, 1, 1, 2, 2.0);
    if with_hidden {
        hide(&world);
    }
    world
}

fn hide(world: &World) {
    issue(world, 11, 2, &[]);
    issue(world, 12, 1, &[("is_private", 1.into()), ("parent_id", 1.into())]);
    issue(world, 13, 1, &[("is_private", 1.into()), ("parent_id", 4.into()), ("estimated_hours", 9.into())]);
    // Issue 2 is below a hidden one; issue 5 is below issue 1 only through a hidden one.
    rows::patch(world, "issues", 2, &[("parent_id", 11.into())]);
    rows::patch(world, "issues", 5, &[("parent_id", 12.into())]);
    relation(world, 1, 1, "relates", 11);
    relation(world, 2, 3, "blocks", 12);
    relation(world, 3, 12, "precedes", 5);
    relation(world, 4, 11, "duplicates", 2);
    value(world, 2, 1, 1, "hushed");
    value(world, 3, 3, 2, "7");
    journal(world, 2, 1, 3, "psst", true, None);
    journal(world, 3, 2, 5, "", false, Some(["cf", "1", "a", "b"]));
    journal(world, 4, 3, 3, "", false, Some(["relation", "blocks", "", "12"]));
    journal(world, 5, 4, 3, "", false, Some(["attr", "parent_id", "11", "1"]));
    journal(world, 6, 5, 3, "", false, Some(["attr", "project_id", "2", "1"]));
    journal(world, 7, 4, 3, "psst", true, Some(["attr", "status_id", "3", "1"]));
    journal(world, 8, 3, 3, "", false, Some(["cf", "2", "6", "7"]));
    watcher(world, 2, 1, 3);
    hours(world, 2, 3, 3, 2, 7.5);
}

/// Questions whose answers depend on what is hidden, for those who see it: the question and what alice gets that carol does not.
const TELLING: &[(&str, &[i64])] = &[
    ("parent_id=*", &[2, 5]),
    ("parent_id=11", &[2]),
    ("parent_id=~11", &[2]),
    ("parent_id=~1", &[5]),
    ("child_id=2", &[11]),
    ("child_id=~5", &[1]),
    ("relates=*", &[1]),
    ("relates=11", &[1]),
    ("relates==p2", &[1]),
    ("relates==!p1", &[1]),
    ("relates=*o", &[1]),
    ("blocks=12", &[3]),
    ("follows=*", &[5]),
    ("duplicated=*", &[2]),
    ("cf_1=hushed", &[1]),
    ("cf_1=*", &[1]),
    ("cf_2=7", &[3]),
    ("cf_2=*", &[3]),
    ("notes=~psst", &[1, 4]),
    ("any_searchable=psst", &[1, 4]),
    ("any_searchable=hushed", &[1]),
    ("updated_by=3", &[1, 3, 4, 5]),
    ("updated_by=5", &[2]),
    ("last_updated_by=3", &[1, 3, 4, 5]),
    ("f[]=status_id&op[status_id]=ev&v[status_id][]=3", &[4]),
    ("f[]=status_id&op[status_id]=cf&v[status_id][]=3", &[4]),
    ("watcher_id=3", &[1]),
    ("spent_time=*", &[3]),
    ("spent_time=>=5", &[3]),
];

#[test]
fn the_hidden_is_found_by_those_who_see_it_and_by_nobody_else() {
    let world = world(true);
    for (question, telling) in TELLING {
        let question = question.replace(">=", "%3E%3D");
        let question = if question.starts_with("f[]") { question } else { format!("{question}&status_id=*") };
        let (alice, carol) = (ids(&world, "alice", &question), ids(&world, "carol", &question));
        for id in *telling {
            assert!(alice.contains(id), "{question}: alice gets {alice:?}");
            // A field that carol may not know of is one that is not there: her list is not narrowed.
            assert!(!carol.contains(id) || question.starts_with("cf_1"), "{question}: carol gets {carol:?}");
        }
    }
}

#[test]
fn every_answer_is_the_same_without_the_hidden() {
    let (with, without) = (world(true), world(false));
    let ask = |world: &World, question: &str| {
        let answer = world.as_user("carol").get(&format!("/issues.json?{question}"));
        (answer.status, answer.body, answer.warning)
    };
    let mut questions: Vec<String> = TELLING.iter().map(|(question, _)| (*question).to_owned()).collect();
    for name in ["parent_id", "child_id"] {
        questions.extend(["*", "!*"].map(|asked| format!("{name}={asked}")));
        questions.extend([1, 2, 4, 5, 11, 12, 13].iter().flat_map(|id| [format!("{name}={id}"), format!("{name}=~{id}")]));
    }
    for name in ["relates", "duplicates", "duplicated", "blocks", "blocked", "precedes", "follows", "copied_to", "copied_from"] {
        let asked = ["*", "!*", "*o", "!o", "11", "12", "!11", "!12", "=p1", "=p2", "=!p1", "=!p2", "!p1", "!p2"];
        questions.extend(asked.map(|asked| format!("{name}={asked}")));
    }
    for name in ["cf_1", "cf_2"] {
        questions.extend(["*", "!*", "hushed", "~hushed", "!hushed", "7", ">=6", "<=6", "5"].map(|asked| format!("{name}={asked}")));
    }
    for name in ["notes", "any_searchable"] {
        questions.extend(
            ["~psst", "!~psst", "*~psst spoken", "psst", "~hushed", "!~hushed", "~7", "*", "!*"].map(|asked| format!("{name}={asked}")),
        );
    }
    for name in ["updated_by", "last_updated_by", "watcher_id", "author_id", "assigned_to_id"] {
        questions.extend(["2", "3", "4", "5", "me", "!2", "!3", "!5", "!me"].map(|asked| format!("{name}={asked}")));
    }
    questions.extend(["*", "!*", ">=5", "<=5", "7.5", "2", "0"].map(|asked| format!("spent_time={asked}")));
    questions.extend(["ev", "!ev", "cf"].map(|operator| format!("f[]=status_id&op[status_id]={operator}&v[status_id][]=3")));
    questions.extend(["*", "!*", "t", ">=2024-01-01"].map(|asked| format!("updated_on={asked}")));
    questions.extend(
        ["cf_1=x&strict=1", "cf_9=x&strict=1", "f[]=cf_1&op[cf_1]=*", "subject=Thing", "project_id=secret", "project_id=2"]
            .map(str::to_owned),
    );
    let columns = "id project tracker parent status priority subject author assigned_to updated_on category fixed_version start_date due_date \
                   estimated_hours total_estimated_hours spent_hours done_ratio created_on closed_on is_private last_updated_by cf_1 cf_2";
    questions.extend(columns.split_whitespace().flat_map(|column| [format!("sort={column}"), format!("sort={column}:desc")]));
    let mut different: Vec<String> = Vec::new();
    for question in questions {
        let question = format!("{question}&include=relations,attachments").replace('>', "%3E").replace('<', "%3C").replace(' ', "%20");
        let question = if question.starts_with("f[]") { question } else { format!("{question}&status_id=*") };
        if ask(&with, &question) != ask(&without, &question) {
            different.push(format!("{question}: {:?} {:?}", ask(&with, &question), ask(&without, &question)));
        }
    }
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different.join("\n"));
    // The same as of two that are not there.
    let refused = |name: &str| ask(&with, &format!("{name}=x&strict=1")).1.replace(name, "cf");
    assert_eq!(refused("cf_1"), refused("cf_9"));
}
