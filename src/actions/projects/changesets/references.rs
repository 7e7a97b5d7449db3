//! What a commit message does with the issues that it refers to (compatibility 13.3).

use super::related_issues::is_related;
use crate::issues::apply_rule;
use crate::issues::time_entries;
use crate::issues::time_entries::LogTarget;
use crate::prelude::*;
use jiff::tz::TimeZone;
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::EnumerationId;
use quarry_domain::issues::issue::Issue;
use quarry_domain::issues::time_entry::TimeEntryChange;
use quarry_domain::projects::changeset::Changeset;
use quarry_domain::projects::commit_message::{Reference, references};
use quarry_domain::projects::project::ProjectStatus;
use quarry_domain::projects::update_rules::UpdateRule;
use quarry_store::issues;
use quarry_store::projects::changesets;
use std::collections::HashSet;
use std::sync::Arc;

/// Links the changeset to the issues of its message, applies the rules of the keywords, and logs
/// time. Issues that do not exist, or are in unrelated, closed or archived projects, are skipped.
pub(super) fn apply_references(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    changeset: &Changeset,
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let rules = catalogue.update_rules();
    let mut updated = HashSet::new();
    for reference in references(&changeset.comments, &keywords(&catalogue, &rules)) {
        let Some(issue) = issues::find_any(db, IssueId(reference.issue))? else {
            continue;
        };
        let is_active = catalogue
            .projects
            .get(&issue.project)
            .is_some_and(|project| project.status == ProjectStatus::Active);
        if !is_active
            || !is_related(&catalogue, project, issue.project)
                && !catalogue.is_on(Setting::CommitCrossProjectRef)
        {
            continue;
        }
        changesets::link_issue(db, changeset.id, issue.id)?;
        if updated.insert(issue.id) {
            update(db, viewer, project, &issue, &rules, &reference, changeset)?;
        }
        log_time(db, &issue, &reference, changeset)?;
    }
    Ok(())
}

/// Returns all keywords of the settings in lower case.
fn keywords(catalogue: &Catalogue, rules: &[UpdateRule]) -> Vec<String> {
    let words = catalogue
        .setting(Setting::CommitRefKeywords)
        .split(',')
        .map(|word| word.trim().to_lowercase());
    words
        .filter(|word| !word.is_empty())
        .chain(rules.iter().flat_map(|rule| rule.keywords.clone()))
        .collect()
}

/// Applies the first rule of the keyword for the tracker of the issue, in the name of the
/// committer.
#[allow(clippy::too_many_arguments, reason = "each is a different thing")]
fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    issue: &Issue,
    rules: &[UpdateRule],
    reference: &Reference,
    changeset: &Changeset,
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let Some(rule) = rules.iter().find(|rule| applies(rule, reference, issue)) else {
        return Ok(());
    };
    let committer = changeset
        .user
        .map(|user| Viewer::new(&catalogue, Some(user)));
    let viewer = committer.as_ref().unwrap_or(viewer);
    // Unknown committers are anonymous, as in Redmine; without such a user, the entry has the name
    // of the hook's user.
    let Some(user) = changeset
        .user
        .or_else(|| Viewer::new(&catalogue, None).author_id(&catalogue))
        .or(viewer.user)
    else {
        return Ok(());
    };
    let note = format!(
        "Applied in changeset {}.",
        mention(&catalogue, project, issue.project, &changeset.revision)
    );
    apply_rule(db, viewer, user, issue.id, rule, &note)
}

/// Whether the rule is one for the keyword and for the tracker of the issue.
fn applies(rule: &UpdateRule, reference: &Reference, issue: &Issue) -> bool {
    let has_keyword = reference
        .keyword
        .as_ref()
        .is_some_and(|keyword| rule.keywords.contains(keyword));
    has_keyword && rule.tracker.is_none_or(|tracker| tracker == issue.tracker)
}

/// Returns the changeset as texts of issues of a project mention it, such as `r12`, `commit:1a2b3c`
/// or `core:r12`.
fn mention(
    catalogue: &Catalogue,
    project: ProjectId,
    of_issue: ProjectId,
    revision: &str,
) -> String {
    let is_number = revision.bytes().all(|byte| byte.is_ascii_digit());
    let mention = if is_number {
        format!("r{revision}")
    } else {
        format!("commit:{revision}")
    };
    match catalogue
        .projects
        .get(&project)
        .filter(|_| project != of_issue)
    {
        Some(project) => format!("{}:{mention}", project.identifier),
        None => mention,
    }
}

/// Logs the time of the reference for the committer, who needs the permission. Time that breaks a
/// rule is not logged.
fn log_time(
    db: &mut Write<'_>,
    issue: &Issue,
    reference: &Reference,
    changeset: &Changeset,
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let (Some(user), Some(hours)) = (
        changeset.user.filter(|user| catalogue.is_active(*user)),
        reference.hours,
    ) else {
        return Ok(());
    };
    if !catalogue.is_on(Setting::CommitLogtimeEnabled) {
        return Ok(());
    }
    let activity = match catalogue.integer_setting(Setting::CommitLogtimeActivityId) {
        0 => Patch::Unset,
        // The project may have replaced the activity by one of its own.
        id => {
            let replacements: Vec<EnumerationId> =
                catalogue.replacements(EnumerationId(id)).collect();
            let activity = catalogue
                .activities_of(issue.project)
                .find(|activity| replacements.contains(&activity.id));
            activity.map_or(Patch::Unset, |activity| Patch::Set(activity.id))
        }
    };
    let change = TimeEntryChange {
        activity,
        hours: Patch::Set(hours.to_string()),
        comments: Patch::Set(format!("Changeset {}", changeset.revision)),
        spent_on: Patch::Set(
            TimeZone::UTC
                .to_datetime(changeset.committed_on)
                .date()
                .to_string(),
        ),
        ..TimeEntryChange::default()
    };
    match time_entries::create(
        db,
        &Viewer::new(&catalogue, Some(user)),
        LogTarget::Issue(issue.id),
        &change,
    ) {
        Ok(_) | Err(ActionError::Invalid(_) | ActionError::Forbidden | ActionError::NotFound) => {
            Ok(())
        }
        Err(error) => Err(error),
    }
}
