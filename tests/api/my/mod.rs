//! Addresses below `/my`.

mod account;
mod bookmarks;
mod inbox;
