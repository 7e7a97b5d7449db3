mod records;
mod watch;
