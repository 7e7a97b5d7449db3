//! Numbers of issues and reasons in sentences.

use quarry_domain::ids::IssueId;

/// Returns a number of issues in words.
pub fn issues(count: usize) -> String {
    match count {
        1 => "1 issue".to_owned(),
        count => format!("{count} issues"),
    }
}

/// Returns what became of a number of issues in words, such as "3 issues were changed".
pub fn issues_were(count: usize, participle: &str) -> String {
    let verb = if count == 1 { "was" } else { "were" };
    format!("{} {verb} {participle}", issues(count))
}

/// Names issues with the reasons why they are refused.
pub fn reasons(refused: &[(IssueId, String)]) -> String {
    const MAX_NAMED: usize = 10;
    let named = refused.iter().take(MAX_NAMED);
    let named: Vec<String> = named
        .map(|(id, reason)| format!("#{id} ({reason})"))
        .collect();
    let more = refused.len().saturating_sub(MAX_NAMED);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("{}{more}", named.join(", "))
}
