//! `--notices`: what notices add to a write with fifty watchers, and how fast mails are sent.
//!
//! Rounds with and without events in the setting `notified_events` alternate, so that other load on
//! the machine concerns both. The mails go to a server in this process that accepts everything.

use crate::clients::{self, CLIENTS, Measurement};
use crate::options::Options;
use crate::world::{PROJECTS, World};
use quarry::actions::administration::settings;
use quarry::config::{Config, Environment, Flags, Key, MailConfig};
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::{PrincipalId, ProjectId, RoleId};
use quarry::jobs;
use quarry::store::StoreError;
use quarry::store::accounts::memberships;
use quarry::store::notices::waiting_mails;
use quarry_world::process_usage;
use rand::RngExt;
use rand::rngs::StdRng;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// The ids of the users who watch the issues.
const WATCHERS: std::ops::Range<i64> = 101..151;
/// The projects of which they are members.
const THEIR_PROJECTS: i64 = 20;
/// Rounds with notices, and as many without.
const ROUNDS: usize = 5;
/// Number of issues with watchers whose mails are sent.
const MAILED_ISSUES: usize = 200;
/// Time until mails are due.
const MAIL_DELAY: Duration = Duration::from_secs(121);

/// Runs the measurements.
pub fn measure(options: &Options) {
    let world = World::generate(options.issues, None, Some(mail_config()));
    let events = setting(&world);
    let now = "2026-01-01T00:00:00Z".parse().unwrap();
    let joined = world.app().store.write::<_, StoreError>(move |db| {
        for project in 1..=THEIR_PROJECTS {
            for user in WATCHERS {
                let roles = [RoleId(3)];
                memberships::insert(db, ProjectId(project), PrincipalId(user), &roles, now)?;
            }
        }
        Ok(())
    });
    joined.unwrap();
    println!(
        "{} issues, {PROJECTS} projects; {ROUNDS} rounds of {} s with and without notices in turn\n",
        options.issues, options.seconds
    );
    println!("| request | clients | p50 without, ms | p50 with notices, ms | longer by |");
    println!("|---|---|---|---|---|");
    for (name, count) in [("create", 0), ("create with 50 watchers", 50)] {
        for clients in [1, CLIENTS] {
            let [without, with] = compare(&world, options, &events, clients, count);
            println!(
                "| {name} | {clients} | {without:.2} | {with:.2} | {:.0} % |",
                (with / without - 1.0) * 100.0
            );
        }
    }
    send_mails(&world);
    world.close();
}

/// Returns the p50 of creates without and with notices: the medians of all rounds.
fn compare(
    world: &World,
    options: &Options,
    events: &str,
    clients: usize,
    watchers: usize,
) -> [f64; 2] {
    let mut p50 = [Vec::new(), Vec::new()];
    for round in 0..2 * ROUNDS {
        let names = if round % 2 == 0 { "" } else { events };
        set_setting(world, names.to_owned());
        p50[round % 2].push(create(world, options, clients, watchers).p50);
    }
    p50.map(|mut rounds| {
        rounds.sort_by(f64::total_cmp);
        rounds[rounds.len() / 2]
    })
}

fn create(world: &World, options: &Options, clients: usize, watchers: usize) -> Measurement {
    let time = Duration::from_secs(options.seconds);
    let post = |random: &mut StdRng| request(world, random, watchers);
    clients::run(
        &[&world.address],
        world.key(2),
        clients,
        time,
        post,
        Some(201),
    )
}

/// Returns a request that creates an issue with this number of watchers.
fn request(world: &World, random: &mut StdRng, watchers: usize) -> (String, Option<String>) {
    let ids: Vec<String> = WATCHERS.take(watchers).map(|id| id.to_string()).collect();
    let body = world.body(random);
    let fields = body.strip_suffix("}}").unwrap();
    let body = format!("{fields},\"watcher_user_ids\":[{}]}}}}", ids.join(","));
    let project = random.random_range(1..=THEIR_PROJECTS);
    (format!("/projects/{project}/issues.json"), Some(body))
}

/// Sends the mails about new issues with fifty watchers each.
fn send_mails(world: &World) {
    let mut random = rand::SeedableRng::seed_from_u64(1);
    // Those of the rounds are not sent.
    let later = world.app().clock.now() + 2 * MAIL_DELAY;
    let forgotten = world
        .app()
        .store
        .write(move |db| waiting_mails::cancel_overdue(db, later));
    forgotten.unwrap();
    let mut client = clients::Client::connect(&world.address, world.key(2));
    for _ in 0..MAILED_ISSUES {
        let (path, body) = request(world, &mut random, WATCHERS.count());
        assert_eq!(client.send(&path, body.as_deref()).0, 201);
    }
    std::thread::sleep(MAIL_DELAY);
    let start = Instant::now();
    let report = jobs::outbox::run_once(world.app()).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "\n{} mails sent in {seconds:.1} s: {:.0} a second; peak memory of service and bench so far {:.0} MB",
        report.sent,
        report.sent as f64 / seconds,
        process_usage::memory(std::process::id())
            .map_or(f64::NAN, |memory| memory.peak as f64 / 1e6)
    );
}

fn setting(world: &World) -> String {
    let catalogue = world.app().store.catalogue().unwrap();
    catalogue.setting(Setting::NotifiedEvents).to_owned()
}

fn set_setting(world: &World, value: String) {
    let update = world
        .app()
        .store
        .write(move |db| settings::update(db, Setting::NotifiedEvents, &value).map(drop));
    update.unwrap();
}

/// Starts a mail server, and returns the configuration that names it.
fn mail_config() -> MailConfig {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that goes away ends its conversation.
            std::thread::spawn(move || drop(serve(&stream)));
        }
    });
    let flags = Flags {
        config: None,
        values: vec![
            (Key::Mail, format!("smtp://{address}")),
            (Key::MailFrom, "quarry@example.org".to_owned()),
        ],
    };
    let config = Config::load(&flags, &Environment::default(), "nowhere");
    config.unwrap().mail.unwrap()
}

/// Accepts every message.
fn serve(stream: &TcpStream) -> std::io::Result<()> {
    let mut out = stream.try_clone()?;
    let mut lines = BufReader::new(stream).lines();
    out.write_all(b"220 ready\r\n")?;
    while let Some(line) = lines.next().transpose()? {
        let answer = match line.get(..4) {
            Some("DATA") => {
                out.write_all(b"354 go on\r\n")?;
                for line in lines.by_ref() {
                    if line? == "." {
                        break;
                    }
                }
                "250 accepted"
            }
            Some("QUIT") => "221 bye",
            _ => "250 ok",
        };
        out.write_all(format!("{answer}\r\n").as_bytes())?;
    }
    Ok(())
}
