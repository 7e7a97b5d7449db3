//! Pages in a real Chromium, against the real program. Where Chromium, chromedriver or axe cannot
//! be had, the tests print `NOT TESTED` and pass.
//!
//! Each test has its own browser, which starts in a second, and visits many pages with it. A new
//! page is a line in `tests/it/web/pages.rs`.

mod administration;
mod all_pages;
mod axe;
pub mod driver;
mod new_team;
mod parts;
mod pictures;
mod search;
mod tasks;
mod tours;
mod without_scripts;

use crate::cli::process::{Service, message, quarry, run};
use crate::world::World;

/// Starts the program on the data of a world.
pub struct Served {
    pub service: Service,
    _folder: tempfile::TempDir,
}

/// Stops the world and serves its data from a process.
pub fn serve(world: World) -> Served {
    let folder = world.into_folder();
    // Forms come from the address of the process.
    message(&run(folder.path(), &["setting", "set", "host_name", ""]));
    let service = Service::start(quarry(&["serve", "--log", "error", "--data"]).arg(folder.path()));
    Served {
        service,
        _folder: folder,
    }
}
