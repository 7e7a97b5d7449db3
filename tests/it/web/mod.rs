//! Pages, as a browser uses them.

mod browser;
mod frame;
mod my;
mod read;
mod sessions;
mod static_files;
