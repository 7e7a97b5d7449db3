-- One record of every type, in the private project 1 (`secret`), with plain texts in every field. Project 2 (`open`) is public and has
-- parts that paths of other projects need. Users: 1 admin, 2 alice (manager of both), 3 bob (developer of 1), 4 carol (reporter of 2).
UPDATE projects SET name = 'Secret project', description = 'What the project is for', homepage = 'https://example.org/' WHERE id = 1;
UPDATE projects SET parent_id = 2 WHERE id = 1;
UPDATE users SET mail = login || '@example.org';
INSERT INTO users (id, type, lastname, created_on, updated_on) VALUES (20, 'Group', 'Crew', 1795000000000000, 1795000000000000);
INSERT INTO group_users (group_id, user_id) VALUES (20, 3);
INSERT INTO members (id, project_id, user_id, created_on) VALUES (90, 1, 20, 1795000000000000);
INSERT INTO member_roles (member_id, role_id) VALUES (90, 5);
INSERT INTO bookmarks (user_id, project_id) VALUES (2, 1);
UPDATE trackers SET description = 'What this tracker is for';
UPDATE issue_statuses SET description = 'What this status means';

INSERT INTO versions (id, project_id, name, status, description, due_date, created_on, updated_on, wiki_page_title)
VALUES (1, 1, 'Release one', 'open', 'What is planned', '2026-12-24', 1795000000000000, 1795000000000000, 'Wiki'),
       (2, 1, 'Release zero', 'closed', 'What was done', NULL, 1794000000000000, 1794000000000000, NULL);
INSERT INTO issue_categories (id, project_id, name) VALUES (1, 1, 'Engine'), (2, 2, 'Hull');

INSERT INTO custom_fields (id, type, name, field_format, position, is_for_all, is_filter, searchable, description, possible_values_json) VALUES
    (1, 'IssueCustomField', 'Serial number', 'string', 1, 1, 1, 1, 'As on the plate', NULL),
    (2, 'IssueCustomField', 'Findings', 'text', 2, 1, 0, 1, NULL, NULL),
    (3, 'IssueCustomField', 'Data sheet', 'link', 3, 1, 0, 0, NULL, NULL),
    (4, 'IssueCustomField', 'Place', 'list', 4, 1, 1, 0, NULL, '["Bow","Stern"]'),
    (5, 'ProjectCustomField', 'Customer', 'string', 5, 1, 0, 0, NULL, NULL),
    (6, 'VersionCustomField', 'Code name', 'string', 6, 1, 0, 0, NULL, NULL),
    (7, 'UserCustomField', 'Office', 'string', 7, 1, 0, 0, NULL, NULL),
    (8, 'DocumentCustomField', 'Signed by', 'string', 8, 1, 0, 0, NULL, NULL),
    (9, 'TimeEntryCustomField', 'Invoice', 'string', 9, 1, 0, 0, NULL, NULL);
INSERT INTO custom_fields (id, type, name, field_format, position, is_for_all, is_filter, searchable) VALUES
    (10, 'IssueCustomField', 'Cause', 'enumeration', 10, 0, 1, 0);
INSERT INTO custom_field_enumerations (id, custom_field_id, name, active, position) VALUES (1, 10, 'Wear', 1, 1), (2, 10, 'Rust', 0, 2);
INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) SELECT f.id, t.id FROM custom_fields f, trackers t WHERE f.id <= 4;

INSERT INTO issues (id, project_id, tracker_id, status_id, priority_id, author_id, assigned_to_id, category_id, fixed_version_id, parent_id,
                    is_private, done_ratio, estimated_hours, start_date, due_date, created_on, updated_on, subject, description)
VALUES (1, 1, 1, 1, 2, 2, 3, 1, 1, NULL, 0, 30, 4.5, '2026-11-01', '2026-12-01', 1795000000000000, 1795100000000000,
        'The pump leaks', 'When it starts, see #2, [[Wiki]] and r12.'),
       (2, 1, 2, 2, 3, 3, 2, NULL, 1, 1, 0, 0, NULL, NULL, NULL, 1795000100000000, 1795100100000000, 'Order a pump', 'A new one.'),
       (3, 1, 3, 5, 2, 2, NULL, NULL, NULL, NULL, 1, 100, NULL, NULL, NULL, 1795000200000000, 1795100200000000, 'The pump is private', NULL),
       (4, 2, 1, 1, 2, 2, NULL, 2, NULL, NULL, 0, 0, NULL, NULL, NULL, 1795000300000000, 1795100300000000, 'The open pump', NULL);
INSERT INTO issue_relations (issue_from_id, issue_to_id, relation_type, delay) VALUES (1, 3, 'relates', NULL), (2, 3, 'precedes', 2);
INSERT INTO watchers (watchable_type, watchable_id, user_id) VALUES ('Issue', 1, 2), ('Issue', 1, 3);
INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES
    ('Issue', 1, 1, 'P-100'), ('Issue', 1, 2, 'A worn seal'), ('Issue', 1, 3, 'https://example.org/pump'), ('Issue', 1, 4, 'Bow'),
    ('Project', 1, 5, 'The harbour'), ('Version', 1, 6, 'Heron'), ('Principal', 2, 7, 'Room 4'), ('Document', 1, 8, 'The captain'),
    ('TimeEntry', 1, 9, 'I-7');
INSERT INTO journals (id, issue_id, user_id, private_notes, created_on, notes) VALUES
    (1, 1, 2, 0, 1795010000000000, 'Seen again'), (2, 1, 3, 1, 1795020000000000, 'Between us'), (3, 1, 3, 0, 1795030000000000, NULL);
INSERT INTO original_mails (journal_id, sender, subject, sent_on, body, received_on) VALUES (1, 'alice@example.net', 'Re: pump', 'Fri, 20 Nov 2026 12:00:00 +0000', 'the whole text', 0);
INSERT INTO original_issue_mails (issue_id, sender, subject, sent_on, body, received_on) VALUES (1, 'alice@example.net', 'The pump', 'Fri, 20 Nov 2026 12:00:00 +0000', 'the whole text', 0);
INSERT INTO journal_details (journal_id, property, name, old_value, new_value) VALUES
    (1, 'attr', 'status_id', '2', '1'), (1, 'attr', 'subject', 'The pump drips', 'The pump leaks'), (1, 'attr', 'description', 'Old', 'New'),
    (2, 'attr', 'assigned_to_id', NULL, '3'), (3, 'cf', '1', 'P-1', 'P-100'), (3, 'cf', '2', 'Old', 'New'),
    (3, 'attachment', '1', NULL, 'notes.txt'), (3, 'attachment', '999', 'gone.txt', NULL), (3, 'relation', 'relates', NULL, '3'),
    (3, 'attr', 'fixed_version_id', NULL, '1'), (3, 'attr', 'category_id', NULL, '1'), (3, 'attr', 'other', 'before', 'after');
INSERT INTO time_entries (id, project_id, issue_id, user_id, activity_id, hours, comments, spent_on, created_on, updated_on, author_id)
VALUES (1, 1, 1, 2, 8, 1.5, 'Looked at it', '2026-11-19', 1795000000000000, 1795000000000000, 2);

INSERT INTO news (id, project_id, author_id, title, summary, description, created_on)
VALUES (1, 1, 2, 'We set sail', 'At noon', 'All **aboard**.', 1795000000000000);
INSERT INTO comments (commented_type, commented_id, author_id, content, created_on, updated_on)
VALUES ('News', 1, 3, 'At last', 1795000000000000, 1795000000000000);
INSERT INTO documents (id, project_id, category_id, title, description, created_on)
VALUES (1, 1, 6, 'Manual of the pump', 'How to mount it', 1795000000000000);

INSERT INTO boards (id, project_id, name, description, position) VALUES (1, 1, 'Deck', 'Talk', 1), (2, 2, 'Quay', 'More talk', 1);
INSERT INTO messages (id, board_id, parent_id, author_id, subject, content, created_on, updated_on) VALUES
    (1, 1, NULL, 2, 'Which seal?', 'Rubber or cork?', 1795000000000000, 1795000000000000),
    (2, 1, 1, 3, 'RE: Which seal?', 'Cork.', 1795010000000000, 1795010000000000);
INSERT INTO original_message_mails (message_id, sender, subject, sent_on, body, received_on) VALUES (2, 'alice@example.net', 'Re: Which seal?', 'Fri, 20 Nov 2026 12:00:00 +0000', 'the whole text', 0);
UPDATE messages SET replies_count = 1, last_reply_id = 2 WHERE id = 1;
UPDATE boards SET topics_count = 1, messages_count = 2, last_message_id = 2 WHERE id = 1;

INSERT INTO repositories (id, project_id, identifier, type, is_default) VALUES (1, 1, '', 'Git', 1), (2, 1, 'tools', 'Git', 0), (3, 2, '', 'Git', 1);
INSERT INTO changesets (id, repository_id, revision, committer, user_id, committed_on, comments) VALUES
    (1, 1, '12', 'Bob <bob@example.org>', 3, 1795000000000000, 'Mount the pump

Refs #1'),
    (2, 2, 'abc123', 'stranger', NULL, 1795000100000000, 'Add a wrench');
INSERT INTO changesets_issues (changeset_id, issue_id) VALUES (1, 1);
INSERT INTO changed_paths (changeset_id, action, path, from_path, from_revision, revision, branch)
VALUES (1, 'M', '/engine/pump.c', NULL, NULL, '12', 'main'), (1, 'A', '/engine/seal.c', '/old/seal.c', '11', '12', 'main');

INSERT INTO wikis (id, project_id, start_page) VALUES (1, 1, 'Wiki'), (2, 2, 'Wiki');
INSERT INTO wiki_pages (id, wiki_id, title, parent_id, protected, version, created_on) VALUES
    (1, 1, 'Wiki', NULL, 0, 2, 1795000000000000), (2, 1, 'Pump_room', 1, 1, 1, 1795000000000000);
INSERT INTO wiki_versions (page_id, version, author_id, comments, updated_on, text) VALUES
    (1, 1, 2, 'Begun', 1795000000000000, '# Ship

One pump.'),
    (1, 2, 3, 'More pumps', 1795010000000000, '# Ship

{{toc}}

## Engine room

Two pumps, see [[Pump room]].

```ruby
puts 1
```

| pump | state |
|---|---|
| one | leaks |

- [ ] mend
- [x] see'),
    (2, 1, 2, NULL, 1795000000000000, 'Below deck.');
INSERT INTO queries (id, type, name, project_id, user_id, visibility, description, filters_json)
VALUES (1, 'IssueQuery', 'Open pumps', 1, 2, 2, 'Pumps', '{"status_id": {"operator": "o", "values": [""]}}'),
       (2, 'IssueQuery', 'My pumps', NULL, 2, 0, NULL, NULL),
       (3, 'SearchQuery', 'Pumps', NULL, 2, 2, 'Whatever leaks', '{"q": {"operator": "=", "values": ["pump"]}}'),
       (4, 'SearchQuery', 'Pumps of the ship', 1, 2, 0, NULL, '{"q": {"operator": "=", "values": ["pump"]}, "sort": {"operator": "=", "values": ["date"]}}');

INSERT INTO saved_replies (id, user_id, project_id, name, content)
VALUES (1, 1, NULL, 'Thanks', 'Thank you, **captain**.'), (2, NULL, 1, 'Which seal', 'Which seal is it?');
INSERT INTO issue_templates (id, project_id, tracker_id, name, subject, description, is_default)
VALUES (1, 1, 1, 'Leak', 'Leak: ', 'Where does it leak?', 1), (2, 1, 1, 'Noise', '', 'What does it sound like?', 0);

INSERT INTO oauth_applications (id, client_id, secret_digest, name, redirect_uris, scopes, created_on) VALUES
    (1, 'bridge', 'x', 'Ship''s bridge', 'https://bridge.example.net/callback', 'ALL_SCOPES', 1795000000000000);
INSERT INTO oauth_grants (id, application_id, user_id, scopes, created_on, used_on, code_digest, code_expires_on, code_is_used) VALUES
    (1, 1, 1, 'ALL_SCOPES', 1795000000000000, 1795010000000000, 'a', 1795000300000000, 1),
    (2, 1, 2, 'view_project view_issues', 1795000000000000, 1795010000000000, 'b', 1795000300000000, 1);
INSERT INTO mails (id, kind, user_id, address, message_id, state, attempts, error, created_on, send_on) VALUES
    (1, 'test', 3, '', 'test.1@example.org', 'failed', 1, '550 5.1.1 unknown user', 1795000000000000, 1795000300000000),
    (2, 'test', NULL, 'ann@example.org', 'test.2@example.org', 'failed', 11, 'the server did not answer in time', 1795000000000000, 1795000300000000),
    (3, 'later', 2, '', 'later.1@example.org', 'waiting', 0, '', 1795000000000000, 1795000300000000);
INSERT INTO mail_status (id, sent_on, failed_on, error) VALUES (1, 1795000000000000, 1795000300000000, '550 5.1.1 unknown user');
-- Kinds of threads: 0 issue, 1 news, 5 message. Events: 0 change, 1 issue, 3 news, 8 message.
INSERT INTO notices (user_id, thread_kind, thread_id, event_type, event_id, event_version, reasons, created_on, is_read) VALUES
    (1, 0, 1, 1, 1, 0, 3, 1795000000000000, 0), (1, 0, 1, 0, 2, 0, 16, 1795020000000000, 0), (1, 5, 1, 8, 2, 0, 511, 1795010000000000, 1),
    (3, 0, 1, 1, 1, 0, 2, 1795000000000000, 0), (3, 0, 1, 0, 1, 0, 2, 1795010000000000, 0), (3, 1, 1, 3, 1, 0, 128, 1795000000000000, 0),
    (2, 0, 1, 0, 2, 0, 8, 1795020000000000, 0), (5, 0, 1, 1, 1, 0, 1, 1795000000000000, 0);
INSERT INTO notice_threads (user_id, thread_kind, thread_id, is_muted, hidden_until) VALUES (1, 5, 1, 1, NULL);
