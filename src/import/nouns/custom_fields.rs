//! Custom fields with all their settings, and their values.

use crate::import::field::{How, may, must, number};
use crate::import::noun::{Found, Noun, rows, set};

pub const SETTINGS: &[Noun] = &[
    rows(
        "custom_fields",
        "custom_fields",
        &[
            must("type", How::Text),
            must("name", How::Text),
            must("field_format", How::Text),
            may("position", How::Whole),
            may("regexp", How::Text),
            may("min_length", How::Whole),
            may("max_length", How::Whole),
            may("default_value", How::Text),
            number("is_required", How::Switch, 0),
            number("is_for_all", How::Switch, 0),
            number("is_filter", How::Switch, 0),
            number("searchable", How::Switch, 0),
            number("editable", How::Switch, 1),
            number("visible", How::Switch, 1),
            number("multiple", How::Switch, 0),
            may("description", How::Text),
            may("possible_values", How::Yaml).to("possible_values_json"),
            may("format_store", How::Yaml).to("format_store_json"),
        ],
    )
    .names(),
    rows(
        "custom_field_enumerations",
        "custom_field_enumerations",
        &[
            must("custom_field_id", How::Ref("custom_fields")),
            must("name", How::Text),
            number("active", How::Switch, 1),
            number("position", How::Whole, 0),
        ],
    )
    .names(),
    of("custom_fields_trackers", &[must("tracker_id", How::Ref("trackers"))]),
    of("custom_fields_projects", &[must("project_id", How::Ref("projects"))]),
    of("custom_fields_roles", &[must("role_id", How::Ref("roles"))]),
];

const fn of(table: &'static str, fields: &'static [crate::import::field::Field]) -> Noun {
    set((table, "custom_field_id"), (table, "custom_field_id"), "custom_fields", fields).names()
}

const RECORDS: &[(&str, &str)] = &[
    ("Issue", "issues"),
    ("Project", "projects"),
    ("Version", "versions"),
    ("TimeEntry", "time_entries"),
    ("Document", "documents"),
    ("Principal", "users"),
    ("User", "users"),
    ("Group", "users"),
    ("Enumeration", "enumerations"),
    ("IssuePriority", "enumerations"),
    ("TimeEntryActivity", "enumerations"),
    ("DocumentCategory", "enumerations"),
];

pub const VALUES: &[Noun] = &[rows(
    "custom_values",
    "custom_values",
    &[
        must("customized_type", How::Text),
        must("customized_id", How::RefBy("customized_type", RECORDS)),
        must("custom_field_id", How::Ref("custom_fields")),
        may("value", How::Text),
    ],
)
.found(Found::Customized)];
