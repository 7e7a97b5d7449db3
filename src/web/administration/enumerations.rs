//! Priorities of issues, activities of time tracking and categories of documents, for
//! administrators.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::choice;
use crate::components::form_page::Section;
use crate::components::list_page::{Cell, Link, ListPage, ListSection};
use crate::form::custom_fields::CustomFieldRow;
use crate::frame::Frame;
use crate::prelude::*;
use crate::records::deletions::{DeletionEffects, count, issue_link};
use crate::records::record_area::RecordArea;
use crate::records::record_pages::{RecordPages, delete_path, edit_path};
use crate::records::record_routes::admin_routes;
use quarry_actions::administration::enumerations::{EnumerationChange, customized};
use quarry_domain::administration::custom_field::Values;
use quarry_domain::administration::enumeration::{Enumeration, EnumerationKind};
use quarry_domain::ids::EnumerationId;
use quarry_store::administration::{custom_fields, enumerations as store};
use std::collections::HashMap;

/// Returns the routes of enumerations.
pub fn routes() -> Routes {
    admin_routes::<ValuePages>(list)
}

/// What people call all of them.
const TITLE: &str = "Priorities, activities and categories";

/// What people call an enumeration and its values.
struct Names {
    kind: EnumerationKind,
    title: &'static str,
    noun: &'static str,
    hint: &'static str,
    /// A record that has a value, and several of them.
    record: (&'static str, &'static str),
}

const ALL: [Names; 3] = [
    Names {
        kind: EnumerationKind::IssuePriority,
        title: "Issue priorities",
        noun: "priority",
        hint: "From the lowest to the highest.",
        record: ("issue", "issues"),
    },
    Names {
        kind: EnumerationKind::TimeEntryActivity,
        title: "Activities of time tracking",
        noun: "activity",
        hint: "What people spend time on. Projects can have their own version of an activity.",
        record: ("time entry", "time entries"),
    },
    Names {
        kind: EnumerationKind::DocumentCategory,
        title: "Document categories",
        noun: "category",
        hint: "How the documents of projects are grouped.",
        record: ("document", "documents"),
    },
];

/// Returns the names of an enumeration.
fn names(kind: EnumerationKind) -> &'static Names {
    match kind {
        EnumerationKind::IssuePriority => &ALL[0],
        EnumerationKind::TimeEntryActivity => &ALL[1],
        EnumerationKind::DocumentCategory => &ALL[2],
    }
}

fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let sections = ALL
        .iter()
        .map(|names| section(db, names))
        .collect::<Result<Vec<_>, Error>>()?;
    let frame = Frame::for_administration(request, db, TITLE);
    let columns = ["Name", "Default", "Active", "#Used by", "Order", ""];
    ListPage::with_sections(frame, &columns, sections)
        .with_empty(
            "There is no value yet.",
            "Add one, so that people can choose it.",
        )
        .render()
}

fn section(db: &Read<'_>, names: &Names) -> Result<ListSection, Error> {
    let catalogue = db.catalogue();
    let counts = store::counts(db, names.kind)?;
    let values: Vec<&Enumeration> = catalogue.enumerations_of(names.kind).collect();
    let rows = values.iter().enumerate().map(|(index, value)| {
        let id = value.id.0;
        let edit = edit_path::<ValuePages>(id);
        let records = records_of(catalogue, &counts, value.id);
        vec![
            Cell::record(&value.name, &edit),
            Cell::Check(value.is_default),
            Cell::Check(value.active),
            match issues_path(value) {
                Some(path) => Cell::Count(records, path),
                None => Cell::Number(records),
            },
            Cell::order(edit, EnumerationChange::OBJECT, index, values.len()),
            Cell::Links(vec![Link::new("Delete", delete_path::<ValuePages>(id))]),
        ]
    });
    Ok(ListSection {
        title: names.title.to_owned(),
        hint: names.hint.to_owned(),
        button: Some(Link::new(
            format!("New {}", names.noun),
            ValuePages::AREA.new_path(catalogue, names.kind),
        )),
        rows: rows.collect(),
    })
}

/// Returns how many records have a value, or what a project has in its place.
fn records_of(
    catalogue: &Catalogue,
    counts: &HashMap<EnumerationId, i64>,
    value: EnumerationId,
) -> i64 {
    let values = catalogue.replacements(value);
    values.filter_map(|id| counts.get(&id)).sum()
}

/// Returns the address of the issues that have a value, if it is a priority.
fn issues_path(value: &Enumeration) -> Option<String> {
    (value.kind == EnumerationKind::IssuePriority)
        .then(|| format!("/issues?priority_id={}&status_id=*", value.id))
}

struct ValuePages;

impl RecordArea for ValuePages {
    type Parent = EnumerationKind;

    fn parent(
        &self,
        request: &RequestContext,
        _catalogue: &Catalogue,
    ) -> Result<EnumerationKind, Error> {
        let name = request.query_param("type").unwrap_or_default();
        name.parse().map_err(|_| Error::NotFound)
    }

    fn frame(
        &self,
        request: &RequestContext,
        db: &Read<'_>,
        _kind: EnumerationKind,
        title: &str,
    ) -> Result<Frame, Error> {
        let frame = Frame::for_administration(request, db, title);
        Ok(frame.below(TITLE, <Self as RecordPages>::PATH))
    }

    fn list_path(&self, _catalogue: &Catalogue, _parent: EnumerationKind) -> String {
        <Self as RecordPages>::PATH.to_owned()
    }

    fn new_path(&self, _catalogue: &Catalogue, kind: EnumerationKind) -> String {
        format!("{}/new?type={}", <Self as RecordPages>::PATH, kind.name())
    }
}

impl RecordPages for ValuePages {
    type Resource = Enumeration;
    type Record = Enumeration;
    type Parent = EnumerationKind;
    type Area = ValuePages;

    const NOUN: &'static str = "value";
    const PATH: &'static str = "/enumerations";
    const AREA: ValuePages = ValuePages;

    fn noun(kind: EnumerationKind) -> &'static str {
        names(kind).noun
    }

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<Enumeration, Error> {
        let value = db.catalogue().enumeration(request.id_param("id")?);
        // Projects have their own versions of activities, which are no values of their own.
        let value = value.filter(|value| value.project.is_none());
        value.cloned().ok_or(Error::NotFound)
    }

    fn parent_of(value: &Enumeration) -> EnumerationKind {
        value.kind
    }

    fn id(value: &Enumeration) -> i64 {
        value.id.0
    }

    fn name(value: &Enumeration) -> &str {
        &value.name
    }

    fn sections(
        _request: &RequestContext,
        db: &Read<'_>,
        kind: EnumerationKind,
        value: Option<&Enumeration>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<Section>, Error> {
        let catalogue = db.catalogue();
        let noun = names(kind).noun;
        let custom = catalogue.custom_fields_of(customized(kind));
        let values = match value {
            Some(value) => custom_fields::find_values(db, customized(kind), value.id.0)?,
            None => Values::defaults(custom),
        };
        let custom = catalogue.custom_fields_of(customized(kind)).map(|custom| {
            let row = CustomFieldRow {
                catalogue,
                object: EnumerationChange::OBJECT,
                custom,
                values: &values,
                form: form.sent(),
            };
            row.to_field(|_| Vec::new())
        });
        let is_default = value.is_some_and(|value| value.is_default);
        let is_active = value.is_none_or(|value| value.active);
        let name = value.map(|value| value.name.clone()).unwrap_or_default();
        let mut fields = vec![
            form.line("name", "Name", name).required(),
            form.switch(
                "is_default",
                &format!("This is the default {noun}"),
                is_default,
            ),
            form.switch("active", "Active", is_active)
                .with_hint("What is not active stays where it is, and cannot be chosen any more."),
        ];
        fields.extend(custom);
        Ok(vec![Section::new("", fields)])
    }

    fn deletion_effects(db: &Read<'_>, value: &Enumeration) -> Result<DeletionEffects, Error> {
        let catalogue = db.catalogue();
        let names = names(value.kind);
        let records = records_of(catalogue, &store::counts(db, value.kind)?, value.id);
        let mut notes = Vec::new();
        if value.is_default {
            notes.push(format!(
                "It is the default. Make another {} the default first, unless there should be none.",
                names.noun
            ));
        }
        let own_versions = catalogue.replacements(value.id).skip(1).count();
        if own_versions > 0 {
            let own_versions = i64::try_from(own_versions).unwrap_or(i64::MAX);
            notes.push(format!(
                "{} of it, which {} deleted, too.",
                count(
                    own_versions,
                    "project has its own version",
                    "projects have their own versions"
                ),
                if own_versions == 1 { "is" } else { "are" }
            ));
        }
        if records == 0 {
            notes.push(format!("No {} has this {}.", names.record.0, names.noun));
            return Ok(DeletionEffects {
                notes,
                ..DeletionEffects::default()
            });
        }
        notes.push(format!(
            "{} the new {}.",
            count(
                records,
                &format!("{} gets", names.record.0),
                &format!("{} get", names.record.1)
            ),
            names.noun
        ));
        let others = catalogue.enumerations_of(value.kind);
        let others = others.filter(|other| other.id != value.id);
        let replacements: Vec<_> = others.map(|other| choice(other.id, label(other))).collect();
        Ok(DeletionEffects {
            notes,
            links: issues_path(value).map_or_else(Vec::new, |path| issue_link(records, path)),
            refusal: replacements
                .is_empty()
                .then(|| format!("There is no other {} that could replace it.", names.noun)),
            replacements,
            needs_replacement: true,
        })
    }
}

/// Returns the name of a value, with the words `not active` if it is not.
fn label(value: &Enumeration) -> String {
    if value.active {
        value.name.clone()
    } else {
        format!("{} (not active)", value.name)
    }
}
