-- Whose rights an event is about, so that the name can be removed when the user is deleted.
ALTER TABLE audit_events ADD COLUMN principal_id BIGINT;
