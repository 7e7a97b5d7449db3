//! The parameters of a request to the authorization server (RFC 6749, section 3).

use std::collections::BTreeMap;

/// Parameters by name. Unlike in the query strings of the API, a repeated parameter is an error,
/// and one without a value counts as absent (RFC 6749, section 3.1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Params {
    values: BTreeMap<String, String>,
    repeated: Option<String>,
}

impl Params {
    /// Parses a query string or the body of a form.
    pub fn parse(text: &[u8]) -> Params {
        let mut params = Params::default();
        for (name, value) in form_urlencoded::parse(text).filter(|(_, value)| !value.is_empty()) {
            if params
                .values
                .insert(name.to_string(), value.into_owned())
                .is_some()
            {
                params.repeated.get_or_insert(name.into_owned());
            }
        }
        params
    }

    /// Returns the value of a parameter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Returns the name of a parameter that is repeated.
    pub fn repeated(&self) -> Option<&str> {
        self.repeated.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_parameter_is_noticed_and_an_empty_one_is_absent() {
        let params = Params::parse(b"scope=a+b&state=&code=%26");
        assert_eq!(
            (params.get("scope"), params.get("state"), params.get("code")),
            (Some("a b"), None, Some("&"))
        );
        assert_eq!(params.repeated(), None);
        assert_eq!(Params::parse(b"a=1&b=2&a=1").repeated(), Some("a"));
    }
}
