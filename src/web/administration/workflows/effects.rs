//! Sentences about what a change of the workflow means, for the page that asks for confirmation.

use super::labels;
use crate::components::list_page::Link;
use quarry_domain::administration::workflow::Rule;
use quarry_domain::administration::workflow_effects::{Effect, EffectKind};
use quarry_domain::administration::workflow_plan::{PlannedWorkflow, TransitionCell};
use quarry_domain::catalogue::Catalogue;

/// Maximum number of changed cells that are listed.
const MAX_LINES: usize = 200;

/// An effect: the issues as a link to their list, and what would be true of them.
pub struct EffectLine {
    pub issues: Link,
    pub text: String,
    /// The tracker and the statuses.
    pub which: String,
    /// Whether people could do less than before.
    pub is_loss: bool,
}

/// Describes an effect.
pub fn effect(catalogue: &Catalogue, effect: &Effect) -> EffectLine {
    let people = labels::people(labels::role(catalogue, effect.role), effect.people);
    let one = effect.issues == 1;
    let issues = |adjective: &str| match one {
        true => format!("1 {adjective}issue"),
        false => format!("{} {adjective}issues", effect.issues),
    };
    let (label, text, is_loss) = match &effect.kind {
        EffectKind::NotClosable => (
            issues("open "),
            format!("could no longer be closed in one step by {people}."),
            true,
        ),
        EffectKind::Closable => (
            issues("open "),
            format!("could be closed in one step by {people}."),
            false,
        ),
        EffectKind::Stuck => (
            issues(""),
            format!("could no longer be given another status by {people}."),
            true,
        ),
        EffectKind::Movable => (
            issues(""),
            format!("could be given another status by {people}."),
            false,
        ),
        EffectKind::Field(field, rule) => {
            let field = labels::field_label(catalogue, field);
            let text = match rule {
                Some(Rule::ReadOnly) => {
                    format!("would have “{field}” read-only for {people}.")
                }
                Some(Rule::Required) => format!("would require “{field}” from {people}."),
                None => format!("would no longer have a rule for “{field}” for {people}."),
            };
            (issues(""), text, rule.is_some())
        }
    };
    let statuses: Vec<String> = effect
        .statuses
        .iter()
        .map(|status| status.to_string())
        .collect();
    let names: Vec<String> = effect
        .statuses
        .iter()
        .map(|status| labels::status(catalogue, Some(*status)))
        .collect();
    let path = format!(
        "/issues?tracker_id={}&status_id={}",
        effect.tracker,
        statuses.join("%7C")
    );
    EffectLine {
        issues: Link::new(label, path),
        text,
        which: format!(
            "{}: {}",
            labels::tracker(catalogue, effect.tracker),
            names.join(", ")
        ),
        is_loss,
    }
}

/// The changes of one workflow.
pub struct PlanLine {
    pub role: String,
    pub tracker: String,
    pub changes: Vec<String>,
}

/// Describes the changes of the workflows. Returns them with the number of those left out.
pub fn plans(catalogue: &Catalogue, plans: &[PlannedWorkflow]) -> (Vec<PlanLine>, usize) {
    let mut left = MAX_LINES;
    let mut hidden = 0;
    let mut lines = Vec::new();
    for plan in plans {
        let step = |cell: &TransitionCell| {
            let from = labels::status(catalogue, cell.from);
            let to = labels::status(catalogue, Some(cell.to));
            let suffix = labels::people("", cell.kind);
            format!("{from} → {to}{suffix}")
        };
        let gained = plan.after.transitions_without(&plan.before);
        let lost = plan.before.transitions_without(&plan.after);
        let gained = gained
            .iter()
            .map(|cell| format!("Permitted: {}", step(cell)));
        let lost = lost
            .iter()
            .map(|cell| format!("No longer permitted: {}", step(cell)));
        let rules = plan.changed_rules();
        let rules = rules.iter().map(|(cell, rule)| {
            let field = labels::field_label(catalogue, &cell.field);
            let status = labels::status(catalogue, Some(cell.status));
            format!("{field} in {status}: {}", labels::rule(*rule))
        });
        let all: Vec<String> = gained.chain(lost).chain(rules).collect();
        let shown = all.len().min(left);
        left -= shown;
        hidden += all.len() - shown;
        if shown > 0 {
            lines.push(PlanLine {
                role: labels::role(catalogue, plan.role).to_owned(),
                tracker: labels::tracker(catalogue, plan.tracker).to_owned(),
                changes: all.into_iter().take(shown).collect(),
            });
        }
    }
    (lines, hidden)
}
