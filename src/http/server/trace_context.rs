//! The header `traceparent` of the W3C recommendation *Trace Context*.

/// The trace to which a request belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceContext<'h> {
    /// The id of the trace.
    pub trace_id: &'h str,
    /// The id of the span of the client.
    pub parent_id: &'h str,
}

impl<'h> TraceContext<'h> {
    /// Parses a value of the header. A later version may have further fields.
    pub fn parse(value: &'h str) -> Option<TraceContext<'h>> {
        let mut fields = value.split('-');
        let version = fields.next().filter(|text| is_id(text, 2))?;
        let trace_id = fields.next().filter(|text| is_id(text, 32))?;
        let parent_id = fields.next().filter(|text| is_id(text, 16))?;
        fields.next().filter(|text| is_id(text, 2))?;
        let is_supported = match version {
            "ff" => false,
            "00" => fields.next().is_none(),
            _ => true,
        };
        let is_set = |id: &str| id.bytes().any(|byte| byte != b'0');
        (is_supported && is_set(trace_id) && is_set(parent_id)).then_some(TraceContext {
            trace_id,
            parent_id,
        })
    }
}

fn is_id(text: &str, length: usize) -> bool {
    text.len() == length
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_values_are_accepted() {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        let parent = "00f067aa0ba902b7";
        let context = Some(TraceContext {
            trace_id: trace,
            parent_id: parent,
        });
        for (value, expected) in [
            (format!("00-{trace}-{parent}-01"), context),
            (format!("cc-{trace}-{parent}-01-what-comes"), context),
            (format!("00-{trace}-{parent}-01-more"), None),
            (format!("ff-{trace}-{parent}-01"), None),
            (format!("00-{}-{parent}-01", "0".repeat(32)), None),
            (format!("00-{trace}-{}-01", "0".repeat(16)), None),
            (format!("00-{}-{parent}-01", trace.to_uppercase()), None),
            (format!("00-{trace}-{parent}"), None),
            (format!("00-{trace}\n-{parent}-01"), None),
            (format!("00-{trace}-{parent}-0x"), None),
            (String::new(), None),
        ] {
            assert_eq!(TraceContext::parse(&value), expected, "{value:?}");
        }
    }
}
