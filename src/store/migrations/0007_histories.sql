-- Each time the store is opened a new stretch of its history begins: the changes from this number on, up to the next stretch. What
-- mirrors the records keeps the token of the last change that it knows, so that it never takes the changes of another store, or of
-- this one after an older copy was put in its place, for those it has.
CREATE TABLE histories (
    first BIGINT NOT NULL,
    token TEXT PRIMARY KEY
);
