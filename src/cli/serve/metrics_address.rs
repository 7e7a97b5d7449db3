//! The separate address of the metrics, `metrics_listen`.

use super::listen::bind_port;
use quarry_app::App;
use quarry_config::{Config, Limit};
use quarry_http as http;
use std::io::Write;
use std::net::TcpListener;
use std::sync::Arc;

/// Maximum number of connections to the address of the metrics.
const MAX_CONNECTIONS: u64 = 16;

/// The listener at `metrics_listen`.
pub struct MetricsAddress(TcpListener);

impl MetricsAddress {
    /// Binds the port; `None` if the configuration has none.
    pub fn bind(config: &Config) -> anyhow::Result<Option<MetricsAddress>> {
        let listen = config.monitoring.metrics_listen.as_deref();
        listen
            .map(|listen| bind_port(listen).map(MetricsAddress))
            .transpose()
    }

    /// Serves the metrics until the runtime ends, and prints the address.
    pub fn spawn(self, app: &Arc<App>, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "metrics at http://{}/metrics", self.0.local_addr()?)?;
        let listener = tokio::net::TcpListener::from_std(self.0)?;
        let routes = http::metrics_service(Arc::clone(app));
        let limits = app
            .config
            .limits
            .clone()
            .with(Limit::MaxConnections, MAX_CONNECTIONS);
        tokio::spawn(async move {
            let served = http::serve(listener, "metrics", routes, &limits, std::future::pending());
            if let Err(error) = served.await {
                tracing::error!(error = %error, "the metrics are no longer served");
            }
        });
        Ok(())
    }
}
