-- Mail addresses that users have given themselves and that are not confirmed. The link in the mail to the
-- address works until `expires_on`; the row stays until the address is confirmed or
-- given up, also by a new password or another status.
CREATE TABLE address_changes (
    user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    created_on BIGINT NOT NULL,
    token_digest TEXT UNIQUE,
    expires_on BIGINT,
    mailed_on BIGINT
);
