-- Lists of time entries go by day, of all or of one project; the hours of one person on one day are summed up with every entry.
CREATE INDEX time_entries_by_day ON time_entries (spent_on, id);
CREATE INDEX time_entries_by_project_and_day ON time_entries (project_id, spent_on);
CREATE INDEX time_entries_by_user_and_day ON time_entries (user_id, spent_on);
-- The one by project and day does for this as well.
DROP INDEX time_entries_by_project;
