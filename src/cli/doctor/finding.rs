//! Findings of `quarry doctor`, and their output.

use quarry_domain::values::text::escape_controls;
use quarry_store::checks::{Damage, Repair};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Maximum number of details that are printed; `--json` has all that were collected.
const MAX_DETAILS: usize = 5;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Something does not work, or is lost.
    Error,
    /// Something will not work, or is not as it should be.
    Warning,
}

impl Severity {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// What `--fix` does about a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fix {
    /// Repairs the records.
    Records(Repair),
    /// Removes the permissions of others.
    Permissions(Vec<PathBuf>),
    /// Moves files away.
    MoveFiles(Vec<PathBuf>),
    /// Rebuilds the index.
    RebuildIndex,
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The name of the check.
    pub name: &'static str,
    pub severity: Severity,
    /// What is wrong, in a sentence.
    pub problem: String,
    /// Examples.
    pub details: Vec<String>,
    /// What to do.
    pub action: &'static str,
    /// What `--fix` does; `None` if only a person can decide that.
    pub fix: Option<Fix>,
}

impl Finding {
    /// Creates an error.
    pub fn error(name: &'static str, problem: impl Into<String>, action: &'static str) -> Finding {
        Finding {
            name,
            severity: Severity::Error,
            problem: problem.into(),
            details: Vec::new(),
            action,
            fix: None,
        }
    }

    /// Creates a warning.
    pub fn warning(
        name: &'static str,
        problem: impl Into<String>,
        action: &'static str,
    ) -> Finding {
        Finding {
            severity: Severity::Warning,
            ..Finding::error(name, problem, action)
        }
    }

    /// Adds examples.
    #[must_use]
    pub fn with_details(self, details: impl IntoIterator<Item = String>) -> Finding {
        Finding {
            details: details.into_iter().collect(),
            ..self
        }
    }

    /// Adds what `--fix` does.
    #[must_use]
    pub fn with_fix(self, fix: Fix) -> Finding {
        Finding {
            fix: Some(fix),
            ..self
        }
    }

    /// Adds examples and repair of damaged records.
    #[must_use]
    pub fn of(self, damage: Damage) -> Finding {
        let more = damage.count.saturating_sub(damage.examples.len());
        let mut details = damage.examples;
        details.extend((more > 0).then(|| format!("and {more} more")));
        Finding {
            details,
            fix: damage.repair.map(Fix::Records),
            ..self
        }
    }

    /// Describes the finding as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "severity": self.severity.name(),
            "problem": self.problem,
            "details": self.details,
            "action": self.action,
            "fixable": self.fix.is_some(),
        })
    }

    /// Prints the finding.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(
            out,
            "{}: {}: {}",
            self.severity.name(),
            self.name,
            escape_controls(&self.problem)
        )?;
        for detail in self.details.iter().take(MAX_DETAILS + 1) {
            writeln!(out, "  {}", escape_controls(detail))?;
        }
        let fix = if self.fix.is_some() {
            " --fix does that."
        } else {
            ""
        };
        writeln!(out, "  What to do: {}{fix}", self.action)
    }
}
