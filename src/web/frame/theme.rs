//! The colours of pages: those of the system, or a choice that is kept in a cookie.

use strum::{EnumString, IntoStaticStr};

/// The name of the cookie.
pub const COOKIE: &str = "theme";

/// The colours that the viewer chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Theme {
    /// As the system is set.
    Auto,
    /// Dark text on light ground.
    Light,
    /// Light text on dark ground.
    Dark,
}

impl Theme {
    /// All choices.
    pub const ALL: [Theme; 3] = [Theme::Auto, Theme::Light, Theme::Dark];

    /// Parses the value of the cookie; anything unknown is the theme of the system.
    pub fn from_cookie(value: Option<&str>) -> Theme {
        value
            .and_then(|value| value.parse().ok())
            .unwrap_or(Theme::Auto)
    }

    /// Returns the value in forms and in the cookie.
    pub fn value(self) -> &'static str {
        self.into()
    }

    /// Returns the value of `data-theme`; `None` for the theme of the system.
    pub fn name(self) -> Option<&'static str> {
        (self != Theme::Auto).then(|| self.value())
    }

    /// Returns the label of its button.
    pub fn label(self) -> &'static str {
        match self {
            Theme::Auto => "System",
            Theme::Light => "Light",
            Theme::Dark => "Dark",
        }
    }
}
