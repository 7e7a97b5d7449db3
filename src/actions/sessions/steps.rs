use crate::domain::session::SessionStep;
use crate::domain::user::User;

/// Returns what a user must do next, after the password and, if `has_code`, the code of the second factor.
pub fn next_step(user: &User, has_code: bool) -> SessionStep {
    if user.has_second_factor() && !has_code {
        SessionStep::SecondFactor
    } else if user.must_change_password {
        SessionStep::NewPassword
    } else {
        SessionStep::Complete
    }
}
