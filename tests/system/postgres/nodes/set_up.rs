//! The set-up of a new installation with several nodes.

use super::{Node, Nodes};
use crate::cli::setup;
use quarry::store::{StoreError, imported};
use quarry_world::process::Service;

/// Starts both nodes at the same time, without a password for the administrator.
fn start_both(nodes: &Nodes) -> [Node; 2] {
    std::thread::scope(|scope| {
        let starts = [0, 1].map(|index| {
            scope.spawn(move || {
                let mut command = nodes.serve(nodes.folder(index));
                Node(Service::start(command.env_remove("QUARRY_ADMIN_PASSWORD")))
            })
        });
        starts.map(|start| start.join().unwrap())
    })
}

#[test]
fn code_that_one_node_prints_sets_up_any_node_once() {
    let Some(nodes) = Nodes::empty() else {
        return;
    };
    let [first, second] = start_both(&nodes);
    let code = setup::code_of_nodes(&first.0);
    assert_eq!(setup::code_of_nodes(&second.0), code);
    let roles: i64 = nodes
        .sql()
        .query_one("SELECT COUNT(*) FROM roles", &[])
        .unwrap()
        .get(0);
    assert_eq!(roles, 5, "the default data is inserted once");
    let (cookie, token) = setup::form(&second.0);
    let fields = format!("authenticity_token={token}&code={code}&{}", setup::FIELDS);
    let answers = std::thread::scope(|scope| {
        let attempts = [(&first, "root"), (&second, "other")].map(|(node, login)| {
            let fields = fields.replace("login=root", &format!("login={login}"));
            let cookie = &cookie;
            scope.spawn(move || node.form("/setup", cookie, &fields))
        });
        attempts.map(|attempt| attempt.join().unwrap())
    });
    let users: i64 = nodes
        .sql()
        .query_one("SELECT COUNT(*) FROM users WHERE login <> ''", &[])
        .unwrap()
        .get(0);
    assert_eq!(users, 1, "{answers:?}");
    for node in [&first, &second] {
        assert_eq!(
            node.page("/setup", "").location(),
            "/",
            "it is not offered any more"
        );
        assert_eq!(node.page("/login", "").status, 200);
    }
}

#[test]
fn import_on_one_node_closes_the_other() {
    let Some(nodes) = Nodes::empty() else {
        return;
    };
    let [first, second] = start_both(&nodes);
    assert_ne!(second.send("GET", "/issues.json", &[], "").status, 503);
    let store = nodes.store();
    let begin = |is_incomplete| {
        store.write::<_, StoreError>(move |db| imported::set_incomplete(db, is_incomplete))
    };
    begin(true).unwrap();
    for node in [&first, &second] {
        assert_eq!(node.send("GET", "/issues.json", &[], "").status, 503);
        assert_eq!(node.page("/login", "").location(), "/setup");
    }
    let code = setup::code_of_nodes(&first.0);
    let (cookie, token) = setup::form(&second.0);
    let fields = format!("authenticity_token={token}&code={code}&{}", setup::FIELDS);
    let answer = second.form("/setup", &cookie, &fields).assert_status(409);
    assert!(
        answer.body.contains("An import from Redmine has begun"),
        "{answer:?}"
    );
    begin(false).unwrap();
    store.close();
    assert_ne!(second.send("GET", "/issues.json", &[], "").status, 503);
    second.form("/setup", &cookie, &fields).assert_status(303);
}
