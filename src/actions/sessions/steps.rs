use crate::domain::session::SessionStep;
use crate::domain::two_factor::TwoFactorPolicy;
use crate::domain::user::User;

/// Returns what a user must do next, after the password and, if `has_code`, the code of the second
/// factor.
pub fn next_step(policy: TwoFactorPolicy, user: &User, has_code: bool) -> SessionStep {
    if policy.asks_for_code(user) && !has_code {
        SessionStep::SecondFactor
    } else if user.must_change_password {
        SessionStep::NewPassword
    } else if policy.requires_set_up(user) {
        SessionStep::SetUpSecondFactor
    } else {
        SessionStep::Complete
    }
}
