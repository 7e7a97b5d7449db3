//! Mail with real servers: Debian's Exim and Dovecot, each started in a temporary folder.

mod mailbox;
mod round_trip;
mod servers;
mod tls;
