-- The pictures of users, as the service has scaled and encoded them. The digest is that of the content.
CREATE TABLE user_pictures (
    user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    updated_on BIGINT NOT NULL,
    content {bytes} NOT NULL
);
-- The catalogue reads the digests, from this index alone.
CREATE UNIQUE INDEX user_pictures_by_user ON user_pictures (user_id, digest);
