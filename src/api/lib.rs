//! The REST API: one file per resource, a folder where that would be long. This file is the route
//! table.
//!
//! Paths have no suffix here: `http` removes it before routing. Invariant: every route responds in
//! JSON and in XML, except `/openapi`, which is always JSON. May import everything above it in the
//! table of modules; a resource imports only the `view` of another one.

mod attachments;
mod boards;
mod custom_fields;
mod documents;
mod email_addresses;
mod enumerations;
mod files;
mod groups;
mod issue_categories;
mod issue_statuses;
mod issues;
mod journals;
mod memberships;
mod messages;
mod my;
mod news;
mod openapi;
mod projects;
mod queries;
mod reactions;
mod relations;
mod repositories;
mod revisions;
mod roles;
mod search;
mod settings;
mod time_entries;
mod trackers;
mod uploads;
mod users;
mod versions;
mod watchers;
mod wiki;
mod workflows;

use axum::routing::{delete, get, post, put};
use quarry_http::{
    Error, Reply, RequestContext, RouteHandler, Routes, read_handler, search_handler,
    thumbnail_handler, upload_handler, write_handler,
};
use reactions::{ToComment, ToIssue, ToJournal, ToMessage, ToNews};
use watchers::{OfBoard, OfIssue, OfMessage, OfNews, OfProjectNews, OfWiki, OfWikiPage};

/// Returns all routes of the REST API.
pub fn routes() -> Routes {
    Routes::new()
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
            "/custom_fields",
            get(read_handler(custom_fields::list).for_administrators())
                .post(write_handler(custom_fields::create).for_administrators()),
        )
        .route(
            "/custom_fields/{id}",
            get(read_handler(custom_fields::show).for_administrators())
                .put(write_handler(custom_fields::update).for_administrators())
                .patch(write_handler(custom_fields::update).for_administrators())
                .delete(write_handler(custom_fields::delete).for_administrators()),
        )
        .route(
            "/enumerations/{id}",
            get(read_handler(enumerations::list))
                .post(write_handler(enumerations::create).for_administrators()),
        )
        .route(
            "/enumerations/{id}/{value_id}",
            get(read_handler(enumerations::show).for_administrators())
                .put(write_handler(enumerations::update).for_administrators())
                .patch(write_handler(enumerations::update).for_administrators())
                .delete(write_handler(enumerations::delete).for_administrators()),
        )
        .route(
            "/groups",
            get(read_handler(groups::list).for_administrators())
                .post(protected_handler(groups::create).for_administrators()),
        )
        .route(
            "/groups/{id}",
            get(read_handler(groups::show))
                .put(protected_handler(groups::update).for_administrators())
                .patch(protected_handler(groups::update).for_administrators())
                .delete(protected_handler(groups::delete)),
        )
        .route(
            "/groups/{id}/users",
            post(protected_handler(groups::create_users))
                .delete(protected_handler(groups::delete_users).for_administrators()),
        )
        .route(
            "/groups/{id}/users/{user_id}",
            delete(protected_handler(groups::delete_user)),
        )
        .route(
            "/issue_statuses",
            get(read_handler(issue_statuses::list))
                .post(write_handler(issue_statuses::create).for_administrators()),
        )
        .route(
            "/issue_statuses/{id}",
            get(read_handler(issue_statuses::show).for_administrators())
                .put(write_handler(issue_statuses::update).for_administrators())
                .patch(write_handler(issue_statuses::update).for_administrators())
                .delete(write_handler(issue_statuses::delete).for_administrators()),
        )
        .route(
            "/issues",
            get(read_handler(issues::list))
                .post(write_handler(issues::create))
                .delete(write_handler(issues::delete_several)),
        )
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
        .route(
            "/projects",
            get(read_handler(projects::list)).post(write_handler(projects::create)),
        )
        .route(
            "/projects/{id}",
            get(read_handler(projects::show))
                .put(write_handler(projects::update))
                .patch(write_handler(projects::update))
                .delete(write_handler(projects::delete)),
        )
        .route(
            "/projects/{id}/archive",
            put(write_handler(projects::archive)).post(write_handler(projects::archive)),
        )
        .route(
            "/projects/{id}/unarchive",
            put(write_handler(projects::unarchive)).post(write_handler(projects::unarchive)),
        )
        .route(
            "/projects/{id}/close",
            put(write_handler(projects::close)).post(write_handler(projects::close)),
        )
        .route(
            "/projects/{id}/reopen",
            put(write_handler(projects::reopen)).post(write_handler(projects::reopen)),
        )
        .route(
            "/projects/{id}/files",
            get(read_handler(files::list)).post(write_handler(files::create)),
        )
        .route(
            "/projects/{id}/bookmark",
            put(write_handler(projects::add_bookmark))
                .patch(write_handler(projects::add_bookmark))
                .delete(write_handler(projects::remove_bookmark)),
        )
        .route(
            "/projects/{id}/boards",
            get(read_handler(boards::list)).post(write_handler(boards::create)),
        )
        .route(
            "/projects/{id}/documents",
            get(read_handler(documents::list)).post(write_handler(documents::create)),
        )
        .route(
            "/projects/{id}/issue_categories",
            get(read_handler(issue_categories::list)).post(write_handler(issue_categories::create)),
        )
        .route(
            "/projects/{id}/issues",
            get(read_handler(issues::list)).post(write_handler(issues::create)),
        )
        .route(
            "/projects/{id}/memberships",
            get(read_handler(memberships::list)).post(write_handler(memberships::create)),
        )
        .route(
            "/projects/{id}/news",
            get(read_handler(news::list)).post(write_handler(news::create)),
        )
        .route(
            "/projects/{id}/news/watchers",
            get(read_handler(watchers::list::<OfProjectNews>))
                .post(write_handler(watchers::create::<OfProjectNews>)),
        )
        .route(
            "/projects/{id}/news/watchers/{user_id}",
            delete(write_handler(watchers::delete::<OfProjectNews>)),
        )
        .route(
            "/projects/{id}/repositories",
            get(read_handler(repositories::list)).post(write_handler(repositories::create)),
        )
        .route(
            "/projects/{id}/repository/{repository_id}/revisions",
            get(read_handler(revisions::list)).post(write_handler(revisions::create)),
        )
        .route(
            "/projects/{id}/repository/{repository_id}/revisions/{revision}",
            get(read_handler(revisions::show)),
        )
        .route(
            "/projects/{id}/repository/{repository_id}/revisions/{revision}/issues",
            post(write_handler(revisions::create_issue)),
        )
        .route(
            "/projects/{id}/repository/{repository_id}/revisions/{revision}/issues/{issue_id}",
            delete(write_handler(revisions::delete_issue)),
        )
        .route("/projects/{id}/search", get(search_handler(search::list)))
        .route(
            "/projects/{id}/time_entries",
            get(read_handler(time_entries::list)).post(write_handler(time_entries::create)),
        )
        .route(
            "/projects/{id}/versions",
            get(read_handler(versions::list)).post(write_handler(versions::create)),
        )
        .route("/projects/{id}/wiki", get(read_handler(wiki::show)))
        .route(
            "/projects/{id}/wiki/index",
            get(read_handler(wiki::list))
                .put(write_handler(wiki::update))
                .patch(write_handler(wiki::update))
                .delete(write_handler(wiki::delete)),
        )
        .route(
            "/projects/{id}/wiki/{title}",
            get(read_handler(wiki::show))
                .put(write_handler(wiki::update))
                .patch(write_handler(wiki::update))
                .delete(write_handler(wiki::delete)),
        )
        .route(
            "/projects/{id}/wiki/index/watchers",
            get(read_handler(watchers::list::<OfWiki>))
                .post(write_handler(watchers::create::<OfWiki>)),
        )
        .route(
            "/projects/{id}/wiki/index/watchers/{user_id}",
            delete(write_handler(watchers::delete::<OfWiki>)),
        )
        .route(
            "/projects/{id}/wiki/{title}/diff",
            get(read_handler(wiki::diff)),
        )
        .route(
            "/projects/{id}/wiki/{title}/history",
            get(read_handler(wiki::history)),
        )
        .route(
            "/projects/{id}/wiki/{title}/protect",
            put(write_handler(wiki::protect)).patch(write_handler(wiki::protect)),
        )
        .route(
            "/projects/{id}/wiki/{title}/rename",
            put(write_handler(wiki::rename)).patch(write_handler(wiki::rename)),
        )
        .route(
            "/projects/{id}/wiki/{title}/watchers",
            get(read_handler(watchers::list::<OfWikiPage>))
                .post(write_handler(watchers::create::<OfWikiPage>)),
        )
        .route(
            "/projects/{id}/wiki/{title}/watchers/{user_id}",
            delete(write_handler(watchers::delete::<OfWikiPage>)),
        )
        .route(
            "/projects/{id}/wiki/{title}/{version}",
            get(read_handler(wiki::show)).delete(write_handler(wiki::delete_version)),
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
        .route(
            "/roles",
            get(read_handler(roles::list)).post(write_handler(roles::create).for_administrators()),
        )
        .route(
            "/roles/{id}",
            get(read_handler(roles::show))
                .put(write_handler(roles::update).for_administrators())
                .patch(write_handler(roles::update).for_administrators())
                .delete(write_handler(roles::delete).for_administrators()),
        )
        .route("/search", get(search_handler(search::list)))
        .route("/search/suggest", get(search_handler(search::suggest)))
        .route(
            "/settings",
            get(read_handler(settings::list).for_administrators())
                .put(protected_handler(settings::update_all).for_administrators())
                .patch(protected_handler(settings::update_all).for_administrators()),
        )
        .route(
            "/settings/{name}",
            get(read_handler(settings::show).for_administrators())
                .put(protected_handler(settings::update).for_administrators())
                .patch(protected_handler(settings::update).for_administrators()),
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
            "/trackers",
            get(read_handler(trackers::list))
                .post(write_handler(trackers::create).for_administrators()),
        )
        .route(
            "/trackers/{id}",
            get(read_handler(trackers::show).for_administrators())
                .put(write_handler(trackers::update).for_administrators())
                .patch(write_handler(trackers::update).for_administrators())
                .delete(write_handler(trackers::delete).for_administrators()),
        )
        .route(
            "/uploads",
            post(upload_handler(uploads::check, uploads::create)),
        )
        .route(
            "/users",
            get(read_handler(users::list).for_administrators())
                .post(protected_handler(users::create).for_administrators()),
        )
        .route(
            "/users/current",
            get(read_handler(users::current))
                .put(protected_handler(users::update).for_administrators())
                .patch(protected_handler(users::update).for_administrators())
                .delete(protected_handler(users::delete)),
        )
        .route(
            "/users/{id}",
            get(read_handler(users::show))
                .put(protected_handler(users::update).for_administrators())
                .patch(protected_handler(users::update).for_administrators())
                .delete(protected_handler(users::delete)),
        )
        .route(
            "/users/{id}/email_addresses",
            get(read_handler(email_addresses::list).for_administrators())
                .post(protected_handler(email_addresses::create).for_administrators()),
        )
        .route(
            "/users/{id}/email_addresses/{address_id}",
            get(read_handler(email_addresses::show).for_administrators())
                .put(protected_handler(email_addresses::update).for_administrators())
                .patch(protected_handler(email_addresses::update).for_administrators())
                .delete(protected_handler(email_addresses::delete).for_administrators()),
        )
        .route(
            "/versions/{id}",
            get(read_handler(versions::show))
                .put(write_handler(versions::update))
                .patch(write_handler(versions::update))
                .delete(write_handler(versions::delete)),
        )
        .route(
            "/workflows",
            get(read_handler(workflows::show).for_administrators())
                .put(write_handler(workflows::update).for_administrators())
                .patch(write_handler(workflows::update).for_administrators()),
        )
}

/// Returns a handler for changes for which pages ask for the password: of accounts, of what
/// protects them, and of settings. It refuses sessions (compatibility 4).
fn protected_handler(handler: fn(&RequestContext) -> Result<Reply, Error>) -> RouteHandler {
    write_handler(handler).without_sessions()
}
