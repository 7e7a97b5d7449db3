-- Lists and totals of issues ask for project, status, privacy, author and assignee: with all of them in an index, no issue itself
-- need be read to pass it by.
DROP INDEX issues_by_project;
DROP INDEX issues_by_author;
DROP INDEX issues_by_assignee;
CREATE INDEX issues_by_project ON issues (project_id, status_id, id, is_private, author_id, assigned_to_id);
CREATE INDEX issues_by_author ON issues (author_id, id, project_id, status_id, is_private);
CREATE INDEX issues_by_assignee ON issues (assigned_to_id, id, project_id, status_id, is_private) WHERE assigned_to_id IS NOT NULL;
