//! Standbys of a cluster.

use crate::cluster::Cluster;
use crate::daemons::folder_of;
use crate::wait::{TIMEOUT, until};

impl Cluster {
    /// Copies the running cluster into a standby on this port, which replicates it as `standby`.
    pub fn standby(&self, port: u16) -> Cluster {
        let mut standby = Cluster {
            programs: self.programs.clone(),
            folder: folder_of("postgres"),
            settings: self.settings.clone(),
            server: None,
            port,
        };
        let mut copy = self.program("pg_basebackup");
        copy.args(["-h", "127.0.0.1", "-U", "postgres", "-c", "fast", "-N"])
            .args(["-p", &self.port.to_string()])
            .arg("-D")
            .arg(standby.data());
        assert!(copy.status().unwrap().success());
        std::fs::write(standby.data().join("standby.signal"), "").unwrap();
        standby
            .settings
            .retain(|setting| !setting.starts_with("primary_conninfo"));
        standby.settings.push(format!(
            "primary_conninfo=host=127.0.0.1 port={} user=postgres application_name=standby",
            self.port
        ));
        standby.run();
        standby
    }

    /// Makes commits wait until the standby has them on disk.
    pub fn commit_synchronously(&self) {
        for sql in [
            "ALTER SYSTEM SET synchronous_standby_names = 'standby'",
            "SELECT pg_reload_conf()",
        ] {
            self.execute("postgres", sql);
        }
        let mut client = self.connect("postgres").unwrap();
        let sql = "SELECT COUNT(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
        until(TIMEOUT, "the standby is synchronous", || {
            client.query_one(sql, &[]).unwrap().get::<_, i64>(0) == 1
        });
    }

    /// Waits until this cluster has applied everything that the primary has written.
    pub fn catch_up_with(&self, primary: &Cluster) {
        let mut written = primary.connect("postgres").unwrap();
        let mut applied = self.connect("postgres").unwrap();
        let sql = "SELECT pg_current_wal_flush_lsn()::text";
        let position: String = written.query_one(sql, &[]).unwrap().get(0);
        let sql = format!("SELECT pg_last_wal_replay_lsn() >= '{position}'::pg_lsn");
        until(TIMEOUT, "the standby has caught up", || {
            applied.query_one(&sql, &[]).unwrap().get(0)
        });
    }

    /// Promotes this standby to a primary, and waits until it accepts writes.
    pub fn promote(&self) {
        self.execute("postgres", "SELECT pg_promote(true, 60)");
    }
}
