-- Links with which new users choose their first password. Using a link deletes it.
CREATE TABLE invitations (
    id {id},
    token_digest TEXT NOT NULL UNIQUE,
    user_id BIGINT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
    created_on BIGINT NOT NULL,
    expires_on BIGINT NOT NULL
);
