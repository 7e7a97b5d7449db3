//! Who is told of an event, by the rules of docs/notices.md.

use super::preferences::MailNotification;
use super::reasons::{Reason, Reasons};
use crate::access::inheritance::users_of_project;
use crate::administration::setting::Setting;
use crate::catalogue::Catalogue;
use crate::ids::{PrincipalId, ProjectId, UserId};
use std::collections::BTreeMap;

/// What the rules need to know of an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventFacts {
    pub project: ProjectId,
    /// Who caused it.
    pub actor: Option<UserId>,
    /// The watchers of the record and of what contains it.
    pub watchers: Vec<PrincipalId>,
    /// The users whom the text mentions.
    pub mentioned: Vec<UserId>,
    /// Whether it is about news, of which every member of the project is told.
    pub is_news: bool,
    /// Whether only people whom the text mentions are told.
    pub only_mentioned: bool,
    /// `None` unless it is about an issue.
    pub issue: Option<IssueFacts>,
}

/// What the rules need to know of an issue, as it is after the event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IssueFacts {
    pub author: UserId,
    pub assignee: Option<PrincipalId>,
    /// Whether the event made this principal the assignee.
    pub is_newly_assigned: bool,
    /// The assignee before, if the event changed it.
    pub former_assignee: Option<PrincipalId>,
    /// Whether its priority is above the default.
    pub has_high_priority: bool,
}

impl IssueFacts {
    /// Whether the user is the author or the assignee, also as a member of a group.
    pub fn involves(&self, catalogue: &Catalogue, user: UserId) -> bool {
        let mut assignees = self.assignee.iter().flat_map(|id| users(catalogue, *id));
        self.author == user || assignees.any(|assignee| assignee == user)
    }
}

/// A person who is told of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipient {
    pub user: UserId,
    pub reasons: Reasons,
    /// Whether the notice is in the inbox; `false` for people's own actions, which are only mailed.
    pub has_entry: bool,
    /// Whether the person wants mail.
    pub is_mailed: bool,
    /// Whether mail is sent without waiting for further changes.
    pub is_urgent: bool,
}

/// Returns who is told of an event, by user id. Whether they may see it is not decided here.
pub fn recipients(catalogue: &Catalogue, facts: &EventFacts) -> Vec<Recipient> {
    let mut candidates: BTreeMap<UserId, Reasons> = BTreeMap::new();
    let mut add = |user: UserId, reason: Reason| {
        candidates.entry(user).or_default().insert(reason);
    };
    for user in &facts.mentioned {
        add(*user, Reason::Mentioned);
    }
    if !facts.only_mentioned {
        add_others(catalogue, facts, &mut candidates);
    }
    let active = candidates
        .into_iter()
        .filter(|(user, _)| catalogue.is_active(*user));
    active
        .filter_map(|(user, reasons)| recipient(catalogue, facts, user, reasons))
        .collect()
}

/// Adds the people who are told of an event for reasons other than a mention.
fn add_others(
    catalogue: &Catalogue,
    facts: &EventFacts,
    candidates: &mut BTreeMap<UserId, Reasons>,
) {
    let mut add = |user: UserId, reason: Reason| {
        candidates.entry(user).or_default().insert(reason);
    };
    for watcher in &facts.watchers {
        for user in users(catalogue, *watcher) {
            add(user, Reason::Watched);
        }
    }
    if let Some(issue) = facts.issue {
        add(issue.author, Reason::Author);
        for user in issue.assignee.iter().flat_map(|id| users(catalogue, *id)) {
            add(user, Reason::Assigned);
        }
        let former = issue.former_assignee;
        for user in former.iter().flat_map(|id| users(catalogue, *id)) {
            add(user, Reason::WasAssigned);
        }
    }
    let preferences = &catalogue.notice_preferences;
    let chosen = preferences.selected.get(&facts.project);
    let has_high_priority = facts.issue.is_some_and(|issue| issue.has_high_priority);
    for user in users_of_project(catalogue, facts.project) {
        match mail_notification(catalogue, user) {
            MailNotification::None => continue,
            MailNotification::All => add(user, Reason::Project),
            MailNotification::Selected if chosen.is_some_and(|users| users.contains(&user)) => {
                add(user, Reason::Project);
            }
            _ => {}
        }
        if facts.is_news {
            add(user, Reason::News);
        }
        if has_high_priority && preferences.high_priority.contains(&user) {
            add(user, Reason::HighPriority);
        }
    }
}

/// Returns a candidate as a recipient; `None` if their preferences exclude the event.
fn recipient(
    catalogue: &Catalogue,
    facts: &EventFacts,
    user: UserId,
    reasons: Reasons,
) -> Option<Recipient> {
    let choice = mail_notification(catalogue, user);
    let reasons: Reasons = reasons
        .iter()
        .filter(|reason| is_wanted(choice, *reason))
        .collect();
    let is_own = facts.actor == Some(user);
    let wants_own = catalogue.notice_preferences.own_events.contains(&user);
    if reasons.is_empty() || is_own && !wants_own {
        return None;
    }
    let is_newly_assigned = reasons.contains(Reason::Assigned)
        && facts.issue.is_some_and(|issue| issue.is_newly_assigned);
    Some(Recipient {
        user,
        reasons,
        has_entry: !is_own,
        is_mailed: choice != MailNotification::None,
        is_urgent: !is_own && (reasons.contains(Reason::Mentioned) || is_newly_assigned),
    })
}

/// Whether people with this choice are told for this reason. With [`MailNotification::None`], the
/// inbox still has what they watch or are involved in.
fn is_wanted(choice: MailNotification, reason: Reason) -> bool {
    match reason {
        Reason::Author => choice != MailNotification::OnlyAssigned,
        Reason::Assigned | Reason::WasAssigned => choice != MailNotification::OnlyOwner,
        _ => true,
    }
}

/// Returns the choice of a user, or the default of the service.
pub fn mail_notification(catalogue: &Catalogue, user: UserId) -> MailNotification {
    let chosen = catalogue
        .users
        .get(&user)
        .and_then(|user| user.mail_notification.parse().ok());
    let default = || {
        let name = catalogue.setting(Setting::DefaultNotificationOption);
        name.parse().ok()
    };
    chosen.or_else(default).unwrap_or_default()
}

/// Returns the user, or the users of a group.
fn users(catalogue: &Catalogue, principal: PrincipalId) -> Vec<UserId> {
    match catalogue.groups.get(&principal) {
        Some(group) => group.users.clone(),
        None => vec![UserId(principal.0)],
    }
}
