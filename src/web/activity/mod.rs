//! Pages of the activity: what happened everywhere, in a project, or by one person.

mod events;
mod feed;
mod params;
mod show;

pub use events::excerpt;
pub use feed::atom;
pub use show::show;
