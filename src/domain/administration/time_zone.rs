//! Time zones of users: IANA names, and the names that Redmine uses.

use crate::catalogue::Catalogue;
use crate::ids::UserId;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::{self, TimeZone};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The regions of IANA names. Names outside of them, such as `US/Eastern`, are aliases; they are
/// understood and not offered.
const REGIONS: [&str; 10] = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
];

/// Redmine's names that are not the name of a city in the IANA database.
const REDMINE_NAMES: &[(&str, &str)] = &[
    ("International Date Line West", "Etc/GMT+12"),
    ("American Samoa", "Pacific/Pago_Pago"),
    ("Midway Island", "Pacific/Midway"),
    ("Hawaii", "Pacific/Honolulu"),
    ("Alaska", "America/Juneau"),
    ("Pacific Time (US & Canada)", "America/Los_Angeles"),
    ("Mountain Time (US & Canada)", "America/Denver"),
    ("Arizona", "America/Phoenix"),
    ("Central Time (US & Canada)", "America/Chicago"),
    ("Central America", "America/Guatemala"),
    ("Saskatchewan", "America/Regina"),
    ("Guadalajara", "America/Mexico_City"),
    ("Eastern Time (US & Canada)", "America/New_York"),
    ("Indiana (East)", "America/Indiana/Indianapolis"),
    ("Quito", "America/Lima"),
    ("Atlantic Time (Canada)", "America/Halifax"),
    ("Georgetown", "America/Guyana"),
    ("Newfoundland", "America/St_Johns"),
    ("Brasilia", "America/Sao_Paulo"),
    ("Greenland", "America/Nuuk"),
    ("Mid-Atlantic", "Atlantic/South_Georgia"),
    ("Cape Verde Is.", "Atlantic/Cape_Verde"),
    ("Edinburgh", "Europe/London"),
    ("West Central Africa", "Africa/Algiers"),
    ("Bern", "Europe/Zurich"),
    ("Kyiv", "Europe/Kiev"),
    ("Harare", "Africa/Harare"),
    ("Pretoria", "Africa/Johannesburg"),
    ("St. Petersburg", "Europe/Moscow"),
    ("Abu Dhabi", "Asia/Muscat"),
    ("Ekaterinburg", "Asia/Yekaterinburg"),
    ("Islamabad", "Asia/Karachi"),
    ("Chennai", "Asia/Kolkata"),
    ("Mumbai", "Asia/Kolkata"),
    ("New Delhi", "Asia/Kolkata"),
    ("Sri Jayawardenepura", "Asia/Colombo"),
    ("Astana", "Asia/Almaty"),
    ("Hanoi", "Asia/Bangkok"),
    ("Beijing", "Asia/Shanghai"),
    ("Ulaanbaatar", "Asia/Ulaanbaatar"),
    ("Osaka", "Asia/Tokyo"),
    ("Sapporo", "Asia/Tokyo"),
    ("Canberra", "Australia/Melbourne"),
    ("Solomon Is.", "Pacific/Guadalcanal"),
    ("New Caledonia", "Pacific/Noumea"),
    ("Marshall Is.", "Pacific/Majuro"),
    ("Wellington", "Pacific/Auckland"),
    ("Nuku'alofa", "Pacific/Tongatapu"),
    ("Tokelau Is.", "Pacific/Fakaofo"),
    ("Chatham Is.", "Pacific/Chatham"),
    ("Samoa", "Pacific/Apia"),
];

/// The IANA name for each city. Of several with the same city, the first.
static CITIES: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    names()
        .into_iter()
        .rev()
        .filter_map(|iana| Some((iana.rsplit('/').next()?.to_owned(), iana)))
        .collect()
});

/// Returns the time zone of a user: UTC if the user has none or an unknown one, and for anonymous.
pub fn for_user(catalogue: &Catalogue, user: Option<UserId>) -> TimeZone {
    let user = user.and_then(|user| catalogue.users.get(&user));
    user.and_then(|user| find(&user.time_zone))
        .unwrap_or(TimeZone::UTC)
}

/// Returns the date at the time `now` in the zone of a user: today, for filters, defaults and
/// limits (compatibility 6.3).
pub fn date_for_user(catalogue: &Catalogue, user: Option<UserId>, now: Timestamp) -> Date {
    now.to_zoned(for_user(catalogue, user)).date()
}

/// Returns the zone with this IANA name or with this name in Redmine; `None` for an unknown name.
/// An empty name is UTC.
pub fn find(name: &str) -> Option<TimeZone> {
    let name = name.trim();
    if name.is_empty() || name.eq_ignore_ascii_case("UTC") {
        return Some(TimeZone::UTC);
    }
    if name.contains('/') {
        return TimeZone::get(name).ok();
    }
    let iana = REDMINE_NAMES
        .iter()
        .find(|(redmine, _)| *redmine == name)
        .map(|(_, iana)| (*iana).to_owned());
    iana.or_else(|| CITIES.get(&name.replace(' ', "_")).cloned())
        .and_then(|iana| TimeZone::get(&iana).ok())
}

/// Returns the IANA names that users can choose, sorted.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = tz::db()
        .available()
        .map(|name| name.as_str().to_owned())
        .filter(|name| is_offered(name))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether the zone is in one of the offered regions.
fn is_offered(name: &str) -> bool {
    name.split_once('/')
        .is_some_and(|(region, _)| REGIONS.contains(&region))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iana(name: &str) -> Option<String> {
        find(name).map(|zone| zone.iana_name().unwrap_or_default().to_owned())
    }

    #[test]
    fn zones_have_iana_names_or_those_of_redmine() {
        for (name, expected) in [
            ("", "UTC"),
            ("UTC", "UTC"),
            ("Europe/Berlin", "Europe/Berlin"),
            ("Berlin", "Europe/Berlin"),
            ("Buenos Aires", "America/Argentina/Buenos_Aires"),
            ("Eastern Time (US & Canada)", "America/New_York"),
        ] {
            assert_eq!(iana(name).as_deref(), Some(expected), "{name}");
        }
        for unknown in [
            "Nowhere",
            "Europe/Nowhere",
            "../etc/passwd",
            "<script>",
            "0",
        ] {
            assert_eq!(iana(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn every_name_in_the_table_and_in_the_offer_is_a_zone() {
        for (name, _) in REDMINE_NAMES {
            assert!(find(name).is_some(), "{name}");
        }
        let names = names();
        assert!(
            names.len() > 300 && names.iter().all(|name| find(name).is_some()),
            "{}",
            names.len()
        );
    }
}
