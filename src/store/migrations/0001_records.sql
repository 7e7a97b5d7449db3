-- Everything that is searched, and everything that decides who sees it.
-- Instants are microseconds since 1970 UTC, dates are YYYY-MM-DD, switches are 0 or 1.

CREATE TABLE counters (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
INSERT INTO counters (name, value) VALUES ('change', 0), ('catalogue', 1);

-- The latest change of every record that can be found, kept also when the record is gone.
CREATE TABLE changes (
    kind BIGINT NOT NULL,
    id BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE UNIQUE INDEX changes_by_seq ON changes (seq);

CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);

-- Users and groups share one number space.
CREATE TABLE users (
    id {id},
    type TEXT NOT NULL,
    login TEXT NOT NULL DEFAULT '',
    firstname TEXT NOT NULL DEFAULT '',
    lastname TEXT NOT NULL DEFAULT '',
    mail TEXT NOT NULL DEFAULT '',
    hides_mail BIGINT NOT NULL DEFAULT 1,
    admin BIGINT NOT NULL DEFAULT 0,
    status BIGINT NOT NULL DEFAULT 1,
    password_hash TEXT NOT NULL DEFAULT '',
    api_key_digest TEXT,
    api_key_sealed TEXT,
    created_on BIGINT NOT NULL,
    updated_on BIGINT NOT NULL,
    last_login_on BIGINT,
    passwd_changed_on BIGINT,
    twofa_scheme TEXT
);
CREATE UNIQUE INDEX users_by_login ON users (lower(login)) WHERE type = 'User';
CREATE UNIQUE INDEX users_by_api_key ON users (api_key_digest);

CREATE TABLE group_users (
    group_id BIGINT NOT NULL REFERENCES users (id),
    user_id BIGINT NOT NULL REFERENCES users (id),
    PRIMARY KEY (group_id, user_id)
);

CREATE TABLE roles (
    id {id},
    name TEXT NOT NULL UNIQUE,
    position BIGINT NOT NULL,
    builtin BIGINT NOT NULL DEFAULT 0,
    assignable BIGINT NOT NULL DEFAULT 1,
    issues_visibility TEXT NOT NULL DEFAULT 'default'
);
CREATE TABLE role_permissions (
    role_id BIGINT NOT NULL REFERENCES roles (id),
    name TEXT NOT NULL,
    PRIMARY KEY (role_id, name)
);

CREATE TABLE projects (
    id {id},
    name TEXT NOT NULL,
    identifier TEXT NOT NULL UNIQUE,
    description TEXT,
    homepage TEXT NOT NULL DEFAULT '',
    parent_id BIGINT REFERENCES projects (id),
    is_public BIGINT NOT NULL DEFAULT 1,
    inherit_members BIGINT NOT NULL DEFAULT 0,
    status BIGINT NOT NULL DEFAULT 1,
    created_on BIGINT NOT NULL,
    updated_on BIGINT NOT NULL
);
CREATE TABLE enabled_modules (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    UNIQUE (project_id, name)
);
CREATE TABLE bookmarks (
    user_id BIGINT NOT NULL REFERENCES users (id),
    project_id BIGINT NOT NULL REFERENCES projects (id),
    PRIMARY KEY (user_id, project_id)
);
CREATE TABLE members (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    user_id BIGINT NOT NULL REFERENCES users (id),
    created_on BIGINT NOT NULL,
    UNIQUE (project_id, user_id)
);
CREATE TABLE member_roles (
    member_id BIGINT NOT NULL REFERENCES members (id),
    role_id BIGINT NOT NULL REFERENCES roles (id),
    PRIMARY KEY (member_id, role_id)
);

CREATE TABLE issue_statuses (
    id {id},
    name TEXT NOT NULL,
    position BIGINT NOT NULL,
    is_closed BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE trackers (
    id {id},
    name TEXT NOT NULL,
    position BIGINT NOT NULL,
    default_status_id BIGINT NOT NULL REFERENCES issue_statuses (id)
);
CREATE TABLE project_trackers (
    project_id BIGINT NOT NULL REFERENCES projects (id),
    tracker_id BIGINT NOT NULL REFERENCES trackers (id),
    PRIMARY KEY (project_id, tracker_id)
);
CREATE TABLE enumerations (
    id {id},
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    position BIGINT NOT NULL,
    is_default BIGINT NOT NULL DEFAULT 0,
    active BIGINT NOT NULL DEFAULT 1
);
-- old_status_id is 0 for an issue that does not exist yet.
CREATE TABLE workflow_transitions (
    tracker_id BIGINT NOT NULL REFERENCES trackers (id),
    role_id BIGINT NOT NULL REFERENCES roles (id),
    old_status_id BIGINT NOT NULL,
    new_status_id BIGINT NOT NULL REFERENCES issue_statuses (id),
    author BIGINT NOT NULL DEFAULT 0,
    assignee BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (tracker_id, role_id, old_status_id, new_status_id, author, assignee)
);

CREATE TABLE versions (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'open',
    due_date TEXT,
    created_on BIGINT NOT NULL
);
CREATE TABLE issue_categories (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL
);

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
    is_private BIGINT NOT NULL DEFAULT 0,
    done_ratio BIGINT NOT NULL DEFAULT 0,
    estimated_hours DOUBLE PRECISION,
    start_date TEXT,
    due_date TEXT,
    created_on BIGINT NOT NULL,
    updated_on BIGINT NOT NULL,
    closed_on BIGINT,
    subject TEXT NOT NULL,
    description TEXT
);
CREATE INDEX issues_by_project ON issues (project_id, status_id, id);
CREATE INDEX issues_by_updated_on ON issues (updated_on, id);
CREATE INDEX issues_by_created_on ON issues (created_on, id);
CREATE INDEX issues_by_assignee ON issues (assigned_to_id, id) WHERE assigned_to_id IS NOT NULL;
CREATE INDEX issues_by_author ON issues (author_id, id);
CREATE INDEX issues_by_parent ON issues (parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE journals (
    id {id},
    issue_id BIGINT NOT NULL REFERENCES issues (id),
    user_id BIGINT NOT NULL REFERENCES users (id),
    private_notes BIGINT NOT NULL DEFAULT 0,
    created_on BIGINT NOT NULL,
    notes TEXT
);
CREATE INDEX journals_by_issue ON journals (issue_id, id);
CREATE TABLE journal_details (
    id {id},
    journal_id BIGINT NOT NULL REFERENCES journals (id),
    property TEXT NOT NULL,
    name TEXT NOT NULL,
    old_value TEXT,
    new_value TEXT
);
CREATE INDEX journal_details_by_journal ON journal_details (journal_id);

CREATE TABLE time_entries (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    issue_id BIGINT REFERENCES issues (id),
    user_id BIGINT NOT NULL REFERENCES users (id),
    activity_id BIGINT NOT NULL REFERENCES enumerations (id),
    hours DOUBLE PRECISION NOT NULL,
    comments TEXT,
    spent_on TEXT NOT NULL,
    created_on BIGINT NOT NULL,
    updated_on BIGINT NOT NULL
);
CREATE INDEX time_entries_by_issue ON time_entries (issue_id) WHERE issue_id IS NOT NULL;

CREATE TABLE news (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    author_id BIGINT NOT NULL REFERENCES users (id),
    title TEXT NOT NULL,
    summary TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '',
    created_on BIGINT NOT NULL
);
CREATE TABLE documents (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    category_id BIGINT NOT NULL REFERENCES enumerations (id),
    title TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    created_on BIGINT NOT NULL
);

CREATE TABLE repositories (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    identifier TEXT NOT NULL DEFAULT '',
    type TEXT NOT NULL,
    is_default BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE changesets (
    id {id},
    repository_id BIGINT NOT NULL REFERENCES repositories (id),
    revision TEXT NOT NULL,
    committer TEXT NOT NULL DEFAULT '',
    user_id BIGINT REFERENCES users (id),
    committed_on BIGINT NOT NULL,
    comments TEXT NOT NULL DEFAULT '',
    UNIQUE (repository_id, revision)
);

CREATE TABLE wikis (
    id {id},
    project_id BIGINT NOT NULL UNIQUE REFERENCES projects (id),
    start_page TEXT NOT NULL DEFAULT 'Wiki'
);
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
CREATE TABLE wiki_versions (
    page_id BIGINT NOT NULL REFERENCES wiki_pages (id),
    version BIGINT NOT NULL,
    author_id BIGINT REFERENCES users (id),
    comments TEXT,
    updated_on BIGINT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (page_id, version)
);

CREATE TABLE boards (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    position BIGINT NOT NULL
);
CREATE TABLE messages (
    id {id},
    board_id BIGINT NOT NULL REFERENCES boards (id),
    parent_id BIGINT REFERENCES messages (id),
    author_id BIGINT REFERENCES users (id),
    subject TEXT NOT NULL,
    content TEXT NOT NULL DEFAULT '',
    created_on BIGINT NOT NULL,
    updated_on BIGINT NOT NULL
);

-- container_kind is the number of the content type that the file hangs on.
CREATE TABLE attachments (
    id {id},
    container_kind BIGINT,
    container_id BIGINT,
    filename TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    content_type TEXT NOT NULL DEFAULT '',
    filesize BIGINT NOT NULL DEFAULT 0,
    author_id BIGINT NOT NULL REFERENCES users (id),
    created_on BIGINT NOT NULL
);
CREATE INDEX attachments_by_container ON attachments (container_kind, container_id);
