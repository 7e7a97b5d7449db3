//! The pages, as browsers with and without scripts show them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the message"
)]

mod chromium;
mod html_lines;
mod oauth_clients;
mod web;
