//! The plans of the statements that every page needs, with statistics: they use indexes, and read
//! neither all issues nor all journals.

use quarry::actions::ActionError;
use quarry::actions::administration::install;
use quarry::domain::access::viewer::Viewer;
use quarry::domain::access::visibility;
use quarry::domain::ids::IssueId;
use quarry::domain::query::columns::{Column, Criterion};
use quarry::domain::query::filter::Predicate;
use quarry::domain::query::issues::{Condition, Field};
use quarry::store::issues::{self, IssueQuery, journals};
use quarry::store::transaction::changes;
use quarry::store::{Server, Store, StoreError, StoreLocation};
use quarry_world::cluster::Cluster;
use quarry_world::user;

const RECORDS: &str = "
    INSERT INTO users (id, type, login, admin, created_on, updated_on)
        SELECT id, 'User', 'user' || id, CASE WHEN id = 1 THEN 1 ELSE 0 END, 0, 0 FROM generate_series(1, 50) id;
    INSERT INTO projects (id, name, identifier, created_on, updated_on) SELECT id, 'p' || id, 'p' || id, 0, 0 FROM generate_series(1, 20) id;
    INSERT INTO enabled_modules (project_id, name) SELECT id, 'issue_tracking' FROM projects;
    INSERT INTO issues (id, project_id, tracker_id, status_id, priority_id, author_id, subject, created_on, updated_on, description)
        SELECT id, id % 20 + 1, 1, id % 6 + 1, (SELECT MIN(id) FROM enumerations WHERE type = 'IssuePriority'), id % 50 + 1, 'issue ' || id,
               id * 1000, (id * 7919 % 20011) * 1000, repeat('text ', 60) FROM generate_series(1, 20000) id;
    INSERT INTO journals (issue_id, user_id, created_on, notes)
        SELECT id % 20000 + 1, id % 50 + 1, id, repeat('note ', 40) FROM generate_series(1, 60000) id;
    INSERT INTO journal_details (journal_id, property, name, old_value, new_value)
        SELECT id, 'attr', 'status_id', '1', '2' FROM journals WHERE id % 3 = 0;
    INSERT INTO changes (kind, id, seq) SELECT 0, id, id FROM generate_series(1, 20000) id;
    UPDATE counters SET value = value + 1 WHERE name = 'catalogue';
    ANALYZE";

/// A store on the shared cluster with 20,000 issues.
struct Records {
    cluster: &'static Cluster,
    database: String,
    folder: tempfile::TempDir,
}

impl Records {
    fn new() -> Option<Records> {
        let cluster = Cluster::shared()?;
        let records = Records {
            database: cluster.create_database(None),
            folder: tempfile::tempdir().unwrap(),
            cluster,
        };
        let store = records.open();
        store
            .write(|db| install::default_data(db).map(drop))
            .map_err(|error: ActionError| format!("{error:?}"))
            .unwrap();
        store.close();
        records.client().batch_execute(RECORDS).unwrap();
        Some(records)
    }

    fn open(&self) -> Store {
        let url = self.cluster.url(&self.database);
        Store::open_secondary(StoreLocation {
            folder: self.folder.path().to_owned(),
            server: Some(Server::parse(&url, None, 5).unwrap()),
            files: None,
            backs_up_before_upgrade: false,
        })
        .unwrap()
    }

    fn client(&self) -> postgres::Client {
        self.cluster.connect(&self.database).unwrap()
    }
}

impl Drop for Records {
    fn drop(&mut self) {
        self.cluster.drop_database(&self.database);
    }
}

fn plan(store: &Store, conditions: &[Condition], order: &[Criterion]) -> String {
    let plan: Result<Vec<String>, StoreError> = store.read(|db| {
        let viewer = Viewer::new(db.catalogue(), Some(user("admin")));
        let page = IssueQuery {
            viewer: &viewer,
            visible: visibility::issues(&viewer),
            project: None,
            conditions,
            order,
            offset: 0,
            limit: 25,
        };
        assert_eq!(issues::list(db, &page)?.len(), 25);
        issues::plan(db, &page)
    });
    plan.unwrap().join("\n")
}

fn by(column: Column, descending: bool) -> Vec<Criterion> {
    vec![Criterion { column, descending }]
}

#[track_caller]
fn assert_indexed(plan: &str) {
    assert!(
        plan.contains("Index")
            && !plan.contains("Seq Scan on issues")
            && !plan.contains("Seq Scan on journals"),
        "{plan}"
    );
}

#[test]
fn lists_of_issues_use_indexes() {
    let Some(records) = Records::new() else {
        return;
    };
    let store = records.open();
    let open = [Condition {
        field: Field::Status,
        predicate: Predicate::Open,
    }];
    for order in [
        by(Column::Id, true),
        by(Column::Id, false),
        by(Column::UpdatedOn, true),
        by(Column::CreatedOn, true),
    ] {
        assert_indexed(&plan(&store, &open, &order));
    }
    let by_updated_on = plan(&store, &open, &by(Column::UpdatedOn, true));
    assert!(
        by_updated_on.contains("issues_by_updated_on"),
        "{by_updated_on}"
    );
    let updated_by = [Condition {
        field: Field::UpdatedBy,
        predicate: Predicate::OneOf(vec![3]),
    }];
    assert_indexed(&plan(&store, &updated_by, &by(Column::UpdatedOn, true)));
    store.close();
}

#[test]
fn one_issue_its_history_and_recent_changes_are_read_by_indexes() {
    let Some(records) = Records::new() else {
        return;
    };
    // The server counts the scans of a connection when it is closed.
    let scans = || {
        let sql = "SELECT SUM(seq_scan)::BIGINT, SUM(idx_scan)::BIGINT FROM pg_stat_user_tables \
                   WHERE relname IN ('issues', 'journals', 'journal_details', 'changes')";
        let row = records.client().query_one(sql, &[]).unwrap();
        (row.get::<_, i64>(0), row.get::<_, i64>(1))
    };
    let before = scans();
    let store = records.open();
    store
        .read(|db| {
            for id in 1..=50 {
                assert!(issues::find_any(db, IssueId(id))?.is_some());
                assert_eq!(journals::list(db, IssueId(id))?.len(), 3);
            }
            assert_eq!(changes::after(db, 19_000, 100)?.len(), 100);
            Ok::<_, StoreError>(())
        })
        .unwrap();
    store.close();
    quarry_world::wait::until(quarry_world::wait::TIMEOUT, "the scans are counted", || {
        scans().1 >= before.1 + 101
    });
    assert_eq!(scans().0, before.0, "tables were read as a whole");
}
