-- Texts for comments, each of a user or of a project.
CREATE TABLE saved_replies (
    id {id},
    user_id BIGINT REFERENCES users (id) ON DELETE CASCADE,
    project_id BIGINT REFERENCES projects (id),
    name TEXT NOT NULL,
    content TEXT NOT NULL
);
CREATE INDEX saved_replies_user ON saved_replies (user_id);
CREATE INDEX saved_replies_project ON saved_replies (project_id);

-- What new issues of a tracker begin with in a project.
CREATE TABLE issue_templates (
    id {id},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    tracker_id BIGINT NOT NULL REFERENCES trackers (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    subject TEXT NOT NULL,
    description TEXT NOT NULL,
    is_default BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX issue_templates_project ON issue_templates (project_id, tracker_id);
CREATE INDEX issue_templates_tracker ON issue_templates (tracker_id);
