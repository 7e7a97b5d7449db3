//! The route table of the REST API.
//!
//! Paths have no suffix here: `http` removes it before routing. It names the handlers of all
//! resources, which name only the `view` of each other.

mod administration;
mod projects;
mod protected_handler;

use crate::reactions::{ToComment, ToIssue, ToJournal, ToMessage, ToNews};
use crate::watchers::{OfBoard, OfIssue, OfMessage, OfNews};
use crate::{
    attachments, boards, documents, inbox, issue_categories, issues, journals, memberships,
    messages, my, news, openapi, queries, reactions, relations, repositories, search,
    search_completions, time_entries, uploads, versions, watchers,
};
use axum::routing::{delete, get, post, put};
use protected_handler::protected_handler;
use quarry_http::{
    Routes, read_handler, search_handler, thumbnail_handler, upload_handler, write_handler,
};

/// Returns all routes of the REST API.
pub fn routes() -> Routes {
    Routes::new()
        .merge(administration::routes())
        .merge(projects::routes())
        .route(
            "/attachments/{id}",
            get(read_handler(attachments::show))
                .put(write_handler(attachments::update))
                .patch(write_handler(attachments::update))
                .delete(write_handler(attachments::delete)),
        )
        .route(
            "/attachments/download/{id}",
            get(read_handler(attachments::download)),
        )
        .route(
            "/attachments/download/{id}/{filename}",
            get(read_handler(attachments::download)),
        )
        .route(
            "/attachments/thumbnail/{id}",
            get(thumbnail_handler(attachments::thumbnail)),
        )
        .route(
            "/attachments/thumbnail/{id}/{size}",
            get(thumbnail_handler(attachments::thumbnail)),
        )
        .route(
            "/boards/{id}",
            get(read_handler(boards::show))
                .put(write_handler(boards::update))
                .patch(write_handler(boards::update))
                .delete(write_handler(boards::delete)),
        )
        .route(
            "/boards/{id}/topics",
            get(read_handler(messages::list)).post(write_handler(messages::create_topic)),
        )
        .route(
            "/boards/{id}/watchers",
            get(read_handler(watchers::list::<OfBoard>))
                .post(write_handler(watchers::create::<OfBoard>)),
        )
        .route(
            "/boards/{id}/watchers/{user_id}",
            delete(write_handler(watchers::delete::<OfBoard>)),
        )
        .route(
            "/documents/{id}",
            get(read_handler(documents::show))
                .put(write_handler(documents::update))
                .patch(write_handler(documents::update))
                .delete(write_handler(documents::delete)),
        )
        .route(
            "/issues",
            get(read_handler(issues::list))
                .post(write_handler(issues::create))
                .delete(write_handler(issues::delete_several)),
        )
        .route("/issues.ndjson", get(read_handler(issues::export)))
        .route(
            "/issues/{id}",
            get(read_handler(issues::show))
                .put(write_handler(issues::update))
                .patch(write_handler(issues::update))
                .delete(write_handler(issues::delete)),
        )
        .route(
            "/issues/similar",
            post(search_handler(issues::similar_to_draft)),
        )
        .route("/issues/{id}/similar", get(search_handler(issues::similar)))
        .route(
            "/issues/{id}/reactions",
            get(read_handler(reactions::list::<ToIssue>))
                .post(write_handler(reactions::create::<ToIssue>))
                .delete(write_handler(reactions::delete::<ToIssue>)),
        )
        .route(
            "/issues/{id}/relations",
            get(read_handler(relations::list)).post(write_handler(relations::create)),
        )
        .route(
            "/issues/{id}/time_entries",
            post(write_handler(time_entries::create_on_issue)),
        )
        .route(
            "/issues/{id}/watchers",
            post(write_handler(watchers::create::<OfIssue>)),
        )
        .route(
            "/issues/{id}/watchers/{user_id}",
            delete(write_handler(watchers::delete::<OfIssue>)),
        )
        .route(
            "/issue_categories/{id}",
            get(read_handler(issue_categories::show))
                .put(write_handler(issue_categories::update))
                .patch(write_handler(issue_categories::update))
                .delete(write_handler(issue_categories::delete)),
        )
        .route(
            "/journals/{id}",
            put(write_handler(journals::update)).patch(write_handler(journals::update)),
        )
        .route(
            "/journals/{id}/reactions",
            get(read_handler(reactions::list::<ToJournal>))
                .post(write_handler(reactions::create::<ToJournal>))
                .delete(write_handler(reactions::delete::<ToJournal>)),
        )
        .route(
            "/memberships/{id}",
            get(read_handler(memberships::show))
                .put(write_handler(memberships::update))
                .patch(write_handler(memberships::update))
                .delete(write_handler(memberships::delete)),
        )
        .route(
            "/messages/{id}",
            get(read_handler(messages::show))
                .put(write_handler(messages::update))
                .patch(write_handler(messages::update))
                .delete(write_handler(messages::delete)),
        )
        .route(
            "/messages/{id}/reactions",
            get(read_handler(reactions::list::<ToMessage>))
                .post(write_handler(reactions::create::<ToMessage>))
                .delete(write_handler(reactions::delete::<ToMessage>)),
        )
        .route(
            "/messages/{id}/replies",
            post(write_handler(messages::create_reply)),
        )
        .route(
            "/messages/{id}/watchers",
            get(read_handler(watchers::list::<OfMessage>))
                .post(write_handler(watchers::create::<OfMessage>)),
        )
        .route(
            "/messages/{id}/watchers/{user_id}",
            delete(write_handler(watchers::delete::<OfMessage>)),
        )
        .route(
            "/my/account",
            get(read_handler(my::show))
                .put(protected_handler(my::update))
                .patch(protected_handler(my::update)),
        )
        .route("/my/bookmarks", get(read_handler(my::bookmarks)))
        .route("/my/inbox", get(read_handler(inbox::list)))
        .route("/my/inbox/read_all", post(write_handler(inbox::read_all)))
        .route("/my/inbox/{type}/{id}", put(write_handler(inbox::update)))
        .route("/news", get(read_handler(news::list)))
        .route(
            "/news/{id}",
            get(read_handler(news::show))
                .put(write_handler(news::update))
                .patch(write_handler(news::update))
                .delete(write_handler(news::delete)),
        )
        .route(
            "/news/{id}/comments",
            get(read_handler(news::list_comments)).post(write_handler(news::create_comment)),
        )
        .route(
            "/news/{id}/comments/{comment_id}",
            delete(write_handler(news::delete_comment)),
        )
        .route(
            "/news/{id}/watchers",
            get(read_handler(watchers::list::<OfNews>))
                .post(write_handler(watchers::create::<OfNews>)),
        )
        .route(
            "/news/{id}/watchers/{user_id}",
            delete(write_handler(watchers::delete::<OfNews>)),
        )
        .route(
            "/news/{id}/reactions",
            get(read_handler(reactions::list::<ToNews>))
                .post(write_handler(reactions::create::<ToNews>))
                .delete(write_handler(reactions::delete::<ToNews>)),
        )
        .route(
            "/news/{id}/comments/{comment_id}/reactions",
            get(read_handler(reactions::list::<ToComment>))
                .post(write_handler(reactions::create::<ToComment>))
                .delete(write_handler(reactions::delete::<ToComment>)),
        )
        .route("/openapi", get(read_handler(openapi::show).open()))
        .route(
            "/queries",
            get(read_handler(queries::list)).post(write_handler(queries::create)),
        )
        .route(
            "/queries/{id}",
            get(read_handler(queries::show))
                .put(write_handler(queries::update))
                .patch(write_handler(queries::update))
                .delete(write_handler(queries::delete)),
        )
        .route(
            "/relations/{id}",
            get(read_handler(relations::show)).delete(write_handler(relations::delete)),
        )
        .route(
            "/repositories/{id}",
            get(read_handler(repositories::show))
                .put(write_handler(repositories::update))
                .patch(write_handler(repositories::update))
                .delete(write_handler(repositories::delete)),
        )
        .route("/search", get(search_handler(search::list)))
        .route("/search/suggest", get(search_handler(search::suggest)))
        .route(
            "/search/suggest/qualifiers",
            get(search_handler(search_completions::list)),
        )
        .route(
            "/time_entries",
            get(read_handler(time_entries::list)).post(write_handler(time_entries::create)),
        )
        .route(
            "/time_entries/{id}",
            get(read_handler(time_entries::show))
                .put(write_handler(time_entries::update))
                .patch(write_handler(time_entries::update))
                .delete(write_handler(time_entries::delete)),
        )
        .route(
            "/uploads",
            post(upload_handler(uploads::check, uploads::create)),
        )
        .route(
            "/versions/{id}",
            get(read_handler(versions::show))
                .put(write_handler(versions::update))
                .patch(write_handler(versions::update))
                .delete(write_handler(versions::delete)),
        )
}
