//! Records with everything that the description knows, and records that cannot be deleted.

use super::records::{REVISION, Records};
use serde_json::{Value, json};

impl Records<'_> {
    /// The fields of an issue in `open` with all values that a request can set.
    pub fn issue_with_everything(&self) -> Value {
        json!({"issue": {
            "project_id": 1, "tracker_id": 2, "status_id": 1, "priority_id": 2, "subject": "Everything", "description": "Text",
            "start_date": "2026-11-20", "due_date": "2026-12-24", "done_ratio": 30, "category_id": self.category(),
            "fixed_version_id": self.version(), "assigned_to_id": 2, "parent_issue_id": self.issue(), "is_private": false,
            "estimated_hours": 2.5, "custom_fields": [{"id": 1, "value": "x"}, {"id": 2, "value": ["a", "b"]}],
            "watcher_user_ids": [2, 4], "uploads": [self.uploaded()],
        }})
    }

    /// An issue with a parent and subtasks, files, relations, a changeset, a history and watchers.
    /// The same one each time.
    pub fn complete_issue(&self) -> i64 {
        *self.complete_issue.get_or_init(|| {
            let admin = self.world.as_user("admin");
            let id = admin.post("/issues.json", self.issue_with_everything()).assert_status(201).integer("/issue/id");
            let child = self.world.issue("open").parent(id).create();
            self.world.issue("open").parent(child).create();
            let relation = json!({"relation": {"issue_to_id": self.issue(), "relation_type": "precedes", "delay": 1}});
            admin.post(&format!("/issues/{id}/relations.json"), relation).assert_status(201);
            let path = format!("/projects/open/repository/main/revisions/{REVISION}/issues.json");
            admin.post(&path, json!({"issue_id": id})).assert_status(204);
            let changes = [
                json!({"notes": "A note", "subject": "Everything else", "assigned_to_id": "", "custom_field_values": {"1": "", "2": ["b"]}}),
                json!({"notes": "Not for all", "private_notes": true, "uploads": [self.uploaded()]}),
                json!({"assigned_to_id": 2, "parent_issue_id": self.issue()}),
            ];
            for issue in changes {
                admin.put(&format!("/issues/{id}.json"), json!({ "issue": issue })).assert_status(204);
            }
            let time = json!({"time_entry": {"issue_id": id, "hours": 1, "activity_id": 8}});
            admin.post("/time_entries.json", time).assert_status(201);
            let journal = admin.get(&format!("/issues/{id}.json?include=journals")).assert_status(200).integer("/issue/journals/0/id");
            admin.put(&format!("/journals/{journal}.json"), json!({"journal": {"notes": "A better note"}})).assert_status(204);
            id
        })
    }

    /// A project below `open` with a default version, a default assignee, categories and values of
    /// custom fields. The same one each time.
    pub fn complete_project(&self) -> i64 {
        *self.complete_project.get_or_init(|| {
            let admin = self.world.as_user("admin");
            let name = self.name("complete");
            let fields = json!({"project": {
                "name": name, "identifier": name, "description": "Text", "homepage": "http://example.net", "parent_id": 1, "inherit_members": true,
                "tracker_ids": [1, 2], "issue_custom_field_ids": [19], "custom_fields": [{"id": 3, "value": "x"}, {"id": 4, "value": ["a"]}],
            }});
            let id = admin.post("/projects.json", fields).assert_status(201).integer("/project/id");
            let version = json!({"version": {"name": "1.0", "default_project_version": true}});
            admin.post(&format!("/projects/{id}/versions.json"), version).assert_status(201);
            let category = json!({"issue_category": {"name": "Here"}});
            admin.post(&format!("/projects/{id}/issue_categories.json"), category).assert_status(201);
            admin.put(&format!("/projects/{id}.json"), json!({"project": {"default_assigned_to_id": 2}})).assert_status(204);
            id
        })
    }

    /// A project whose version is the target of an issue in `open`, so that it cannot be archived.
    pub fn project_with_version_in_use(&self) -> i64 {
        let project = self.project();
        let admin = self.world.as_user("admin");
        let version = json!({"version": {"name": "1.0", "sharing": "system"}});
        let version = admin
            .post(&format!("/projects/{project}/versions.json"), version)
            .assert_status(201)
            .integer("/version/id");
        self.world
            .issue("open")
            .author("admin")
            .field("fixed_version_id", version)
            .create();
        project
    }

    /// A version of `open` that is the target of an issue, so that it cannot be deleted.
    pub fn version_in_use(&self) -> i64 {
        let version = self.version();
        self.world
            .issue("open")
            .field("fixed_version_id", version)
            .create();
        version
    }

    /// Two saved queries that everybody may use, one of them in `open`.
    pub fn query(&self) {
        self.world.sql(
            "INSERT INTO queries (type, name, user_id, visibility, project_id) VALUES
             ('IssueQuery', 'Everywhere', 2, 2, NULL), ('IssueQuery', 'Here', 2, 2, 1);",
        );
    }
}
