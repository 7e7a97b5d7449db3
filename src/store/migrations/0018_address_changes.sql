-- Mail addresses that users have given themselves and that are not confirmed. The link in the mail to the
-- address works until `expires_on`; the row stays until the address is confirmed or given up.
CREATE TABLE address_changes (
    user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    created_on BIGINT NOT NULL,
    token_digest TEXT UNIQUE,
    expires_on BIGINT
);

-- When links were sent to an address, by the digest of the address, in the last hour. There is a limit on them,
-- no matter who has asked for them, also by accounts that do not exist any more.
CREATE TABLE address_links (
    id {id},
    address_digest TEXT NOT NULL,
    mailed_on BIGINT NOT NULL
);
CREATE INDEX address_links_by_address ON address_links (address_digest, mailed_on);
CREATE INDEX address_links_by_mailed_on ON address_links (mailed_on);
