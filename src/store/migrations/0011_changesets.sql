-- Changesets of a repository are listed by time; the users of committers are looked up with every new one.
CREATE INDEX changesets_by_time ON changesets (repository_id, committed_on, id);
CREATE INDEX changesets_by_committer ON changesets (repository_id, committer, id, user_id) WHERE user_id IS NOT NULL;
