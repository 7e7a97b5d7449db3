//! The program with all that surrounds it: commands, processes, files, databases, mail, the import
//! and packages; and what holds for the API and the pages alike.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the message"
)]

mod audit;
mod backup;
mod cli;
mod clock_jumps;
mod crash;
mod doctor;
mod file_descriptors;
mod full_disk;
mod fuzz;
mod hostile_servers;
mod import;
mod index_recovery;
mod limits;
mod mail;
mod monitoring;
mod notices;
mod openapi;
mod packaging;
mod postgres;
mod python_redmine;
mod target_folder;
mod tls;
mod transcripts;
mod visibility;
