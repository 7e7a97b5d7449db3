//! The layers, what they may import, and the crates that they may name.

/// A module, the modules that it may import, and the guarded crates that it may name.
pub struct Layer {
    /// Its name.
    pub name: &'static str,
    /// Modules or submodules that it may import; `*` is everything.
    pub imports: &'static [&'static str],
    /// Guarded crates that it may name.
    pub crates: &'static [&'static str],
}

const fn layer(
    name: &'static str,
    imports: &'static [&'static str],
    crates: &'static [&'static str],
) -> Layer {
    Layer {
        name,
        imports,
        crates,
    }
}

/// The table of `docs/architecture.md`, in the order of the layers.
pub const LAYERS: &[Layer] = &[
    layer("config", &["domain"], &[]),
    layer("telemetry", &["config", "domain"], &[]),
    layer("domain", &[], &[]),
    layer("net", &[], &[]),
    layer("markup", &[], &["comrak", "ammonia", "hl_lite"]),
    layer(
        "mail",
        &["config", "domain", "net"],
        &["lettre", "mail_parser", "async_imap"],
    ),
    layer("wire", &[], &["quick_xml", "serde_json"]),
    layer(
        "store",
        &["domain", "net"],
        &["rusqlite", "tokio_postgres", "serde_json"],
    ),
    layer("search", &["domain", "store", "markup"], &["tantivy"]),
    layer("actions", &["domain", "store"], &["image"]),
    layer("app", &["config", "domain", "mail", "store", "search"], &[]),
    layer(
        "http",
        &[
            "config", "domain", "wire", "store", "search", "actions", "app",
        ],
        &["axum"],
    ),
    layer(
        "mailer",
        &[
            "domain",
            "mail",
            "store",
            "actions",
            "app",
            "http::resources",
        ],
        &[],
    ),
    layer("openapi", &[], &["serde_json"]),
    layer(
        "api",
        &[
            "domain", "markup", "mail", "wire", "store", "search", "actions", "app", "http",
            "openapi",
        ],
        &["axum"],
    ),
    layer(
        "oauth",
        &[
            "domain", "markup", "wire", "store", "search", "actions", "app", "http",
        ],
        &["axum"],
    ),
    layer(
        "web",
        &[
            "domain", "markup", "mail", "wire", "store", "search", "actions", "app", "http",
            "mailer", "openapi", "import",
        ],
        &["axum"],
    ),
    layer(
        "import",
        &["domain", "net", "store", "actions"],
        &["rusqlite", "tokio_postgres", "mysql", "serde_json"],
    ),
    layer("jobs", &["*"], &[]),
    layer("cli", &["*"], &["anyhow", "serde_json"]),
    layer("main", &["*"], &["anyhow"]),
    layer("lib", &["*"], &["axum"]),
];
