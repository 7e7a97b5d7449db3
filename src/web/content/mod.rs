//! What projects hold besides issues: wiki pages, forums, news, documents and files, and what belongs to all records.

pub(crate) mod activity;
pub(crate) mod attachments;
pub(crate) mod boards;
mod documents;
mod files;
mod journals;
mod mail_handler;
pub(crate) mod news;
mod original_mail;
pub(crate) mod reactions;
pub(crate) mod received_files;
mod tasks;
mod watch;
pub(crate) mod wiki;

use quarry_http::Routes;

/// Returns the routes of all pages of this family.
pub fn routes() -> Routes {
    Routes::new()
        .merge(activity::routes())
        .merge(attachments::routes())
        .merge(boards::routes())
        .merge(documents::routes())
        .merge(files::routes())
        .merge(journals::routes())
        .merge(mail_handler::routes())
        .merge(news::routes())
        .merge(original_mail::routes())
        .merge(reactions::routes())
        .merge(tasks::routes())
        .merge(watch::routes())
        .merge(wiki::routes())
}
