//! The two formats of log events, with the ids of the request to which an event belongs.
//!
//! In text the ids come before the level, so that programs that look for the level and what follows it
//! find the same words in events without a request. In JSON they are fields of the event itself.
//!
//! Invariant: an event is one line, and no text in it controls a terminal: clients choose paths and names.

use quarry_domain::values::text::{escape_controls, is_terminal_control};
use std::borrow::Cow;
use std::fmt;
use tracing::{Event, Level, Subscriber};
use tracing_log::NormalizeEvent;
use tracing_subscriber::fmt::format::{Format, Json, Writer};
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

/// The span of a request; the fields of other spans are not logged.
const REQUEST: &str = "request";

/// Events as text, one per line.
pub struct TextEvents;

/// Events as JSON objects, one per line.
pub struct JsonEvents(Format<Json>);

impl JsonEvents {
    /// Creates the format.
    pub fn new() -> JsonEvents {
        let format = tracing_subscriber::fmt::format().json();
        JsonEvents(
            format
                .flatten_event(true)
                .with_current_span(false)
                .with_span_list(false),
        )
    }
}

impl<S, N> FormatEvent<S, N> for TextEvents
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        // Of an event of a crate that logs with `log`, the metadata of `tracing` has a common target.
        let normalized = event.normalized_metadata();
        let metadata = normalized.as_ref().unwrap_or_else(|| event.metadata());
        let has_colors = writer.has_ansi_escapes();
        let (dim, end) = if has_colors {
            ("\x1b[2m", "\x1b[0m")
        } else {
            ("", "")
        };
        write!(writer, "{dim}")?;
        SystemTime.format_time(&mut writer)?;
        if let Some(ids) = request_fields(context) {
            write!(writer, " [{ids}]")?;
        }
        let color = match *metadata.level() {
            _ if !has_colors => "",
            Level::ERROR => "\x1b[31m",
            Level::WARN => "\x1b[33m",
            Level::INFO => "\x1b[32m",
            Level::DEBUG => "\x1b[34m",
            Level::TRACE => "\x1b[35m",
        };
        let level = metadata.level();
        let target = metadata.target();
        write!(writer, "{end} {color}{level:>5}{end} {dim}{target}:{end} ")?;
        let mut fields = String::new();
        context.format_fields(Writer::new(&mut fields), event)?;
        writeln!(writer, "{}", escape_controls(&fields))
    }
}

impl<S, N> FormatEvent<S, N> for JsonEvents
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = String::new();
        self.0
            .format_event(context, Writer::new(&mut line), event)?;
        let line = escape_in_json(line.trim_end());
        let ids = request_fields(context);
        // Both are JSON objects.
        let fields = ids
            .as_deref()
            .and_then(|ids| ids.strip_prefix('{')?.strip_suffix('}'));
        match (line.strip_suffix('}'), fields) {
            (Some(object), Some(fields)) => writeln!(writer, "{object},{fields}}}"),
            _ => writeln!(writer, "{line}"),
        }
    }
}

/// Escapes what a terminal may act on. JSON has such characters only in strings.
fn escape_in_json(line: &str) -> Cow<'_, str> {
    if !line.chars().any(is_terminal_control) {
        return Cow::Borrowed(line);
    }
    let mut escaped = String::with_capacity(line.len() + 16);
    for c in line.chars() {
        if is_terminal_control(c) {
            // All of them have four hexadecimal digits at most.
            escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// Returns the formatted fields of the request to which the event belongs.
fn request_fields<S, N>(context: &FmtContext<'_, S, N>) -> Option<String>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    let mut spans = context.event_scope()?;
    let span = spans.find(|span| span.name() == REQUEST)?;
    let extensions = span.extensions();
    let fields = extensions.get::<FormattedFields<N>>()?;
    Some(fields.fields.clone())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;
    use std::io;
    use std::sync::{Arc, Mutex};
    use tracing_subscriber::fmt::MakeWriter;

    #[derive(Clone, Default)]
    struct Output(Arc<Mutex<Vec<u8>>>);

    impl Output {
        fn lines(&self) -> Vec<String> {
            let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
            text.lines().map(str::to_owned).collect()
        }
    }

    impl io::Write for Output {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl<'a> MakeWriter<'a> for Output {
        type Writer = Output;

        fn make_writer(&'a self) -> Output {
            self.clone()
        }
    }

    fn log_events() {
        tracing::warn!(target: "audit", { client.address = "192.0.2.1" }, "alone");
        let span = tracing::error_span!("request", request.id = %"a1", trace.id = %"b2");
        let _entered = span.enter();
        let _other = tracing::error_span!("other", secret = "c3").entered();
        tracing::warn!(target: "audit", { client.address = "192.0.2.1" }, "within");
    }

    /// A text that forges a line, and characters that control a terminal or the direction of text.
    const HOSTILE: &str = "/a\n\u{1b}[2K\u{7f}\u{9b}31m\u{200f}\u{202e}\u{2066}\u{2028}é";

    fn log_hostile_text() {
        let error = io::Error::other(HOSTILE);
        tracing::warn!(http.path = %HOSTILE, name = HOSTILE, error = %error, "{HOSTILE}");
    }

    /// Returns the lines of text that `log` logs.
    fn text_lines(has_colors: bool, log: impl FnOnce()) -> Vec<String> {
        let output = Output::default();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(has_colors)
            .with_writer(output.clone())
            .event_format(TextEvents)
            .finish();
        tracing::subscriber::with_default(subscriber, log);
        output.lines()
    }

    /// Returns the lines of JSON that `log` logs.
    fn json_lines(log: impl FnOnce()) -> Vec<String> {
        let output = Output::default();
        let subscriber = tracing_subscriber::fmt()
            .json()
            .with_writer(output.clone())
            .event_format(JsonEvents::new())
            .finish();
        tracing::subscriber::with_default(subscriber, log);
        output.lines()
    }

    #[test]
    fn text_escapes_what_controls_a_terminal() {
        for has_colors in [false, true] {
            let lines = text_lines(has_colors, log_hostile_text);
            assert_eq!(lines.len(), 1, "{lines:?}");
            let (_, fields) = lines[0].split_once("tests:").unwrap();
            let fields = fields.trim_start_matches("\u{1b}[0m");
            assert!(!fields.chars().any(is_terminal_control), "{fields:?}");
            let path = r"http.path=/a\n\u{1b}[2K\u{7f}\u{9b}31m\u{200f}\u{202e}\u{2066}\u{2028}é";
            assert!(fields.contains(path), "{fields:?}");
        }
    }

    #[test]
    fn json_escapes_what_controls_a_terminal() {
        let lines = json_lines(log_hostile_text);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(!lines[0].chars().any(is_terminal_control), "{lines:?}");
        let event: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
        for field in ["http.path", "name", "error", "message"] {
            assert_eq!(event[field], HOSTILE, "{field}");
        }
    }

    #[test]
    fn events_of_log_have_their_own_target() {
        let _ = tracing_log::LogTracer::init();
        let lines = text_lines(false, || {
            tracing_log::log::warn!(target: "rustls_acme", "a failed order");
        });
        assert!(
            lines[0].ends_with("Z  WARN rustls_acme: a failed order"),
            "{lines:?}"
        );
    }

    #[test]
    fn text_has_the_ids_before_the_level() {
        let lines = text_lines(false, log_events);
        assert!(
            lines[0].ends_with("Z  WARN audit: alone client.address=\"192.0.2.1\""),
            "{lines:?}"
        );
        let expected =
            "Z [request.id=a1 trace.id=b2]  WARN audit: within client.address=\"192.0.2.1\"";
        assert!(lines[1].ends_with(expected), "{lines:?}");
    }

    #[test]
    fn json_has_the_ids_beside_the_other_fields() {
        let lines = json_lines(log_events);
        let events: Vec<serde_json::Value> = lines
            .iter()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(events[0].get("request.id"), None);
        assert_eq!(events[1]["request.id"], "a1");
        assert_eq!(events[1]["trace.id"], "b2");
        assert_eq!(events[1]["message"], "within");
        assert_eq!(events[1].get("span"), None);
        assert!(!lines[1].contains("c3"));
    }
}
