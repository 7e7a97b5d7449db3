//! A socket that systemd or another program has passed to the process (`LISTEN_FDS`).

use crate::cli::output::usage_error::UsageError;
use listenfd::ListenFd;
use std::net::TcpListener;

/// Returns the socket; `None` if there is none. Fails if it is no listening TCP socket, or one of
/// several: clients would wait forever on a socket that is never accepted from.
pub fn find() -> anyhow::Result<Option<TcpListener>> {
    let mut sockets = ListenFd::from_env();
    match sockets.len() {
        0 => return Ok(None),
        1 => {}
        count => {
            return Err(UsageError(format!(
                "{count} sockets were passed to the service; pass one"
            ))
            .into());
        }
    }
    let listener = sockets.take_tcp_listener(0).map_err(|_| {
        UsageError("the socket passed to the service is not a TCP socket".to_owned())
    })?;
    if let Some(listener) = &listener
        && !rustix::net::sockopt::socket_acceptconn(listener)?
    {
        return Err(UsageError(
            "the socket passed to the service does not listen; with systemd, use Accept=no"
                .to_owned(),
        )
        .into());
    }
    Ok(listener)
}
