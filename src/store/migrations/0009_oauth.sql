-- Applications that may ask people for access. Public ones have no secret; of a secret only the digest is stored.
CREATE TABLE oauth_applications (
    id {id},
    client_id TEXT NOT NULL UNIQUE,
    secret_digest TEXT,
    name TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_on BIGINT NOT NULL
);

-- What people have allowed, with the code of the consent. Of codes and tokens only the digest is stored.
CREATE TABLE oauth_grants (
    id {id},
    application_id BIGINT NOT NULL REFERENCES oauth_applications (id) ON DELETE CASCADE,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    scopes TEXT NOT NULL,
    created_on BIGINT NOT NULL,
    used_on BIGINT NOT NULL,
    code_digest TEXT NOT NULL UNIQUE,
    code_expires_on BIGINT NOT NULL,
    code_is_used BIGINT NOT NULL,
    redirect_uri TEXT,
    code_challenge TEXT
);
CREATE INDEX oauth_grants_by_user ON oauth_grants (user_id, application_id, id);
CREATE INDEX oauth_grants_by_application ON oauth_grants (application_id, id);

-- Each row is one access token with its refresh token. A used refresh token stays, so that its reuse is noticed.
CREATE TABLE oauth_tokens (
    id {id},
    grant_id BIGINT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
    access_digest TEXT NOT NULL UNIQUE,
    refresh_digest TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    created_on BIGINT NOT NULL,
    expires_on BIGINT NOT NULL,
    refresh_expires_on BIGINT NOT NULL,
    is_refreshed BIGINT NOT NULL
);
CREATE INDEX oauth_tokens_by_grant ON oauth_tokens (grant_id, id);
CREATE INDEX oauth_tokens_by_expiry ON oauth_tokens (refresh_expires_on);
