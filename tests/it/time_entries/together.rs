//! Many log at once: the limit of a day holds, and nothing that was answered is lost

use super::{ids, log, world};
use quarry::domain::setting::Setting;
use std::sync::Barrier;

#[test]
fn eight_at_once_do_not_log_more_than_a_day_has() {
    let world = world();
    world.set(Setting::TimelogMaxHoursPerDay, "24");
    for round in 1..=5 {
        let day = format!("2026-11-0{round}");
        let start = Barrier::new(8);
        let mut statuses: Vec<u16> = std::thread::scope(|scope| {
            let writers = (0..8).map(|writer| {
                let (start, day, world) = (&start, &day, &world);
                scope.spawn(move || {
                    // The time is bob's, whoever enters it.
                    let (login, user) = if writer % 2 == 0 { ("alice", 3) } else { ("bob", 3) };
                    start.wait();
                    log(world, login, &format!("\"project_id\":1,\"hours\":7,\"user_id\":{user},\"spent_on\":\"{day}\"")).status
                })
            });
            writers.collect::<Vec<_>>().into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 201, 201, 422, 422, 422, 422, 422]);
        assert_eq!(ids(&world, "alice", &format!("spent_on={day}")).len(), 3, "24 hours have room for 7 three times");
    }
}
