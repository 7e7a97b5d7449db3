-- Texts that may be null, with the defaults that Redmine has.
ALTER TABLE news ADD COLUMN nullable_summary TEXT DEFAULT '';
UPDATE news SET nullable_summary = summary;
ALTER TABLE news DROP COLUMN summary;
ALTER TABLE news RENAME COLUMN nullable_summary TO summary;

ALTER TABLE projects ADD COLUMN nullable_homepage TEXT DEFAULT '';
UPDATE projects SET nullable_homepage = homepage;
ALTER TABLE projects DROP COLUMN homepage;
ALTER TABLE projects RENAME COLUMN nullable_homepage TO homepage;

ALTER TABLE versions ADD COLUMN nullable_description TEXT DEFAULT '';
UPDATE versions SET nullable_description = description;
ALTER TABLE versions DROP COLUMN description;
ALTER TABLE versions RENAME COLUMN nullable_description TO description;

ALTER TABLE documents ADD COLUMN nullable_description TEXT;
UPDATE documents SET nullable_description = description;
ALTER TABLE documents DROP COLUMN description;
ALTER TABLE documents RENAME COLUMN nullable_description TO description;

ALTER TABLE attachments ADD COLUMN nullable_description TEXT;
UPDATE attachments SET nullable_description = description;
ALTER TABLE attachments DROP COLUMN description;
ALTER TABLE attachments RENAME COLUMN nullable_description TO description;

-- The memberships of users are looked up when their groups change.
CREATE INDEX members_by_user ON members (user_id);
