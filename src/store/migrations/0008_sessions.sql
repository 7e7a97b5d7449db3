-- Logins of browsers. The token is in a cookie of the browser; only its digest is stored.
CREATE TABLE sessions (
    id {id},
    token_digest TEXT NOT NULL UNIQUE,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    step BIGINT NOT NULL,
    is_persistent BIGINT NOT NULL,
    created_on BIGINT NOT NULL,
    used_on BIGINT NOT NULL,
    expires_on BIGINT NOT NULL,
    address TEXT NOT NULL,
    user_agent TEXT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id, id);
CREATE INDEX sessions_by_expiry ON sessions (expires_on);

-- Codes for users who cannot reach their second factor. Each is valid once; only its digest is stored.
CREATE TABLE recovery_codes (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    code_digest TEXT NOT NULL,
    PRIMARY KEY (user_id, code_digest)
);
