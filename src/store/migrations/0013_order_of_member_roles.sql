-- The order in which the roles of all members were given.
ALTER TABLE member_roles ADD COLUMN position BIGINT NOT NULL DEFAULT 0;
CREATE INDEX member_roles_by_position ON member_roles (position);
