//! A request as handlers see it.

use super::client;
use super::error::Error;
use crate::app::{App, Asker};
use crate::domain::ids::{ProjectId, UserId};
use crate::domain::setting::Setting;
use crate::domain::text::digits;
use crate::domain::user::UserStatus;
use crate::domain::viewer::Viewer;
use crate::store::{Read, Write};
use crate::wire::{Format, Input};
use axum::http::header;
use axum::http::request::Parts;
use std::sync::Arc;

/// Who asks for what.
pub struct Ask {
    /// The running service.
    pub app: Arc<App>,
    /// Who asks.
    pub asker: Arc<Asker>,
    /// The query string.
    pub query: Arc<Input>,
    /// The body.
    pub body: Input,
    /// The format of the answer; pages ask with none.
    pub format: Option<Format>,
    pub(super) places: Vec<(String, String)>,
    pub(super) parts: Arc<Parts>,
}

impl Ask {
    /// Who asks.
    pub fn viewer(&self) -> &Viewer {
        &self.asker.viewer
    }

    /// The user who asks, or 401.
    pub fn user(&self) -> Result<UserId, Error> {
        self.viewer().user.ok_or(Error::Forbidden)
    }

    /// Changes records, by the rights that the asker has when it is this change's turn: others may have changed them meanwhile.
    /// Either all of it is on disk when this returns, or nothing.
    pub fn change<T, E>(&self, change: impl FnOnce(&mut Write<'_>, &Viewer) -> Result<T, E> + Send + 'static) -> Result<T, Error>
    where
        T: Send + 'static,
        E: Into<Error>,
    {
        self.app.wait_before_write();
        let asker = Arc::clone(&self.asker);
        let (outcome, own_change) = self.app.store.write(move |db| -> Result<_, Error> {
            let catalogue = Arc::clone(db.catalogue());
            let outcome = if catalogue.version == asker.viewer.version {
                change(db, &asker.viewer).map_err(E::into)?
            } else {
                let user = asker.viewer.user;
                if user.is_some_and(|user| catalogue.users.get(&user).is_none_or(|user| user.status != UserStatus::Active)) {
                    return Err(Error::Unauthenticated("The account of the asker is not active any more"));
                }
                change(db, &Viewer::new(&catalogue, user)).map_err(E::into)?
            };
            Ok((outcome, db.own_change()))
        })?;
        if let Some(change) = own_change {
            self.app.own_changes.record(self.viewer().user, change);
        }
        Ok(outcome)
    }

    /// The same in a project, which must still be there.
    pub fn change_in<T, E>(
        &self,
        project: ProjectId,
        change: impl FnOnce(&mut Write<'_>, &Viewer) -> Result<T, E> + Send + 'static,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        E: Into<Error>,
    {
        self.change(move |db, viewer| {
            if !db.catalogue().projects.contains_key(&project) {
                return Err(Error::NotFound);
            }
            change(db, viewer).map_err(E::into)
        })
    }

    /// What stands at a named place of the path; empty when the route has no such place.
    pub fn place(&self, name: &str) -> &str {
        self.places.iter().find(|place| place.0 == name).map_or("", |place| &place.1)
    }

    /// The number at a named place of the path, in digits alone; anything else is an address that does not exist.
    pub fn number<Id: From<i64>>(&self, name: &str) -> Result<Id, Error> {
        digits(self.place(name)).map(Id::from).ok_or(Error::NotFound)
    }

    /// A parameter of the query string, if it is there and is no list or map.
    pub fn parameter(&self, name: &str) -> Option<std::borrow::Cow<'_, str>> {
        self.query.get(name).and_then(Input::as_text)
    }

    /// The media type of the body as it was sent, in lower case and without parameters.
    pub fn body_type(&self) -> String {
        let said = self.parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        said.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// Whether only a part of the answer is asked for, as whoever goes on with a download does.
    pub fn wants_part(&self) -> bool {
        self.parts.headers.contains_key(header::RANGE)
    }

    /// Whether the wire is Redmine's to the letter (contract part A).
    pub fn to_the_letter(&self, db: &Read<'_>) -> bool {
        db.catalogue().is_on(Setting::RedmineCompatibility)
    }

    /// Returns the URL of the service, for absolute links: by the settings, or where the client reached it.
    pub fn base(&self) -> String {
        let config = &self.app.config;
        self.asker.base_url.clone().unwrap_or_else(|| client::base_url(&config.trusted_proxies, &config.listen, &self.parts))
    }
}
