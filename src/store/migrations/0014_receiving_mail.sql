-- What is known about the mailbox from which mails are received by IMAP: one row, with the id 1.
CREATE TABLE mailbox_status (
    id BIGINT PRIMARY KEY,
    state TEXT NOT NULL DEFAULT '',
    changed_on BIGINT,
    accepted_on BIGINT,
    refused_on BIGINT,
    failed_on BIGINT,
    error TEXT NOT NULL DEFAULT ''
);

-- How often a user has asked for another address for new issues of a project. Addresses with an
-- earlier number do not work any more.
CREATE TABLE new_issue_addresses (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    project_id BIGINT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    PRIMARY KEY (user_id, project_id)
);
CREATE INDEX new_issue_addresses_by_project ON new_issue_addresses (project_id);

-- The complete text of the mails that became issues, and of those that became messages of forums.
CREATE TABLE original_issue_mails (
    issue_id BIGINT PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
    sender TEXT NOT NULL,
    subject TEXT NOT NULL,
    sent_on TEXT NOT NULL,
    body TEXT NOT NULL,
    received_on BIGINT NOT NULL
);
CREATE TABLE original_message_mails (
    message_id BIGINT PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    sender TEXT NOT NULL,
    subject TEXT NOT NULL,
    sent_on TEXT NOT NULL,
    body TEXT NOT NULL,
    received_on BIGINT NOT NULL
);
