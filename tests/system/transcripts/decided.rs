//! Accepted differences from Redmine, each with its reason; docs/redmine-compatibility.md explains
//! them.

/// An accepted difference.
pub struct Decision {
    /// Prefix of the label of the case (`group#number`); empty matches any.
    pub case: &'static str,
    /// Substring of the path.
    pub path: &'static str,
    /// Prefix of the difference.
    pub difference: &'static str,
    /// The reason.
    pub reason: &'static str,
}

const fn because(
    reason: &'static str,
    case: &'static str,
    path: &'static str,
    difference: &'static str,
) -> Decision {
    Decision {
        case,
        path,
        difference,
        reason,
    }
}

/// Requests that are replaced, or skipped without a body: their effect here would change all later
/// responses, or their body was lost in the recording.
pub const INSTEAD: &[(&str, Option<&str>, &str)] = &[
    (
        "auth#92",
        None,
        "the recording has lost the bytes that were not UTF-8",
    ),
    (
        "issues_create#109",
        Some(PLAIN),
        "a list is no subject: 422",
    ),
    (
        "issues_create#110",
        Some(PLAIN),
        "an object is no subject: 422",
    ),
    ("issues_create#113", Some(PLAIN), "a NUL is no letter: 422"),
    ("issues_update#97", None, "null unassigns"),
    (
        "projects#71",
        Some(r#"{"project":{"name":"B","identifier":"instead"}}"#),
        "an identifier begins with no digit: 422",
    ),
    (
        "time_entries#92",
        None,
        "an identifier names a project: 201",
    ),
    ("time_entries#103", Some(HOURS), "0 hours are none: 422"),
    (
        "time_entries#109",
        Some(HOURS),
        "0.001 hours are 0 as they are shown: 422",
    ),
    ("time_entries#165", None, "0 hours are none: 422"),
];

const PLAIN: &str = r#"{"issue":{"project_id":1,"subject":"instead"}}"#;

/// On a separate day, so that no other daily limit is affected.
const HOURS: &str =
    r#"{"time_entry":{"project_id":1,"activity_id":8,"hours":1,"spent_on":"2001-01-01"}}"#;

const WORDS: &str = "words are found, not parts of them";
const NUMBER: &str = "a number leads to that issue";
const EMPTY: &str = "an empty search has found nothing";
const RELEVANCE: &str = "by relevance, not by date";
const SWITCH: &str = "0 is off";
const BOOKMARKS: &str = "as in 5.1 and later";
const NO_API: &str = "no credentials count while the API is off, so that the answer is 401";
const ODD: &str = "a body of the wrong shape is a 400 with a message";
const NAMED: &str = "a 422 always names the attribute";
const TITLES: &str = "the title of a changeset is its first line";
const NO_HOURS: &str = "0 hours are none, so they stayed 9";
const ALIKE: &str = "a hidden record is answered like one that does not exist";
const PAGE: &str = "a page without a text is none";

/// All accepted differences.
pub static ALL: &[Decision] = &[
    because(
        "a feed has no icon, generator or author of its own",
        "auth#106",
        "/issues.atom",
        ".kids: 23 are 20",
    ),
    because(
        "forums are the module boards",
        "projects#61",
        "full-1",
        ".project.enabled_modules: 4 are 3",
    ),
    because(
        "a parent that is not there is named, never a 500",
        "projects#82",
        "",
        "status 500 is 422",
    ),
    because(
        "a parent that is not there is named, never a 500",
        "projects#83",
        "",
        "status 500 is 422",
    ),
    because(
        "a key counts as password of HTTP Basic too",
        "auth#25",
        "",
        "status 401 is 200",
    ),
    because(
        "a key counts as password of HTTP Basic too",
        "settings_2fa_pwd#2",
        "",
        "status 401 is 200",
    ),
    because(
        "wrong credentials are never taken for none",
        "auth#32",
        "",
        "status 200 is 401",
    ),
    because(
        "without suffix, Accept is enough",
        "auth#37",
        "",
        "status 406 is 200",
    ),
    because(
        "without suffix, Accept is enough",
        "auth#38",
        "",
        "status 406 is 200",
    ),
    because(
        "every error has sentences, and a 404 the root of all others",
        "auth#52",
        "",
        ".tag",
    ),
    because(ODD, "auth#82", "", "status 500 is 400"),
    because(ODD, "auth#84", "", "status 500 is 400"),
    because(RELEVANCE, "auth#11", "", ".results"),
    because(
        "the filter works in lists of all projects too",
        "issues_list",
        "status_id=*&category_id=",
        "",
    ),
    because(
        "a subject without operator is contained",
        "issues_list",
        "subject=",
        ".issues: 0 are 5",
    ),
    because(
        "as in 5.1 and later",
        "issues_list",
        "any_searchable=",
        ".issues",
    ),
    because("as in 7.0", "issues_list", "author.group=", ".issues"),
    because("as in 7.0", "issues_list", "author.role=", ".issues"),
    because(
        "the filter matches files with exactly this name, rather than nothing",
        "issues_list",
        "attachment=engine",
        ".issues",
    ),
    because(
        "a field with several values is a list in every answer",
        "issues_create#99",
        "",
        ".issue.custom_fields[1].value",
    ),
    because(
        "nothing is answered with a 500",
        "issues_create#118",
        "",
        "status 500 is 201",
    ),
    because(
        "a page that there is not",
        "issues_create#120",
        "",
        "status 422 is 404",
    ),
    because(
        "closed_on is null again after reopening",
        "issues_update#29",
        "",
        ".issue.closed_on",
    ),
    because(
        "closed_on is null again after reopening",
        "issues_update#31",
        "",
        ".issue.closed_on",
    ),
    because(NAMED, "issues_update#159", "", ".errors: 0 are 1"),
    because(ODD, "issues_update#169", "", "status 500 is 400"),
    because(
        "the history of a page is a list in the API too",
        "wiki#35",
        "",
        "status 406 is 200",
    ),
    because(PAGE, "wiki#46", "", "status 201 is 422"),
    because(PAGE, "wiki#48", "", "status 201 is 422"),
    because(PAGE, "wiki#49", "", "status 201 is 422"),
    because(PAGE, "wiki#50", "", "status 201 is 422"),
    because(PAGE, "wiki#112", "", ".wiki_pages: 18 are 14"),
    because(ODD, "wiki#51", "", "status 500 is 400"),
    because(NAMED, "wiki#", "", ".errors: 0 are 1"),
    because(
        "several issues can be requested",
        "time_entries#26",
        "",
        ".time_entries: 2 are 3",
    ),
    because(
        "several issues can be requested",
        "time_entries#27",
        "",
        ".time_entries: 2 are 3",
    ),
    because(
        "who sees only own time sees no other by its number",
        "time_entries#86",
        "",
        "status 200 is 403",
    ),
    because(ALIKE, "time_entries#143", "", "status 403 is 422"),
    because(ALIKE, "time_entries#146", "", ".errors"),
    because(ODD, "time_entries#156", "", "status 422 is 400"),
    because(
        "without credentials it is 401",
        "time_entries#161",
        "",
        "status 403 is 401",
    ),
    because(NO_HOURS, "time_entries#171", "", ".time_entry.hours"),
    because(NO_HOURS, "time_entries#173", "", ".time_entry.hours"),
    because(NO_HOURS, "time_entries#175", "", ".time_entry.hours"),
    because(NO_HOURS, "time_entries#177", "", ".time_entry.hours"),
    because(
        "one's own time entry can be deleted",
        "time_entries#185",
        "",
        "status 403 is 200",
    ),
    because(
        "one's own time entry can be deleted",
        "time_entries#186",
        "",
        "status 204 is 404",
    ),
    because(
        "results have project, excerpt and score besides",
        "search#1",
        "",
        ".kids[0].kids",
    ),
    because(EMPTY, "search", "", ".total_count: null is 0"),
    because(SWITCH, "search", "=0", ".results: missing [], more"),
    because(TITLES, "search#18", "", ".results: missing [changeset 2]"),
    because(TITLES, "search#89", "", ".results: missing [changeset 2]"),
    because(BOOKMARKS, "search", "scope=bookmarks", ".results"),
    because(NUMBER, "search", "q=1", "status 200 is 302"),
    because(NUMBER, "search", "q=9", "status 200 is 302"),
    because(WORDS, "search#64", "q=ro", ".results"),
    because(
        WORDS,
        "search#137",
        "q=child",
        ".results: missing [issue 8]",
    ),
    because(
        "a word of one letter is a word",
        "search#77",
        "",
        ".results",
    ),
    because(
        "letters are found with and without their marks",
        "search#80",
        "",
        ".results: missing [], more",
    ),
    because(RELEVANCE, "search", "limit=", ".results"),
    because(RELEVANCE, "search#88", "", ".results"),
    because(
        "builtin groups stay, so that the answer is 422",
        "misc_writes#30",
        "",
        "status 204 is 422",
    ),
    because(
        "ids are not used twice",
        "misc_writes#32",
        "",
        ".membership.id: 27 is 29",
    ),
    because(
        "ids are not used twice",
        "misc_writes#38",
        "",
        ".membership.id: 28 is 30",
    ),
    because(
        "an unknown sharing is named",
        "misc_writes#73",
        "",
        ".errors: 2 are 3",
    ),
    because(
        "new news is returned, with 201",
        "misc_writes#83",
        "",
        "status 204 is 201",
    ),
    because(
        "a new file is returned, with 201",
        "misc_writes#96",
        "",
        "status 204 is 201",
    ),
    because(NAMED, "misc_writes#97", "", "status 404 is 422"),
    because(NAMED, "misc_writes#98", "", "status 404 is 422"),
    because(NO_API, "settings_api_disabled", "", "status 200 is 401"),
    because(NO_API, "settings_api_disabled", "", "status 403 is 401"),
];

fn fits(decision: &Decision, label: &str, path: &str, difference: &str) -> bool {
    let numbered = decision.case.contains('#') && !decision.case.ends_with('#');
    let case = if numbered {
        label == decision.case
    } else {
        label.starts_with(decision.case)
    };
    case && path.contains(decision.path) && difference.starts_with(decision.difference)
}

/// Returns the accepted difference that explains this one, if any.
pub fn decision(label: &str, path: &str, difference: &str) -> Option<&'static Decision> {
    ALL.iter()
        .find(|decision| fits(decision, label, path, difference))
}
