//! The modules that a project can enable.

use strum::{EnumString, IntoStaticStr, VariantArray};

/// A module of a project. The records of a disabled module can be neither viewed nor changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Module {
    /// Issues.
    IssueTracking,
    /// Time entries.
    TimeTracking,
    /// News.
    News,
    /// Documents.
    Documents,
    /// Files of versions.
    Files,
    /// The wiki.
    Wiki,
    /// Repositories and their changesets.
    Repository,
    /// Forums; `forums` is an alias (compatibility 2.2).
    #[strum(to_string = "boards", serialize = "forums")]
    Boards,
    /// The calendar page.
    Calendar,
    /// The Gantt page.
    Gantt,
}

impl Module {
    /// All modules, in the order in which Redmine lists them.
    pub const ALL: &[Module] = Self::VARIANTS;

    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A set of modules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ModuleSet(u16);

impl ModuleSet {
    /// Returns the set with `module` added.
    #[must_use]
    pub fn with(self, module: Module) -> Self {
        Self(self.0 | 1 << module as u16)
    }

    /// Whether `module` is in the set.
    pub fn contains(self, module: Module) -> bool {
        self.0 & (1 << module as u16) != 0
    }

    /// Returns the modules in the order of [`Module::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Module> {
        Module::ALL
            .iter()
            .copied()
            .filter(move |module| self.contains(*module))
    }
}

impl FromIterator<Module> for ModuleSet {
    fn from_iter<I: IntoIterator<Item = Module>>(modules: I) -> Self {
        modules.into_iter().fold(Self::default(), ModuleSet::with)
    }
}
