//! The explanations of permissions agree with the rights of viewers in random worlds.

use super::random;
use super::random::Random;
use quarry::domain::access::explanation::{Rule, explain, grants_in};
use quarry::domain::access::permission::{Permission, PermissionSet};
use quarry::domain::access::role::Role;
use quarry::domain::access::viewer::Viewer;
use quarry::domain::accounts::user::UserStatus;
use quarry::domain::ids::{RoleId, TrackerId, UserId};
use quarry::store::Store;
use quarry_world::environment;
use std::collections::{BTreeSet, HashMap};

const WORLDS: u64 = 200;

#[test]
fn explanations_agree_with_the_rights_of_viewers() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    random::lay_out(&store);
    let plain = store.catalogue().unwrap();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let first = environment::seed();
    let worlds = environment::rounds("QUARRY_EXPLAINED_WORLDS", WORLDS);
    for world in first..first + worlds {
        let mut catalogue = random::catalogue(&plain, &mut Random::new(world + 3_000_000));
        let locked = UserId(1 + i64::try_from(world % 7).unwrap());
        catalogue.users.get_mut(&locked).unwrap().status = UserStatus::Locked;
        let users: Vec<Option<UserId>> = std::iter::once(None)
            .chain(catalogue.users.keys().copied().map(Some))
            .collect();
        for user in users {
            let viewer = Viewer::new(&catalogue, user);
            for project in catalogue.projects.values() {
                let context = format!("world {world}, {user:?}, {:?}", project.id);
                let roles: BTreeSet<RoleId> = grants_in(&catalogue, user, project)
                    .iter()
                    .map(|grant| grant.role)
                    .collect();
                if let Some(rights) = viewer.rights(project.id) {
                    assert_eq!(roles, rights.roles.iter().copied().collect(), "{context}");
                }
                let explanations = explain(&catalogue, user, project);
                assert_eq!(explanations.len(), Permission::all().count());
                for explanation in explanations {
                    let permission = explanation.permission;
                    let context = format!("{context}, {explanation:?}");
                    *seen.entry(explanation.rule.name()).or_default() += 1;
                    if user == Some(locked) {
                        assert_eq!(explanation.rule, Rule::UserNotActive, "{context}");
                        continue;
                    }
                    assert_eq!(
                        explanation.is_effective(),
                        viewer.may(permission, project.id),
                        "{context}"
                    );
                    let giving: PermissionSet = explanation
                        .roles
                        .iter()
                        .filter_map(|grant| catalogue.role(grant.role))
                        .map(Role::effective_permissions)
                        .fold(PermissionSet::NONE, PermissionSet::union);
                    match explanation.rule {
                        Rule::Role => assert!(giving.contains(permission), "{context}"),
                        Rule::NoRole => assert!(explanation.roles.is_empty(), "{context}"),
                        _ => {}
                    }
                    for tracker in (1..=3).map(TrackerId) {
                        let limit = explanation.trackers.as_ref();
                        let applies = limit.is_none_or(|limit| limit.contains(&tracker));
                        assert_eq!(
                            explanation.is_effective() && applies,
                            viewer.may_on(permission, project.id, tracker),
                            "{context}"
                        );
                    }
                }
            }
        }
    }
    assert_eq!(seen.len(), 8, "every rule occurs: {seen:?}");
}
