-- The running timers: when a user began to work on an issue.
CREATE TABLE timers (
    user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    issue_id BIGINT NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    started_on BIGINT NOT NULL
);
CREATE INDEX timers_by_issue ON timers (issue_id);
