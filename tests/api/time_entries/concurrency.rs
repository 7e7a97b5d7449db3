//! Concurrent entries: the daily limit holds, and no acknowledged entry is lost

use super::{ids, log};
use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use serde_json::json;
use std::sync::Barrier;

#[test]
fn concurrent_entries_respect_the_daily_limit() {
    let world = World::with_projects();
    world.set(Setting::TimelogMaxHoursPerDay, "24");
    for round in 1..=5 {
        let day = format!("2026-11-0{round}");
        let start = Barrier::new(8);
        let mut statuses: Vec<u16> = std::thread::scope(|scope| {
            let writers = (0..8).map(|writer| {
                let start = &start;
                let day = &day;
                let world = &world;
                scope.spawn(move || {
                    // All entries belong to bob.
                    let (login, user) = if writer % 2 == 0 {
                        ("alice", 3)
                    } else {
                        ("bob", 3)
                    };
                    start.wait();
                    log(
                        world,
                        login,
                        json!({"project_id": 1, "hours": 7, "user_id": user, "spent_on": day}),
                    )
                    .status
                })
            });
            writers
                .collect::<Vec<_>>()
                .into_iter()
                .map(|writer| writer.join().unwrap())
                .collect()
        });
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 201, 201, 422, 422, 422, 422, 422]);
        assert_eq!(
            ids(&world, "alice", &format!("spent_on={day}")).len(),
            3,
            "three entries of 7 hours fit into 24 hours"
        );
    }
}
