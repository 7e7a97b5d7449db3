//! The modules that a project can switch on and off.

macro_rules! modules {
    ($($(#[$doc:meta])* $variant:ident = $name:literal),* $(,)?) => {
        /// A part of a project that can be switched off; what belongs to it is then neither seen nor changed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Module { $($(#[$doc])* $variant),* }

        impl Module {
            /// All modules, in the order in which Redmine lists them.
            pub const ALL: &[Module] = &[$(Module::$variant),*];

            /// The stored name.
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
    /// The module of this name; `forums` is accepted for `boards` (contract part A).
    pub fn parse(name: &str) -> Option<Module> {
        let name = if name == "forums" { "boards" } else { name };
        Self::ALL.iter().copied().find(|module| module.name() == name)
    }
}

/// A set of modules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ModuleSet(u16);

impl ModuleSet {
    /// The set with `module` in it.
    #[must_use]
    pub fn with(self, module: Module) -> Self {
        Self(self.0 | 1 << module as u16)
    }

    /// Whether `module` is in it.
    pub fn contains(self, module: Module) -> bool {
        self.0 & (1 << module as u16) != 0
    }

    /// The modules in it, in their order.
    pub fn iter(self) -> impl Iterator<Item = Module> {
        Module::ALL.iter().copied().filter(move |module| self.contains(*module))
    }
}

impl FromIterator<Module> for ModuleSet {
    fn from_iter<I: IntoIterator<Item = Module>>(modules: I) -> Self {
        modules.into_iter().fold(Self::default(), ModuleSet::with)
    }
}
