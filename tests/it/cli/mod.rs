//! The commands, on the real program with folders of their own.

mod commands;
mod demo;
mod process;
mod serve;
