//! Pages in a real Chromium, against the real program. Where Chromium, chromedriver or axe cannot
//! be had, the tests print `NOT TESTED` and pass.
//!
//! Each test has its own browser, which starts in a second, and visits many pages with it. A new
//! page is a line in `tests/pages/web/pages.rs`.

mod administration;
mod all_pages;
mod axe;
mod base_path;
pub mod driver;
mod lists;
mod new_team;
mod paper;
mod parts;
mod pictures;
mod search;
mod tasks;
mod tours;
mod without_scripts;

use quarry_world::process::{Service, message};
use quarry_world::{Data, World};

/// Starts the program on the data of a world.
pub struct Served {
    pub service: Service,
    _data: Data,
}

/// Stops the world and serves its data from a process.
pub fn serve(world: World) -> Served {
    let data = world.into_data();
    // Forms come from the address of the process.
    let mut set = data.quarry(&["setting", "set", "host_name", ""]);
    message(&set.output().unwrap());
    let service = Service::start(&mut data.quarry(&["serve", "--log", "error"]));
    Served {
        service,
        _data: data,
    }
}
