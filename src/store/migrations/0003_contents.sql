-- Which files have this content: asked before a content is removed.
CREATE INDEX attachments_by_content ON attachments (content_sha256) WHERE content_sha256 IS NOT NULL;
-- Uploads that wait for a record, oldest first.
CREATE INDEX attachments_waiting ON attachments (created_on) WHERE container_id IS NULL;
-- Files of versions have no number of a content type.
CREATE INDEX attachments_by_holder ON attachments (container_type, container_id) WHERE container_kind IS NULL;
