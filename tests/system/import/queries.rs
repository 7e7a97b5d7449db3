//! Saved queries of an import.

use super::loader::copy;
use quarry::domain::ids::ProjectId;
use quarry::domain::query::saved::QueryKind;
use quarry::store::StoreError;
use quarry::store::lists::queries;
use quarry_world::World;
use quarry_world::process::message;
use quarry_world::redmine_import::import;

#[test]
fn queries_of_plugins_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let source = tempfile::tempdir().unwrap();
    let (database, redmine) = copy(source.path());
    redmine
        .execute_batch(
            "UPDATE queries SET type = 'SearchQuery', visibility = 2, project_id = NULL;
             UPDATE projects SET default_issue_query_id = (SELECT MIN(id) FROM queries) WHERE id = 1;",
        )
        .unwrap();
    message(&import(folder.path(), &database, &[]));
    let world = World::over(folder);
    let searches = world
        .app
        .read(|db| queries::list(db, QueryKind::Searches, None));
    assert!(searches.unwrap().is_empty());
    let default = world.app.read(|db| -> Result<_, StoreError> {
        Ok(db.catalogue().projects[&ProjectId(1)].default_query)
    });
    assert_eq!(default.unwrap(), None);
}
