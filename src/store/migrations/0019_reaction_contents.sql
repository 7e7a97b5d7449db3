-- What a reaction says, by the names of `domain::content::reaction`. Those of earlier versions are thumbs up.
ALTER TABLE reactions ADD COLUMN content TEXT NOT NULL DEFAULT 'thumbs_up';
