-- What refers to a record is looked up when the record goes; without these every such look reads a whole table.
CREATE INDEX issues_by_version ON issues (fixed_version_id) WHERE fixed_version_id IS NOT NULL;
CREATE INDEX issues_by_category ON issues (category_id) WHERE category_id IS NOT NULL;
CREATE INDEX time_entries_by_project ON time_entries (project_id);
CREATE INDEX news_by_project ON news (project_id);
CREATE INDEX documents_by_project ON documents (project_id);
CREATE INDEX versions_by_project ON versions (project_id);
CREATE INDEX messages_by_board ON messages (board_id);
CREATE INDEX messages_by_parent ON messages (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX messages_by_last_reply ON messages (last_reply_id) WHERE last_reply_id IS NOT NULL;
CREATE INDEX boards_by_last_message ON boards (last_message_id) WHERE last_message_id IS NOT NULL;
CREATE INDEX wiki_pages_by_parent ON wiki_pages (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX changeset_parents_by_parent ON changeset_parents (parent_id);
CREATE INDEX projects_by_parent ON projects (parent_id) WHERE parent_id IS NOT NULL;
