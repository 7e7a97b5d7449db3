-- When users were warned about changes of their accounts, in the last hour. There is a limit on warnings.
CREATE TABLE account_warnings (
    id {id},
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    event TEXT NOT NULL,
    created_on BIGINT NOT NULL
);
CREATE INDEX account_warnings_by_user ON account_warnings (user_id, created_on);
