//! A Redmine moves in: the real program on the database of a Redmine 5.0.4, from each kind of database.

mod again;
mod broken;
mod engines;
mod loader;
mod servers;
mod transcripts;
mod world;
