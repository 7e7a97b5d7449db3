-- The order in which a role has its permissions.
ALTER TABLE role_permissions ADD COLUMN position BIGINT NOT NULL DEFAULT 0;
