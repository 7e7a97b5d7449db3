//! A backup is killed at any moment: there is a whole backup or none, and the next one succeeds.

use super::{Place, attach};
use quarry_world::environment;
use quarry_world::process::quarry;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Number of backups that are killed in all rounds, unless `QUARRY_KILLS` says otherwise.
const ROUNDS: u64 = 20;
/// How often the backups are checked.
const ROUNDS_PER_CHECK: u32 = 4;

#[test]
fn killed_backup_leaves_a_whole_one_or_none() {
    let rounds = u32::try_from(environment::rounds("QUARRY_KILLS", ROUNDS)).unwrap();
    let seed = u32::try_from(environment::seed() % 1000).unwrap();
    let place = Place::new();
    let service = place.serve("data");
    for n in 0..30u32 {
        attach(&service, n.to_string().repeat(2000).as_bytes());
    }
    place.back_up(&[]);
    let start = Instant::now();
    place.back_up(&[]);
    let mut whole = start.elapsed();
    let mut killed = 0;
    let mut round = 0;
    let mut complete = 0;
    while killed < rounds {
        round += 1;
        attach(&service, format!("round {round}").as_bytes());
        let before = place.list();
        let mut child = quarry(&["backup", "--secret", "--keep", "3h"])
            .arg(place.path("backups"))
            .arg("--data")
            .arg(place.path("data"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The kill comes at a different moment in each round.
        let share = ((seed + round) * 37) % 140;
        std::thread::sleep(whole * share / 100);
        child.kill().unwrap();
        let status = child.wait().unwrap();
        match status.code() {
            None => killed += 1,
            // The machine has become faster since the last measurement.
            Some(_) => whole = whole * 4 / 5,
        }
        let after = place.list();
        assert!((1..=before.len() + 1).contains(&after.len()));
        assert!(round < rounds * 30, "backups end before they are killed");
        complete += u32::from(after.last() != before.last());
        assert!(
            after.iter().all(|backup| backup.get("error").is_none()),
            "{after:?}"
        );
        if round % ROUNDS_PER_CHECK == 0 {
            place.verify();
        }
    }
    println!(
        "{killed} backups of {round} were killed, {complete} were complete; one took {whole:?}"
    );
    // The one that follows removes what is left.
    place.back_up(&[]);
    assert!(!place.path("backups/incomplete").exists());
    place.verify();
    let restored = place.restore("new", &[]);
    let expected = 30 + round;
    assert!(
        restored.contains(&format!("{expected} files;")),
        "{restored}"
    );
    service.terminate();
    let (status, log) = service.ended();
    assert!(status.success() && !log.contains("ERROR"), "{log}");
    assert!(whole < Duration::from_secs(60));
}
