//! The settings of the service: name, default, and permitted values (operations 3, compatibility
//! 14).

mod value_type;

pub use value_type::ValueType;

use crate::validation::ValidationError;

macro_rules! settings {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $default:literal, $value_type:expr;)*) => {
        /// A setting. The doc comment of each variant says what it means.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Setting { $($(#[$doc])* $variant),* }

        const TABLE: &[(Setting, &str, &str, ValueType)] = &[$((Setting::$variant, $name, $default, $value_type)),*];
    };
}

settings! {
    /// Whether the REST API is enabled (compatibility 4).
    RestApiEnabled = "rest_api_enabled", "0", ValueType::Bool;
    /// Whether every request must be authenticated (compatibility 4).
    LoginRequired = "login_required", "1", ValueType::Bool;
    /// Whether the API also copies the defects of Redmine (compatibility 1.2).
    RedmineCompatibility = "redmine_compatibility", "0", ValueType::Bool;
    /// Number of search results per HTML page (docs/search.md section 2).
    SearchResultsPerPage = "search_results_per_page", "10", ValueType::Integer(1, 100);
    /// Whether the default start date of a new issue is today (compatibility 6.4).
    DefaultIssueStartDateToCreationDate = "default_issue_start_date_to_creation_date", "1", ValueType::Bool;
    /// Maximum number of issues in an export.
    IssuesExportLimit = "issues_export_limit", "500", ValueType::Integer(1, 10_000);
    /// Maximum number of entries of a feed.
    FeedsLimit = "feeds_limit", "15", ValueType::Integer(1, 100);
    /// Whether issues can be assigned to groups (compatibility 6.4).
    IssueGroupAssignment = "issue_group_assignment", "0", ValueType::Bool;
    /// Whether new projects are public by default (compatibility 8).
    DefaultProjectsPublic = "default_projects_public", "1", ValueType::Bool;
    /// The modules that are enabled in new projects by default (compatibility 8).
    DefaultProjectsModules = "default_projects_modules",
        "issue_tracking,time_tracking,news,documents,files,wiki,repository,boards,calendar,gantt", ValueType::List;
    /// The ids of the default trackers of new projects; empty for all trackers (compatibility 8).
    DefaultProjectsTrackerIds = "default_projects_tracker_ids", "", ValueType::List;
    /// The id of the role that users get in the projects they create; 0 for the first assignable
    /// role (compatibility 8).
    NewProjectUserRoleId = "new_project_user_role_id", "0", ValueType::Integer(0, i64::MAX);
    /// Whether issues can have relations to issues of other projects (compatibility 6.8).
    CrossProjectIssueRelations = "cross_project_issue_relations", "0", ValueType::Bool;
    /// Which other projects the subtasks of an issue may belong to; empty for none (compatibility
    /// 6.4).
    CrossProjectSubtasks = "cross_project_subtasks", "tree", ValueType::Choice(&["", "system", "tree", "hierarchy", "descendants"]);
    /// Whether the dates of an issue are derived from its subtasks (compatibility 6.6).
    ParentIssueDates = "parent_issue_dates", "derived", ValueType::Choice(&["derived", "independent"]);
    /// Whether the priority of an issue is derived from its subtasks (compatibility 6.6).
    ParentIssuePriority = "parent_issue_priority", "derived", ValueType::Choice(&["derived", "independent"]);
    /// Whether the done ratio of an issue is derived from its subtasks (compatibility 6.6).
    ParentIssueDoneRatio = "parent_issue_done_ratio", "derived", ValueType::Choice(&["derived", "independent"]);
    /// Whether the done ratio is a field of the issue or derived from its status (compatibility
    /// 6.6).
    IssueDoneRatio = "issue_done_ratio", "issue_field", ValueType::Choice(&["issue_field", "issue_status"]);
    /// Whether closing an issue closes its open duplicates (compatibility 6.6).
    CloseDuplicateIssues = "close_duplicate_issues", "1", ValueType::Bool;
    /// The days of the week that are not working days; 1 is Monday (compatibility 6.6).
    NonWorkingWeekDays = "non_working_week_days", "6,7", ValueType::List;
    /// Whether the lists of a project include its subprojects (compatibility 6.3).
    DisplaySubprojectsIssues = "display_subprojects_issues", "1", ValueType::Bool;
    /// The required fields of time entries: `issue_id`, `comments` (compatibility 9).
    TimelogRequiredFields = "timelog_required_fields", "", ValueType::List;
    /// Maximum number of hours that a user can log per day (compatibility 9).
    TimelogMaxHoursPerDay = "timelog_max_hours_per_day", "999", ValueType::Integer(0, 999_999);
    /// Whether time can be logged for future dates (compatibility 9).
    TimelogAcceptFutureDates = "timelog_accept_future_dates", "1", ValueType::Bool;
    /// Whether time can be logged on closed issues (compatibility 9).
    TimelogAcceptClosedIssues = "timelog_accept_closed_issues", "1", ValueType::Bool;
    /// Keywords, separated by commas, before references to issues in commit messages; `*` for none
    /// (compatibility 13.3).
    CommitRefKeywords = "commit_ref_keywords", "refs,references,IssueID", ValueType::Line(1000);
    /// What keywords in commit messages change in issues (compatibility 13.3).
    CommitUpdateKeywords = "commit_update_keywords", "", ValueType::UpdateRules;
    /// Whether commit messages can refer to issues of unrelated projects (compatibility 13.3).
    CommitCrossProjectRef = "commit_cross_project_ref", "0", ValueType::Bool;
    /// Whether commit messages can log time (compatibility 13.3).
    CommitLogtimeEnabled = "commit_logtime_enabled", "0", ValueType::Bool;
    /// The id of the activity of time that commit messages log; 0 for the default activity
    /// (compatibility 13.3).
    CommitLogtimeActivityId = "commit_logtime_activity_id", "0", ValueType::Integer(0, i64::MAX);
    /// Maximum size of an uploaded file in KiB (compatibility 11.4).
    AttachmentMaxSize = "attachment_max_size", "5120", ValueType::Integer(0, 1_048_576_000);
    /// Number of failed logins in a row after which further attempts for an account are delayed; 0
    /// for never.
    FailedLoginsPerAccount = "failed_logins_per_account", "5", ValueType::Integer(0, 1_000_000);
    /// Number of failed logins after which further attempts from an address are delayed; 0 for
    /// never.
    FailedLoginsPerAddress = "failed_logins_per_address", "20", ValueType::Integer(0, 1_000_000);
    /// Minimum number of characters of a new password.
    PasswordMinLength = "password_min_length", "8", ValueType::Integer(8, 128);
    /// Two-factor authentication: 0 switched off, 1 optional, 2 required, 3 required for
    /// administrators (compatibility 4).
    Twofa = "twofa", "1", ValueType::Choice(&["0", "1", "2", "3"]);
    /// Maximum number of characters of a text such as a description, a note or a wiki page; 0 for
    /// no limit. Imported texts are exempt.
    TextMaxLength = "text_max_length", "1048576", ValueType::Integer(0, 100_000_000);
    /// Maximum total size in KiB of the uploads of one user that are not attached yet.
    UnattachedUploadsMaxSize = "unattached_uploads_max_size", "102400", ValueType::Integer(0, 1_048_576_000);
    /// Maximum number of uploads of one user that are not attached yet.
    UnattachedUploadsMaxCount = "unattached_uploads_max_count", "1000", ValueType::Integer(0, 1_000_000);
    /// Whether people can create accounts for themselves: 0 no, 1 confirmed by mail, 2 approved by
    /// an administrator, 3 at once.
    SelfRegistration = "self_registration", "0", ValueType::Choice(&["0", "1", "2", "3"]);
    /// Whether users who have lost their passwords get links by mail to choose other ones.
    LostPassword = "lost_password", "1", ValueType::Bool;
    /// Whether a mail warns users of logins in browsers that their account was not used in before.
    WarnAboutNewDevices = "warn_about_new_devices", "0", ValueType::Bool;
    /// Number of days that users can stay logged in; 0 disables that.
    Autologin = "autologin", "30", ValueType::Integer(0, 365);
    /// Lifetime of a session in minutes; 0 for a year. Sessions of users who stay logged in end
    /// after the days of `autologin`.
    SessionLifetime = "session_lifetime", "10080", ValueType::Integer(0, 525_600);
    /// Minutes without a request after which a session ends; 0 for never. Users who stay logged in
    /// are exempt.
    SessionTimeout = "session_timeout", "1440", ValueType::Integer(0, 525_600);
    /// The markup of texts: Markdown, Textile, or plain text if empty.
    TextFormatting = "text_formatting", "common_mark", ValueType::Choice(&["", "common_mark", "markdown", "textile"]);
    /// The name of this installation, shown on its pages.
    AppTitle = "app_title", "Quarry", ValueType::Line(255);
    /// The format of the names of users (compatibility 11.1).
    UserFormat = "user_format", "firstname_lastname", ValueType::Choice(&[
        "firstname_lastname", "firstname_lastinitial", "firstinitial_lastname", "firstname", "lastname_firstname", "lastnamefirstname",
        "lastname_comma_firstname", "lastname", "username",
    ]);
    /// The day on which weeks begin: 1 Monday, 6 Saturday, 7 Sunday; empty for that of the user's
    /// language (compatibility 6.3).
    StartOfWeek = "start_of_week", "", ValueType::Choice(&["", "1", "6", "7"]);
    /// Whether the API names the picture that Gravatar has for the mail address of a user
    /// (compatibility 11.1).
    GravatarEnabled = "gravatar_enabled", "0", ValueType::Bool;
    /// What Gravatar shows for an address without a picture; empty for its own default.
    GravatarDefault = "gravatar_default", "", ValueType::Choice(&["", "wavatar", "identicon", "monsterid", "retro", "mp", "mm", "robohash", "404", "blank"]);
    /// Whether people can react to issues, notes, news, comments and messages (compatibility 13.8).
    ReactionsEnabled = "reactions_enabled", "1", ValueType::Bool;
    /// Whether administrators are shown what is left to do after the set-up.
    ShowFirstSteps = "show_first_steps", "1", ValueType::Bool;
    /// Host name in absolute URLs, with optional port and path; empty for the address at which the
    /// service listens.
    HostName = "host_name", "", ValueType::Host;
    /// Of which events people are told who have not chosen (notices 2).
    DefaultNotificationOption = "default_notification_option", "only_my_events", ValueType::Choice(&[
        "all", "selected", "only_my_events", "only_assigned", "only_owner", "none",
    ]);
    /// The events of which people are told (notices 3).
    NotifiedEvents = "notified_events",
        "issue_added,issue_updated,news_added,news_comment_added,document_added,file_added,message_posted,wiki_content_added,wiki_content_updated", ValueType::List;
    /// Whether people are reminded of due issues by mail every day (mail 2.3).
    MailReminders = "mail_reminders", "0", ValueType::Bool;
    /// How many days ahead reminders look.
    MailReminderDays = "mail_reminder_days", "7", ValueType::Integer(0, 365);
    /// The hour of the day, in the time zone of each person, from which reminders and digests are
    /// sent.
    DailyMailHour = "daily_mail_hour", "8", ValueType::Integer(0, 23);
    /// Protocol in absolute URLs, used if the host name is set.
    Protocol = "protocol", "http", ValueType::Choice(&["http", "https"]);
    /// The address from which those for answers are made; empty for no answers by mail.
    MailReplyAddress = "mail_reply_address", "", ValueType::ReplyAddress;
    /// Whether `POST /mail_handler` accepts mails.
    MailHandlerApiEnabled = "mail_handler_api_enabled", "0", ValueType::Bool;
    /// The key that `POST /mail_handler` requires; empty for none, which accepts nothing.
    MailHandlerApiKey = "mail_handler_api_key", "", ValueType::Secret(255);
    /// Lines below which a mail is cut, in addition to our own.
    MailHandlerBodyDelimiters = "mail_handler_body_delimiters", "", ValueType::Lines(10_000);
    /// Whether people can create issues by mail to a personal address.
    MailNewIssues = "mail_new_issues", "0", ValueType::Bool;
    /// Number of days for which events of the audit log are kept; 0 for ever.
    AuditLogDays = "audit_log_days", "365", ValueType::Integer(0, 36_500);
    /// Maximum number of mails that are accepted from one user in an hour.
    MailMaxPerHour = "mail_max_per_hour", "60", ValueType::Integer(1, 10_000);
}

impl Setting {
    /// Returns the setting with this name.
    pub fn parse(name: &str) -> Option<Setting> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Returns all settings.
    pub fn all() -> impl Iterator<Item = Setting> {
        TABLE.iter().map(|row| row.0)
    }

    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// Returns the default value.
    pub fn default_value(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// Returns the type of the values.
    pub fn value_type(self) -> ValueType {
        TABLE[self as usize].3
    }

    /// Returns the value as logs may show it.
    pub fn loggable(self, value: &str) -> &str {
        match self.value_type() {
            ValueType::Secret(_) if !value.is_empty() => "(hidden)",
            _ => value,
        }
    }

    /// Validates a value, and returns it as it is stored.
    ///
    /// # Errors
    /// What is expected, about the name of the setting.
    pub fn accept(self, value: &str) -> Result<String, ValidationError> {
        let accepted = self.value_type().accept(value);
        accepted.map_err(|expected| self.error(&expected))
    }

    /// Returns the error of a value. Settings have no labels here: the command line shows their
    /// names, and the page of settings its own labels.
    pub fn error(self, message: &str) -> ValidationError {
        ValidationError::new(self.name(), self.name(), message)
    }
}

#[cfg(test)]
mod tests;
