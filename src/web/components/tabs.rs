//! Links between pages of the same kind.

/// A tab.
pub struct Tab {
    /// Its text.
    pub label: String,
    /// Its address.
    pub path: String,
    /// Whether it is the page that is shown.
    pub is_current: bool,
    /// The number of records behind it.
    pub count: Option<i64>,
}

impl Tab {
    /// Returns a tab without a count.
    pub fn new(label: impl Into<String>, path: impl Into<String>, is_current: bool) -> Tab {
        Tab {
            label: label.into(),
            path: path.into(),
            is_current,
            count: None,
        }
    }

    /// Adds the number of records.
    #[must_use]
    pub fn with_count(self, count: i64) -> Tab {
        Tab {
            count: Some(count),
            ..self
        }
    }
}
