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
