//! What keywords in commit messages change in issues: the setting `commit_update_keywords`
//! (compatibility 13.3).

use crate::ids::{StatusId, TrackerId};

/// Maximum number of rules.
const MAX_RULES: usize = 100;

/// What the keywords of a rule do with an issue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpdateRule {
    /// The keywords, in lower case; at least one.
    pub keywords: Vec<String>,
    /// The status that the issue gets.
    pub status: Option<StatusId>,
    /// The done ratio that the issue gets, in per cent.
    pub done_ratio: Option<i64>,
    /// The tracker of the issues that the rule applies to; `None` for all.
    pub tracker: Option<TrackerId>,
}

/// Parses rules in the stored form, such as `fixes,closes status_id=5 done_ratio=100; resolves
/// status_id=3 if_tracker_id=1`, or as the YAML list of Redmine. An error says what is expected.
pub fn parse(text: &str) -> Result<Vec<UpdateRule>, String> {
    let is_yaml = text.trim_start().starts_with("---")
        || text.lines().any(|line| line.trim_start().starts_with("- "));
    let rules = if is_yaml {
        parse_yaml(text)
    } else {
        text.split(';')
            .filter(|rule| !rule.trim().is_empty())
            .map(parse_rule)
            .collect()
    };
    let rules: Vec<UpdateRule> = rules.ok_or_else(expected)?;
    if rules.len() <= MAX_RULES && rules.iter().all(is_valid) {
        Ok(rules)
    } else {
        Err(expected())
    }
}

fn is_valid(rule: &UpdateRule) -> bool {
    !rule.keywords.is_empty()
        && rule
            .done_ratio
            .is_none_or(|ratio| (0..=100).contains(&ratio))
}

fn expected() -> String {
    "must be rules separated by semicolons, each with keywords and what they set, such as: fixes,closes status_id=5 done_ratio=100"
        .to_owned()
}

impl UpdateRule {
    fn sets_nothing(&self) -> bool {
        self.status.is_none() && self.done_ratio.is_none()
    }
}

/// Replaces a status in the rules. Without a replacement, they no longer set it, and those that set
/// nothing else are left out.
pub fn replace_status(
    rules: Vec<UpdateRule>,
    status: StatusId,
    replacement: Option<StatusId>,
) -> Vec<UpdateRule> {
    let replaced = rules.into_iter().filter_map(|rule| {
        if rule.status != Some(status) {
            return Some(rule);
        }
        let rule = UpdateRule {
            status: replacement,
            ..rule
        };
        (!rule.sets_nothing()).then_some(rule)
    });
    replaced.collect()
}

/// Replaces the tracker to whose issues rules apply. What keywords do with issues of the replacement
/// stays: these keywords are left out. Without a replacement, the rules are left out.
pub fn replace_tracker(
    rules: Vec<UpdateRule>,
    tracker: TrackerId,
    replacement: Option<TrackerId>,
) -> Vec<UpdateRule> {
    let known: Vec<String> = rules
        .iter()
        .filter(|rule| rule.tracker.is_some() && rule.tracker == replacement)
        .flat_map(|rule| rule.keywords.clone())
        .collect();
    let replaced = rules.into_iter().filter_map(|mut rule| {
        if rule.tracker != Some(tracker) {
            return Some(rule);
        }
        rule.tracker = Some(replacement?);
        rule.keywords.retain(|keyword| !known.contains(keyword));
        (!rule.keywords.is_empty()).then_some(rule)
    });
    replaced.collect()
}

/// Returns the stored form.
pub fn to_text(rules: &[UpdateRule]) -> String {
    rules
        .iter()
        .map(rule_to_text)
        .collect::<Vec<_>>()
        .join("; ")
}

fn rule_to_text(rule: &UpdateRule) -> String {
    let mut parts = vec![rule.keywords.join(",")];
    parts.extend(rule.status.map(|id| format!("status_id={id}")));
    parts.extend(rule.done_ratio.map(|ratio| format!("done_ratio={ratio}")));
    parts.extend(rule.tracker.map(|id| format!("if_tracker_id={id}")));
    parts.join(" ")
}

fn parse_rule(text: &str) -> Option<UpdateRule> {
    let mut rule = UpdateRule::default();
    for part in text.split_whitespace() {
        match part.split_once('=') {
            Some((name, value)) => set(&mut rule, name, value)?,
            None => set(&mut rule, "keywords", part)?,
        }
    }
    Some(rule)
}

/// Parses a list of maps of scalars, one `name: value` in a line.
fn parse_yaml(text: &str) -> Option<Vec<UpdateRule>> {
    let mut rules: Vec<UpdateRule> = Vec::new();
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("---"))
    {
        let entry = match line.strip_prefix('-') {
            Some(entry) => {
                rules.push(UpdateRule::default());
                entry.trim()
            }
            None => line,
        };
        // A tag names the class of the map.
        if !entry.is_empty() && !entry.starts_with('!') {
            let (name, value) = entry.split_once(':')?;
            set(
                rules.last_mut()?,
                name.trim(),
                value.trim().trim_matches(['\'', '"']),
            )?;
        }
    }
    Some(rules)
}

/// Sets an attribute of a rule; `None` if there is none of this name, or the value is not possible.
fn set(rule: &mut UpdateRule, name: &str, value: &str) -> Option<()> {
    match name {
        "keywords" => {
            let keywords = value
                .split(',')
                .map(|keyword| keyword.trim().to_lowercase())
                .filter(|keyword| !keyword.is_empty());
            rule.keywords.extend(keywords.filter(|keyword| {
                keyword
                    .chars()
                    .all(|c| !c.is_control() && !"#;=".contains(c))
            }));
        }
        "status_id" => rule.status = parse_number(value)?.map(StatusId),
        "done_ratio" => rule.done_ratio = parse_number(value)?,
        "if_tracker_id" => rule.tracker = parse_number(value)?.map(TrackerId),
        _ => return None,
    }
    Some(())
}

/// Parses a number; the inner `None` is an empty text.
fn parse_number(value: &str) -> Option<Option<i64>> {
    if value.is_empty() {
        Some(None)
    } else {
        crate::values::text::parse_digits(value).map(Some)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    #[test]
    fn rules_are_parsed_in_both_forms() {
        let stored =
            "fixes,closes status_id=5 done_ratio=100; resolves status_id=3 if_tracker_id=1";
        let yaml = "---\n- if_tracker_id: ''\n  keywords: Fixes, closes\n  status_id: '5'\n  done_ratio: '100'\n\
                    - !ruby/hash:ActiveSupport::HashWithIndifferentAccess\n  if_tracker_id: '1'\n  keywords: resolves\n  status_id: '3'\n  done_ratio: ''\n";
        for text in [stored, yaml] {
            assert_eq!(
                parse(text).map(|rules| to_text(&rules)).as_deref(),
                Ok(stored)
            );
        }
        for empty in ["", "--- []\n", "---\n", " ; "] {
            assert_eq!(parse(empty), Ok(Vec::new()), "{empty:?}");
        }
    }

    #[test]
    fn statuses_and_trackers_are_replaced() {
        let rules = |text| parse(text).unwrap();
        let statuses = "fixes status_id=5; done status_id=5 done_ratio=100; late status_id=3";
        for (replacement, expected) in [
            (
                Some(StatusId(6)),
                "fixes status_id=6; done status_id=6 done_ratio=100; late status_id=3",
            ),
            (None, "done done_ratio=100; late status_id=3"),
        ] {
            let replaced = replace_status(rules(statuses), StatusId(5), replacement);
            assert_eq!(to_text(&replaced), expected);
        }
        let trackers = "fixes,ends status_id=5 if_tracker_id=1; fixes status_id=3 if_tracker_id=2; all status_id=4";
        for (replacement, expected) in [
            (
                Some(TrackerId(2)),
                "ends status_id=5 if_tracker_id=2; fixes status_id=3 if_tracker_id=2; all status_id=4",
            ),
            (None, "fixes status_id=3 if_tracker_id=2; all status_id=4"),
        ] {
            let replaced = replace_tracker(rules(trackers), TrackerId(1), replacement);
            assert_eq!(to_text(&replaced), expected);
        }
    }

    #[test]
    fn other_text_is_rejected() {
        for text in [
            "status_id=5",
            "fixes status=5",
            "fixes done_ratio=101",
            "fixes status_id=x",
            "---\n- keywords\n",
            "---\nkeywords: x\n",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
