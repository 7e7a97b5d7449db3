//! Tests of the settings.

use super::*;

#[test]
fn lists_are_parsed_with_commas_and_as_yaml() {
    assert_eq!(
        Setting::TimelogRequiredFields
            .accept("issue_id, comments")
            .as_deref(),
        Ok("issue_id,comments")
    );
    assert_eq!(
        Setting::TimelogRequiredFields
            .accept("---\n- issue_id\n- 'comments'\n")
            .as_deref(),
        Ok("issue_id,comments")
    );
    assert_eq!(
        Setting::TimelogRequiredFields.accept("--- []\n").as_deref(),
        Ok("")
    );
    assert!(Setting::TimelogRequiredFields.accept("two words").is_err());
    assert_eq!(Setting::CrossProjectSubtasks.accept("").as_deref(), Ok(""));
    assert!(Setting::CrossProjectSubtasks.accept("everywhere").is_err());
}

#[test]
fn host_name_may_have_a_port_and_a_path() {
    for host in [
        "",
        "localhost:3000",
        "projects.example.net",
        "192.0.2.1/quarry",
        "[2001:db8::1]:8080/a/b",
    ] {
        assert_eq!(Setting::HostName.accept(host).as_deref(), Ok(host));
    }
    assert_eq!(
        Setting::HostName.accept(" example.net/quarry/ ").as_deref(),
        Ok("example.net/quarry")
    );
    for invalid in [
        "http://example.net",
        "example.net:0",
        "example.net:port",
        "a b",
        "a?b",
        "user@example.net",
        "/quarry",
        "[::1",
        "é.net",
        "a/\"b",
    ] {
        assert!(
            Setting::HostName
                .accept(invalid)
                .unwrap_err()
                .to_string()
                .starts_with("host_name must be a host name"),
            "{invalid}"
        );
    }
}

#[test]
fn update_rules_are_stored_in_one_form() {
    assert_eq!(
        Setting::CommitUpdateKeywords
            .accept("Fixes  done_ratio=100 status_id=5;")
            .as_deref(),
        Ok("fixes status_id=5 done_ratio=100")
    );
    assert!(
        Setting::CommitUpdateKeywords
            .accept("status_id=5")
            .unwrap_err()
            .to_string()
            .starts_with("commit_update_keywords must be rules separated by semicolons")
    );
}

#[test]
fn every_default_is_valid() {
    for setting in Setting::all() {
        assert_eq!(
            setting.accept(setting.default_value()).as_deref(),
            Ok(setting.default_value()),
            "{}",
            setting.name()
        );
    }
}

#[test]
fn error_names_the_setting_and_the_permitted_values() {
    let error = Setting::SearchResultsPerPage.accept("0").unwrap_err();
    assert_eq!(
        error.to_string(),
        "search_results_per_page must be a whole number from 1 to 100"
    );
}

#[test]
fn secrets_are_hidden_in_logs() {
    assert_eq!(Setting::MailHandlerApiKey.loggable("a key"), "(hidden)");
    assert_eq!(Setting::MailHandlerApiKey.loggable(""), "");
    assert_eq!(Setting::AppTitle.loggable("Quarry"), "Quarry");
}

#[test]
fn lines_have_one_sort_of_line_break() {
    assert_eq!(
        Setting::MailHandlerBodyDelimiters
            .accept("one\r\ntwo\n")
            .as_deref(),
        Ok("one\ntwo")
    );
    assert!(
        Setting::MailHandlerBodyDelimiters
            .accept("a\u{0}b")
            .is_err()
    );
}
