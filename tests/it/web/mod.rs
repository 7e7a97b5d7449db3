//! Pages, as a browser uses them.

mod browser;
mod frame;
mod my;
mod my_page;
mod read;
mod sessions;
mod static_files;
