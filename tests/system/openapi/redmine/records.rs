//! New records for each call, and the data that makes responses complete: custom fields, groups,
//! changesets.

use axum::http::Method;
use image::{DynamicImage, ImageFormat};
use quarry::domain::accounts::user::User;
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::{PrincipalId, ProjectId, UserId};
use quarry::domain::projects::changeset::Changeset;
use quarry::domain::projects::repository::Repository;
use quarry::store::accounts::users;
use quarry::store::projects::{changesets, repositories};
use quarry_world::{Client, DEVELOPER, MANAGER, Response, World, insert_group, user};
use serde_json::{Value, json};
use std::cell::{Cell, OnceCell};
use std::io::Cursor;

/// The changeset of the repository `main` of the project `open`.
pub const REVISION: &str = "abc1230000000000000000000000000000000001";

/// The builtin group of those who are no members.
pub const BUILTIN_GROUP: i64 = 7;

/// The types of records that have custom fields: each has a text and a list.
const CUSTOMIZED: [&str; 9] = [
    "issue",
    "project",
    "version",
    "user",
    "group",
    "time_entry",
    "issue_priority",
    "time_entry_activity",
    "document_category",
];

/// Returns the id of the list that a type of record has as custom field.
pub fn list_field(customized: &str) -> usize {
    2 * (CUSTOMIZED
        .iter()
        .position(|name| *name == customized)
        .unwrap()
        + 1)
}

/// Makes records in a world in which the compatibility switch is on and anonymous users may read.
pub struct Records<'w> {
    pub world: &'w World,
    last: Cell<i64>,
    viewer: Cell<&'static str>,
    pub(super) complete_issue: OnceCell<i64>,
    pub(super) complete_project: OnceCell<i64>,
}

impl<'w> Records<'w> {
    /// Prepares the world: `open` has a custom field of each type and a repository. bob has to
    /// change the password.
    pub fn new(world: &'w World) -> Self {
        world.set(Setting::RedmineCompatibility, "1");
        world.set(Setting::LoginRequired, "0");
        let records = Records {
            world,
            last: Cell::new(0),
            viewer: Cell::new("admin"),
            complete_issue: OnceCell::new(),
            complete_project: OnceCell::new(),
        };
        records.add_custom_fields();
        world.set(Setting::GravatarEnabled, "1");
        // Builtin groups and directories exist in imported data only. Pictures belong to addresses.
        world.sql(
            "INSERT INTO users (id, type, created_on, updated_on) VALUES (7, 'GroupNonMember', 0, 0), (8, 'GroupAnonymous', 0, 0);
             INSERT INTO auth_sources (id, type, name) VALUES (1, 'AuthSourceLdap', 'Directory');
             UPDATE users SET mail = login || '@example.net' WHERE type = 'User';
             UPDATE users SET auth_source_id = 1 WHERE login = 'admin';",
        );
        let now = world.app.clock.now();
        world.write(move |db| {
            users::set_must_change_password(db, user("bob"), true)?;
            let main = Repository {
                project: ProjectId(1),
                identifier: "main".to_owned(),
                scm: "Git".to_owned(),
                is_default: true,
                ..Repository::default()
            };
            let repository = repositories::insert(db, &main)?;
            let committer = "alice";
            let user = Some(user("alice"));
            changesets::insert(
                db,
                &Changeset {
                    repository,
                    revision: REVISION.to_owned(),
                    committer: committer.to_owned(),
                    user,
                    committed_on: now,
                    comments: "Fix".to_owned(),
                    ..Changeset::default()
                },
            )
            .map(drop)
        });
        records
    }

    fn add_custom_fields(&self) {
        for customized in CUSTOMIZED {
            let mut text = json!({"customized_type": customized, "field_format": "string", "name": "Text", "is_filter": true});
            let mut list = json!({
                "customized_type": customized, "field_format": "list", "name": "List", "possible_values": ["a", "b"], "multiple": true,
            });
            for fields in [&mut text, &mut list]
                .into_iter()
                .filter(|_| customized == "issue")
            {
                fields["is_for_all"] = json!(true);
                fields["tracker_ids"] = json!([1, 2, 3]);
            }
            self.id_of_new("/custom_fields", "custom_field", text);
            self.id_of_new("/custom_fields", "custom_field", list);
        }
        // In some projects only, for managers only.
        let limited = json!({
            "customized_type": "issue", "field_format": "date", "name": "Limited", "visible": false, "role_ids": [3], "project_ids": [1],
            "tracker_ids": [1],
        });
        self.id_of_new("/custom_fields", "custom_field", limited);
    }

    fn admin(&self) -> Client<'w> {
        self.world.as_user("admin")
    }

    /// Sets who will send the next request, and owns the uploads for it. Without a login, the
    /// administrator.
    pub fn set_viewer(&self, login: Option<&'static str>) {
        self.viewer.set(login.unwrap_or("admin"));
    }

    /// Returns a number that no other record of this world has in its name.
    pub fn number(&self) -> i64 {
        self.last.set(self.last.get() + 1);
        self.last.get()
    }

    /// Returns a name that no other record of this world has.
    pub fn name(&self, prefix: &str) -> String {
        format!("{prefix}-{}", self.number())
    }

    /// Creates a record as administrator and returns it.
    fn create(&self, path: &str, object: &str, fields: Value) -> Value {
        self.admin()
            .post(&format!("{path}.json"), json!({ object: fields }))
            .assert_status(201)
            .json()[object]
            .clone()
    }

    /// Like [`Records::create`], returns the id.
    fn id_of_new(&self, path: &str, object: &str, fields: Value) -> i64 {
        self.create(path, object, fields)["id"].as_i64().unwrap()
    }

    /// A public project; alice manages it, carol is a developer.
    pub fn project(&self) -> i64 {
        self.world
            .project(&self.name("project"))
            .member("alice", MANAGER)
            .member("carol", DEVELOPER)
            .create()
            .0
    }

    /// An issue by alice in `open`.
    pub fn issue(&self) -> i64 {
        self.world.issue("open").create()
    }

    /// A version of `open`.
    pub fn version(&self) -> i64 {
        self.id_of_new(
            "/projects/open/versions",
            "version",
            json!({"name": self.name("version")}),
        )
    }

    /// A category of issues of `open`.
    pub fn category(&self) -> i64 {
        self.id_of_new(
            "/projects/open/issue_categories",
            "issue_category",
            json!({"name": self.name("category"), "assigned_to_id": 2}),
        )
    }

    /// A time entry of alice on a new issue.
    pub fn time_entry(&self) -> i64 {
        let entry =
            json!({"issue_id": self.issue(), "hours": 1.5, "activity_id": 8, "comments": "Drawn"});
        let created = self
            .world
            .as_user("alice")
            .post("/time_entries.json", json!({ "time_entry": entry }));
        created.assert_status(201).integer("/time_entry/id")
    }

    /// News of `open`, with a comment.
    pub fn news(&self) -> i64 {
        let fields = json!({"title": self.name("news"), "summary": "In short", "description": "Something happened", "uploads": [self.uploaded()]});
        self.admin()
            .post("/projects/open/news.json", json!({ "news": fields }))
            .assert_status(204);
        let id = self
            .admin()
            .get("/projects/open/news.json?limit=1")
            .integer("/news/0/id");
        let comment = json!({"comment": {"content": "Well done"}});
        self.admin()
            .post(&format!("/news/{id}/comments.json"), comment)
            .assert_status(201);
        id
    }

    /// A relation between two new issues.
    pub fn relation(&self) -> i64 {
        let fields = json!({"issue_to_id": self.issue(), "relation_type": "precedes", "delay": 1});
        self.id_of_new(
            &format!("/issues/{}/relations", self.issue()),
            "relation",
            fields,
        )
    }

    fn put_wiki_page(&self, title: &str, page: Value) -> Response {
        self.admin().put(
            &format!("/projects/open/wiki/{title}.json"),
            json!({ "wiki_page": page }),
        )
    }

    /// A wiki page of `open` with two versions and a parent.
    pub fn wiki_page(&self) -> String {
        let title = self.name("Page");
        let _ = self.put_wiki_page("Wiki", json!({"text": "Start"}));
        self.put_wiki_page(&title, json!({"text": "One", "parent_title": "Wiki"}))
            .assert_status(201);
        self.put_wiki_page(
            &title,
            json!({"text": "Two", "comments": "More", "uploads": [self.uploaded()]}),
        )
        .assert_status(204);
        title
    }

    /// The token of a new upload of the viewer.
    pub fn token(&self) -> String {
        self.token_of(self.viewer.get())
    }

    fn token_of(&self, login: &str) -> String {
        let mut png = Vec::new();
        DynamicImage::new_rgb8(2, 2)
            .write_to(&mut Cursor::new(&mut png), ImageFormat::Png)
            .unwrap();
        let path = format!("/uploads.json?filename=file{}.png", self.number());
        let response = self
            .world
            .as_user(login)
            .send(Method::POST, &path, Some("application/octet-stream"), png)
            .assert_status(201);
        response
            .json_path("/upload/token")
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// The object in `uploads` for a new file.
    pub fn uploaded(&self) -> Value {
        json!({"token": self.token_of("admin"), "description": "A picture", "content_type": "image/png"})
    }

    /// A file of a new issue, with its name.
    pub fn attachment(&self) -> (i64, String) {
        let issue = self.create(
            "/issues",
            "issue",
            json!({"project_id": "open", "subject": "With a file", "uploads": [self.uploaded()]}),
        );
        let shown = self
            .admin()
            .get(&format!("/issues/{}.json?include=attachments", issue["id"]))
            .assert_status(200);
        let name = shown
            .json_path("/issue/attachments/0/filename")
            .as_str()
            .unwrap()
            .to_owned();
        (shown.integer("/issue/attachments/0/id"), name)
    }

    /// A file of `open`, one of a version or the project.
    pub fn file(&self) {
        let fields = json!({"token": self.token_of("admin"), "version_id": self.version(), "description": "The release"});
        self.admin()
            .post("/projects/open/files.json", json!({ "file": fields }))
            .assert_status(204);
    }

    /// An active user without a password.
    pub fn user(&self) -> i64 {
        let login = self.name("user");
        let now = self.world.app.clock.now();
        let id = self.world.write(move |db| {
            let user = User {
                login,
                firstname: "New".to_owned(),
                lastname: "Tester".to_owned(),
                mail: "new@example.net".to_owned(),
                hides_mail: true,
                created_on: now,
                updated_on: now,
                ..User::default()
            };
            users::insert(db, &user, "")
        });
        id.0
    }

    /// A group with carol and a membership in `open`.
    pub fn group(&self) -> i64 {
        self.group_of(&[user("carol")]).0
    }

    /// A group of these users with a membership in `open`: the ids of both.
    pub fn group_of(&self, members: &[UserId]) -> (i64, i64) {
        let name = self.name("group");
        let now = self.world.app.clock.now();
        let members = members.to_vec();
        let PrincipalId(group) = self
            .world
            .write(move |db| insert_group(db, &name, &members, now));
        (
            group,
            self.id_of_new(
                "/projects/open/memberships",
                "membership",
                json!({"user_id": group, "role_ids": [5]}),
            ),
        )
    }

    /// A user who has a membership in `open` through a group: the ids of both.
    pub fn group_member(&self) -> (i64, i64) {
        let user = self.user();
        self.group_of(&[UserId(user)]);
        let shown = self
            .admin()
            .get(&format!("/users/{user}.json?include=memberships"))
            .assert_status(200);
        (user, shown.integer("/user/memberships/0/id"))
    }

    /// The membership of a new user in `open`.
    pub fn membership(&self) -> i64 {
        self.id_of_new(
            "/projects/open/memberships",
            "membership",
            json!({"user_id": self.user(), "role_ids": [4, 5]}),
        )
    }

    /// A note of alice on a new issue.
    pub fn journal(&self) -> i64 {
        let path = format!("/issues/{}.json", self.issue());
        self.world
            .as_user("alice")
            .put(&path, json!({"issue": {"notes": "A note"}}))
            .assert_status(204);
        self.admin()
            .get(&path.replace(".json", ".json?include=journals"))
            .integer("/issue/journals/0/id")
    }
}
