//! After many writes on two nodes, both return the same records, and their indexes agree with
//! these.

use super::Nodes;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const WRITERS: usize = 6;
const DURATION: Duration = Duration::from_secs(10);

#[test]
fn writers_on_two_nodes_leave_a_gapless_counter_and_equal_answers() {
    let Some((nodes, first, second)) = Nodes::start_two() else {
        return;
    };
    let mut sql = nodes.sql();
    sql.batch_execute(
        "CREATE TABLE noted (seq BIGINT);
         CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN INSERT INTO noted VALUES (NEW.seq); RETURN NULL; END $$;
         CREATE TRIGGER note AFTER INSERT OR UPDATE ON changes FOR EACH ROW EXECUTE FUNCTION note()",
    )
    .unwrap();
    let counter = "SELECT value FROM counters WHERE name = 'change'";
    let start: i64 = sql.query_one(counter, &[]).unwrap().get(0);
    let began = Instant::now();
    let written: usize = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let writing = [&first, &second][writer % 2];
                let other = [&second, &first][writer % 2];
                scope.spawn(move || {
                    let mut count = 0;
                    while began.elapsed() < DURATION {
                        let id = writing.create_issue("one", &format!("common w{writer}n{count}"));
                        let path = format!("/issues/{id}.json");
                        let note =
                            json!({"issue": {"notes": "noted", "done_ratio": 10 * (count % 10)}});
                        other.api("PUT", &path, &note).assert_success();
                        if count % 3 == 0 {
                            writing.api("DELETE", &path, &Value::Null).assert_success();
                        }
                        count += 1;
                    }
                    count
                })
            })
            .collect();
        writers
            .into_iter()
            .map(|writer| writer.join().unwrap())
            .sum()
    });
    let end: i64 = sql.query_one(counter, &[]).unwrap().get(0);
    let noted = "SELECT COUNT(DISTINCT seq), COUNT(*), MIN(seq), MAX(seq) FROM noted";
    let noted = sql.query_one(noted, &[]).unwrap();
    let noted: Vec<i64> = (0..4).map(|column| noted.get(column)).collect();
    let changes = end - start;
    assert_eq!(
        noted,
        [changes, changes, start + 1, end],
        "a gap or a repetition"
    );
    println!("{WRITERS} writers on two nodes: {written} rounds, {changes} changes in {DURATION:?}");
    nodes.assert_indexes_agree();
    for path in [
        "/issues.json?status_id=*&limit=100",
        "/issues.json?status_id=*&limit=100&sort=updated_on:desc,id:desc",
        "/issues.json?status_id=*&limit=100&sort=subject",
        "/projects.json",
        "/users.json",
    ] {
        let answers = [&first, &second].map(|node| node.api("GET", path, &Value::Null));
        let [one, other] = answers.map(|answer| answer.assert_status(200).json());
        assert_eq!(one, other, "{path}");
    }
    let found = [&first, &second].map(|node| {
        let answer = node.api("GET", "/search.json?q=common&limit=100", &Value::Null);
        let answer = answer.assert_status(200).json();
        let results = answer["results"].as_array().unwrap();
        let mut ids: Vec<i64> = results
            .iter()
            .map(|hit| hit["id"].as_i64().unwrap())
            .collect();
        ids.sort_unstable();
        assert!(!ids.is_empty());
        (answer["total_count"].as_i64().unwrap(), ids)
    });
    assert_eq!(found[0], found[1]);
}
