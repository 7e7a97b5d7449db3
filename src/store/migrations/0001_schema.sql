-- Version 1 of the schema.
--
-- Most tables and columns that Redmine has as well have its names. Times are microseconds since 1970
-- in UTC, dates are YYYY-MM-DD, and booleans are 0 or 1, unless a comment says otherwise. {id} is a
-- primary key whose values are never reused.
--
-- Endings of column names:
--   _json     an object or array, which Redmine stores as YAML
--   _sealed   encrypted with the key in the file `secret`
--   _digest   a keyed digest of a key, code or token: enough to find it, but not to reveal it
--
-- A table refers to tables above it; two references to a table below it are added there. Columns
-- are in the order of the structs in `domain` and `store`, except that long texts are last: SQLite
-- then reads the other columns without the overflow pages of the text.
--
-- Sections: store, users, OAuth, roles, projects, trackers and workflow, versions and categories,
-- issues, time entries, news and documents, wikis, forums, repositories, queries, custom fields,
-- records of any type, import.


-- === Store ===

-- The last change of each searchable record, by content type (`domain::index_feed::kind`) and id.
-- The search index and the caches follow these changes. The row of a deleted record stays, so that
-- it is deleted from the index as well.
CREATE TABLE changes (
    kind BIGINT NOT NULL,
    id BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE UNIQUE INDEX changes_by_seq ON changes (seq);

-- `change` is the last sequence number in `changes`. `catalogue` is the version of the catalogue:
-- every change of something that is kept in memory (users, rights, projects, settings) increments
-- it in the same transaction.
CREATE TABLE counters (
    name TEXT PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO counters (name, value) VALUES ('change', 0), ('catalogue', 1);

-- The epochs into which the changes are divided. Opening the store starts one, with the next
-- sequence number and a random token. Two copies of a store give the same sequence number to
-- different changes, but in epochs with different tokens. The search index records the token of its
-- last change, so it never mistakes the changes of a copy or of a restored backup for its own.
CREATE TABLE epochs (
    first_change BIGINT NOT NULL,
    token TEXT PRIMARY KEY
);

-- Settings that were set. The others have the defaults in `domain::administration::setting`.
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);


-- === Users ===

-- LDAP directories, as imported. They are not used to authenticate.
CREATE TABLE auth_sources (
    id {id},
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    host TEXT,
    port BIGINT,
    account TEXT,
    account_password_sealed TEXT,
    base_dn TEXT,
    attr_login TEXT,
    attr_firstname TEXT,
    attr_lastname TEXT,
    attr_mail TEXT,
    onthefly_register BIGINT NOT NULL DEFAULT 0,
    tls BIGINT NOT NULL DEFAULT 0,
    verify_peer BIGINT NOT NULL DEFAULT 1,
    filter TEXT,
    timeout BIGINT
);

-- Users (`User`), groups (`Group`) and the builtin principals of Redmine (`AnonymousUser`,
-- `GroupAnonymous`, `GroupNonMember`), which share one id space. Logins of users are unique without
-- regard to case. The name of a group is in `lastname`.
CREATE TABLE users (
    id {id},
    type TEXT NOT NULL,
    login TEXT NOT NULL DEFAULT '',
    firstname TEXT NOT NULL DEFAULT '',
    lastname TEXT NOT NULL DEFAULT '',
    -- The default mail address.
    mail TEXT NOT NULL DEFAULT '',
    hides_mail BIGINT NOT NULL DEFAULT 1,
    admin BIGINT NOT NULL DEFAULT 0,
    status BIGINT NOT NULL DEFAULT 1,
    created_on BIGINT NOT NULL,
    updated_on BIGINT NOT NULL,
    last_login_on BIGINT,
    passwd_changed_on BIGINT,
    -- Null or empty for users without a second factor.
    twofa_scheme TEXT,
    must_change_passwd BIGINT NOT NULL DEFAULT 0,
    language TEXT NOT NULL DEFAULT '',
    time_zone TEXT NOT NULL DEFAULT '',
    mail_notification TEXT NOT NULL DEFAULT '',
    preferences_json TEXT,
    auth_source_id BIGINT,
    -- Argon2, also of the SHA-1 hashes that were imported; empty without a password.
    password_hash TEXT NOT NULL DEFAULT '',
    api_key_digest TEXT,
    api_key_sealed TEXT,
    twofa_totp_key_sealed TEXT,
    -- The time of the last used code, in seconds. Codes up to it are refused.
    twofa_totp_last_used_at BIGINT,
    -- For a group: whether its users need a second factor.
    twofa_required BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX users_by_login ON users (lower(login)) WHERE type = 'User';
CREATE UNIQUE INDEX users_by_api_key ON users (api_key_digest);

-- The users of each group.
CREATE TABLE group_users (
    group_id BIGINT NOT NULL REFERENCES users (id),
    user_id BIGINT NOT NULL REFERENCES users (id),
    PRIMARY KEY (group_id, user_id)
);

-- Further mail addresses of users. The default address is in `users.mail`; an imported one has a
-- row here as well, with `is_default`, which lists skip.
CREATE TABLE email_addresses (
    id {id},
    user_id BIGINT NOT NULL REFERENCES users (id),
    address TEXT NOT NULL,
    is_default BIGINT NOT NULL DEFAULT 0,
    notify BIGINT NOT NULL DEFAULT 1,
    created_on BIGINT NOT NULL,
    updated_on BIGINT NOT NULL
);
CREATE INDEX email_addresses_by_user ON email_addresses (user_id);

-- Logins of browsers, each with a token in a cookie. A session authenticates its user only when no
-- step is left (`domain::session`). A new password deletes the sessions of its user.
CREATE TABLE sessions (
    id {id},
    token_digest TEXT NOT NULL UNIQUE,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    step BIGINT NOT NULL,
    is_persistent BIGINT NOT NULL,
    created_on BIGINT NOT NULL,
    used_on BIGINT NOT NULL,
    expires_on BIGINT NOT NULL,
    address TEXT NOT NULL,
    user_agent TEXT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id, id);
CREATE INDEX sessions_by_expiry ON sessions (expires_on);

-- Codes that replace the second factor of a user. Using a code deletes it.
CREATE TABLE recovery_codes (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    code_digest TEXT NOT NULL,
    PRIMARY KEY (user_id, code_digest)
);


-- === OAuth ===

-- Applications that may ask users for access. A public application has no secret.
CREATE TABLE oauth_applications (
    id {id},
    client_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,
    scopes TEXT NOT NULL,
    secret_digest TEXT,
    created_on BIGINT NOT NULL
);

-- What users have allowed applications, with the authorization code, which is valid once.
CREATE TABLE oauth_grants (
    id {id},
    application_id BIGINT NOT NULL REFERENCES oauth_applications (id) ON DELETE CASCADE,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    scopes TEXT NOT NULL,
    created_on BIGINT NOT NULL,
    used_on BIGINT NOT NULL,
    code_digest TEXT NOT NULL UNIQUE,
    code_expires_on BIGINT NOT NULL,
    code_is_used BIGINT NOT NULL,
    redirect_uri TEXT,
    code_challenge TEXT
);
CREATE INDEX oauth_grants_by_user ON oauth_grants (user_id, application_id, id);
CREATE INDEX oauth_grants_by_application ON oauth_grants (application_id, id);

-- Pairs of an access token and a refresh token. The pair stays after it was refreshed, so that a
-- second use of the refresh token is detected.
CREATE TABLE oauth_tokens (
    id {id},
    grant_id BIGINT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
    access_digest TEXT NOT NULL UNIQUE,
    refresh_digest TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    created_on BIGINT NOT NULL,
    expires_on BIGINT NOT NULL,
    refresh_expires_on BIGINT NOT NULL,
    is_refreshed BIGINT NOT NULL
);
CREATE INDEX oauth_tokens_by_grant ON oauth_tokens (grant_id, id);
CREATE INDEX oauth_tokens_by_expiry ON oauth_tokens (refresh_expires_on);


-- === Roles ===

-- Roles. Builtin ones (`builtin` is not 0) are never assigned; they apply automatically.
CREATE TABLE roles (
    id {id},
    name TEXT NOT NULL UNIQUE,
    position BIGINT NOT NULL,
    builtin BIGINT NOT NULL DEFAULT 0,
    assignable BIGINT NOT NULL DEFAULT 1,
    -- Whether the role manages the members of all roles, or only of those in `roles_managed_roles`.
    all_roles_managed BIGINT NOT NULL DEFAULT 1,
    -- The trackers to which permissions are limited.
    settings_json TEXT,
    issues_visibility TEXT NOT NULL DEFAULT 'default',
    time_entries_visibility TEXT NOT NULL DEFAULT 'all',
    users_visibility TEXT NOT NULL DEFAULT 'all',
    default_time_entry_activity_id BIGINT
);

-- The permissions of each role, in the order in which they are listed. Unknown names are ignored.
CREATE TABLE role_permissions (
    role_id BIGINT NOT NULL REFERENCES roles (id),
    name TEXT NOT NULL,
    position BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (role_id, name)
);

-- The roles whose members a role manages, unless it manages those of all.
CREATE TABLE roles_managed_roles (
    role_id BIGINT NOT NULL REFERENCES roles (id),
    managed_role_id BIGINT NOT NULL REFERENCES roles (id),
    PRIMARY KEY (role_id, managed_role_id)
);


-- === Projects ===

-- Projects. The parents form a tree; no project is its own ancestor.
CREATE TABLE projects (
    id {id},
    name TEXT NOT NULL,
    identifier TEXT NOT NULL UNIQUE,
    description TEXT,
    homepage TEXT DEFAULT '',
    parent_id BIGINT REFERENCES projects (id),
    is_public BIGINT NOT NULL DEFAULT 1,
    inherit_members BIGINT NOT NULL DEFAULT 0,
    status BIGINT NOT NULL DEFAULT 1,
    default_assigned_to_id BIGINT REFERENCES users (id),
    default_issue_query_id BIGINT,
    created_on BIGINT NOT NULL,
    updated_on BIGINT NOT NULL
);
CREATE INDEX projects_by_parent ON projects (parent_id) WHERE parent_id IS NOT NULL;

-- The enabled modules of each project. Unknown names are ignored.
CREATE TABLE enabled_modules (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    UNIQUE (project_id, name)
);

-- The projects that users have bookmarked.
CREATE TABLE bookmarks (
    user_id BIGINT NOT NULL REFERENCES users (id),
    project_id BIGINT NOT NULL REFERENCES projects (id),
    PRIMARY KEY (user_id, project_id)
);

-- Memberships of users and groups in projects. Those whose roles are all inherited have a row as
-- well, so that every membership has an id.
CREATE TABLE members (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    user_id BIGINT NOT NULL REFERENCES users (id),
    created_on BIGINT NOT NULL,
    mail_notification BIGINT NOT NULL DEFAULT 0,
    UNIQUE (project_id, user_id)
);
CREATE INDEX members_by_user ON members (user_id);

-- The roles of memberships, without inherited ones, which are computed when they are needed. A role
-- that was added later, to any membership, has a larger position.
CREATE TABLE member_roles (
    member_id BIGINT NOT NULL REFERENCES members (id),
    role_id BIGINT NOT NULL REFERENCES roles (id),
    position BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (member_id, role_id)
);
CREATE INDEX member_roles_by_position ON member_roles (position);

-- Inherited roles as the source had computed them. They grant nothing; their ids tell in which
-- order the roles of a membership are listed.
CREATE TABLE inherited_member_roles (
    id {id},
    member_id BIGINT NOT NULL REFERENCES members (id),
    role_id BIGINT NOT NULL REFERENCES roles (id),
    inherited_from BIGINT NOT NULL
);
CREATE INDEX inherited_member_roles_by_member ON inherited_member_roles (member_id);


-- === Trackers and workflow ===

-- Priorities of issues (`IssuePriority`), activities of time entries (`TimeEntryActivity`) and
-- categories of documents (`DocumentCategory`). An activity with a project replaces its parent
-- there.
CREATE TABLE enumerations (
    id {id},
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    position BIGINT NOT NULL,
    is_default BIGINT NOT NULL DEFAULT 0,
    active BIGINT NOT NULL DEFAULT 1,
    project_id BIGINT REFERENCES projects (id),
    parent_id BIGINT REFERENCES enumerations (id),
    position_name TEXT
);

-- Statuses of issues.
CREATE TABLE issue_statuses (
    id {id},
    name TEXT NOT NULL,
    position BIGINT NOT NULL,
    is_closed BIGINT NOT NULL DEFAULT 0,
    default_done_ratio BIGINT,
    description TEXT
);

-- Trackers: the types of issues.
CREATE TABLE trackers (
    id {id},
    name TEXT NOT NULL,
    description TEXT,
    position BIGINT NOT NULL,
    default_status_id BIGINT NOT NULL REFERENCES issue_statuses (id),
    -- One bit for each core field that is disabled.
    fields_bits BIGINT NOT NULL DEFAULT 0,
    is_in_roadmap BIGINT NOT NULL DEFAULT 1,
    private_by_default BIGINT NOT NULL DEFAULT 0
);

-- The trackers of each project.
CREATE TABLE project_trackers (
    project_id BIGINT NOT NULL REFERENCES projects (id),
    tracker_id BIGINT NOT NULL REFERENCES trackers (id),
    PRIMARY KEY (project_id, tracker_id)
);

-- Permitted changes of status: for everybody with the role, or only for the author or the assignee
-- of the issue. `old_status_id` is 0 for a new issue.
CREATE TABLE workflow_transitions (
    tracker_id BIGINT NOT NULL REFERENCES trackers (id),
    role_id BIGINT NOT NULL REFERENCES roles (id),
    old_status_id BIGINT NOT NULL,
    new_status_id BIGINT NOT NULL REFERENCES issue_statuses (id),
    author BIGINT NOT NULL DEFAULT 0,
    assignee BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (tracker_id, role_id, old_status_id, new_status_id, author, assignee)
);

-- Fields that are read-only or required for a role in a status. Other rules are ignored.
CREATE TABLE workflow_permissions (
    tracker_id BIGINT NOT NULL REFERENCES trackers (id),
    role_id BIGINT NOT NULL REFERENCES roles (id),
    old_status_id BIGINT NOT NULL,
    field_name TEXT NOT NULL,
    rule TEXT NOT NULL,
    PRIMARY KEY (tracker_id, role_id, old_status_id, field_name)
);


-- === Versions and categories ===

-- Versions of projects: targets of issues. `sharing` tells which other projects may use them.
CREATE TABLE versions (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'open',
    sharing TEXT NOT NULL DEFAULT 'none',
    due_date TEXT,
    description TEXT DEFAULT '',
    wiki_page_title TEXT,
    created_on BIGINT NOT NULL,
    updated_on BIGINT
);
CREATE INDEX versions_by_project ON versions (project_id);
ALTER TABLE projects ADD COLUMN default_version_id BIGINT REFERENCES versions (id);

-- Categories of issues, with the assignee of new issues.
CREATE TABLE issue_categories (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    assigned_to_id BIGINT REFERENCES users (id)
);


-- === Issues ===

-- Issues. No issue is its own ancestor. `lock_version` increases with every update, so that an
-- update based on an older version is detected.
--
-- The indexes by project, author and assignee contain every column that decides whether a viewer
-- may see an issue, so that lists and totals do not read the issues that they skip.
CREATE TABLE issues (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    tracker_id BIGINT NOT NULL REFERENCES trackers (id),
    status_id BIGINT NOT NULL REFERENCES issue_statuses (id),
    priority_id BIGINT NOT NULL REFERENCES enumerations (id),
    author_id BIGINT NOT NULL REFERENCES users (id),
    assigned_to_id BIGINT REFERENCES users (id),
    category_id BIGINT REFERENCES issue_categories (id),
    fixed_version_id BIGINT REFERENCES versions (id),
    parent_id BIGINT REFERENCES issues (id),
    subject TEXT NOT NULL,
    is_private BIGINT NOT NULL DEFAULT 0,
    start_date TEXT,
    due_date TEXT,
    done_ratio BIGINT NOT NULL DEFAULT 0,
    estimated_hours DOUBLE PRECISION,
    created_on BIGINT NOT NULL,
    updated_on BIGINT NOT NULL,
    closed_on BIGINT,
    lock_version BIGINT NOT NULL DEFAULT 0,
    description TEXT
);
CREATE INDEX issues_by_updated_on ON issues (updated_on, id);
CREATE INDEX issues_by_created_on ON issues (created_on, id);
CREATE INDEX issues_by_parent ON issues (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX issues_by_version ON issues (fixed_version_id) WHERE fixed_version_id IS NOT NULL;
CREATE INDEX issues_by_category ON issues (category_id) WHERE category_id IS NOT NULL;
CREATE INDEX issues_by_project
    ON issues (project_id, status_id, id, is_private, author_id, assigned_to_id);
CREATE INDEX issues_by_author ON issues (author_id, id, project_id, status_id, is_private);
CREATE INDEX issues_by_assignee
    ON issues (assigned_to_id, id, project_id, status_id, is_private)
    WHERE assigned_to_id IS NOT NULL;

-- Relations between issues. `delay` is the number of days between an issue and one that follows it.
CREATE TABLE issue_relations (
    id {id},
    issue_from_id BIGINT NOT NULL REFERENCES issues (id),
    issue_to_id BIGINT NOT NULL REFERENCES issues (id),
    relation_type TEXT NOT NULL,
    delay BIGINT
);
CREATE INDEX issue_relations_by_from ON issue_relations (issue_from_id);
CREATE INDEX issue_relations_by_to ON issue_relations (issue_to_id);

-- The history of each issue: who changed what, with notes.
CREATE TABLE journals (
    id {id},
    issue_id BIGINT NOT NULL REFERENCES issues (id),
    user_id BIGINT NOT NULL REFERENCES users (id),
    private_notes BIGINT NOT NULL DEFAULT 0,
    created_on BIGINT NOT NULL,
    updated_on BIGINT,
    updated_by_id BIGINT REFERENCES users (id),
    notes TEXT
);
CREATE INDEX journals_by_issue ON journals (issue_id, id);

-- The changed fields of each journal. `property` is the sort of field: an attribute, a custom
-- field, an attachment or a relation.
CREATE TABLE journal_details (
    id {id},
    journal_id BIGINT NOT NULL REFERENCES journals (id),
    property TEXT NOT NULL,
    name TEXT NOT NULL,
    old_value TEXT,
    new_value TEXT
);
CREATE INDEX journal_details_by_journal ON journal_details (journal_id);


-- === Time entries ===

-- Hours that `user_id` spent on an issue, or on a project as a whole. `author_id` is who recorded
-- them; null if it is the same user.
CREATE TABLE time_entries (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    issue_id BIGINT REFERENCES issues (id),
    user_id BIGINT NOT NULL REFERENCES users (id),
    author_id BIGINT REFERENCES users (id),
    activity_id BIGINT NOT NULL REFERENCES enumerations (id),
    hours DOUBLE PRECISION NOT NULL,
    comments TEXT,
    spent_on TEXT NOT NULL,
    created_on BIGINT NOT NULL,
    updated_on BIGINT NOT NULL
);
CREATE INDEX time_entries_by_issue ON time_entries (issue_id) WHERE issue_id IS NOT NULL;
CREATE INDEX time_entries_by_day ON time_entries (spent_on, id);
CREATE INDEX time_entries_by_project_and_day ON time_entries (project_id, spent_on);
CREATE INDEX time_entries_by_user_and_day ON time_entries (user_id, spent_on);


-- === News and documents ===

-- News items of projects.
CREATE TABLE news (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    author_id BIGINT NOT NULL REFERENCES users (id),
    title TEXT NOT NULL,
    summary TEXT DEFAULT '',
    created_on BIGINT NOT NULL,
    description TEXT NOT NULL DEFAULT ''
);
CREATE INDEX news_by_project ON news (project_id);

-- Documents of projects; their files are in `attachments`.
CREATE TABLE documents (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    category_id BIGINT NOT NULL REFERENCES enumerations (id),
    title TEXT NOT NULL,
    created_on BIGINT NOT NULL,
    description TEXT
);
CREATE INDEX documents_by_project ON documents (project_id);


-- === Wikis ===

-- Wikis: at most one for each project.
CREATE TABLE wikis (
    id {id},
    project_id BIGINT NOT NULL UNIQUE REFERENCES projects (id),
    start_page TEXT NOT NULL DEFAULT 'Wiki',
    status BIGINT NOT NULL DEFAULT 1
);

-- Pages of wikis. Titles are unique in a wiki without regard to case. `version` is the current
-- version, which has a row in `wiki_versions`.
CREATE TABLE wiki_pages (
    id {id},
    wiki_id BIGINT NOT NULL REFERENCES wikis (id),
    title TEXT NOT NULL,
    parent_id BIGINT REFERENCES wiki_pages (id),
    protected BIGINT NOT NULL DEFAULT 0,
    version BIGINT NOT NULL,
    created_on BIGINT NOT NULL
);
CREATE UNIQUE INDEX wiki_pages_by_title ON wiki_pages (wiki_id, lower(title));
CREATE INDEX wiki_pages_by_parent ON wiki_pages (parent_id) WHERE parent_id IS NOT NULL;

-- All versions of each page with their texts.
CREATE TABLE wiki_versions (
    page_id BIGINT NOT NULL REFERENCES wiki_pages (id),
    version BIGINT NOT NULL,
    author_id BIGINT REFERENCES users (id),
    comments TEXT,
    updated_on BIGINT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (page_id, version)
);

-- Where the former titles of renamed pages lead.
CREATE TABLE wiki_redirects (
    id {id},
    wiki_id BIGINT NOT NULL REFERENCES wikis (id),
    title TEXT NOT NULL,
    redirects_to TEXT NOT NULL,
    redirects_to_wiki_id BIGINT NOT NULL REFERENCES wikis (id),
    created_on BIGINT NOT NULL
);


-- === Forums ===

-- Forums of projects. The counts and the last message are as imported; lists compute theirs.
CREATE TABLE boards (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    parent_id BIGINT REFERENCES boards (id),
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    position BIGINT NOT NULL,
    topics_count BIGINT NOT NULL DEFAULT 0,
    messages_count BIGINT NOT NULL DEFAULT 0
);

-- Topics, and the replies to them, whose parent is the topic. The count of replies and the last
-- reply are as imported; lists compute theirs. `sticky` is any number but 0 for a sticky topic.
CREATE TABLE messages (
    id {id},
    board_id BIGINT NOT NULL REFERENCES boards (id),
    parent_id BIGINT REFERENCES messages (id),
    author_id BIGINT REFERENCES users (id),
    subject TEXT NOT NULL,
    sticky BIGINT NOT NULL DEFAULT 0,
    locked BIGINT NOT NULL DEFAULT 0,
    replies_count BIGINT NOT NULL DEFAULT 0,
    last_reply_id BIGINT REFERENCES messages (id),
    created_on BIGINT NOT NULL,
    updated_on BIGINT NOT NULL,
    content TEXT NOT NULL DEFAULT ''
);
CREATE INDEX messages_by_board ON messages (board_id);
CREATE INDEX messages_by_parent ON messages (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX messages_by_last_reply ON messages (last_reply_id) WHERE last_reply_id IS NOT NULL;
ALTER TABLE boards ADD COLUMN last_message_id BIGINT REFERENCES messages (id);
CREATE INDEX boards_by_last_message ON boards (last_message_id) WHERE last_message_id IS NOT NULL;


-- === Repositories ===

-- Repositories of projects. Quarry does not read them: changesets come from an import or the API.
CREATE TABLE repositories (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    identifier TEXT NOT NULL DEFAULT '',
    type TEXT NOT NULL,
    is_default BIGINT NOT NULL DEFAULT 0,
    url TEXT NOT NULL DEFAULT '',
    root_url TEXT NOT NULL DEFAULT '',
    login TEXT,
    password_sealed TEXT,
    path_encoding TEXT,
    log_encoding TEXT,
    extra_info_json TEXT,
    created_on BIGINT
);

-- Changesets of repositories. `user_id` is the user that the committer was recognized as; later
-- changesets with the same committer get the same user.
CREATE TABLE changesets (
    id {id},
    repository_id BIGINT NOT NULL REFERENCES repositories (id),
    revision TEXT NOT NULL,
    scmid TEXT,
    committer TEXT NOT NULL DEFAULT '',
    user_id BIGINT REFERENCES users (id),
    committed_on BIGINT NOT NULL,
    commit_date TEXT,
    comments TEXT NOT NULL DEFAULT '',
    UNIQUE (repository_id, revision)
);
CREATE INDEX changesets_by_time ON changesets (repository_id, committed_on, id);
CREATE INDEX changesets_by_committer
    ON changesets (repository_id, committer, id, user_id) WHERE user_id IS NOT NULL;

-- The paths that each changeset changed, and where they were copied from.
CREATE TABLE changed_paths (
    id {id},
    changeset_id BIGINT NOT NULL REFERENCES changesets (id),
    action TEXT NOT NULL,
    path TEXT NOT NULL,
    from_path TEXT,
    from_revision TEXT,
    revision TEXT,
    branch TEXT
);
CREATE INDEX changed_paths_by_changeset ON changed_paths (changeset_id);

-- The parents of each changeset.
CREATE TABLE changeset_parents (
    changeset_id BIGINT NOT NULL REFERENCES changesets (id),
    parent_id BIGINT NOT NULL REFERENCES changesets (id),
    PRIMARY KEY (changeset_id, parent_id)
);
CREATE INDEX changeset_parents_by_parent ON changeset_parents (parent_id);

-- The issues that each changeset refers to.
CREATE TABLE changesets_issues (
    changeset_id BIGINT NOT NULL REFERENCES changesets (id),
    issue_id BIGINT NOT NULL REFERENCES issues (id),
    PRIMARY KEY (changeset_id, issue_id)
);
CREATE INDEX changesets_issues_by_issue ON changesets_issues (issue_id);


-- === Queries ===

-- Saved queries. `visibility` is 0 for the owner alone, 1 for the roles in `queries_roles`, and 2
-- for everybody.
CREATE TABLE queries (
    id {id},
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    project_id BIGINT REFERENCES projects (id),
    user_id BIGINT REFERENCES users (id),
    visibility BIGINT NOT NULL DEFAULT 0,
    filters_json TEXT,
    column_names_json TEXT,
    sort_criteria_json TEXT,
    group_by TEXT,
    options_json TEXT
);

-- The roles for which a query is visible.
CREATE TABLE queries_roles (
    query_id BIGINT NOT NULL REFERENCES queries (id),
    role_id BIGINT NOT NULL REFERENCES roles (id),
    PRIMARY KEY (query_id, role_id)
);


-- === Custom fields ===

-- Definitions of custom fields. `type` is Redmine's class, such as `IssueCustomField`.
CREATE TABLE custom_fields (
    id {id},
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    field_format TEXT NOT NULL,
    position BIGINT,
    regexp TEXT,
    min_length BIGINT,
    max_length BIGINT,
    default_value TEXT,
    is_required BIGINT NOT NULL DEFAULT 0,
    is_for_all BIGINT NOT NULL DEFAULT 0,
    is_filter BIGINT NOT NULL DEFAULT 0,
    searchable BIGINT NOT NULL DEFAULT 0,
    editable BIGINT NOT NULL DEFAULT 1,
    visible BIGINT NOT NULL DEFAULT 1,
    multiple BIGINT NOT NULL DEFAULT 0,
    possible_values_json TEXT,
    format_store_json TEXT
);

-- The values of fields of the format `enumeration`.
CREATE TABLE custom_field_enumerations (
    id {id},
    custom_field_id BIGINT NOT NULL REFERENCES custom_fields (id),
    name TEXT NOT NULL,
    active BIGINT NOT NULL DEFAULT 1,
    position BIGINT NOT NULL
);

-- The trackers whose issues have a field.
CREATE TABLE custom_fields_trackers (
    custom_field_id BIGINT NOT NULL REFERENCES custom_fields (id),
    tracker_id BIGINT NOT NULL REFERENCES trackers (id),
    PRIMARY KEY (custom_field_id, tracker_id)
);

-- The projects whose issues have a field, unless `is_for_all`.
CREATE TABLE custom_fields_projects (
    custom_field_id BIGINT NOT NULL REFERENCES custom_fields (id),
    project_id BIGINT NOT NULL REFERENCES projects (id),
    PRIMARY KEY (custom_field_id, project_id)
);

-- The roles that may see a field, unless it is `visible` to all.
CREATE TABLE custom_fields_roles (
    custom_field_id BIGINT NOT NULL REFERENCES custom_fields (id),
    role_id BIGINT NOT NULL REFERENCES roles (id),
    PRIMARY KEY (custom_field_id, role_id)
);


-- === Records of any type ===
--
-- These tables refer to a record by the name of its class in Redmine (`Issue`, `WikiPage`, …) and
-- its id. Whatever deletes the record deletes these rows as well.

-- Values of custom fields. A field with `multiple` has one row for each value.
CREATE TABLE custom_values (
    id {id},
    customized_type TEXT NOT NULL,
    customized_id BIGINT NOT NULL,
    custom_field_id BIGINT NOT NULL REFERENCES custom_fields (id),
    value TEXT
);
CREATE INDEX custom_values_by_record ON custom_values (customized_type, customized_id);
CREATE INDEX custom_values_by_field ON custom_values (custom_field_id);

-- Files of records. A file without a container is an upload that is not attached yet; it is deleted
-- after a day. Records of a searchable type have its code (`domain::index_feed::kind`) in
-- `container_kind`; in other containers, such as versions, it is null.
CREATE TABLE attachments (
    id {id},
    container_kind BIGINT,
    container_type TEXT,
    container_id BIGINT,
    filename TEXT NOT NULL,
    filesize BIGINT NOT NULL DEFAULT 0,
    content_type TEXT NOT NULL DEFAULT '',
    description TEXT,
    author_id BIGINT NOT NULL REFERENCES users (id),
    created_on BIGINT NOT NULL,
    -- The digest of the content that the API shows: SHA-256, or MD5 of old imported files.
    digest TEXT NOT NULL DEFAULT '',
    -- The SHA-256 that names the content in `files/`; null while an imported file has none there.
    content_sha256 TEXT,
    downloads BIGINT NOT NULL DEFAULT 0,
    -- Where the content of an imported file is in Redmine's folder `files`.
    disk_directory TEXT,
    disk_filename TEXT NOT NULL DEFAULT ''
);
CREATE INDEX attachments_by_container ON attachments (container_kind, container_id);
CREATE INDEX attachments_by_content ON attachments (content_sha256)
    WHERE content_sha256 IS NOT NULL;
CREATE INDEX attachments_waiting ON attachments (created_on) WHERE container_id IS NULL;
CREATE INDEX attachments_by_holder ON attachments (container_type, container_id)
    WHERE container_kind IS NULL;

-- Users and groups that watch a record.
CREATE TABLE watchers (
    id {id},
    watchable_type TEXT NOT NULL,
    watchable_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL REFERENCES users (id)
);
CREATE INDEX watchers_by_record ON watchers (watchable_type, watchable_id);
CREATE INDEX watchers_by_user ON watchers (user_id);

-- Reactions (thumbs up) of users to a record.
CREATE TABLE reactions (
    id {id},
    reactable_type TEXT NOT NULL,
    reactable_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL REFERENCES users (id),
    created_on BIGINT NOT NULL
);
CREATE INDEX reactions_by_record ON reactions (reactable_type, reactable_id);

-- Comments on news.
CREATE TABLE comments (
    id {id},
    commented_type TEXT NOT NULL,
    commented_id BIGINT NOT NULL,
    author_id BIGINT NOT NULL REFERENCES users (id),
    created_on BIGINT NOT NULL,
    updated_on BIGINT NOT NULL,
    content TEXT NOT NULL DEFAULT ''
);
CREATE INDEX comments_by_record ON comments (commented_type, commented_id);


-- === Import ===

-- The imported rows, with the digests of the row of the source and of ours at the last import. A
-- repeated import compares them with the current rows, so that it never overwrites what was edited
-- here. `source_table` is the label of a table mapping (`import::tables`); `id` is that of the row,
-- or of the owner of rows without ids. The digests are not keyed; those of the source omit the
-- hashes of passwords.
CREATE TABLE imported (
    source_table TEXT NOT NULL,
    id BIGINT NOT NULL,
    source_digest BIGINT NOT NULL,
    ours_digest BIGINT NOT NULL,
    PRIMARY KEY (source_table, id)
);

-- All settings of the source as they were there, including those that Quarry does not have.
CREATE TABLE redmine_settings (
    id {id},
    name TEXT NOT NULL,
    value TEXT,
    updated_on BIGINT
);
