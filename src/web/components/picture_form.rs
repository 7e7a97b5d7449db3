//! The form of a picture of a user.

use super::avatar::Person;
use super::form_field::{FieldKind, FormField, assign_errors};
use crate::frame::Frame;
use crate::prelude::*;
use quarry_actions::accounts::pictures;
use quarry_domain::accounts::user::User;

/// The form that uploads or removes a picture.
#[derive(Template)]
#[template(path = "components/picture_form/picture_form.html")]
pub struct PictureForm<'f> {
    frame: &'f Frame,
    /// The address that it is sent to.
    action: String,
    person: Person,
    file: FormField,
}

impl<'f> PictureForm<'f> {
    /// Returns the form for the picture of the user, with what is wrong with the last one.
    pub fn new(
        request: &RequestContext,
        db: &Read<'_>,
        frame: &'f Frame,
        (user, action): (&User, String),
        errors: ValidationErrors,
    ) -> PictureForm<'f> {
        let hint = format!(
            "PNG, JPEG, GIF or WebP, at most {} MiB. The middle is cut out as a square.",
            pictures::MAX_FILE_SIZE / 1024 / 1024
        );
        let mut file =
            FormField::new(FieldKind::File, pictures::ATTRIBUTE, "File", "").with_hint(hint);
        // Errors of other attributes are those of another form.
        assign_errors(std::iter::once(&mut file), errors);
        PictureForm {
            frame,
            action,
            person: Person::with_picture(request.viewer(), db.catalogue(), user.id.into()),
            file,
        }
    }
}
