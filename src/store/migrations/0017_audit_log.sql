-- By what something was done, by which application, by whom in the name of another user, and the
-- values before and after.
ALTER TABLE audit_events ADD COLUMN origin TEXT NOT NULL DEFAULT '';
ALTER TABLE audit_events ADD COLUMN application TEXT;
ALTER TABLE audit_events ADD COLUMN switched_by BIGINT;
ALTER TABLE audit_events ADD COLUMN changes_json TEXT;
CREATE INDEX audit_events_by_record ON audit_events (record, id);
CREATE INDEX audit_events_by_user ON audit_events (user_id, id);
CREATE INDEX audit_events_by_created_on ON audit_events (created_on);
