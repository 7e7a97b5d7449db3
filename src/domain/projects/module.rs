//! The modules that a project can enable.

macro_rules! modules {
    ($($(#[$doc:meta])* $variant:ident = $name:literal),* $(,)?) => {
        /// A module of a project. The records of a disabled module can be neither viewed nor
        /// changed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Module { $($(#[$doc])* $variant),* }

        impl Module {
            /// All modules, in the order in which Redmine lists them.
            pub const ALL: &[Module] = &[$(Module::$variant),*];

            /// Returns the stored name.
            pub fn name(self) -> &'static str {
                match self { $(Module::$variant => $name),* }
            }
        }
    };
}

modules! {
    /// Issues.
    IssueTracking = "issue_tracking",
    /// Time entries.
    TimeTracking = "time_tracking",
    /// News.
    News = "news",
    /// Documents.
    Documents = "documents",
    /// Files of versions.
    Files = "files",
    /// The wiki.
    Wiki = "wiki",
    /// Repositories and their changesets.
    Repository = "repository",
    /// Forums.
    Boards = "boards",
    /// The calendar page.
    Calendar = "calendar",
    /// The Gantt page.
    Gantt = "gantt",
}

impl Module {
    /// Returns the module with this name; `forums` is an alias of `boards` (compatibility 2.2).
    pub fn parse(name: &str) -> Option<Module> {
        let name = if name == "forums" { "boards" } else { name };
        Self::ALL
            .iter()
            .copied()
            .find(|module| module.name() == name)
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
