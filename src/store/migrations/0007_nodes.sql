-- Several nodes with one database.

-- The history in which an epoch began: the system identifier of the PostgreSQL server and its
-- timeline, which changes when a standby is promoted. Empty for SQLite.
ALTER TABLE epochs ADD COLUMN history TEXT NOT NULL DEFAULT '';

-- Properties of the store itself: `id`, which is also in the marker of a shared folder of files;
-- `files`, which is `folder` if the contents of attachments are in such a folder; `copy` while the
-- store is the incomplete copy of another one.
CREATE TABLE store_properties (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- The contents of attachments by their SHA-256, in pieces of 256 KiB, numbered from n = 0; an empty
-- content is one empty piece. Unused in SQLite: there, they are files in the data folder.
CREATE TABLE blobs (
    sha256 TEXT NOT NULL,
    n BIGINT NOT NULL,
    bytes {bytes} NOT NULL,
    PRIMARY KEY (sha256, n)
);

-- The processes that serve this database, each with its last report. Empty for SQLite, which only
-- one process serves.
CREATE TABLE nodes (
    id TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    version TEXT NOT NULL,
    joined_on BIGINT NOT NULL,
    seen_on BIGINT NOT NULL,
    indexed_change BIGINT,
    is_importing BIGINT NOT NULL
);

-- Counters of wrong passwords and codes, one for each account and address, and addresses with a
-- successful login. The key is a digest, so that the table reveals neither logins nor addresses.
CREATE TABLE guesses (
    key TEXT PRIMARY KEY,
    failures BIGINT NOT NULL,
    retry_on BIGINT NOT NULL,
    expires_on BIGINT NOT NULL
);
CREATE INDEX guesses_by_expiry ON guesses (expires_on);

-- The digest of the secret that all nodes share; no row for SQLite.
CREATE TABLE secret_fingerprints (value TEXT PRIMARY KEY);
