-- Who is told of which event. A notice names the event and says nothing of it: what its user may
-- see is decided when it is shown or sent. The codes are those of `domain::index_feed::kind`,
-- `domain::content::activity` and `domain::notices::reasons`; the version is that of a wiki page,
-- otherwise 0.
CREATE TABLE notices (
    id {id},
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    thread_kind BIGINT NOT NULL,
    thread_id BIGINT NOT NULL,
    event_type BIGINT NOT NULL,
    event_id BIGINT NOT NULL,
    event_version BIGINT NOT NULL,
    reasons BIGINT NOT NULL,
    created_on BIGINT NOT NULL,
    is_read BIGINT NOT NULL DEFAULT 0,
    is_done BIGINT NOT NULL DEFAULT 0,
    -- When its mail is due; null for notices without mail and for those that were mailed.
    mail_on BIGINT
);
-- Each index that begins with the user makes an event write one page for each person.
CREATE INDEX notices_by_user ON notices (user_id, is_done, id, is_read);
CREATE INDEX notices_by_thread ON notices (thread_kind, thread_id, user_id);
CREATE INDEX notices_by_mail ON notices (mail_on) WHERE mail_on IS NOT NULL;

-- What users have decided about threads: not to be told any more, or to see them later.
CREATE TABLE notice_threads (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    thread_kind BIGINT NOT NULL,
    thread_id BIGINT NOT NULL,
    is_muted BIGINT NOT NULL DEFAULT 0,
    hidden_until BIGINT,
    PRIMARY KEY (user_id, thread_kind, thread_id)
);
CREATE INDEX notice_threads_muted ON notice_threads (thread_kind, thread_id) WHERE is_muted = 1;

-- The activity and notices read comments on news by their time.
CREATE INDEX comments_by_created_on ON comments (created_on, id);
