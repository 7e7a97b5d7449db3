//! Log in and log out (`/login`, `/logout`), and what happens when a session has ended while somebody was writing.

mod back_url;
mod login;
mod logout;
mod resume;
mod second_factor;
mod start;
mod steps;

pub use login::{create, login_page, new};
pub use logout::{confirm, delete};
pub use resume::resume_page;
pub use second_factor::set_up as set_up_second_factor;
pub use start::{delay_message, start};
pub use steps::{check_code, show as show_step, update_password};
