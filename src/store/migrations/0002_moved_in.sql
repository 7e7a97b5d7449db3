-- What a Redmine brings along beyond 0001, under Redmine's own names. Instants, dates and switches are kept as there.
-- Columns called …_json hold what Redmine keeps as YAML.

-- Which row of the source was taken, and what it and ours looked like then: the base of a repeated import.
-- A row of a table without numbers is known by its owner's.
CREATE TABLE imported (
    source_table TEXT NOT NULL,
    id BIGINT NOT NULL,
    source_digest BIGINT NOT NULL,
    ours_digest BIGINT NOT NULL,
    PRIMARY KEY (source_table, id)
);

-- The settings as they were there, also those whose names are not known here.
CREATE TABLE redmine_settings (id {id}, name TEXT NOT NULL, value TEXT, updated_on BIGINT);

ALTER TABLE users ADD COLUMN language TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN auth_source_id BIGINT;
ALTER TABLE users ADD COLUMN mail_notification TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN must_change_passwd BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN twofa_required BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN twofa_totp_last_used_at BIGINT;
ALTER TABLE users ADD COLUMN twofa_totp_key_sealed TEXT;
ALTER TABLE users ADD COLUMN time_zone TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN preferences_json TEXT;

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

ALTER TABLE roles ADD COLUMN users_visibility TEXT NOT NULL DEFAULT 'all';
ALTER TABLE roles ADD COLUMN time_entries_visibility TEXT NOT NULL DEFAULT 'all';
ALTER TABLE roles ADD COLUMN all_roles_managed BIGINT NOT NULL DEFAULT 1;
ALTER TABLE roles ADD COLUMN default_time_entry_activity_id BIGINT;
ALTER TABLE roles ADD COLUMN settings_json TEXT;
CREATE TABLE roles_managed_roles (
    role_id BIGINT NOT NULL REFERENCES roles (id),
    managed_role_id BIGINT NOT NULL REFERENCES roles (id),
    PRIMARY KEY (role_id, managed_role_id)
);

ALTER TABLE members ADD COLUMN mail_notification BIGINT NOT NULL DEFAULT 0;
-- Roles that a membership has through a group or a parent project, as the source had worked them out, with its numbers.
-- Who may do what is not read from here: inheritance is resolved when it is asked for.
CREATE TABLE inherited_member_roles (
    id {id},
    member_id BIGINT NOT NULL REFERENCES members (id),
    role_id BIGINT NOT NULL REFERENCES roles (id),
    inherited_from BIGINT NOT NULL
);
CREATE INDEX inherited_member_roles_by_member ON inherited_member_roles (member_id);

ALTER TABLE projects ADD COLUMN default_version_id BIGINT REFERENCES versions (id);
ALTER TABLE projects ADD COLUMN default_assigned_to_id BIGINT REFERENCES users (id);
ALTER TABLE projects ADD COLUMN default_issue_query_id BIGINT;

ALTER TABLE issue_statuses ADD COLUMN description TEXT;
ALTER TABLE issue_statuses ADD COLUMN default_done_ratio BIGINT;
ALTER TABLE trackers ADD COLUMN description TEXT;
ALTER TABLE trackers ADD COLUMN is_in_roadmap BIGINT NOT NULL DEFAULT 1;
-- A bit for each core field that is switched off.
ALTER TABLE trackers ADD COLUMN fields_bits BIGINT NOT NULL DEFAULT 0;
ALTER TABLE trackers ADD COLUMN private_by_default BIGINT NOT NULL DEFAULT 0;
CREATE TABLE workflow_permissions (
    tracker_id BIGINT NOT NULL REFERENCES trackers (id),
    role_id BIGINT NOT NULL REFERENCES roles (id),
    old_status_id BIGINT NOT NULL,
    field_name TEXT NOT NULL,
    rule TEXT NOT NULL,
    PRIMARY KEY (tracker_id, role_id, old_status_id, field_name)
);

ALTER TABLE enumerations ADD COLUMN project_id BIGINT REFERENCES projects (id);
ALTER TABLE enumerations ADD COLUMN parent_id BIGINT REFERENCES enumerations (id);
ALTER TABLE enumerations ADD COLUMN position_name TEXT;

ALTER TABLE versions ADD COLUMN description TEXT NOT NULL DEFAULT '';
ALTER TABLE versions ADD COLUMN sharing TEXT NOT NULL DEFAULT 'none';
ALTER TABLE versions ADD COLUMN wiki_page_title TEXT;
ALTER TABLE versions ADD COLUMN updated_on BIGINT;
ALTER TABLE issue_categories ADD COLUMN assigned_to_id BIGINT REFERENCES users (id);

CREATE TABLE custom_fields (
    id {id},
    type TEXT NOT NULL,
    name TEXT NOT NULL,
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
    description TEXT,
    possible_values_json TEXT,
    format_store_json TEXT
);
CREATE TABLE custom_field_enumerations (
    id {id},
    custom_field_id BIGINT NOT NULL REFERENCES custom_fields (id),
    name TEXT NOT NULL,
    active BIGINT NOT NULL DEFAULT 1,
    position BIGINT NOT NULL
);
CREATE TABLE custom_fields_trackers (
    custom_field_id BIGINT NOT NULL REFERENCES custom_fields (id),
    tracker_id BIGINT NOT NULL REFERENCES trackers (id),
    PRIMARY KEY (custom_field_id, tracker_id)
);
CREATE TABLE custom_fields_projects (
    custom_field_id BIGINT NOT NULL REFERENCES custom_fields (id),
    project_id BIGINT NOT NULL REFERENCES projects (id),
    PRIMARY KEY (custom_field_id, project_id)
);
CREATE TABLE custom_fields_roles (
    custom_field_id BIGINT NOT NULL REFERENCES custom_fields (id),
    role_id BIGINT NOT NULL REFERENCES roles (id),
    PRIMARY KEY (custom_field_id, role_id)
);
-- customized_type is Redmine's name of the record: Issue, Project, Version, TimeEntry, Document, Principal, Group, ….
CREATE TABLE custom_values (
    id {id},
    customized_type TEXT NOT NULL,
    customized_id BIGINT NOT NULL,
    custom_field_id BIGINT NOT NULL REFERENCES custom_fields (id),
    value TEXT
);
CREATE INDEX custom_values_by_record ON custom_values (customized_type, customized_id);
CREATE INDEX custom_values_by_field ON custom_values (custom_field_id);

ALTER TABLE issues ADD COLUMN lock_version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE journals ADD COLUMN updated_on BIGINT;
ALTER TABLE journals ADD COLUMN updated_by_id BIGINT REFERENCES users (id);
CREATE TABLE issue_relations (
    id {id},
    issue_from_id BIGINT NOT NULL REFERENCES issues (id),
    issue_to_id BIGINT NOT NULL REFERENCES issues (id),
    relation_type TEXT NOT NULL,
    delay BIGINT
);
CREATE INDEX issue_relations_by_from ON issue_relations (issue_from_id);
CREATE INDEX issue_relations_by_to ON issue_relations (issue_to_id);
CREATE TABLE watchers (
    id {id},
    watchable_type TEXT NOT NULL,
    watchable_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL REFERENCES users (id)
);
CREATE INDEX watchers_by_record ON watchers (watchable_type, watchable_id);
CREATE INDEX watchers_by_user ON watchers (user_id);
CREATE TABLE reactions (
    id {id},
    reactable_type TEXT NOT NULL,
    reactable_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL REFERENCES users (id),
    created_on BIGINT NOT NULL
);
CREATE INDEX reactions_by_record ON reactions (reactable_type, reactable_id);
ALTER TABLE time_entries ADD COLUMN author_id BIGINT REFERENCES users (id);

CREATE TABLE comments (
    id {id},
    commented_type TEXT NOT NULL,
    commented_id BIGINT NOT NULL,
    author_id BIGINT NOT NULL REFERENCES users (id),
    content TEXT NOT NULL DEFAULT '',
    created_on BIGINT NOT NULL,
    updated_on BIGINT NOT NULL
);
CREATE INDEX comments_by_record ON comments (commented_type, commented_id);

-- container_type says it in Redmine's words, also where there is no container_kind: Version, ….
ALTER TABLE attachments ADD COLUMN container_type TEXT;
ALTER TABLE attachments ADD COLUMN disk_filename TEXT NOT NULL DEFAULT '';
ALTER TABLE attachments ADD COLUMN disk_directory TEXT;
ALTER TABLE attachments ADD COLUMN digest TEXT NOT NULL DEFAULT '';
ALTER TABLE attachments ADD COLUMN downloads BIGINT NOT NULL DEFAULT 0;
-- SHA-256 of the content, once it lies in files/.
ALTER TABLE attachments ADD COLUMN content_sha256 TEXT;

ALTER TABLE repositories ADD COLUMN url TEXT NOT NULL DEFAULT '';
ALTER TABLE repositories ADD COLUMN root_url TEXT NOT NULL DEFAULT '';
ALTER TABLE repositories ADD COLUMN login TEXT;
ALTER TABLE repositories ADD COLUMN password_sealed TEXT;
ALTER TABLE repositories ADD COLUMN path_encoding TEXT;
ALTER TABLE repositories ADD COLUMN log_encoding TEXT;
ALTER TABLE repositories ADD COLUMN extra_info_json TEXT;
ALTER TABLE repositories ADD COLUMN created_on BIGINT;
ALTER TABLE changesets ADD COLUMN commit_date TEXT;
ALTER TABLE changesets ADD COLUMN scmid TEXT;
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
CREATE TABLE changeset_parents (
    changeset_id BIGINT NOT NULL REFERENCES changesets (id),
    parent_id BIGINT NOT NULL REFERENCES changesets (id),
    PRIMARY KEY (changeset_id, parent_id)
);
CREATE TABLE changesets_issues (
    changeset_id BIGINT NOT NULL REFERENCES changesets (id),
    issue_id BIGINT NOT NULL REFERENCES issues (id),
    PRIMARY KEY (changeset_id, issue_id)
);
CREATE INDEX changesets_issues_by_issue ON changesets_issues (issue_id);

ALTER TABLE wikis ADD COLUMN status BIGINT NOT NULL DEFAULT 1;
CREATE TABLE wiki_redirects (
    id {id},
    wiki_id BIGINT NOT NULL REFERENCES wikis (id),
    title TEXT NOT NULL,
    redirects_to TEXT NOT NULL,
    redirects_to_wiki_id BIGINT NOT NULL REFERENCES wikis (id),
    created_on BIGINT NOT NULL
);

ALTER TABLE boards ADD COLUMN parent_id BIGINT REFERENCES boards (id);
ALTER TABLE boards ADD COLUMN topics_count BIGINT NOT NULL DEFAULT 0;
ALTER TABLE boards ADD COLUMN messages_count BIGINT NOT NULL DEFAULT 0;
ALTER TABLE boards ADD COLUMN last_message_id BIGINT REFERENCES messages (id);
ALTER TABLE messages ADD COLUMN locked BIGINT NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN sticky BIGINT NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN replies_count BIGINT NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN last_reply_id BIGINT REFERENCES messages (id);

-- visibility: 0 the owner's own, 1 for some roles, 2 for everybody.
CREATE TABLE queries (
    id {id},
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    project_id BIGINT REFERENCES projects (id),
    user_id BIGINT REFERENCES users (id),
    visibility BIGINT NOT NULL DEFAULT 0,
    description TEXT,
    filters_json TEXT,
    column_names_json TEXT,
    sort_criteria_json TEXT,
    group_by TEXT,
    options_json TEXT
);
CREATE TABLE queries_roles (
    query_id BIGINT NOT NULL REFERENCES queries (id),
    role_id BIGINT NOT NULL REFERENCES roles (id),
    PRIMARY KEY (query_id, role_id)
);
