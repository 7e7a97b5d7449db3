-- Several nodes with one database.

-- What distinguishes the history in which an epoch began from others: the server of the database
-- and its timeline, which changes when a replica is promoted. Empty for SQLite.
ALTER TABLE epochs ADD COLUMN history TEXT NOT NULL DEFAULT '';

-- What is known about the store itself: `id`, which its shared folder of files names too; `files`,
-- where the contents of attachments are (`database` or `folder`); `copy` while it is the incomplete
-- copy of another store.
CREATE TABLE store_properties (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- The contents of attachments by their SHA-256, in pieces of 256 KiB from n = 0 on; an empty content
-- is one empty piece. Only on a server: a SQLite store keeps them as files in its data folder.
CREATE TABLE blobs (
    sha256 TEXT NOT NULL,
    n BIGINT NOT NULL,
    bytes {bytes} NOT NULL,
    PRIMARY KEY (sha256, n)
);

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
