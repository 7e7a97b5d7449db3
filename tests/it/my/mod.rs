//! Addresses below `/my`.

mod account;
