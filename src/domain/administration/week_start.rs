//! The day on which weeks begin (compatibility 6.3): by the setting `start_of_week`, otherwise by
//! the language of the viewer.

use super::setting::Setting;
use crate::catalogue::Catalogue;
use crate::ids::UserId;
use jiff::civil::Weekday;

/// The language of users who have chosen none.
const DEFAULT_LANGUAGE: &str = "en";
/// Languages in which weeks begin on Sunday.
const SUNDAY: [&str; 8] = ["en", "he", "ja", "ko", "pt-br", "th", "zh", "zh-tw"];
/// Languages in which weeks begin on Saturday.
const SATURDAY: [&str; 2] = ["ar", "fa"];

/// Returns the first day of the week for a user; `None` for anonymous.
pub fn for_user(catalogue: &Catalogue, user: Option<UserId>) -> Weekday {
    match catalogue.setting(Setting::StartOfWeek) {
        "1" => Weekday::Monday,
        "6" => Weekday::Saturday,
        "7" => Weekday::Sunday,
        _ => {
            let language = user
                .and_then(|user| catalogue.users.get(&user))
                .map_or("", |user| user.language.as_str());
            for_language(if language.is_empty() {
                DEFAULT_LANGUAGE
            } else {
                language
            })
        }
    }
}

fn for_language(language: &str) -> Weekday {
    let language = language.to_lowercase();
    match language.as_str() {
        language if SUNDAY.contains(&language) => Weekday::Sunday,
        language if SATURDAY.contains(&language) => Weekday::Saturday,
        _ => Weekday::Monday,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_wins_over_the_language() {
        let mut catalogue = Catalogue::default();
        assert_eq!(
            for_user(&catalogue, None),
            Weekday::Sunday,
            "English is the default"
        );
        catalogue
            .settings
            .insert(Setting::StartOfWeek, "1".to_owned());
        assert_eq!(for_user(&catalogue, None), Weekday::Monday);
        catalogue
            .settings
            .insert(Setting::StartOfWeek, "6".to_owned());
        assert_eq!(for_user(&catalogue, None), Weekday::Saturday);
    }

    #[test]
    fn languages_have_their_own_first_day() {
        let cases = [
            ("en", Weekday::Sunday),
            ("en-GB", Weekday::Monday),
            ("de", Weekday::Monday),
            ("pt-BR", Weekday::Sunday),
            ("fa", Weekday::Saturday),
        ];
        for (language, day) in cases {
            assert_eq!(for_language(language), day, "{language}");
        }
    }
}
