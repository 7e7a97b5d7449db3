//! The routes below issues and notes.

use super::{
    board, bulk, calendar, copy, delete, files, gantt, log_time, move_project, notes, relations,
    subtasks, watchers,
};
use axum::routing::{get, post};
use quarry_http::{Routes, read_handler, write_handler};

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/issues/{id}/attachments/{file}/delete",
            get(read_handler(files::confirm)).post(write_handler(files::delete).deleting()),
        )
        .route(
            "/issues/{id}/copy",
            get(read_handler(copy::new)).post(write_handler(copy::create)),
        )
        .route(
            "/issues/{id}/delete",
            get(read_handler(delete::confirm)).post(write_handler(delete::delete).deleting()),
        )
        .route(
            "/issues/{id}/move",
            get(read_handler(move_project::show)).post(write_handler(move_project::save_move)),
        )
        .route(
            "/issues/{id}/relations/new",
            get(read_handler(relations::new)).post(write_handler(relations::create)),
        )
        .route(
            "/issues/{id}/relations/{relation}/delete",
            post(write_handler(relations::delete).deleting()),
        )
        .route(
            "/issues/{id}/subtasks/{subtask}/unlink",
            post(write_handler(subtasks::unlink)),
        )
        .route(
            "/issues/{id}/time_entries/new",
            get(read_handler(log_time::new)).post(write_handler(log_time::create)),
        )
        .route(
            "/issues/{id}/timer",
            post(write_handler(log_time::start_timer)),
        )
        .route(
            "/issues/{id}/watchers/new",
            get(read_handler(watchers::new)).post(write_handler(watchers::create)),
        )
        .route(
            "/issues/{id}/watchers/{user}/delete",
            post(write_handler(watchers::delete).deleting()),
        )
        .route(
            "/journals/{id}/delete",
            get(read_handler(notes::confirm)).post(write_handler(notes::delete).deleting()),
        )
        .route(
            "/journals/{id}/privacy",
            post(write_handler(notes::update_privacy)),
        )
        .merge(board::routes())
        .merge(calendar::routes())
        .merge(gantt::routes())
        .merge(bulk::routes())
}
