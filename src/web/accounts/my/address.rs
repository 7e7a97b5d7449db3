//! `/my/address?token=…`: the user confirms another mail address.

use crate::components::form_field::{FieldKind, FormField};
use crate::components::form_page::FormPage;
use crate::form::{field, save, user};
use crate::frame::render::redirect_with;
use crate::frame::{Flash, Frame, Width};
use crate::prelude::*;
use quarry_actions::accounts::address_changes as actions;
use quarry_store::accounts::address_changes;

const PATH: &str = "/my/address";
const ACCOUNT: &str = "/my/account";
/// Maximum number of characters of a token that is looked up.
const MAX_TOKEN: usize = 100;

const INVALID: &str = "This link is not valid. It was used, has expired, or belongs to another account. \
                       My account can send it again.";
const CONFIRMED: &str = "Your mail address is confirmed.";
const SENT: &str =
    "A link is on its way to your new mail address. If none arrives, try again in an hour.";
const NOTHING_WAITS: &str = "No mail address waits for its confirmation.";

/// `GET`: asks for confirmation, because programs follow links in mails.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let token = request.query_param("token").unwrap_or_default();
    page(request, db, &token, ValidationErrors::new())
}

/// Returns the user who is logged in. Otherwise an API key, with which an address can be changed, would lead to a
/// password.
fn require_session(request: &RequestContext) -> Result<UserId, Error> {
    let user = request.require_user()?;
    request.session().map(|_| user).ok_or(Error::Forbidden)
}

/// `POST`: confirms the address.
pub fn confirm(request: &RequestContext) -> Result<Reply, Error> {
    let id = require_session(request)?;
    let token: String = field(request, "token").chars().take(MAX_TOKEN).collect();
    save(
        request,
        || {
            let token = token.clone();
            request.write(move |db, _| match actions::confirm(db, id, &token) {
                Err(ActionError::NotFound) => Err(ActionError::invalid(INVALID)),
                outcome => outcome,
            })
        },
        |()| Ok((ACCOUNT.to_owned(), CONFIRMED.to_owned())),
        |db, errors| page(request, db, &token, errors),
    )
}

/// `POST /my/address/link`: sends the link again.
pub fn send_link(request: &RequestContext) -> Result<Reply, Error> {
    let id = require_session(request)?;
    let flash = match request.write(move |db, _| actions::send_link(db, id)) {
        Ok(()) => Flash::notice(SENT),
        Err(Error::NotFound) => Flash::error(NOTHING_WAITS),
        Err(error) => return Err(error),
    };
    Ok(redirect_with(request, ACCOUNT.to_owned(), &flash))
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    token: &str,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let user = user(request, db)?;
    let frame = Frame::new(request, db, "Confirm your mail address")
        .with_width(Width::Slim)
        .below("My account", ACCOUNT);
    let address = match token.chars().count() {
        0..=MAX_TOKEN => address_changes::find(db, user.id, token)?,
        _ => None,
    };
    let form = match address {
        None => FormPage::new(frame, PATH, Vec::new()).with_refusal(INVALID),
        Some(address) => {
            let token = FormField::new(FieldKind::Hidden, "token", "", token);
            FormPage::new(frame, PATH, vec![token])
                .with_paragraph(format!(
                    "{address} becomes the mail address of your account {}. Links with which a lost password is replaced are \
                     sent to it. If this address is not yours, close this page, and tell an administrator.",
                    user.login
                ))
                .with_submit("Confirm the address")
        }
    };
    form.with_cancel(ACCOUNT).with_errors(errors).render()
}
