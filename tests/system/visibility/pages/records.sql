-- Gives every text of a random world a word of its own: `zq`, two letters for the column, the id of the row, and `z`. Adds records and
-- texts that link to others, which may be hidden from those who read them. {n} stands for a number that differs between worlds.

-- What the random world lacks.
INSERT INTO comments (commented_type, commented_id, author_id, content, created_on, updated_on) SELECT 'News', id, 1, 'said', 0, 0 FROM news;
INSERT INTO messages (board_id, parent_id, author_id, subject, content, created_on, updated_on)
    SELECT board_id, id, 1, 'reply', 'said', created_on, created_on FROM messages WHERE id % 2 = 0;
INSERT INTO wiki_versions (page_id, version, author_id, comments, updated_on, text) SELECT id, 2, 1, 'edited', 1790000000000000, 'later' FROM wiki_pages;
-- Titles of wiki pages have no dots.
UPDATE wiki_pages SET version = 2, title = REPLACE(title, '.', '_');
UPDATE wiki_pages SET parent_id = (SELECT MIN(id) FROM wiki_pages first WHERE first.wiki_id = wiki_pages.wiki_id AND first.id < wiki_pages.id);
UPDATE wikis SET start_page = COALESCE((SELECT MIN(title) FROM wiki_pages WHERE wiki_id = wikis.id), 'Wiki');
INSERT INTO changesets_issues (changeset_id, issue_id) SELECT id, (id * 11 + {n}) % 45 + 1 FROM changesets WHERE (id * 11 + {n}) % 45 + 1 IN (SELECT id FROM issues);
INSERT INTO custom_fields (type, name, field_format, position, is_for_all, visible)
    VALUES ('DocumentCustomField', 'shelf', 'string', 1, 1, 1), ('DocumentCustomField', 'seal', 'string', 2, 1, 0);
INSERT INTO custom_fields_roles (custom_field_id, role_id) SELECT f.id, r.id FROM custom_fields f, roles r WHERE f.name = 'seal' AND r.id IN (3, 5);
INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value)
    SELECT 'Document', d.id, f.id, f.name FROM documents d, custom_fields f WHERE f.type = 'DocumentCustomField';
INSERT INTO issue_relations (issue_from_id, issue_to_id, relation_type)
    SELECT id, (id * 7 + {n}) % 45 + 1, 'blocks' FROM issues WHERE (id * 7 + {n}) % 45 + 1 <> id;
UPDATE issues SET parent_id = (id * 5 + {n}) % 20 + 1 WHERE id > 20;
INSERT INTO watchers (watchable_type, watchable_id, user_id) SELECT 'Issue', id, (id + {n}) % 6 + 1 FROM issues;
INSERT INTO watchers (watchable_type, watchable_id, user_id)
    SELECT records.type, records.id, users.id FROM users CROSS JOIN (
        SELECT 'News' AS type, id FROM news UNION ALL SELECT 'EnabledModule', id FROM enabled_modules WHERE name = 'news'
        UNION ALL SELECT 'Board', id FROM boards UNION ALL SELECT 'Message', id FROM messages WHERE parent_id IS NULL
        UNION ALL SELECT 'WikiPage', id FROM wiki_pages UNION ALL SELECT 'Wiki', id FROM wikis
    ) records WHERE users.id <= 6 AND (records.id + users.id + {n}) % 3 = 0;
INSERT INTO reactions (reactable_type, reactable_id, user_id, created_on)
    SELECT records.type, records.id, users.id, 0 FROM users CROSS JOIN (
        SELECT 'Issue' AS type, id FROM issues UNION ALL SELECT 'Journal', id FROM journals UNION ALL SELECT 'News', id FROM news
        UNION ALL SELECT 'Comment', id FROM comments UNION ALL SELECT 'Message', id FROM messages
    ) records WHERE users.id <= 6 AND (records.id + users.id + {n}) % 5 = 0;
INSERT INTO time_entries (project_id, issue_id, user_id, activity_id, hours, comments, spent_on, created_on, updated_on, author_id)
    SELECT project_id, id, (id + {n}) % 6 + 1, 8, 1.0, 'worked', '2026-11-10', 0, 0, 1 FROM issues WHERE id % 3 = 0;
INSERT INTO queries (type, name, project_id, user_id, visibility, filters_json)
    SELECT 'IssueQuery', 'query', NULLIF((id + {n}) % 8, 0), (id + {n}) % 6 + 1, CASE WHEN id % 3 = 0 THEN 2 ELSE 0 END, NULL FROM issues WHERE id <= 12;
INSERT INTO journals (issue_id, user_id, private_notes, created_on, notes) SELECT id, (id + {n}) % 6 + 1, CASE WHEN id % 3 = 0 THEN 1 ELSE 0 END, 1794000000000000, NULL FROM issues;
INSERT INTO journal_details (journal_id, property, name, old_value, new_value)
    SELECT id, 'attr', 'project_id', CAST((issue_id + {n}) % 7 + 1 AS TEXT), CAST((issue_id * 3 + {n}) % 7 + 1 AS TEXT) FROM journals WHERE id % 2 = 0
    UNION ALL SELECT id, 'attr', 'fixed_version_id', CAST((issue_id + {n}) % 7 + 1 AS TEXT), CAST((issue_id * 3 + {n}) % 7 + 1 AS TEXT) FROM journals WHERE id % 3 = 0
    UNION ALL SELECT id, 'attr', 'category_id', CAST((issue_id + {n}) % 7 + 1 AS TEXT), CAST((issue_id * 3 + {n}) % 7 + 1 AS TEXT) FROM journals WHERE id % 5 = 0
    UNION ALL SELECT id, 'relation', 'blocks', NULL, CAST((issue_id * 7 + {n}) % 45 + 1 AS TEXT) FROM journals WHERE id % 3 = 1
    UNION ALL SELECT id, 'attr', 'parent_id', NULL, CAST((issue_id * 5 + {n}) % 45 + 1 AS TEXT) FROM journals WHERE id % 4 = 1
    UNION ALL SELECT id, 'cf', CAST((id + {n}) % 3 + 1 AS TEXT), 'before', 'after' FROM journals
    UNION ALL SELECT id, 'attr', 'subject', 'before', 'after' FROM journals WHERE id % 4 = 0;

-- Texts that refer to other records.
UPDATE issues SET description = COALESCE(description, '') || ' #' || ((id * 3 + {n}) % 45 + 1) || ' ##' || ((id * 13 + {n}) % 45 + 1) || ' ##' || ((id * 17 + {n}) % 45 + 1)
    || ' version#' || ((id + {n}) % 7 + 1) || ' document#' || ((id + {n}) % 8 + 1) || ' news#' || ((id + {n}) % 8 + 1) || ' message#' || ((id + {n}) % 9 + 1)
    || ' project#' || ((id + {n}) % 7 + 1) || ' user#' || (id % 6 + 1) || ' place' || ((id + {n}) % 7 + 1) || ':r' || ((id * 5 + {n}) % 8 * 5 + 2);
UPDATE journals SET notes = notes || ' ##' || ((id * 19 + {n}) % 45 + 1) || ' project#' || ((id + {n}) % 7 + 1) WHERE notes IS NOT NULL;
UPDATE wiki_versions SET text = text || ' ##' || ((page_id * 7 + {n}) % 45 + 1) || ' version#' || ((page_id + {n}) % 7 + 1) || ' [[place' || ((page_id + {n}) % 7 + 1) || ':]] '
    || COALESCE((SELECT '[[place' || wiki_id || ':' || title || ']]' FROM wiki_pages WHERE id = (page_id + {n}) % 8 + 1), '');
UPDATE projects SET description = COALESCE(description, '') || ' ##' || ((id * 7 + {n}) % 45 + 1) || ' project#' || (id % 7 + 1);
UPDATE news SET description = description || ' ##' || ((id * 23 + {n}) % 45 + 1);
UPDATE comments SET content = content || ' ##' || ((id * 29 + {n}) % 45 + 1);
UPDATE documents SET description = description || ' ##' || ((id * 31 + {n}) % 45 + 1);
UPDATE messages SET content = content || ' ##' || ((id * 37 + {n}) % 45 + 1);
UPDATE changesets SET comments = comments || ' ##' || ((id * 41 + {n}) % 45 + 1);

-- The words.
UPDATE issues SET subject = subject || ' zqis' || id || 'z', description = description || ' zqid' || id || 'z';
UPDATE journals SET notes = notes || ' zqjn' || id || 'z' WHERE notes IS NOT NULL;
UPDATE journal_details SET new_value = new_value || ' zqdn' || id || 'z', old_value = old_value || ' zqdo' || id || 'z' WHERE property = 'cf' OR name = 'subject';
UPDATE custom_values SET value = value || ' zqcv' || id || 'z' WHERE customized_type = 'Issue';
UPDATE custom_values SET value = value || ' zqdv' || id || 'z' WHERE customized_type = 'Document';
UPDATE custom_fields SET name = name || ' zqfn' || id || 'z', searchable = 1;
UPDATE versions SET name = name || ' zqvn' || id || 'z', description = 'zqvd' || id || 'z';
UPDATE issue_categories SET name = name || ' zqcn' || id || 'z';
UPDATE projects SET name = name || ' zqpn' || id || 'z', description = 'zqpd' || id || 'z ' || description;
UPDATE news SET title = title || ' zqnt' || id || 'z', summary = summary || ' zqns' || id || 'z', description = description || ' zqnd' || id || 'z';
UPDATE comments SET content = content || ' zqnc' || id || 'z';
UPDATE documents SET title = title || ' zqdt' || id || 'z', description = description || ' zqdd' || id || 'z';
UPDATE boards SET name = name || ' zqbn' || id || 'z', description = 'zqbd' || id || 'z';
UPDATE messages SET subject = subject || ' zqms' || id || 'z', content = content || ' zqmc' || id || 'z';
UPDATE changesets SET comments = 'zqch' || id || 'z ' || comments || ' zqce' || id || 'z', committer = 'zqco' || id || 'z';
UPDATE wiki_pages SET title = title || '_zqwt' || id || 'z';
UPDATE wikis SET start_page = COALESCE((SELECT MIN(title) FROM wiki_pages WHERE wiki_id = wikis.id), 'Wiki');
UPDATE wiki_versions SET text = text || ' zqwx' || (page_id * 10 + version) || 'z', comments = 'zqwc' || (page_id * 10 + version) || 'z';
UPDATE attachments SET filename = 'zqan' || id || 'z-' || filename, description = description || ' zqad' || id || 'z';
UPDATE time_entries SET comments = comments || ' zqte' || id || 'z';
UPDATE users SET mail = 'zqum' || id || 'z@example.org' WHERE type = 'User';
UPDATE queries SET name = name || ' zqqn' || id || 'z';
