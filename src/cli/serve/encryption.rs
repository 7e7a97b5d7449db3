//! TLS in the service: the source of its certificate, and the address that redirects HTTP to HTTPS.

use super::acme::Acme;
use super::certificates::CertificateFiles;
use super::listen::bind_port;
use quarry_app::App;
use quarry_config::{CertificateSource, Config, Limit};
use quarry_http as http;
use rustls::server::ResolvesServerCert;
use std::net::TcpListener;
use std::sync::Arc;

/// Maximum number of connections to the redirect address.
const MAX_REDIRECTED: u64 = 200;

/// The certificate source and the bound redirect address, ready to start.
pub struct Encryption {
    source: Source,
    redirect: Option<TcpListener>,
}

enum Source {
    Files(Arc<CertificateFiles>),
    Acme(Box<Acme>),
}

impl Encryption {
    /// Loads the certificate and binds the redirect address. Returns `None` without TLS.
    pub fn prepare(config: &Config) -> anyhow::Result<Option<Encryption>> {
        let Some(tls) = &config.tls else {
            return Ok(None);
        };
        let source = match &tls.certificate {
            CertificateSource::Files { certificate, key } => {
                Source::Files(CertificateFiles::load(certificate, key)?)
            }
            CertificateSource::Acme(acme) => Source::Acme(Box::new(Acme::new(acme, &config.data)?)),
        };
        let redirect = tls.http_listen.as_deref().map(bind_port).transpose()?;
        Ok(Some(Encryption { source, redirect }))
    }

    /// Spawns the certificate renewal and the redirect, and returns the TLS configuration of the
    /// service. Must be called within the runtime.
    pub fn start(self, app: &Arc<App>) -> anyhow::Result<Arc<http::Tls>> {
        let hsts = app.config.tls.as_ref().map_or(0, |tls| tls.hsts);
        let mut challenges: http::Challenges = Arc::new(|_| None);
        let resolver: Arc<dyn ResolvesServerCert> = match self.source {
            Source::Files(files) => {
                files.spawn_reload()?;
                files
            }
            Source::Acme(acme) => {
                if app.store.is_shared() {
                    tracing::warn!(
                        "each node orders its own certificate; with several nodes, use certificate files or a proxy"
                    );
                }
                let resolver = acme.resolver();
                let answers = Arc::clone(&resolver);
                challenges = Arc::new(move |token| answers.get_http_01_key_auth(token));
                tokio::spawn(acme.run());
                resolver
            }
        };
        if let Some(redirect) = self.redirect {
            let listener = tokio::net::TcpListener::from_std(redirect)?;
            let routes = http::redirect_service(Arc::clone(app), challenges);
            let limits = app.config.limits.clone();
            let limits = limits.with(Limit::MaxConnections, MAX_REDIRECTED);
            tokio::spawn(async move {
                let served = http::serve(
                    listener,
                    "redirect",
                    routes,
                    &limits,
                    std::future::pending(),
                );
                if let Err(error) = served.await {
                    tracing::error!(error = %error, "HTTP is no longer redirected");
                }
            });
        }
        Ok(http::Tls::new(resolver, hsts)?)
    }
}
