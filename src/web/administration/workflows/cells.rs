//! Cells of the matrices as texts in forms: `author-1-2` for a transition, `1-subject` for a rule,
//! and `author-1-2=1` or `1-subject=required` for a change.

use quarry_domain::administration::workflow::Rule;
use quarry_domain::administration::workflow_plan::{RuleCell, TransitionCell};
use quarry_domain::ids::StatusId;
use quarry_wire::Input;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of changes in a form.
const MAX_CHANGES: usize = 10_000;

/// The changes on the page that asks for confirmation.
pub const CHANGES: &str = "changes";

/// Returns the name of a transition.
pub fn transition_name(cell: TransitionCell) -> String {
    let from = cell.from.unwrap_or_default();
    format!("{}-{from}-{}", cell.kind.name(), cell.to)
}

/// Parses the name of a transition.
pub fn parse_transition(name: &str) -> Option<TransitionCell> {
    let mut parts = name.split('-');
    let kind = parts.next()?.parse().ok()?;
    let from = StatusId(parts.next()?.parse().ok()?);
    let to = StatusId(parts.next()?.parse().ok()?);
    parts.next().is_none().then_some(TransitionCell {
        kind,
        from: (from != StatusId::default()).then_some(from),
        to,
    })
}

/// Returns the name of a rule.
pub fn rule_name(cell: &RuleCell) -> String {
    format!("{}-{}", cell.status, cell.field)
}

/// Parses the name of a rule.
pub fn parse_rule(name: &str) -> Option<RuleCell> {
    let parts = name.split_once('-')?;
    Some(RuleCell {
        status: StatusId(parts.0.parse().ok()?),
        field: parts.1.to_owned(),
    })
}

/// Returns the changes of transitions as text.
pub fn transitions_text(changes: &BTreeMap<TransitionCell, bool>) -> String {
    let texts: Vec<String> = changes
        .iter()
        .map(|(cell, on)| format!("{}={}", transition_name(*cell), u8::from(*on)))
        .collect();
    texts.join(" ")
}

/// Returns the changes of rules as text.
pub fn rules_text(changes: &BTreeMap<RuleCell, Option<Rule>>) -> String {
    let texts: Vec<String> = changes
        .iter()
        .map(|(cell, rule)| format!("{}={}", rule_name(cell), value(*rule)))
        .collect();
    texts.join(" ")
}

/// The value of a cell without a rule.
pub const FREE: &str = "free";

/// Returns the value of a rule in forms.
pub fn value(rule: Option<Rule>) -> &'static str {
    rule.map_or(FREE, Rule::name)
}

fn parse_value(text: &str) -> Option<Option<Rule>> {
    match text {
        FREE => Some(None),
        text => text.parse().ok().map(Some),
    }
}

fn sent_changes(form: &Input) -> Vec<(String, String)> {
    let text = form.get(CHANGES).and_then(Input::as_text);
    let text = text.unwrap_or_default();
    let changes = text.split_whitespace().take(MAX_CHANGES);
    let pairs = changes.filter_map(|change| change.split_once('='));
    pairs
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// Whether the form is that of the page that asks for confirmation.
pub fn has_changes(form: &Input) -> bool {
    form.get(CHANGES).is_some()
}

/// Returns the changed transitions: those that were listed already, or those of a matrix.
pub fn changed_transitions(form: &Input) -> BTreeMap<TransitionCell, bool> {
    if has_changes(form) {
        let changes = sent_changes(form).into_iter();
        return changes
            .filter_map(|(name, value)| Some((parse_transition(&name)?, value == "1")))
            .collect();
    }
    let text = form.get("shown").and_then(Input::as_text);
    let text = text.unwrap_or_default();
    let shown: BTreeSet<TransitionCell> = text
        .split_whitespace()
        .filter_map(parse_transition)
        .collect();
    let on = form.get("on").and_then(Input::as_list);
    let on: BTreeSet<TransitionCell> = on
        .into_iter()
        .flatten()
        .filter_map(|name| parse_transition(&name.as_text()?))
        .collect();
    let mixed = form.get("mixed").map(Input::entries).unwrap_or_default();
    let mixed = mixed
        .iter()
        .filter_map(|(name, value)| match value.as_text()?.as_ref() {
            "1" => Some((parse_transition(name)?, true)),
            "0" => Some((parse_transition(name)?, false)),
            _ => None,
        });
    let gained = on.difference(&shown).map(|cell| (*cell, true));
    let lost = shown.difference(&on).map(|cell| (*cell, false));
    gained.chain(lost).chain(mixed).collect()
}

/// Returns the changed rules: those that were listed already, or those of a matrix.
pub fn changed_rules(form: &Input) -> BTreeMap<RuleCell, Option<Rule>> {
    if has_changes(form) {
        let changes = sent_changes(form).into_iter();
        return changes
            .filter_map(|(name, value)| Some((parse_rule(&name)?, parse_value(&value)?)))
            .collect();
    }
    let text = form.get("shown").and_then(Input::as_text);
    let text = text.unwrap_or_default();
    let shown: BTreeMap<&str, &str> = text
        .split_whitespace()
        .filter_map(|entry| entry.split_once('='))
        .collect();
    let rules = form.get("rules").map(Input::entries).unwrap_or_default();
    let changed = rules.iter().filter_map(|(name, value)| {
        let value = value.as_text()?;
        let was = shown.get(name.as_str()).copied().unwrap_or(FREE);
        (value != was).then_some(())?;
        Some((parse_rule(name)?, parse_value(&value)?))
    });
    changed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_wire::from_query;

    #[test]
    fn only_differences_are_changes() {
        let form = from_query(
            "shown=author-1-2+everybody-0-1&on[]=everybody-0-1&on[]=assignee-1-5&mixed[everybody-1-5]=&mixed[everybody-2-5]=0",
        )
        .unwrap();
        let changes = changed_transitions(&form);
        assert_eq!(
            transitions_text(&changes),
            "everybody-2-5=0 author-1-2=0 assignee-1-5=1"
        );
        let sent = Input::Map(vec![(
            CHANGES.to_owned(),
            Input::Text(transitions_text(&changes)),
        )]);
        assert_eq!(changed_transitions(&sent), changes);
    }

    #[test]
    fn only_changed_rules_are_changes() {
        let form = from_query(
            "shown=1-subject%3Dreadonly+2-7%3Ddiffers&rules[1-subject]=free&rules[2-7]=differs&rules[2-subject]=free&rules[3-7]=required",
        )
        .unwrap();
        let changes = changed_rules(&form);
        assert_eq!(rules_text(&changes), "1-subject=free 3-7=required");
    }

    #[test]
    fn invalid_names_are_ignored() {
        for name in [
            "",
            "author",
            "author-1",
            "author-1-2-3",
            "all-1-2",
            "author-x-2",
        ] {
            assert_eq!(parse_transition(name), None, "{name}");
        }
        assert_eq!(parse_rule("subject"), None);
    }
}
