-- The last day, in the zone of the user, for which the reminders of each user were looked at.
CREATE TABLE reminder_days (
    user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    day TEXT NOT NULL
);

-- The browsers in which each user has logged in, by the digests of tokens in their cookies. A
-- forgotten one is not known any more; it says that the account was used before.
CREATE TABLE known_devices (
    id {id},
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token_digest TEXT NOT NULL,
    created_on BIGINT NOT NULL,
    used_on BIGINT NOT NULL,
    is_forgotten BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX known_devices_by_user ON known_devices (user_id, token_digest);

-- Accounts that people have created and that wait for a link in a mail to be opened: the address that
-- they have typed, which becomes that of the account, and the digest of the token of the link.
CREATE TABLE registrations (
    user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    token_digest TEXT UNIQUE,
    created_on BIGINT NOT NULL,
    mailed_on BIGINT,
    expires_on BIGINT NOT NULL
);
CREATE INDEX registrations_by_address ON registrations (address);
CREATE INDEX registrations_by_expires_on ON registrations (expires_on);
