-- The order that people give the cards of boards. Issues without a rank follow those that have one.

CREATE TABLE issue_ranks (
    issue_id BIGINT PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
    rank BIGINT NOT NULL
);
CREATE INDEX issue_ranks_by_rank ON issue_ranks (rank, issue_id);
