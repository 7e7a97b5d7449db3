//! The recipient of a mail.

use super::content::{Block, Content};
use super::error::RenderError;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use quarry_app::App;
use quarry_domain::accounts::user::{User, UserStatus};
use quarry_domain::administration::mail::Mail;
use quarry_domain::administration::setting::Setting;
use quarry_domain::administration::time_zone;
use quarry_domain::values::mail_address::MailAddress;
use quarry_store::{Read, StoreError};

/// The recipient of a mail, with the values that are needed to write it.
pub struct Recipient {
    /// The user; `None` for an address that belongs to nobody.
    pub user: Option<User>,
    pub address: MailAddress,
    pub zone: TimeZone,
    pub now: Timestamp,
    /// The URL of the service.
    pub base_url: String,
    pub app_title: String,
}

impl Recipient {
    /// Loads the recipient and writes the content of a mail; `None` if there is no recipient or no content.
    pub fn load_and_write(
        app: &App,
        mail: &Mail,
        content: impl FnOnce(&Recipient) -> Result<Option<Content>, RenderError>,
    ) -> Result<Option<(Recipient, Content)>, RenderError> {
        let Some(recipient) = app.read(|db| Ok::<_, StoreError>(Recipient::find(app, db, mail)))?
        else {
            return Ok(None);
        };
        Ok(content(&recipient)?.map(|content| (recipient, content)))
    }

    /// Returns the recipient as of a snapshot; `None` if the user is not active, or there is no address.
    pub fn find(app: &App, db: &Read<'_>, mail: &Mail) -> Option<Recipient> {
        let catalogue = db.catalogue();
        let user = match mail.user {
            Some(id) => {
                let user = catalogue.users.get(&id)?;
                (user.status == UserStatus::Active).then_some(())?;
                Some(user.clone())
            }
            None => None,
        };
        let own = user.as_ref().map_or("", |user| user.mail.as_str());
        let address = if mail.address.is_empty() {
            own
        } else {
            &mail.address
        };
        if address.is_empty() {
            return None;
        }
        let name = user.as_ref().map_or_else(String::new, |user| {
            format!("{} {}", user.firstname, user.lastname)
        });
        Some(Recipient {
            address: MailAddress::new(&name, address),
            zone: time_zone::for_user(catalogue, mail.user),
            now: db.now(),
            base_url: app.mail_base_url(catalogue),
            app_title: catalogue.setting(Setting::AppTitle).to_owned(),
            user,
        })
    }

    /// Returns a link to a page of the service.
    pub fn link(&self, label: &str, path: &str) -> Block {
        Block::Link {
            label: label.to_owned(),
            url: format!("{}{path}", self.base_url),
        }
    }

    /// Returns the host in the URL of the service, without port and path.
    pub fn host(&self) -> String {
        let base_url = &self.base_url;
        let rest = base_url
            .split_once("://")
            .map_or(base_url.as_str(), |(_, rest)| rest);
        let host: String = rest
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))
            .collect();
        if host.is_empty() {
            "localhost".to_owned()
        } else {
            host
        }
    }
}
