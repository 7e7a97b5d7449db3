//! Migrations of the schema. A released migration is never edited; changes are new files.

/// The migrations in their order. The version of a database is the number of applied migrations.
pub const ALL: &[&str] = &[
    include_str!("0001_records.sql"),
    include_str!("0002_moved_in.sql"),
    include_str!("0003_contents.sql"),
    include_str!("0004_references.sql"),
    include_str!("0005_time_entries.sql"),
    include_str!("0006_totals.sql"),
    include_str!("0007_histories.sql"),
    include_str!("0008_sessions.sql"),
    include_str!("0009_oauth.sql"),
    include_str!("0010_order_of_permissions.sql"),
    include_str!("0011_changesets.sql"),
    include_str!("0012_null_texts_and_members.sql"),
    include_str!("0013_order_of_member_roles.sql"),
    include_str!("0014_sessions_of_older_passwords.sql"),
];

#[cfg(test)]
mod tests {
    use super::ALL;
    use crate::store::engine::Connection;

    #[test]
    fn sessions_older_than_the_password_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let mut connection = Connection::open_writer(&path).unwrap();
        connection.migrate(&path, &ALL[..13]).unwrap();
        for statement in [
            "INSERT INTO users (id, type, login, created_on, updated_on, passwd_changed_on) VALUES (1, 'User', 'a', 0, 0, 50), (2, 'User', 'b', 0, 0, NULL)",
            "INSERT INTO sessions (id, token_digest, user_id, step, is_persistent, created_on, used_on, expires_on, address, user_agent) \
             VALUES (1, 'a', 1, 0, 0, 40, 60, 99, '', ''), (2, 'b', 1, 0, 0, 50, 60, 99, '', ''), (3, 'c', 2, 0, 0, 10, 10, 99, '', '')",
        ] {
            connection.execute(statement, &[]).unwrap();
        }
        connection.migrate(&path, ALL).unwrap();
        assert_eq!(
            connection
                .execute("DELETE FROM sessions WHERE id = 1", &[])
                .unwrap(),
            0
        );
        assert_eq!(
            connection
                .execute("DELETE FROM sessions WHERE id IN (2, 3)", &[])
                .unwrap(),
            2
        );
    }

    #[test]
    fn texts_that_become_nullable_keep_their_values() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let mut connection = Connection::open_writer(&path).unwrap();
        connection.migrate(&path, &ALL[..11]).unwrap();
        for statement in [
            "INSERT INTO users (id, type, created_on, updated_on) VALUES (1, 'User', 0, 0)",
            "INSERT INTO enumerations (id, type, name, position) VALUES (1, 'DocumentCategory', 'a', 1)",
            "INSERT INTO projects (id, name, identifier, homepage, created_on, updated_on) VALUES (1, 'a', 'a', 'http://a', 0, 0)",
            "INSERT INTO projects (id, name, identifier, parent_id, created_on, updated_on) VALUES (2, 'b', 'b', 1, 0, 0)",
            "INSERT INTO news (project_id, author_id, title, summary, created_on) VALUES (1, 1, 'a', 'soon', 0)",
            "INSERT INTO versions (project_id, name, description, created_on) VALUES (1, 'a', 'first', 0)",
            "INSERT INTO documents (project_id, category_id, title, description, created_on) VALUES (1, 1, 'a', 'plan', 0)",
            "INSERT INTO attachments (filename, description, author_id, created_on) VALUES ('a', 'log', 1, 0)",
        ] {
            connection.execute(statement, &[]).unwrap();
        }
        connection.migrate(&path, ALL).unwrap();
        for (column, table, value) in [
            ("homepage", "projects", "http://a"),
            ("summary", "news", "soon"),
            ("description", "versions", "first"),
            ("description", "documents", "plan"),
            ("description", "attachments", "log"),
        ] {
            let sql = format!("UPDATE {table} SET {column} = NULL WHERE {column} = ?1");
            assert_eq!(
                connection.execute(&sql, &[value.into()]).unwrap(),
                1,
                "{table}"
            );
        }
        assert_eq!(
            connection
                .execute(
                    "UPDATE projects SET homepage = NULL WHERE homepage = ''",
                    &[]
                )
                .unwrap(),
            1
        );
    }
}
