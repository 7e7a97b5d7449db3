//! A page with one form: to create or change a record, and to confirm a deletion.

use super::attachments::size;
use super::error_summary::ErrorSummary;
use super::form_field::{FieldKind, FormField, assign_errors};
use super::list_page::Link;
use crate::content::received_files::{PendingFile, ReceivedFiles, pending};
use crate::form::form_merge;
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_actions::content::attachments::max_file_size;
use std::collections::HashMap;

/// Fields of a form under a common heading.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The heading; empty for none.
    pub title: String,
    /// What to know about all of them.
    pub hint: String,
    pub fields: Vec<FormField>,
    /// Whether short fields stand side by side, above the others.
    pub has_columns: bool,
}

impl Section {
    /// Creates a section.
    pub fn new(title: &str, fields: Vec<FormField>) -> Section {
        Section {
            title: title.to_owned(),
            hint: String::new(),
            fields,
            has_columns: false,
        }
    }

    /// Puts short fields side by side, above the others.
    #[must_use]
    pub fn with_columns(self) -> Section {
        Section {
            has_columns: true,
            ..self
        }
    }

    /// Adds what to know about its fields.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Section {
        Section {
            hint: hint.into(),
            ..self
        }
    }
}

/// The part of a form that takes files.
pub struct FileBox {
    /// Those that an earlier attempt has sent.
    pub pending: Vec<PendingFile>,
    /// Why others could not be kept.
    pub errors: Vec<String>,
    /// The maximum size of each.
    pub max_size: String,
}

impl FileBox {
    /// Returns the part with the files of an earlier attempt; `None` if the viewer cannot send
    /// files.
    pub fn new(request: &RequestContext, db: &Read<'_>, sent: &ReceivedFiles) -> Option<FileBox> {
        request.viewer().user?;
        let max = i64::try_from(max_file_size(db.catalogue())).unwrap_or(i64::MAX);
        Some(FileBox {
            pending: pending(request, db, sent),
            errors: sent.errors.clone(),
            max_size: size(max),
        })
    }
}

/// The page. A page that shows more than the form has a template of its own, which renders the form
/// with the macro `form_page::form`, and takes its frame.
#[derive(Template)]
#[template(path = "components/form_page/form_page.html")]
pub struct FormPage {
    pub frame: Frame,
    pub title: String,
    /// Paragraphs above the fields.
    pub paragraphs: Vec<String>,
    /// Links below them.
    pub links: Vec<Link>,
    pub action: String,
    /// Whether the form only leads to another page: `GET`.
    pub is_query: bool,
    pub sections: Vec<Section>,
    /// The values of the fields that are saved, see [`form_merge`]; empty for a new record.
    pub original: String,
    /// Fields below the form that are not sent.
    preview: Option<Section>,
    /// The files that it takes, if it takes any.
    pub files: Option<FileBox>,
    /// Messages that belong to no field.
    pub messages: Vec<String>,
    /// The label of the button; `None` if the form cannot be sent.
    pub submit: Option<String>,
    /// Whether the script saves as soon as somebody chooses a value, because it is the only field.
    pub saves_choice: bool,
    /// Whether sending it destroys something.
    pub is_destructive: bool,
    pub cancel: Option<String>,
    /// The link to the deletion of the record.
    pub delete: Option<Link>,
}

/// Gives fields that share a name, such as lists of checkboxes in several sections, ids of their own.
fn make_ids_unique<'f>(fields: impl Iterator<Item = &'f mut FormField>) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for field in fields {
        let count = seen.entry(field.id.clone()).or_default();
        *count += 1;
        if *count > 1 {
            field.id = format!("{}-{count}", field.id);
        }
    }
}

impl FormPage {
    /// Creates a page whose form is sent to `action`, with the button `Save`. Its heading is the
    /// title of the frame.
    pub fn new(frame: Frame, action: impl Into<String>, fields: Vec<FormField>) -> FormPage {
        FormPage::with_sections(frame, action, vec![Section::new("", fields)])
    }

    /// The same with several sections.
    pub fn with_sections(
        frame: Frame,
        action: impl Into<String>,
        sections: Vec<Section>,
    ) -> FormPage {
        let frame = if frame.width == Width::Full {
            frame.with_width(Width::Narrow)
        } else {
            frame
        };
        let mut sections = sections;
        let fields = sections.iter_mut().flat_map(|section| &mut section.fields);
        make_ids_unique(fields);
        FormPage {
            title: frame.title.clone(),
            frame,
            paragraphs: Vec::new(),
            links: Vec::new(),
            action: action.into(),
            is_query: false,
            sections,
            original: String::new(),
            preview: None,
            files: None,
            messages: Vec::new(),
            submit: Some("Save".to_owned()),
            saves_choice: false,
            is_destructive: false,
            cancel: None,
            delete: None,
        }
    }

    /// Creates a page that asks for confirmation of a deletion.
    pub fn confirmation(
        frame: Frame,
        action: impl Into<String>,
        submit: impl Into<String>,
    ) -> FormPage {
        FormPage {
            is_destructive: true,
            ..FormPage::new(frame.with_width(Width::Slim), action, Vec::new())
        }
        .with_submit(submit)
    }

    /// Sets the heading where it differs from the title of the frame.
    #[must_use]
    pub fn with_heading(self, title: impl Into<String>) -> FormPage {
        FormPage {
            title: title.into(),
            ..self
        }
    }

    /// Adds a paragraph above the fields.
    #[must_use]
    pub fn with_paragraph(mut self, text: impl Into<String>) -> FormPage {
        self.paragraphs.push(text.into());
        self
    }

    /// Adds links below the paragraphs.
    #[must_use]
    pub fn with_links(self, links: Vec<Link>) -> FormPage {
        FormPage { links, ..self }
    }

    /// Sends the form with `GET`: it leads to another page and changes nothing.
    #[must_use]
    pub fn with_get(self) -> FormPage {
        FormPage {
            is_query: true,
            ..self
        }
    }

    /// Adds the fields as they are saved, with which a change of somebody else is noticed.
    #[must_use]
    pub fn with_original(self, saved: &[FormField]) -> FormPage {
        FormPage {
            original: form_merge::original(saved),
            ..self
        }
    }

    /// Shows next to fields what somebody else has saved.
    #[must_use]
    pub fn with_conflicts(mut self, conflicts: &[(String, String)]) -> FormPage {
        if conflicts.is_empty() {
            return self;
        }
        let sections = self.sections.iter_mut();
        let fields = sections.flat_map(|section| &mut section.fields);
        form_merge::show_conflicts(fields, conflicts);
        self.messages.push(form_merge::CONFLICT.to_owned());
        self.with_error_title()
    }

    /// Adds fields below the form that are not sent.
    #[must_use]
    pub fn with_preview(self, preview: Option<Section>) -> FormPage {
        FormPage { preview, ..self }
    }

    /// Takes files.
    #[must_use]
    pub fn with_files(self, files: Option<FileBox>) -> FormPage {
        FormPage { files, ..self }.with_error_title()
    }

    /// Adds fields, such as those that confirm a deletion.
    #[must_use]
    pub fn with_fields(mut self, fields: impl IntoIterator<Item = FormField>) -> FormPage {
        if let Some(section) = self.sections.last_mut() {
            section.fields.extend(fields);
        }
        self
    }

    /// Changes the label of the button.
    #[must_use]
    pub fn with_submit(self, label: impl Into<String>) -> FormPage {
        FormPage {
            submit: Some(label.into()),
            ..self
        }
    }

    /// Leaves out the button: there is nothing to send.
    #[must_use]
    pub fn without_submit(self) -> FormPage {
        FormPage {
            submit: None,
            ..self
        }
    }

    /// Adds the link that leaves the form.
    #[must_use]
    pub fn with_cancel(self, path: impl Into<String>) -> FormPage {
        FormPage {
            cancel: Some(path.into()),
            ..self
        }
    }

    /// Lets the script save as soon as somebody chooses a value.
    #[must_use]
    pub fn saving_choice(self, saves_choice: bool) -> FormPage {
        FormPage {
            saves_choice,
            ..self
        }
    }

    /// Leaves out the link that leaves the form, on a page that shows more than it.
    #[must_use]
    pub fn without_cancel(self) -> FormPage {
        FormPage {
            cancel: None,
            ..self
        }
    }

    /// Adds a link to the deletion of the record.
    #[must_use]
    pub fn with_delete(self, path: impl Into<String>) -> FormPage {
        FormPage {
            delete: Some(Link::new("Delete", path)),
            ..self
        }
    }

    /// Shows why the form cannot be sent, and no fields.
    #[must_use]
    pub fn with_refusal(self, reason: impl Into<String>) -> FormPage {
        FormPage {
            messages: vec![reason.into()],
            delete: None,
            sections: Vec::new(),
            files: None,
            submit: None,
            ..self
        }
        .with_error_title()
    }

    /// Shows errors next to their fields, and those of the record above.
    #[must_use]
    pub fn with_errors(mut self, errors: ValidationErrors) -> FormPage {
        let fields = self
            .sections
            .iter_mut()
            .flat_map(|section| &mut section.fields);
        let others = assign_errors(fields, errors);
        self.messages.extend(others);
        self.with_error_title()
    }

    /// Returns what is wrong.
    pub fn errors(&self) -> ErrorSummary {
        let fields = self.sections.iter().flat_map(|section| &section.fields);
        let of_files = self.files.as_ref().map(|files| files.errors.as_slice());
        ErrorSummary::new(&self.messages, fields).with_files(of_files.unwrap_or_default())
    }

    /// Says in the title of the page whether something is wrong.
    fn with_error_title(mut self) -> FormPage {
        self.errors().mark_title(&mut self.frame.title);
        self
    }

    /// Whether the form has to be sent as `multipart/form-data`, because it can have files.
    pub fn has_files(&self) -> bool {
        let mut fields = self.sections.iter().flat_map(|section| &section.fields);
        self.files.is_some() || fields.any(|field| field.kind == FieldKind::File)
    }

    /// Whether the form has a button for a preview, which is shown below it.
    pub fn has_preview(&self) -> bool {
        self.preview.is_some()
    }

    /// Renders the page. Unless another field has it, the first field gets the focus if it is empty,
    /// as in a form for a new record: what is typed then is not taken for keyboard shortcuts of the
    /// page.
    pub fn render(mut self) -> Result<Reply, Error> {
        if !self.is_query && self.errors().is_empty() {
            self.focus_first();
        }
        render(&self.frame, &self)
    }

    /// Focuses the first field if it is empty and no field has the focus.
    fn focus_first(&mut self) {
        let fields = self.sections.iter_mut();
        let mut fields: Vec<&mut FormField> = fields
            .flat_map(|section| &mut section.fields)
            .filter(|field| field.kind != FieldKind::Hidden)
            .collect();
        let has_focus = fields.iter().any(|field| field.has_focus);
        if let Some(first) = fields.first_mut()
            && !has_focus
            && first.value.is_empty()
        {
            first.has_focus = true;
        }
    }
}
