-- Several nodes with one database.

-- What distinguishes the history in which an epoch began from others: the server of the database
-- and its timeline, which changes when a replica is promoted. Empty for SQLite.
ALTER TABLE epochs ADD COLUMN history TEXT NOT NULL DEFAULT '';
