//! The events of the audit log of this process. Tests run at the same time, so each looks for names
//! that only it uses.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{LazyLock, Mutex};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::{Context, SubscriberExt};

/// An event: its fields as text.
pub type Fields = BTreeMap<String, String>;

static EVENTS: Mutex<Vec<Fields>> = Mutex::new(Vec::new());
static START: LazyLock<()> = LazyLock::new(|| {
    let layer = Collector.with_filter(filter_fn(|metadata| metadata.target() == "audit"));
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(layer)).unwrap();
});

/// Starts to collect events.
pub fn start() {
    LazyLock::force(&START);
}

/// Returns the events that have this value in a field, oldest first.
pub fn events(field: &str, value: &str) -> Vec<Fields> {
    EVENTS
        .lock()
        .unwrap()
        .iter()
        .filter(|event| event.get(field).is_some_and(|text| text == value))
        .cloned()
        .collect()
}

/// Returns one field of events; empty where an event lacks it.
pub fn texts(events: &[Fields], field: &str) -> Vec<String> {
    events
        .iter()
        .map(|event| event.get(field).cloned().unwrap_or_default())
        .collect()
}

struct Collector;

impl<S: Subscriber> Layer<S> for Collector {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = Recorder::default();
        event.record(&mut fields);
        EVENTS.lock().unwrap().push(fields.0);
    }
}

#[derive(Default)]
struct Recorder(Fields);

impl Visit for Recorder {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }
}
