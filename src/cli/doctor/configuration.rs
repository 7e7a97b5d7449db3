//! Settings and keys of the configuration that contradict each other.

use super::finding::Finding;
use quarry_config::Config;
use quarry_domain::administration::setting::Setting;
use quarry_domain::values::trusted_proxies::TrustedProxies;
use quarry_store::StoreError;
use quarry_store::checks::Checkup;
use std::net::IpAddr;

/// Documentation and public addresses. A configuration that trusts all of them trusts every client.
const SAMPLE_CLIENTS: [&str; 3] = ["192.0.2.1", "203.0.113.1", "8.8.8.8"];

/// Checks that the stored settings and the configuration agree.
pub fn check(
    config: &Config,
    checkup: &Checkup,
    findings: &mut Vec<Finding>,
) -> Result<(), StoreError> {
    // A value that is not valid is a finding of its own; the service uses the default.
    let is_valid = |setting: Setting, value: &str| setting.accept(value).is_ok();
    let value = |setting: Setting| -> Result<String, StoreError> {
        let stored = checkup.setting(setting.name())?;
        let valid = stored.filter(|value| is_valid(setting, value));
        Ok(valid.unwrap_or_else(|| setting.default_value().to_owned()))
    };
    let host = value(Setting::HostName)?;
    let stored_host = checkup.setting(Setting::HostName.name())?;
    let is_host_valid = stored_host.is_none_or(|host| is_valid(Setting::HostName, &host));
    let is_https = value(Setting::Protocol)? == "https";
    let has_proxy = config.trusted_proxies != TrustedProxies::default();
    if is_https && !host.is_empty() && !has_proxy && config.tls.is_none() {
        findings.push(Finding::warning(
            "https-without-proxy",
            "links begin with https, but no proxy is trusted: every client has the address of the proxy, so that wrong passwords of one client delay all others",
            "Set `trusted_proxies` to the address of the proxy that adds TLS.",
        ));
    }
    if config.tls.is_some() && !host.is_empty() && !is_https {
        findings.push(Finding::warning(
            "http-with-tls",
            "the service has a certificate and speaks only HTTPS, but links in mails and feeds begin with http",
            "Set the setting `protocol` to https.",
        ));
    } else if has_proxy && !host.is_empty() && !is_https && !is_loopback(&host) {
        findings.push(Finding::warning(
            "http-behind-proxy",
            "a proxy is trusted, but links in mails begin with http",
            "Set the setting `protocol` to https if the proxy adds TLS.",
        ));
    }
    if has_proxy && is_loopback(&host) {
        findings.push(Finding::warning(
            "host-name-loopback",
            format!("the host name is {host}, which other machines cannot reach"),
            "Set the setting `host_name` to the public host name of the proxy.",
        ));
    }
    let (_, path) = host.split_once('/').unwrap_or((&host, ""));
    if !host.is_empty() && !path.is_empty() && format!("/{path}") != config.base_path.as_str() {
        findings.push(Finding::warning(
            "base-path",
            format!("links in mails and feeds have the path /{path} of the host name, links of pages do not"),
            "Set the key `base_path` to the path of the setting `host_name`, or remove it there.",
        ));
    }
    let mut samples = SAMPLE_CLIENTS
        .iter()
        .filter_map(|text| text.parse::<IpAddr>().ok());
    if samples.all(|address| config.trusted_proxies.contains(address)) {
        findings.push(Finding::error(
            "trusted-proxies",
            "every address is trusted as a proxy, so that clients can forge their addresses",
            "Set `trusted_proxies` to the addresses of your proxies only.",
        ));
    }
    if config.mail.is_some() && host.is_empty() && is_host_valid {
        findings.push(Finding::warning(
            "host-name",
            "mail is configured, but the host name is not set: links in mails lead to the address at which the service listens",
            "Set the settings `host_name` and `protocol`.",
        ));
    }
    if config.mail.is_none() && value(Setting::SelfRegistration)? == "1" {
        findings.push(Finding::warning(
            "registration-without-mail",
            "new accounts are confirmed by mail, but no mail is configured",
            "Configure `mail`, or change the setting `self_registration`.",
        ));
    }
    if value(Setting::MailHandlerApiEnabled)? == "1"
        && value(Setting::MailHandlerApiKey)?.is_empty()
    {
        findings.push(Finding::warning(
            "mail-handler-without-key",
            "`POST /mail_handler` is enabled, but refuses every mail, because no key is set",
            "Set the setting `mail_handler_api_key`, or disable `mail_handler_api_enabled`.",
        ));
    }
    Ok(())
}

/// Whether a host name with an optional port and path is that of this machine alone.
fn is_loopback(host: &str) -> bool {
    let host = host.split('/').next().unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let name = name.trim_matches(['[', ']']);
    name == "localhost"
        || name
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}
