//! What was typed into the form for a new issue, and why it is shown.

use crate::access;
use crate::content::received_files::ReceivedFiles;
use crate::prelude::*;
use axum::http::StatusCode;

/// Why the form is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// It is new.
    #[default]
    New,
    /// Another project or tracker was chosen.
    Refreshed,
    /// A template was chosen.
    WithTemplate,
    /// Similar issues are wanted.
    WithSimilar,
    /// What was typed was refused.
    Refused,
}

impl View {
    /// Returns what a button asks for other than to create the issue.
    pub fn from_button(value: &str) -> Option<View> {
        match value {
            "refresh" => Some(View::Refreshed),
            "template" => Some(View::WithTemplate),
            "similar" => Some(View::WithSimilar),
            _ => None,
        }
    }

    /// Returns the status of the page.
    pub fn status(self) -> StatusCode {
        match self {
            View::Refused => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::OK,
        }
    }
}

/// What was typed, and the errors of it.
#[derive(Default)]
pub struct NewIssueForm {
    pub form: Input,
    pub view: View,
    pub errors: ValidationErrors,
    pub files: ReceivedFiles,
}

/// Returns the project in the path, if the viewer may add issues there.
pub fn project_of_path<'c>(
    request: &RequestContext,
    db: &'c Read<'_>,
) -> Result<Option<&'c Project>, Error> {
    if request.path_param("id").is_empty() {
        return Ok(None);
    }
    let project = access::project(request, db.catalogue(), Permission::ViewProject)?;
    if request.viewer().may(Permission::AddIssues, project.id) {
        Ok(Some(project))
    } else {
        Err(Error::Forbidden)
    }
}
