//! Guesses on several nodes count together, and what can be used once is used on one node only.

use super::{Answer, Node, Nodes};
use quarry::actions::accounts::two_factor::encode;
use quarry::domain::ids::UserId;
use quarry::store::StoreError;
use quarry::store::accounts::{two_factor, users};
use serde_json::json;

/// Tries this password of the administrator. Returns the status: 429 while guesses are delayed.
fn guess(node: &Node, password: &str) -> u16 {
    use base64::Engine;
    let basic = base64::engine::general_purpose::STANDARD.encode(format!("admin:{password}"));
    let basic = format!("Authorization: Basic {basic}");
    node.send("GET", "/users/current.json", &[&basic], "")
        .status
}

/// Sends requests to both nodes at once.
fn at_once<T: Send>(
    nodes: [&Node; 2],
    count: usize,
    send: impl Fn(&Node, usize) -> T + Sync,
) -> Vec<T> {
    std::thread::scope(|scope| {
        let attempts: Vec<_> = (0..count)
            .map(|n| {
                let send = &send;
                scope.spawn(move || send(nodes[n % 2], n))
            })
            .collect();
        let answers = attempts.into_iter().map(|attempt| attempt.join().unwrap());
        answers.collect()
    })
}

fn limit(node: &Node, per_account: u32, per_address: u32) {
    let settings = json!({"settings": {"failed_logins_per_account": per_account, "failed_logins_per_address": per_address}});
    node.api("PUT", "/settings.json", &settings)
        .assert_status(200);
}

/// Ends the delays of all accounts and addresses.
fn end_delays(nodes: &Nodes) {
    let sql = "UPDATE guesses SET retry_on = 1000000 WHERE retry_on > 0";
    nodes.sql().execute(sql, &[]).unwrap();
}

/// Makes the delays of all accounts and addresses with failures last for 45 s, less than the longest.
fn prolong_delays(nodes: &Nodes) {
    let sql = "UPDATE guesses SET retry_on = (EXTRACT(EPOCH FROM now()) * 1000000)::BIGINT + 45000000 WHERE failures > 0";
    nodes.sql().execute(sql, &[]).unwrap();
}

#[test]
fn wrong_passwords_count_while_the_server_cannot_write() {
    let Some((nodes, first, _second)) = Nodes::start_two() else {
        return;
    };
    limit(&first, 4, 0);
    let full = "CREATE FUNCTION full_disk() RETURNS TRIGGER LANGUAGE plpgsql AS \
                $$ BEGIN RAISE EXCEPTION 'no space' USING errcode = '53100'; END $$; \
                CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON guesses \
                FOR EACH ROW EXECUTE FUNCTION full_disk()";
    nodes.sql().batch_execute(full).unwrap();
    let answers: Vec<u16> = (0..4).map(|_| guess(&first, "wrong")).collect();
    assert_eq!(answers, [507; 4]);
    // On a slow machine a delay may have passed; each further guess doubles it.
    let is_refused = (0..10).any(|_| {
        guess(&first, "wrong");
        guess(&first, "adminadmin") == 429
    });
    assert!(is_refused, "not even the right one is compared");
}

#[test]
fn wrong_passwords_on_two_nodes_count_for_the_same_account() {
    let Some((nodes, first, second)) = Nodes::start_two() else {
        return;
    };
    limit(&first, 4, 0);
    for node in [&first, &second, &first, &second] {
        assert_eq!(guess(node, "wrong"), 401);
    }
    let delayed = "SELECT COUNT(*) FROM guesses WHERE retry_on > 1000000";
    let delayed: i64 = nodes.sql().query_one(delayed, &[]).unwrap().get(0);
    assert_eq!(delayed, 1);
    prolong_delays(&nodes);
    assert_eq!(
        (guess(&first, "wrong"), guess(&second, "wrong")),
        (429, 429)
    );
    assert_eq!(guess(&second, "adminadmin"), 429, "not even the right one");
    // After each delay one guess is compared, however many nodes are asked at once.
    for _ in 0..3 {
        end_delays(&nodes);
        let answers = at_once([&first, &second], 12, |node, n| {
            guess(node, &format!("w{n}"))
        });
        let compared = answers.iter().filter(|status| **status == 401).count();
        assert_eq!(compared, 1, "{answers:?}");
    }
    end_delays(&nodes);
    assert_eq!(guess(&second, "adminadmin"), 200);
    assert_eq!(guess(&first, "wrong"), 401, "a login resets the count");
    // Neither logins nor addresses are stored.
    let rows = nodes.sql().query("SELECT key FROM guesses", &[]).unwrap();
    let keys = rows.iter().map(|row| row.get::<_, String>(0));
    assert!(rows.len() > 1 && keys.into_iter().all(|key| key.len() == 64));
}

#[test]
fn owner_at_a_known_address_of_one_node_is_not_delayed_on_the_other() {
    let Some((nodes, first, second)) = Nodes::start_two() else {
        return;
    };
    limit(&first, 2, 3);
    assert_eq!(guess(&first, "adminadmin"), 200);
    let unknown = |node: &Node, login: &str| node.log_in(login, "wrong").status;
    for node in [&first, &second, &first] {
        assert_eq!(unknown(node, "nobody"), 422);
        end_delays(&nodes);
        nodes
            .sql()
            .execute("UPDATE guesses SET failures = 1 WHERE failures = 2", &[])
            .unwrap();
    }
    // The address has too many failures now, but the owner has logged in from there.
    prolong_delays(&nodes);
    assert_eq!(unknown(&second, "somebody"), 429);
    assert!(second.log_in("admin", "adminadmin").status == 303);
    // A clock that was ahead by ten years has set this time, which no delay reaches.
    nodes
        .sql()
        .execute(
            "UPDATE guesses SET failures = 9, retry_on = retry_on + 315360000000000 WHERE retry_on > 1000000",
            &[],
        )
        .unwrap();
    assert_eq!(unknown(&second, "somebody"), 422);
    assert_eq!(unknown(&first, "somebody"), 429);
}

#[test]
fn wrong_codes_of_the_set_up_count_on_all_nodes() {
    let Some(nodes) = Nodes::empty() else {
        return;
    };
    let start = |index| {
        let mut command = nodes.serve(nodes.folder(index));
        Node(quarry_world::process::Service::start(
            command.env_remove("QUARRY_ADMIN_PASSWORD"),
        ))
    };
    let first = start(0);
    let second = start(1);
    let (cookie, token) = crate::cli::setup::form(&first.0);
    let mut statuses = Vec::new();
    while statuses.last() != Some(&429) {
        assert!(statuses.len() < 100, "{statuses:?}");
        let node = if statuses.len() % 2 == 0 {
            &first
        } else {
            &second
        };
        let fields = format!("authenticity_token={token}&code=wrong");
        statuses.push(node.form("/setup", &cookie, &fields).status);
    }
    let fields = format!("authenticity_token={token}&code=wrong");
    for node in [&first, &second] {
        assert_eq!(node.form("/setup", &cookie, &fields).status, 429);
    }
}

#[test]
fn recovery_code_is_used_on_one_node_only() {
    let Some((nodes, first, second)) = Nodes::start_two() else {
        return;
    };
    let store = nodes.store();
    let key = encode([5; 20]);
    let sealed_key = key.clone();
    let prepared = store.write::<_, StoreError>(move |db| {
        let sealed = db.secrets().seal(&sealed_key, db.entropy())?;
        two_factor::set_key(db, UserId(1), Some(&sealed))?;
        users::set_second_factor(db, UserId(1), Some("totp"))?;
        two_factor::set_recovery_codes(db, UserId(1), &["0123456789ab".to_owned()])
    });
    prepared.unwrap();
    store.close();
    let log_in = |node: &Node, code: &str| -> Answer {
        let step = node.log_in("admin", "adminadmin").assert_status(200);
        let session = step.cookie("quarry_session").unwrap();
        let token = step.field("authenticity_token");
        let fields = format!("authenticity_token={token}&code={code}");
        node.form("/login/code", &session, &fields)
    };
    let count_logins = |code: &str| {
        let answers = at_once([&first, &second], 4, |node, _| log_in(node, code));
        let logins = answers.iter().filter(|answer| answer.status == 303).count();
        (logins, answers)
    };
    let (logins, answers) = count_logins("0123456789ab");
    assert_eq!(logins, 1, "{answers:?}");
}
