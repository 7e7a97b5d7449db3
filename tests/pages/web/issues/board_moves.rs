//! What a board offers is what the API accepts: random workflows, permissions and issues.
//!
//! `QUARRY_BOARD_CASES` is the number of moves.

use quarry::actions::ActionError;
use quarry::actions::issues;
use quarry::actions::issues::card_moves::MoveCheck;
use quarry::domain::access::viewer::Viewer;
use quarry::domain::ids::{IssueId, ProjectId};
use quarry::domain::issues::issue::IssueChange;
use quarry::domain::query::board::BoardField;
use quarry_world::environment;
use quarry_world::{World, insert_category, insert_version, user};

use quarry::store::issues::find_any;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::json;

const LOGINS: [&str; 4] = ["alice", "bob", "carol", "dave"];
/// The fields that a workflow can make read-only or required.
const FIELDS: [&str; 6] = [
    "assigned_to_id",
    "fixed_version_id",
    "category_id",
    "priority_id",
    "due_date",
    "description",
];

/// A world with issues in two projects, versions and categories.
fn world() -> (World, Vec<i64>) {
    let world = World::with_projects();
    world.write(|db| {
        let now = db.now();
        for (project, name) in [(1, "first"), (1, "second"), (2, "hidden")] {
            insert_version(db, ProjectId(project), name, now)?;
            insert_category(db, ProjectId(project), name, None)?;
        }
        Ok(())
    });
    world.sql("UPDATE versions SET status = 'closed' WHERE name = 'second'");
    let mut ids: Vec<i64> = (0..6).map(|_| world.issue("open").create()).collect();
    ids.push(world.issue("secret").create());
    ids.push(world.issue("open").parent(ids[0]).create());
    ids.push(world.issue("open").author("carol").create());
    (world, ids)
}

/// Gives the world other transitions, rules for fields and permissions.
fn change_rules(world: &World, random: &mut StdRng) {
    let mut sql = "DELETE FROM workflow_transitions; DELETE FROM workflow_permissions;".to_owned();
    for tracker in 1..=3 {
        for role in 3..=5 {
            for from in 0..=6 {
                for to in 1..=6 {
                    let author = random.random_range(0..2);
                    let assignee = random.random_range(0..2);
                    if random.random_range(0..3) == 0 {
                        sql += &format!(
                            "INSERT INTO workflow_transitions (tracker_id, role_id, old_status_id, new_status_id, author, assignee) VALUES ({tracker}, {role}, {from}, {to}, {author}, {assignee});"
                        );
                    }
                }
                if from > 0 && random.random_range(0..3) == 0 {
                    let field = FIELDS.choose(random).unwrap();
                    let rule = ["readonly", "required"].choose(random).unwrap();
                    sql += &format!(
                        "INSERT INTO workflow_permissions (tracker_id, role_id, old_status_id, field_name, rule) VALUES ({tracker}, {role}, {from}, '{field}', '{rule}');"
                    );
                }
            }
        }
    }
    let has_permission = |random: &mut StdRng| random.random_range(0..4) > 0;
    for role in 3..=5 {
        sql += &format!(
            "DELETE FROM role_permissions WHERE role_id = {role} AND name IN ('edit_issues', 'edit_own_issues', 'manage_subtasks');"
        );
        for (position, name) in ["edit_issues", "edit_own_issues"].iter().enumerate() {
            if has_permission(random) {
                sql += &format!(
                    "INSERT INTO role_permissions (role_id, name, position) VALUES ({role}, '{name}', {});",
                    900 + position
                );
            }
        }
    }
    world.sql(&sql);
}

/// Values of a field: those that exist, one that does not, and none.
fn values(world: &World, field: BoardField) -> Vec<Option<i64>> {
    let table = match field {
        BoardField::Status => "issue_statuses",
        BoardField::Assignee => "users",
        BoardField::Version => "versions",
        BoardField::Category => "issue_categories",
        BoardField::Tracker => "trackers",
        BoardField::Priority => "enumerations WHERE type = 'IssuePriority'",
    };
    let rows = world.database().rows(&format!("SELECT id FROM {table}"));
    let ids = rows.iter().map(|row| Some(row.get::<i64>(0)));
    ids.chain([None, Some(987_654)]).collect()
}

/// Whether a save with this value succeeds and gives the issue the value. Nothing is kept.
fn is_accepted(
    world: &World,
    viewer: &Viewer,
    id: IssueId,
    (field, value): (BoardField, Option<i64>),
) -> bool {
    let viewer = viewer.renewed(&world.app.store.catalogue().unwrap());
    let (sender, receiver) = std::sync::mpsc::channel();
    let undone = world.app.store.write(move |db| {
        let mut change = IssueChange::default();
        field.set(&mut change, value);
        let saved = issues::update(db, &viewer, id, &change, &[]);
        let is_accepted = saved.is_ok_and(|issue| field.value(&issue) == value);
        sender.send(is_accepted).unwrap();
        Err::<(), ActionError>(ActionError::NotFound)
    });
    assert!(undone.is_err());
    receiver.recv().unwrap()
}

/// Returns why the board refuses a value, if it does; `None` if the viewer does not see the issue or
/// it has the value.
fn refusal(
    world: &World,
    viewer: &Viewer,
    id: IssueId,
    (field, value): (BoardField, Option<i64>),
) -> Option<Option<String>> {
    let answer = world.app.store.read(|db| {
        let issue = issues::find(db, viewer, id)?;
        let refusal = MoveCheck::load(db, viewer, id)?.refusal(db, viewer, &[(field, value)])?;
        Ok::<_, ActionError>((field.value(&issue) != value).then_some(refusal))
    });
    answer.unwrap_or(None)
}

#[test]
fn board_offers_exactly_the_moves_that_the_api_accepts() {
    let wanted = environment::rounds("QUARRY_BOARD_CASES", 1_500);
    let (world, ids) = world();
    let mut cases = 0;
    let mut offered = 0_u64;
    let mut seed = environment::seed();
    while cases < wanted {
        seed += 1;
        let random = &mut StdRng::seed_from_u64(seed);
        change_rules(&world, random);
        let catalogue = world.app.store.catalogue().unwrap();
        let fields = BoardField::ALL.iter().copied();
        let all: Vec<_> = fields.map(|field| (field, values(&world, field))).collect();
        for _ in 0..6 {
            let id = IssueId(*ids.choose(random).unwrap());
            let login = *LOGINS.choose(random).unwrap();
            let viewer = Viewer::new(&catalogue, Some(user(login)));
            let moves = all
                .iter()
                .flat_map(|(field, values)| values.iter().map(|value| (*field, *value)));
            let moves: Vec<_> = moves.collect();
            for chosen in &moves {
                let Some(refusal) = refusal(&world, &viewer, id, *chosen) else {
                    continue;
                };
                let is_accepted = is_accepted(&world, &viewer, id, *chosen);
                assert_eq!(
                    refusal.is_none(),
                    is_accepted,
                    "seed {seed}: {login}, #{id}, {chosen:?}: {refusal:?}"
                );
                cases += 1;
                offered += u64::from(is_accepted);
            }
            // One of them over HTTP, which leads to another state.
            let (field, value) = *moves.choose(random).unwrap();
            let Some(refusal) = refusal(&world, &viewer, id, (field, value)) else {
                continue;
            };
            let name = format!("{}_id", field.name());
            let text = value.map_or_else(String::new, |id| id.to_string());
            let reply = world.as_user(login).put(
                &format!("/issues/{id}.json"),
                json!({"issue": {name: text}}),
            );
            let saved = world
                .app
                .store
                .read(|db| find_any(db, id))
                .unwrap()
                .unwrap();
            assert_eq!(
                refusal.is_none(),
                reply.status < 300 && field.value(&saved) == value,
                "seed {seed}: {login}, #{id}, {field:?} {value:?}: {refusal:?}, {}",
                reply.body
            );
        }
    }
    println!("{cases} cases, {offered} offered");
    assert!(offered * 20 > cases, "{offered} of {cases}");
}
