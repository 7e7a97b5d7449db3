//! The commands, on the real program with folders of their own.

mod at_rest;
mod commands;
mod demo;
mod links;
pub mod process;
mod serve;
