//! Parameters of `Content-Type` and `Content-Disposition`.

use std::collections::HashSet;

/// Returns the value without fallback parameters: where there is `filename*` or `filename*0`,
/// `filename` is for programs that cannot read those (RFC 6266, 4.3; RFC 2231).
pub fn without_fallback_parameters(value: &str) -> String {
    let parameters = split(value);
    let extended: HashSet<String> = parameters
        .iter()
        .filter_map(|parameter| {
            name(parameter)
                .split_once('*')
                .map(|(name, _)| name.to_owned())
        })
        .collect();
    let kept = parameters
        .into_iter()
        .filter(|parameter| !extended.contains(&name(parameter)));
    kept.collect::<Vec<_>>().join(";")
}

/// Returns the name of a parameter in lower case; empty without one.
fn name(parameter: &str) -> String {
    let name = parameter.split_once('=').map_or("", |(name, _)| name);
    name.trim().to_ascii_lowercase()
}

/// Splits at semicolons outside of quotation marks.
fn split(value: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut is_quoted = false;
    let mut is_escaped = false;
    for (index, c) in value.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            ';' if !is_quoted => {
                parts.push(&value[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&value[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::without_fallback_parameters;
    use crate::incoming::time_growth::assert_linear_time;

    #[test]
    fn fallback_parameter_is_left_out_wherever_it_is() {
        for (value, expected) in [
            (
                "a; filename=\"x;y\\\";z\"; FileName*=b; c=d",
                "a; FileName*=b; c=d",
            ),
            (
                "a; filename*0*=b; filename*1=c; filename=x",
                "a; filename*0*=b; filename*1=c",
            ),
            ("a; filename=x; name*=y", "a; filename=x; name*=y"),
            (
                "a; filename=\"b; filename*=c\"",
                "a; filename=\"b; filename*=c\"",
            ),
            ("a", "a"),
        ] {
            assert_eq!(without_fallback_parameters(value), expected, "{value}");
        }
    }

    #[test]
    fn time_is_linear_in_the_number_of_parameters() {
        for part in ["a*=;", "abc*0*=b;abc=x;", ";", "\"", "\"\\"] {
            assert_linear_time(part, |value| drop(without_fallback_parameters(value)));
        }
    }
}
