//! The real program is killed while it sends.

use super::{MailServer, insert};
use quarry_world::World;
use quarry_world::process::Service;
use quarry_world::wait::{TIMEOUT, until};
use std::collections::BTreeMap;
use std::time::Duration;

const MAILS: usize = 60;

#[test]
fn kill_while_sending_loses_no_mail() {
    let server = MailServer::start();
    server.answer(|answers| answers.delay = Duration::from_millis(20));
    let world = World::with_projects_in_sqlite().with_mail(&server.url());
    world.sql("UPDATE users SET mail = 'alice@example.org' WHERE login = 'alice'");
    insert(&world, &["alice"; MAILS]);
    let data = world.into_data();
    let serve = || {
        let mut command = data.quarry(&["serve", "--log", "warn", "--mail", &server.url()]);
        command.env("QUARRY_MAIL_FROM", "quarry@example.org");
        Service::start(&mut command)
    };
    for kill in 1..=4 {
        let mut service = serve();
        until(TIMEOUT, "some mails are sent", || {
            server.count() >= kill * 10
        });
        service.kill();
    }
    let service = serve();
    let ids = || {
        let state = server.received();
        let mut ids: BTreeMap<String, usize> = BTreeMap::new();
        for mail in state {
            *ids.entry(mail.header("Message-ID").unwrap().to_owned())
                .or_default() += 1;
        }
        ids
    };
    until(TIMEOUT, "all mails are sent", || ids().len() == MAILS);
    service.terminate();
    assert!(service.ended().0.success());
    let twice: usize = ids().values().map(|count| count - 1).sum();
    // A mail that the server accepted just before a kill comes again, with the same id.
    println!("{MAILS} mails, 4 kills, {twice} came twice");
    assert!(twice <= 4, "{twice} mails came twice");
}
