-- The activity reads the newest events of each type.

CREATE INDEX journals_by_created_on ON journals (created_on, id);
CREATE INDEX journals_by_user ON journals (user_id, created_on, id);
CREATE INDEX changesets_by_committed_on ON changesets (committed_on, id);
CREATE INDEX wiki_versions_by_updated_on ON wiki_versions (updated_on, page_id, version);
CREATE INDEX messages_by_created_on ON messages (created_on, id);
CREATE INDEX time_entries_by_created_on ON time_entries (created_on, id);
