-- The outbox: mails that wait to be sent, and those that could not be sent. A mail that was sent is
-- deleted. `send_on` is when a waiting mail is due, until when a mail that is being sent belongs to
-- the node that sends it, and when one has failed for good.
CREATE TABLE mails (
    id {id},
    kind TEXT NOT NULL,
    user_id BIGINT REFERENCES users (id) ON DELETE CASCADE,
    address TEXT NOT NULL DEFAULT '',
    topic TEXT NOT NULL DEFAULT '',
    data_json TEXT,
    message_id TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',
    created_on BIGINT NOT NULL,
    send_on BIGINT NOT NULL
);
CREATE INDEX mails_due ON mails (send_on, id) WHERE state <> 'failed';
CREATE INDEX mails_failed ON mails (id) WHERE state = 'failed';
CREATE INDEX mails_by_user ON mails (user_id);
CREATE INDEX mails_by_topic ON mails (kind, topic);

-- Whether mail is on, what was sent and refused last, and how many mails did not fit into the
-- outbox: one row, with the id 1.
CREATE TABLE mail_status (
    id BIGINT PRIMARY KEY,
    is_on BIGINT NOT NULL DEFAULT 0,
    sent_on BIGINT,
    failed_on BIGINT,
    error TEXT NOT NULL DEFAULT '',
    dropped BIGINT NOT NULL DEFAULT 0
);

-- Links with which users who have lost their passwords choose other ones, each made for an attempt to
-- send a mail. Using one deletes all of the user.
CREATE TABLE lost_passwords (
    id {id},
    token_digest TEXT NOT NULL UNIQUE,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    mail_id BIGINT NOT NULL,
    expires_on BIGINT NOT NULL
);
CREATE INDEX lost_passwords_by_user ON lost_passwords (user_id);
