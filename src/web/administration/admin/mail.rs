//! `/admin/mail`: how mail is sent, what waits, a test mail, and the mails that could not be sent.

use super::attention::{count, thousands};
use crate::components::avatar::Person;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{FieldKind, FormField};
use crate::components::form_page::FormPage;
use crate::components::pager::Pager;
use crate::components::time::Moment;
use crate::form::{field, save, save_with_reply};
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame, Width};
use crate::prelude::*;
use quarry_actions::notices::outbox as actions;
use quarry_app::MAX_TEST_MAILS;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::mail::{Mail, MailboxState, MailboxStatus};
use quarry_domain::administration::setting::Setting;
use quarry_domain::validation::ValidationError;
use quarry_domain::values::mail_address::MailAddress;
use quarry_http::Pagination;
use quarry_mail::outgoing::Transport;
use quarry_mailer::outgoing::test_message;
use quarry_store::administration::{mailbox, outbox};
use std::time::Duration;

const PATH: &str = "/admin/mail";
const FAILED: &str = "/admin/mail/failed";
/// The field with the address of a test mail.
const ADDRESS: &str = "address";
/// Maximum time for one step of a test, for which the browser waits.
const TEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Number of failed mails on a page without `limit`.
const DEFAULT_LIMIT: i64 = 25;

#[derive(Template)]
#[template(path = "administration/admin/mail.html")]
struct MailPage {
    frame: Frame,
    /// Labels and values of the configuration; empty while mail is off.
    configuration: Vec<(&'static str, String)>,
    /// The configuration file that was read.
    config_file: Option<String>,
    /// Whether links in mails lead to the address at which the service listens.
    has_no_host_name: bool,
    waiting: String,
    sent_on: Option<Moment>,
    failed_on: Option<Moment>,
    error: String,
    /// How many mails did not fit into the outbox; empty if all did.
    dropped: String,
    /// Labels and values about mails that are received.
    receiving: Vec<(&'static str, String)>,
    mailbox: Option<MailboxFacts>,
    test: FormPage,
    failed: Vec<FailedMail>,
    total: i64,
    pager: Pager,
}

/// What the job has seen that reads the mailbox.
struct MailboxFacts {
    state: &'static str,
    changed_on: Option<Moment>,
    accepted_on: Option<Moment>,
    refused_on: Option<Moment>,
    failed_on: Option<Moment>,
    error: String,
}

impl MailboxFacts {
    fn new(status: MailboxStatus) -> MailboxFacts {
        MailboxFacts {
            state: match status.state {
                MailboxState::New => "not connected yet",
                MailboxState::Idle => "connected; the server tells of new mails (IDLE)",
                MailboxState::Poll => "connected; the server is asked every minute",
                MailboxState::Off => {
                    "not connected, because the setting mail_reply_address is empty"
                }
                MailboxState::Failed => "not connected; another attempt follows",
            },
            changed_on: status.changed_on.map(Moment::new),
            accepted_on: status.accepted_on.map(Moment::new),
            refused_on: status.refused_on.map(Moment::new),
            failed_on: status.failed_on.map(Moment::new),
            error: status.error,
        }
    }
}

/// A mail that could not be sent.
struct FailedMail {
    id: i64,
    kind: &'static str,
    user: Option<Person>,
    address: String,
    error: String,
    attempts: i64,
    failed_on: Moment,
}

impl FailedMail {
    fn new(catalogue: &Catalogue, mail: Mail) -> FailedMail {
        let user = mail.user.and_then(|id| catalogue.users.get(&id));
        let own_address = user.map_or("", |user| user.mail.as_str());
        FailedMail {
            id: mail.id,
            kind: mail.kind.map_or("Unknown", |kind| kind.label()),
            user: user.map(|user| Person::new(catalogue, user.id.into())),
            address: if mail.address.is_empty() {
                own_address.to_owned()
            } else {
                mail.address
            },
            error: mail.error,
            attempts: mail.attempts,
            failed_on: Moment::new(mail.send_on),
        }
    }
}

/// `GET`: shows the page.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, ValidationErrors::new())
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let pagination = Pagination::with_default_limit(&request.query, DEFAULT_LIMIT);
    let status = outbox::status(db)?;
    let total = outbox::count_failed(db)?;
    let failed = outbox::list_failed(db, pagination.offset, pagination.limit)?;
    let frame = || Frame::for_administration(request, db, "Mail").with_width(Width::Medium);
    let page = MailPage {
        configuration: configuration(request),
        config_file: request
            .app
            .config
            .file
            .as_ref()
            .map(|file| file.path.display().to_string()),
        has_no_host_name: catalogue.setting(Setting::HostName).is_empty(),
        waiting: thousands(outbox::count_waiting(db)?.unsigned_abs()),
        sent_on: status.sent_on.map(Moment::new),
        failed_on: status.failed_on.map(Moment::new),
        error: status.error,
        dropped: match status.dropped {
            0 => String::new(),
            dropped => format!(
                "The outbox was full: {} could not be kept.",
                count(dropped.unsigned_abs(), "mail", "mails")
            ),
        },
        receiving: receiving(request, catalogue),
        mailbox: match &request.app.config.mail_imap {
            Some(_) => Some(MailboxFacts::new(mailbox::status(db)?)),
            None => None,
        },
        test: test_form(request, db, frame()).with_errors(errors),
        failed: failed
            .into_iter()
            .map(|mail| FailedMail::new(catalogue, mail))
            .collect(),
        total,
        pager: Pager::for_list(request, pagination.offset, pagination.limit, total),
        frame: frame(),
    };
    render(&page.frame, &page)
}

/// Returns what is configured, without the password.
fn configuration(request: &RequestContext) -> Vec<(&'static str, String)> {
    let Some(config) = &request.app.config.mail else {
        return Vec::new();
    };
    vec![
        ("Server", config.server.to_string()),
        ("Sender", config.from.to_string()),
    ]
}

/// Returns by which ways mails are received.
fn receiving(request: &RequestContext, catalogue: &Catalogue) -> Vec<(&'static str, String)> {
    let mailbox = request.app.config.mail_imap.as_ref();
    let is_on = catalogue.is_on(Setting::MailHandlerApiEnabled)
        && !catalogue.setting(Setting::MailHandlerApiKey).is_empty();
    let address = catalogue.setting(Setting::MailReplyAddress);
    let or = |text: &str, other: &str| if text.is_empty() { other } else { text }.to_owned();
    vec![
        (
            "Reply address",
            or(address, "none: answers by mail are off"),
        ),
        (
            "POST /mail_handler",
            if is_on { "on" } else { "off" }.to_owned(),
        ),
        (
            "Mailbox",
            mailbox.map_or_else(|| "none".to_owned(), ToString::to_string),
        ),
    ]
}

fn test_form(request: &RequestContext, db: &Read<'_>, frame: Frame) -> FormPage {
    let user = request.viewer().user;
    let user = user.and_then(|id| db.catalogue().users.get(&id));
    let own = user.map_or("", |user| user.mail.as_str());
    let address = FieldBuilder::without_object(&request.body)
        .field(FieldKind::Email, ADDRESS, "Address", own)
        .required();
    FormPage::new(frame, PATH, vec![address]).with_submit("Send a test mail")
}

/// `POST`: sends a test mail at once, and says what the server has answered.
pub fn send_test(request: &RequestContext) -> Result<Reply, Error> {
    let invalid =
        |message: &str| Error::Invalid(ValidationError::new(ADDRESS, "Address", message).into());
    let test = || {
        let app = &request.app;
        let Some(config) = &app.config.mail else {
            return Err(Error::Invalid(
                ValidationError::for_record("Mail is off.".to_owned()).into(),
            ));
        };
        let to = MailAddress::parse(&field(request, ADDRESS))
            .ok_or_else(|| invalid("is not a mail address"))?;
        if !app.test_mails.try_send(app.clock.now()) {
            return Err(invalid(&format!(
                "cannot get another mail now: at most {MAX_TEST_MAILS} are sent in a minute"
            )));
        }
        let title = app.store.catalogue()?.setting(Setting::AppTitle).to_owned();
        let message = test_message(
            &config.from,
            to,
            &title,
            app.clock.as_ref(),
            app.entropy.as_ref(),
        )
        .map_err(|error| Error::Internal(error.to_string()))?;
        let mut transport = Transport::new(config).with_timeout(TEST_TIMEOUT);
        let outcome = transport.send(&message);
        transport.close();
        let address = message.to.address;
        tracing::info!(target: "audit", { user.id = request.viewer().user.map(|user| user.0), client.address = %request.address() }, "sent a test mail");
        request.record(AuditEvent::new(RecordType::Mail, 0, "test mail sent"));
        Ok(match outcome {
            Ok(receipt) => Flash::notice(format!(
                "The mail to {address} was accepted by {}: {}",
                receipt.server, receipt.answer
            )),
            Err(error) => Flash::error(format!("The mail to {address} was not sent: {error}")),
        })
    };
    save_with_reply(
        request,
        test,
        |flash| Ok(redirect_with(request, PATH.to_owned(), &flash)),
        |db, errors| page(request, db, errors),
    )
}

/// `GET /admin/mail/failed/delete`: asks for confirmation to delete all failed mails.
pub fn confirm_deletion(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let total = u64::try_from(outbox::count_failed(db)?).unwrap_or_default();
    let frame = Frame::for_administration(request, db, "Delete failed mails");
    let fields = [("id", "all"), ("do", "delete")];
    FormPage::confirmation(frame, FAILED, "Delete all")
        .with_heading(format!("Delete {}?", count(total, "mail", "mails")))
        .with_paragraph("They could not be sent, and cannot be sent again after that.")
        .with_fields(fields.map(|(name, value)| FormField::new(FieldKind::Hidden, name, "", value)))
        .with_cancel(PATH)
        .render()
}

/// `POST /admin/mail/failed`: sends failed mails again (`do=send`) or deletes them (`do=delete`): the
/// one with this id, or all of them (`id=all`).
pub fn update_failed(request: &RequestContext) -> Result<Reply, Error> {
    save(
        request,
        || {
            let id = match field(request, "id").as_str() {
                "all" => None,
                id => Some(id.parse().map_err(|_| Error::NotFound)?),
            };
            match field(request, "do").as_str() {
                "send" => {
                    let sent =
                        request.write(move |db, viewer| actions::send_again(db, viewer, id))?;
                    Ok((sent, "sent again"))
                }
                "delete" => {
                    let deleted =
                        request.write(move |db, viewer| actions::delete(db, viewer, id))?;
                    Ok((deleted, "deleted"))
                }
                _ => Err(Error::NotFound),
            }
        },
        |(changed, what)| {
            let changed = u64::try_from(changed).unwrap_or_default();
            let verb = match (changed, what) {
                (1, "deleted") => "was",
                (_, "deleted") => "were",
                (1, _) => "is",
                _ => "are",
            };
            let mails = count(changed, "mail", "mails");
            Ok((PATH.to_owned(), format!("{mails} {verb} {what}.")))
        },
        |db, errors| page(request, db, errors),
    )
}
