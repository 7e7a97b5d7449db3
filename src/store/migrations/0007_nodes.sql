-- Several nodes with one database.

-- What distinguishes the history in which an epoch began from others: the server of the database
-- and its timeline, which changes when a replica is promoted. Empty for SQLite.
ALTER TABLE epochs ADD COLUMN history TEXT NOT NULL DEFAULT '';

-- The processes that serve this database, with what they reported last. Empty for SQLite, which one
-- process serves.
CREATE TABLE nodes (
    id TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    version TEXT NOT NULL,
    joined_on BIGINT NOT NULL,
    seen_on BIGINT NOT NULL,
    indexed_change BIGINT,
    is_importing BIGINT NOT NULL
);

-- Wrong passwords and codes by what they count for, and addresses with a successful login. The key
-- is a digest, so that the database tells neither logins nor addresses.
CREATE TABLE guesses (
    key TEXT PRIMARY KEY,
    failures BIGINT NOT NULL,
    retry_on BIGINT NOT NULL,
    expires_on BIGINT NOT NULL
);
CREATE INDEX guesses_by_expiry ON guesses (expires_on);

-- The digest of the secret that all nodes have in common; no row for SQLite.
CREATE TABLE secret_fingerprints (value TEXT PRIMARY KEY);
