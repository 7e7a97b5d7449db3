//! The tabs of the settings, and what each setting is called there.

use super::labels::{
    API, ATTACHMENTS, AUTHENTICATION, GENERAL, ISSUES, MAIL_HANDLER, NOTIFICATIONS, PROJECTS,
    REPOSITORIES, SettingLabels, TIMELOG,
};

/// A tab.
pub struct SettingsTab {
    /// Its name in the address.
    pub id: &'static str,
    pub label: &'static str,
    /// Whether a change needs the password.
    pub needs_password: bool,
    /// Its settings: label and hint of each.
    pub settings: &'static [SettingLabels],
}

/// Returns the tab with this name; the first one for an unknown name.
pub fn find(id: &str) -> &'static SettingsTab {
    TABS.iter().find(|tab| tab.id == id).unwrap_or(&TABS[0])
}

/// Returns the address of a tab.
pub fn path(tab: &SettingsTab) -> String {
    format!("/settings?tab={}", tab.id)
}

/// All tabs, in their order.
pub const TABS: [SettingsTab; 10] = [
    SettingsTab {
        id: "general",
        label: "General",
        needs_password: true,
        settings: GENERAL,
    },
    SettingsTab {
        id: "authentication",
        label: "Authentication",
        needs_password: true,
        settings: AUTHENTICATION,
    },
    SettingsTab {
        id: "api",
        label: "API",
        needs_password: true,
        settings: API,
    },
    SettingsTab {
        id: "projects",
        label: "Projects",
        needs_password: false,
        settings: PROJECTS,
    },
    SettingsTab {
        id: "issues",
        label: "Issues",
        needs_password: false,
        settings: ISSUES,
    },
    SettingsTab {
        id: "notifications",
        label: "Notifications",
        needs_password: false,
        settings: NOTIFICATIONS,
    },
    SettingsTab {
        id: "timelog",
        label: "Time tracking",
        needs_password: false,
        settings: TIMELOG,
    },
    SettingsTab {
        id: "mail_handler",
        label: "Incoming mail",
        needs_password: true,
        settings: MAIL_HANDLER,
    },
    SettingsTab {
        id: "repositories",
        label: "Repositories",
        needs_password: false,
        settings: REPOSITORIES,
    },
    SettingsTab {
        id: "attachments",
        label: "Files",
        needs_password: false,
        settings: ATTACHMENTS,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_domain::administration::setting::Setting;

    #[test]
    fn every_setting_is_in_one_tab() {
        for setting in Setting::all() {
            let count = TABS
                .iter()
                .flat_map(|tab| tab.settings)
                .filter(|row| row.0 == setting)
                .count();
            assert_eq!(count, 1, "{}", setting.name());
        }
    }

    #[test]
    fn unknown_tab_is_the_first_one() {
        assert_eq!((find("api").label, find("<script>").id), ("API", "general"));
    }
}
