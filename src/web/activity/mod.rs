//! Pages of the activity: what happened everywhere, in a project, or by one person.

mod events;
mod feed;
mod params;
mod sentences;
mod show;

pub use feed::atom;
pub use show::show;
