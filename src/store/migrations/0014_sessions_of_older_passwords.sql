-- A new password deletes the sessions of its user. Sessions from before that ended by their time, which is no longer compared.
DELETE FROM sessions WHERE EXISTS (SELECT 1 FROM users WHERE users.id = sessions.user_id AND users.passwd_changed_on > sessions.created_on);
