//! What each setting is called in its tab.

use quarry_domain::administration::setting::Setting;

/// A setting with its label and its hint, which may be empty.
pub type SettingLabels = (Setting, &'static str, &'static str);

/// The tab General.
pub const GENERAL: &[SettingLabels] = &[
    (
        Setting::AppTitle,
        "Application title",
        "The name of this installation, in the header of every page.",
    ),
    (
        Setting::HostName,
        "Host name and path",
        "For absolute links, such as projects.example.net or example.net:8080/quarry. Empty: the address at which the service listens.",
    ),
    (
        Setting::Protocol,
        "Protocol",
        "HTTPS with a host name makes cookies secure: everybody must log in again, and logging in over plain HTTP stops working.",
    ),
    (
        Setting::UserFormat,
        "Names of users",
        "How every page and the API name people. Lists are sorted accordingly.",
    ),
    (
        Setting::StartOfWeek,
        "Weeks begin on",
        "For filters such as this week.",
    ),
    (
        Setting::TextFormatting,
        "Text formatting",
        "The notation of descriptions, notes and wiki pages. Existing texts are not converted.",
    ),
    (
        Setting::TextMaxLength,
        "Longest text",
        "In characters; 0 for no limit. Longer texts that were imported stay.",
    ),
    (Setting::SearchResultsPerPage, "Search results per page", ""),
    (
        Setting::ReactionsEnabled,
        "Reactions",
        "Thumbs up, hearts and others for issues, notes, news, comments and messages.",
    ),
    (
        Setting::ShowFirstSteps,
        "Show what is left to do after the set-up",
        "On the start page of administrators, until everything is done.",
    ),
];

/// The tab Authentication.
pub const AUTHENTICATION: &[SettingLabels] = &[
    (
        Setting::LoginRequired,
        "Authentication required",
        "Otherwise everybody can see public projects without an account.",
    ),
    (
        Setting::Twofa,
        "Two-factor authentication",
        "Where it is required, users without a second factor are logged out, and set it up when they log in. API keys go on working.",
    ),
    (
        Setting::PasswordMinLength,
        "Minimum password length",
        "In characters, for new passwords. Existing passwords stay valid.",
    ),
    (
        Setting::Autologin,
        "Stay logged in",
        "For so many days after the login, if the user wants to; 0 switches it off.",
    ),
    (
        Setting::SelfRegistration,
        "People create their own accounts",
        "With a link on the login page. A new account sees public projects only.",
    ),
    (
        Setting::LostPassword,
        "People replace lost passwords by mail",
        "With a link on the login page, while mail is configured.",
    ),
    (
        Setting::WarnAboutNewDevices,
        "Warn of logins from new devices",
        "By mail, when somebody logs in with a browser in which the account was not used before. Each browser keeps a cookie for that.",
    ),
    (
        Setting::SessionLifetime,
        "Session lifetime",
        "Since the login, such as 7 days or 12 hours; 0 for a year. It does not concern users who stay logged in.",
    ),
    (
        Setting::SessionTimeout,
        "Session idle timeout",
        "Without a request, such as 1 day or 90 minutes; 0 for never. It does not concern users who stay logged in.",
    ),
    (
        Setting::FailedLoginsPerAccount,
        "Failed logins of an account",
        "The first failures in a row are answered at once. Each further attempt is delayed: 1 second, 2, 4, up to a minute. 0 for no delay.",
    ),
    (
        Setting::FailedLoginsPerAddress,
        "Failed logins from an address",
        "The first failures within an hour are answered at once. Then attempts are delayed for up to 15 minutes. 0 for no delay.",
    ),
    (
        Setting::AuditLogDays,
        "Days in the audit log",
        "Older events are deleted within six hours. 0 keeps them for ever.",
    ),
];

/// The tab API.
pub const API: &[SettingLabels] = &[
    (
        Setting::RestApiEnabled,
        "Enable REST web service",
        "API keys, HTTP Basic and OAuth work only while this is on. Pages work either way.",
    ),
    (
        Setting::RedmineCompatibility,
        "Answer exactly like Redmine",
        "For clients that insist: 204 without a body for changes, and none of the additional fields.",
    ),
    (
        Setting::GravatarEnabled,
        "Name pictures of Gravatar",
        "The address of the picture contains a digest of the mail address. Pages load nothing from there.",
    ),
    (
        Setting::GravatarDefault,
        "Picture of addresses without one",
        "For Gravatar, such as identicon; empty for its logo.",
    ),
];

/// The tab Projects.
pub const PROJECTS: &[SettingLabels] = &[
    (
        Setting::DefaultProjectsPublic,
        "New projects are public",
        "",
    ),
    (
        Setting::DefaultProjectsModules,
        "Modules of new projects",
        "",
    ),
    (
        Setting::DefaultProjectsTrackerIds,
        "Trackers of new projects",
        "None stands for all, also for those that are added later.",
    ),
    (
        Setting::NewProjectUserRoleId,
        "Role of somebody who creates a project",
        "For users who are not administrators.",
    ),
];

/// The tab Issues.
pub const ISSUES: &[SettingLabels] = &[
    (
        Setting::DefaultIssueStartDateToCreationDate,
        "New issues start on the day of their creation",
        "",
    ),
    (
        Setting::IssueGroupAssignment,
        "Issues can be assigned to groups",
        "",
    ),
    (
        Setting::IssuesExportLimit,
        "Maximum number of issues in an export",
        "For CSV files of a list, and JSON files with an issue on each line.",
    ),
    (
        Setting::FeedsLimit,
        "Maximum number of entries of a feed",
        "",
    ),
    (
        Setting::CrossProjectIssueRelations,
        "Issues of different projects can be related",
        "",
    ),
    (
        Setting::CrossProjectSubtasks,
        "Subtasks in other projects",
        "The projects in which an issue can have subtasks.",
    ),
    (
        Setting::CloseDuplicateIssues,
        "Closing an issue closes its duplicates",
        "",
    ),
    (
        Setting::DisplaySubprojectsIssues,
        "Lists of a project include its subprojects",
        "",
    ),
    (
        Setting::ParentIssueDates,
        "Dates of an issue with subtasks",
        "",
    ),
    (
        Setting::ParentIssuePriority,
        "Priority of an issue with subtasks",
        "",
    ),
    (
        Setting::ParentIssueDoneRatio,
        "Done ratio of an issue with subtasks",
        "",
    ),
    (Setting::IssueDoneRatio, "Done ratio of an issue", ""),
    (
        Setting::NonWorkingWeekDays,
        "Days without work",
        "They are left out when dates are moved along with those of preceding issues.",
    ),
];

/// The tab Notifications.
pub const NOTIFICATIONS: &[SettingLabels] = &[
    (
        Setting::DefaultNotificationOption,
        "Default notification option",
        "For users who have not chosen.",
    ),
    (
        Setting::NotifiedEvents,
        "Events",
        "People are told of these, in the inbox and by mail. A change of an issue counts if one of its parts does.",
    ),
    (
        Setting::MailReminders,
        "Remind people of due issues",
        "One mail a day with the open issues that are assigned to them, while mail is configured.",
    ),
    (
        Setting::MailReminderDays,
        "Days ahead",
        "Reminders have what is due within so many days, and what is overdue.",
    ),
    (
        Setting::DailyMailHour,
        "Hour of daily mails",
        "From 0 to 23, in the time zone of each person: when reminders and digests are sent.",
    ),
];

/// The tab Timelog.
pub const TIMELOG: &[SettingLabels] = &[
    (Setting::TimelogRequiredFields, "Required fields", ""),
    (
        Setting::TimelogMaxHoursPerDay,
        "Maximum hours per person and day",
        "",
    ),
    (
        Setting::TimelogAcceptFutureDates,
        "Time can be logged on future days",
        "",
    ),
    (
        Setting::TimelogAcceptClosedIssues,
        "Time can be logged on closed issues",
        "",
    ),
];

/// The tab Incoming mail.
pub const MAIL_HANDLER: &[SettingLabels] = &[
    (
        Setting::MailReplyAddress,
        "Address for answers",
        "Such as reply@example.net. The mail server must accept addresses like reply+abc@example.net. Empty: no answers by mail.",
    ),
    (
        Setting::MailHandlerApiEnabled,
        "Accept mails from the mail server",
        "It sends them to /mail_handler.",
    ),
    (
        Setting::MailHandlerApiKey,
        "Key of the mail server",
        "A random text, such as from openssl rand -hex 20.",
    ),
    (
        Setting::MailHandlerBodyDelimiters,
        "Cut mails at these lines",
        "One on each line. What follows is not part of the answer.",
    ),
    (
        Setting::MailNewIssues,
        "People can create issues by mail",
        "Everybody gets an own secret address in each project.",
    ),
    (
        Setting::MailMaxPerHour,
        "Mails of one user in an hour",
        "Further ones are refused.",
    ),
];

/// The tab Repositories.
pub const REPOSITORIES: &[SettingLabels] = &[
    (
        Setting::CommitRefKeywords,
        "Referencing keywords",
        "Before numbers of issues in commit messages, such as refs #12. Separated by commas; * accepts every number.",
    ),
    (
        Setting::CommitUpdateKeywords,
        "Updating keywords",
        "Rules separated by semicolons, such as: fixes,closes status_id=5 done_ratio=100; resolves status_id=3 if_tracker_id=1",
    ),
    (
        Setting::CommitCrossProjectRef,
        "Commit messages can name issues of all projects",
        "Otherwise of the project, and of those above and below it.",
    ),
    (
        Setting::CommitLogtimeEnabled,
        "Commit messages can log time",
        "Such as refs #12 @2h30, for the user who is the committer.",
    ),
    (
        Setting::CommitLogtimeActivityId,
        "Activity of that time",
        "The number of an activity; 0 for the default one.",
    ),
];

/// The tab Attachments.
pub const ATTACHMENTS: &[SettingLabels] = &[
    (Setting::AttachmentMaxSize, "Largest file", "Such as 5 MiB."),
    (
        Setting::UnattachedUploadsMaxSize,
        "Unattached uploads of a user, size",
        "Together, such as 100 MiB. They are removed after 24 hours.",
    ),
    (
        Setting::UnattachedUploadsMaxCount,
        "Unattached uploads of a user, number",
        "",
    ),
];
