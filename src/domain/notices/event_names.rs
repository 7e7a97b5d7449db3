//! The events of the setting `notified_events`.

/// The names of the events, each with its label.
pub const EVENT_NAMES: [(&str, &str); 15] = [
    ("issue_added", "Issue added"),
    ("issue_updated", "Issue changed in any way"),
    ("issue_note_added", "Note added"),
    ("issue_status_updated", "Status changed"),
    ("issue_assigned_to_updated", "Assignee changed"),
    ("issue_priority_updated", "Priority changed"),
    ("issue_fixed_version_updated", "Version changed"),
    ("issue_attachment_added", "File added to an issue"),
    ("news_added", "News added"),
    ("news_comment_added", "Comment on news"),
    ("document_added", "Document added"),
    ("file_added", "File added to a project"),
    ("message_posted", "Message in a forum"),
    ("wiki_content_added", "Wiki page added"),
    ("wiki_content_updated", "Wiki page changed"),
];
