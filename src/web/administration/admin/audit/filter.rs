//! The filters of the audit log.

use crate::prelude::*;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quarry_domain::administration::audit::{EventFilter, RecordType};
use quarry_domain::values::text::parse_digits;

/// Maximum number of characters of a text to look for.
const MAX_TEXT: usize = 200;

/// The parameters of a request.
#[derive(Default)]
pub struct Params {
    /// The type of record; empty for all.
    pub record: String,
    /// The login or id of a user; empty for everybody.
    pub user: String,
    /// That user, who may be deleted.
    user_id: Option<UserId>,
    /// The first day, in UTC.
    pub from: Option<Date>,
    /// The last day, in UTC.
    pub to: Option<Date>,
    /// A text to look for.
    pub text: String,
}

impl Params {
    /// Parses the parameters. A login that consists of digits is taken for an id.
    ///
    /// # Errors
    /// 422 that names the parameter.
    pub fn parse(request: &RequestContext) -> Result<Params, Error> {
        let text = |name: &str| {
            let value = request.query_param(name).unwrap_or_default();
            value.trim().to_owned()
        };
        let record = text("record");
        if !record.is_empty() && !RecordType::NAMES.contains(&record.as_str()) {
            return Err(Error::invalid(format!(
                "record must be one of {}",
                RecordType::NAMES.join(", ")
            )));
        }
        let user = text("user");
        let user_id = find_user(request, &user)?;
        let found = text("q");
        if found.chars().count() > MAX_TEXT {
            return Err(Error::invalid(format!(
                "q must have at most {MAX_TEXT} characters"
            )));
        }
        Ok(Params {
            record,
            user,
            user_id,
            from: parse_day("from", &text("from"))?,
            to: parse_day("to", &text("to"))?,
            text: found,
        })
    }

    /// Returns the filter.
    pub fn filter(&self) -> EventFilter {
        let present = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        EventFilter {
            record: present(&self.record),
            user: self.user_id,
            from: self.from.map(start_of),
            until: self
                .to
                .map(|day| start_of(day.tomorrow().unwrap_or(Date::MAX))),
            text: present(&self.text),
        }
    }

    /// Returns the first day as a form shows it.
    pub fn first_day(&self) -> String {
        self.from.map(|day| day.to_string()).unwrap_or_default()
    }

    /// Returns the last day as a form shows it.
    pub fn last_day(&self) -> String {
        self.to.map(|day| day.to_string()).unwrap_or_default()
    }
}

fn find_user(request: &RequestContext, text: &str) -> Result<Option<UserId>, Error> {
    if text.is_empty() {
        return Ok(None);
    }
    let by_login = || -> Result<Option<UserId>, Error> {
        let catalogue = request.app.store.catalogue()?;
        Ok(catalogue.user_by_login(text).map(|user| user.id))
    };
    let user = match parse_digits(text) {
        Some(id) => Some(UserId(id)),
        None => by_login()?,
    };
    match user {
        Some(user) => Ok(Some(user)),
        None => Err(Error::invalid("user must be the login or the id of a user")),
    }
}

fn parse_day(name: &str, text: &str) -> Result<Option<Date>, Error> {
    if text.is_empty() {
        return Ok(None);
    }
    let day = text.parse::<Date>().map(Some);
    day.map_err(|_| Error::invalid(format!("{name} must be a day such as 2026-11-20")))
}

fn start_of(day: Date) -> Timestamp {
    day.to_zoned(TimeZone::UTC)
        .map_or(Timestamp::MAX, |start| start.timestamp())
}
