//! Reasons in plain words.

use quarry_domain::notices::reasons::Reason;

/// Returns why a person is told, in words that continue "because".
pub fn reason_label(reason: Reason) -> &'static str {
    match reason {
        Reason::Mentioned => "mentioned you",
        Reason::Assigned => "assigned to you",
        Reason::WasAssigned => "was assigned to you",
        Reason::Author => "you wrote it",
        Reason::Watched => "you watch it",
        Reason::Project => "everything in the project",
        Reason::HighPriority => "high priority",
        Reason::News => "news of your project",
    }
}
