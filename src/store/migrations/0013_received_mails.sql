-- The mails that were accepted from each user, by the digests of their ids, so that none is accepted
-- twice. A row is kept as long as a token can be valid.
CREATE TABLE received_mails (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    received_on BIGINT NOT NULL,
    PRIMARY KEY (user_id, digest)
);
CREATE INDEX received_mails_by_user ON received_mails (user_id, received_on);
CREATE INDEX received_mails_by_received_on ON received_mails (received_on);

-- The complete text of the mails that became notes.
CREATE TABLE original_mails (
    journal_id BIGINT PRIMARY KEY REFERENCES journals (id) ON DELETE CASCADE,
    sender TEXT NOT NULL,
    subject TEXT NOT NULL,
    sent_on TEXT NOT NULL,
    body TEXT NOT NULL,
    received_on BIGINT NOT NULL
);
