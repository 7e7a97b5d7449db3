//! `/projects/:id/settings/boards`: the boards of a project, and the forms.

use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::choice;
use crate::components::form_page::Section;
use crate::components::list_page::{Cell, Link, ListPage};
use crate::prelude::*;
use crate::records::deletions::DeletionEffects;
use crate::records::record_area::{ProjectSettingsArea, RecordArea};
use crate::records::record_pages::{RecordPages, delete_path, edit_path};
use crate::records::record_routes::project_routes;
use quarry_actions::content::boards as actions;
use quarry_actions::content::boards::BoardChange;
use quarry_domain::content::board::Board;
use quarry_store::content::boards;

/// Returns the routes of boards.
pub fn routes() -> Routes {
    project_routes::<BoardPages>("boards", list)
}

fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = BoardPages::AREA.parent(request, catalogue)?;
    let found = boards::list(db, project)?;
    let count = found.len();
    let rows = found.into_iter().enumerate().map(|(index, board)| {
        let edit = edit_path::<BoardPages>(board.id);
        vec![
            Cell::record(board.name, edit.clone()),
            Cell::Text(board.description),
            Cell::order(edit, "board", index, count),
            Cell::Links(vec![
                Link::new("Show", paths::board(board.id)),
                Link::new("Delete", delete_path::<BoardPages>(board.id)),
            ]),
        ]
    });
    let frame = BoardPages::AREA.frame(request, db, project, "Forums")?;
    ListPage::new(frame, &["Name", "Description", "Order", ""], rows.collect())
        .with_heading("Forums")
        .with_button("New forum", BoardPages::AREA.new_path(catalogue, project))
        .with_empty(
            "There is no forum yet.",
            "Topics and their replies stand in forums.",
        )
        .render()
}

struct BoardPages;

impl Resource for BoardPages {
    type Id = i64;
    type Parent = ProjectId;
    type Change = BoardChange;

    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        project: ProjectId,
        change: &BoardChange,
    ) -> Result<i64, ActionError> {
        let catalogue = db.catalogue();
        let project = catalogue.projects.get(&project);
        let identifier = project.ok_or(ActionError::NotFound)?.identifier.clone();
        actions::create(db, viewer, &identifier, change)
    }

    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: i64,
        change: &BoardChange,
    ) -> Result<(), ActionError> {
        actions::update(db, viewer, id, change)
    }

    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: i64,
        _replacement: Option<i64>,
    ) -> Result<(), ActionError> {
        actions::delete(db, viewer, id)
    }
}

impl RecordPages for BoardPages {
    type Resource = Self;
    type Record = Board;
    type Parent = ProjectId;
    type Area = ProjectSettingsArea;

    const NOUN: &'static str = "forum";
    const PATH: &'static str = "/boards";
    const AREA: ProjectSettingsArea = ProjectSettingsArea {
        label: "Forums",
        list: "/settings/boards",
        new: "/boards/new",
        permission: Permission::ManageBoards,
    };

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<Board, Error> {
        let board = boards::find(db, request.id_param("id")?)?;
        let board = board.ok_or_else(|| access::missing(request))?;
        access::managed_by_id(
            request,
            db.catalogue(),
            board.project,
            Permission::ManageBoards,
        )?;
        Ok(board)
    }

    fn parent_of(board: &Board) -> ProjectId {
        board.project
    }

    fn id(board: &Board) -> i64 {
        board.id
    }

    fn name(board: &Board) -> &str {
        &board.name
    }

    fn sections(
        _request: &RequestContext,
        db: &Read<'_>,
        project: ProjectId,
        board: Option<&Board>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<Section>, Error> {
        let board = board.cloned().unwrap_or_default();
        let others = boards::list(db, project)?.into_iter();
        let others = others.filter(|other| other.id != board.id);
        let parents = others.map(|other| choice(other.id, other.name));
        let parent = board.parent.map(|id| id.to_string());
        let fields = vec![
            form.line("name", "Name", board.name).required(),
            form.line("description", "Description", board.description),
            form.select(
                "parent_id",
                "Below the forum",
                parent.unwrap_or_default(),
                [choice("", "None")].into_iter().chain(parents),
            ),
        ];
        Ok(vec![Section::new("", fields)])
    }

    fn deletion_effects(db: &Read<'_>, board: &Board) -> Result<DeletionEffects, Error> {
        let messages = boards::count_messages(db, board.id)?;
        let note = match messages {
            0 => "There is no message in it.".to_owned(),
            1 => "1 message in it is deleted with it.".to_owned(),
            _ => format!("{messages} messages in it are deleted with it."),
        };
        Ok(DeletionEffects {
            notes: vec![note],
            ..DeletionEffects::default()
        })
    }
}
