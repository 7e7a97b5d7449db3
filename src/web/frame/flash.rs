//! Flash messages: what the viewer just did, shown once by the next page.
//!
//! The message travels in a cookie that lives for a minute and is removed when it is shown. It is
//! plain text and is escaped like all text of pages, so a forged cookie can only show text to its
//! own browser.

use percent_encoding::percent_decode_str;
use quarry_http::resources::paths;
use strum::{EnumString, IntoStaticStr};

/// The name of the cookie.
pub const COOKIE: &str = "flash";
/// Maximum number of characters of a message.
const MAX_CHARS: usize = 500;

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FlashKind {
    /// Something was done.
    Notice,
    /// Something was done, and needs attention.
    Warning,
    /// Something was not done.
    Error,
}

impl FlashKind {
    /// Returns its name in the cookie and in CSS.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A message for the next page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flash {
    /// What it is about.
    pub kind: FlashKind,
    /// The message.
    pub text: String,
}

impl Flash {
    /// Creates a message about something that could not be done.
    pub fn error(text: impl Into<String>) -> Flash {
        Flash {
            kind: FlashKind::Error,
            text: text.into(),
        }
    }

    /// Creates a message about something that was done.
    pub fn notice(text: impl Into<String>) -> Flash {
        Flash {
            kind: FlashKind::Notice,
            text: text.into(),
        }
    }

    /// Returns the value of the cookie.
    pub fn to_cookie(&self) -> String {
        let text: String = self.text.chars().take(MAX_CHARS).collect();
        format!("{}:{}", self.kind.name(), paths::encode(&text))
    }

    /// Parses the value of the cookie.
    pub fn from_cookie(value: &str) -> Option<Flash> {
        let (kind, text) = value.split_once(':')?;
        let kind = kind.parse().ok()?;
        let text = percent_decode_str(text).decode_utf8().ok()?;
        let text: String = text.chars().take(MAX_CHARS).collect();
        (!text.is_empty()).then_some(Flash { kind, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_survives_the_cookie() {
        let flash = Flash {
            kind: FlashKind::Warning,
            text: "Saved; 3 % of „all“, <b>".to_owned(),
        };
        assert_eq!(Flash::from_cookie(&flash.to_cookie()), Some(flash));
    }

    #[test]
    fn malformed_cookie_is_ignored() {
        for value in ["", "notice", "notice:", "other:text", "notice:%ff"] {
            assert_eq!(Flash::from_cookie(value), None, "{value}");
        }
    }
}
