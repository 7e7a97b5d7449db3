//! Members, versions and files of projects, which are not searched: who may list them, and which
//! roles members have.

use super::comparison::Comparison;
use super::oracle::Oracle;
use quarry::actions::ActionError;
use quarry::actions::accounts::memberships;
use quarry::actions::content::files;
use quarry::actions::projects::versions;
use quarry::domain::access::inheritance::roles_by_member;
use quarry::domain::access::membership::managed_roles;
use quarry::domain::access::permission::Permission;
use quarry::domain::access::viewer::Viewer;
use quarry::domain::ids::ProjectId;
use quarry::store::{Read, StoreError};
use std::collections::BTreeSet;

impl Comparison<'_> {
    pub fn compare_containers(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        oracle: &Oracle<'_>,
    ) -> Result<(), StoreError> {
        for project in self.catalogue.projects.keys().copied() {
            self.compare_members(viewer, oracle, project);
            let may = |permission| oracle.may(permission, project);
            let sees_files = may(Permission::ViewFiles) && may(Permission::ViewProject);
            let listed = [
                (
                    "members",
                    may(Permission::ViewMembers),
                    memberships::list(db, viewer, project).map(drop),
                ),
                (
                    "versions",
                    may(Permission::ViewIssues),
                    versions::list(self.catalogue, viewer, project).map(drop),
                ),
                (
                    "files",
                    sees_files,
                    files::list(db, viewer, project).map(drop),
                ),
            ];
            for (name, expected, outcome) in listed {
                let is_listed = match outcome {
                    Ok(()) => true,
                    Err(ActionError::Forbidden) => false,
                    Err(error) => panic!("{error}"),
                };
                let world = self.world;
                let user = self.user;
                assert_eq!(
                    is_listed, expected,
                    "world {world}, user {user:?}, project {project}: {name}"
                );
            }
        }
        for version in self.catalogue.versions.values() {
            let is_found = versions::find(self.catalogue, viewer, version.id).is_ok();
            assert_eq!(
                is_found,
                oracle.may(Permission::ViewIssues, version.project),
                "world {}, user {:?}",
                self.world,
                self.user
            );
        }
        Ok(())
    }

    /// The roles that memberships show are those that count, and nobody gives roles without the
    /// permission.
    fn compare_members(&self, viewer: &Viewer, oracle: &Oracle<'_>, project: ProjectId) {
        let expected: BTreeSet<i64> = oracle
            .member_roles(project)
            .into_iter()
            .map(|role| role.0)
            .collect();
        let shown = self
            .user
            .and_then(|user| roles_by_member(self.catalogue, project).remove(&user.into()))
            .unwrap_or_default();
        let shown: BTreeSet<i64> = shown.into_iter().map(|granted| granted.role.0).collect();
        assert_eq!(
            expected, shown,
            "world {}, user {:?}, project {project}: roles",
            self.world, self.user
        );
        if !oracle.is_admin() && !oracle.gives_by_role(Permission::ManageMembers, project) {
            assert!(
                managed_roles(self.catalogue, viewer, project).is_empty(),
                "world {}, user {:?}",
                self.world,
                self.user
            );
        }
    }
}
