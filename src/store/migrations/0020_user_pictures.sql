-- The pictures of users, as the service has scaled and encoded them; at most one of each. The digest is
-- that of the content: the key has it, so that the catalogue reads digests without contents.
CREATE TABLE user_pictures (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    updated_on BIGINT NOT NULL,
    content {bytes} NOT NULL,
    PRIMARY KEY (user_id, digest)
);
