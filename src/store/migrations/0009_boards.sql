-- The order that people give the cards of boards. Issues without a rank follow those that have one.
CREATE TABLE issue_ranks (
    issue_id BIGINT PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
    rank BIGINT NOT NULL
);
CREATE INDEX issue_ranks_by_rank ON issue_ranks (rank, issue_id);

-- How many cards a column of the boards of a project should have at most. The field is named as in
-- addresses; the value 0 is the column without a value.
CREATE TABLE issue_board_limits (
    project_id BIGINT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    value_id BIGINT NOT NULL,
    maximum BIGINT NOT NULL,
    PRIMARY KEY (project_id, field, value_id)
);
