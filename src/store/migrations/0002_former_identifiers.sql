-- The former identifiers of projects, so that addresses with them keep working.
CREATE TABLE former_identifiers (
    identifier TEXT PRIMARY KEY,
    project_id BIGINT NOT NULL REFERENCES projects (id)
);
