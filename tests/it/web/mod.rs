//! Pages, as a browser uses them.

mod admin;
mod bookmarks;
mod browser;
mod frame;
mod issues;
mod my;
mod my_page;
mod read;
mod search;
mod search_page;
mod sessions;
mod static_files;
mod users;
