//! Regular expressions that the values of custom fields must match.
//!
//! Invariant: matching takes linear time, and what an administrator enters is bounded in size.

/// Maximum number of characters of a regular expression.
const MAX_REGEXP: usize = 1000;
/// Maximum size in bytes of a compiled regular expression.
const MAX_COMPILED_REGEXP: usize = 1 << 20;

/// A compiled regular expression. Two are equal if their sources are.
#[derive(Clone, Debug)]
pub struct Pattern(regex::Regex);

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Pattern {
    /// Compiles an expression that is stored already, however large; `None` if it is not valid.
    pub fn from_stored(regexp: &str) -> Option<Pattern> {
        regex::Regex::new(regexp).ok().map(Pattern)
    }

    /// Whether the expression matches a part of the text.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

/// Compiles a regular expression for the values of a field; `None` if it is not valid or too large.
pub fn compile(regexp: &str) -> Option<Pattern> {
    if regexp.chars().count() > MAX_REGEXP {
        return None;
    }
    regex::RegexBuilder::new(regexp)
        .size_limit(MAX_COMPILED_REGEXP)
        .build()
        .ok()
        .map(Pattern)
}
