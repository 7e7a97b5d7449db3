//! A command of the palette: a link, or a form with one button.

use crate::components::watch::WatchButton;

/// A command.
pub struct Command {
    pub label: String,
    /// What tells it from others with the same label, such as the name of a project.
    pub details: String,
    /// The name of its icon.
    pub icon: &'static str,
    pub target: Target,
}

/// What a command does.
pub enum Target {
    /// It leads to this address.
    Link(String),
    /// It sends a form.
    Form {
        /// The address of the form.
        path: String,
        /// The name of the field that the button sends.
        name: &'static str,
        /// Its value.
        value: &'static str,
    },
}

impl Command {
    /// Creates the command that does what the button of a record does: watch it, or stop.
    pub fn watch(button: WatchButton) -> Command {
        let (label, value) = match button.is_watching {
            true => ("Unwatch", "unwatch"),
            false => ("Watch", "watch"),
        };
        Command::form("eye", label, button.path, ("do", value))
    }

    /// Returns a command that leads to an address.
    pub fn link(icon: &'static str, label: impl Into<String>, path: impl Into<String>) -> Command {
        Command {
            label: label.into(),
            details: String::new(),
            icon,
            target: Target::Link(path.into()),
        }
    }

    /// Returns a command that sends a form with one field.
    pub fn form(
        icon: &'static str,
        label: impl Into<String>,
        path: impl Into<String>,
        (name, value): (&'static str, &'static str),
    ) -> Command {
        Command {
            label: label.into(),
            details: String::new(),
            icon,
            target: Target::Form {
                path: path.into(),
                name,
                value,
            },
        }
    }

    /// Adds details.
    #[must_use]
    pub fn with_details(self, details: impl Into<String>) -> Command {
        Command {
            details: details.into(),
            ..self
        }
    }
}

/// The words that somebody typed.
pub struct Words(Vec<String>);

impl Words {
    /// Returns the words of a text.
    pub fn new(text: &str) -> Words {
        Words(text.split_whitespace().map(str::to_lowercase).collect())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether each of them is in at least one of the texts.
    pub fn are_in(&self, texts: &[&str]) -> bool {
        let texts: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
        let mut words = self.0.iter();
        words.all(|word| texts.iter().any(|text| text.contains(word)))
    }

    /// Whether each of them is in the command.
    pub fn are_in_command(&self, command: &Command) -> bool {
        self.are_in(&[&command.label, &command.details])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_must_be_in_the_label_or_the_details() {
        let command = Command::link("project", "Change Status", "/").with_details("Straße");
        for text in ["", "change", "stat ch", "STRASSE status", "straße"] {
            let is_expected = text != "STRASSE status";
            assert_eq!(
                Words::new(text).are_in_command(&command),
                is_expected,
                "{text}"
            );
        }
        assert!(!Words::new("change wiki").are_in_command(&command));
    }
}
