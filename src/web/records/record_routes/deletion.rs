//! The confirmation of a deletion, and the deletion.

use crate::components::form_field::{FieldKind, FormField, choice, typed};
use crate::components::form_page::FormPage;
use crate::form::save;
use crate::prelude::*;
use crate::records::record_area::RecordArea;
use crate::records::record_pages::{RecordPages, delete_path, list_redirect};
use quarry_domain::values::text::capitalize;

/// The parameter with the record that replaces a deleted one, as in the API.
const REPLACEMENT: &str = "reassign_to_id";

/// Asks whether the record shall be deleted.
pub fn confirm<R: RecordPages>(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    confirmation::<R>(request, db, ValidationErrors::new())
}

/// Deletes the record.
pub fn delete<R: RecordPages>(request: &RequestContext) -> Result<Reply, Error> {
    let record = request.app.read(|db| R::find(request, db))?;
    let id = R::id(&record);
    // Text that is not an id matches no record.
    let replacement = typed(&request.body, REPLACEMENT)
        .filter(|text| !text.trim().is_empty())
        .map(|text| text.trim().parse().unwrap_or(0).into());
    save(
        request,
        || request.write(move |db, viewer| R::Resource::delete(db, viewer, id.into(), replacement)),
        |()| {
            R::audit(request, id, "deleted");
            list_redirect::<R>(request, R::parent_of(&record), "deleted")
        },
        |db, errors| confirmation::<R>(request, db, errors),
    )
}

fn confirmation<R: RecordPages>(
    request: &RequestContext,
    db: &Read<'_>,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let record = R::find(request, db)?;
    let parent = R::parent_of(&record);
    let effects = R::deletion_effects(db, &record)?;
    let name = R::name(&record);
    let frame = R::AREA.frame(request, db, parent, &format!("Delete {name}"))?;
    let page = FormPage::confirmation(frame, delete_path::<R>(R::id(&record)), "Delete")
        .with_heading(format!("Delete the {} {name}?", R::noun(parent)))
        .with_cancel(R::AREA.list_path(db.catalogue(), parent));
    let page = effects
        .notes
        .into_iter()
        .fold(page, FormPage::with_paragraph)
        .with_links(effects.links);
    if let Some(reason) = effects.refusal {
        return page.with_refusal(reason).render();
    }
    let replacement = (!effects.replacements.is_empty()).then(|| {
        let none = if effects.needs_replacement {
            "choose one"
        } else {
            "none"
        };
        FormField {
            is_required: effects.needs_replacement,
            ..FormField::new(
                FieldKind::Select,
                REPLACEMENT,
                format!("{} that replaces it", capitalize(R::noun(parent))),
                typed(&request.body, REPLACEMENT).unwrap_or_default(),
            )
        }
        .with_choices([choice("", none)])
        .with_choices(effects.replacements)
    });
    page.with_fields(replacement).with_errors(errors).render()
}
