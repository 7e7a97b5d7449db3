-- Who changed what: rights, settings, members, projects. Users are named by their ids, which may be
-- those of deleted users.
CREATE TABLE audit_events (
    id {id},
    created_on BIGINT NOT NULL,
    user_id BIGINT,
    address TEXT NOT NULL,
    record TEXT NOT NULL,
    record_id BIGINT NOT NULL,
    name TEXT,
    change TEXT NOT NULL,
    project TEXT,
    details TEXT
);
