use super::*;
use axum::Extension;
use axum::http::Uri;
use axum::routing::get;
use std::io::{Read, Write};
use std::net::TcpStream as Client;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

const SOON: Duration = Duration::from_secs(20);

/// Connections to threads that hear. `/work` is answered with the name of the thread that did it, `/wait` when that is told.
struct House {
    runtime: Runtime,
    listener: TcpListener,
    hearers: Hearers,
    tell: Sender<()>,
}

impl House {
    fn new(most: usize) -> House {
        let (tell, told) = channel::<()>();
        let told = Arc::new(Mutex::new(told));
        let answer = move |asked: Uri, Extension(heard): Extension<Heard>| async move {
            let work = move || {
                match asked.path() {
                    "/wait" => told.lock().unwrap().recv_timeout(SOON).unwrap(),
                    "/break" => panic!("on purpose"),
                    _ => {}
                }
                std::thread::current().name().unwrap_or_default().to_owned()
            };
            done(Some(&heard), work).await.unwrap_or_else(|error| format!("{error:?}"))
        };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        House { runtime, listener, hearers: Hearers::new(Router::new().route("/{what}", get(answer)), most), tell }
    }

    fn connect(&mut self) -> Client {
        let client = Client::connect(self.listener.local_addr().unwrap()).unwrap();
        client.set_read_timeout(Some(SOON)).unwrap();
        let (connection, _) = self.runtime.block_on(self.listener.accept()).unwrap();
        self.runtime.block_on(async { self.hearers.hand(connection) }).unwrap();
        client
    }
}

fn begin(client: &mut Client, what: &str) {
    write!(client, "GET /{what} HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
}

fn answer(client: &mut Client) -> String {
    let (mut text, mut bytes) = (String::new(), [0; 4096]);
    loop {
        let count = client.read(&mut bytes).unwrap();
        assert!(count > 0, "{text}");
        text.push_str(std::str::from_utf8(&bytes[..count]).unwrap());
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        if body.len() == length.parse::<usize>().unwrap() {
            return body.to_owned();
        }
    }
}

fn ask(client: &mut Client, what: &str) -> String {
    begin(client, what);
    answer(client)
}

/// Asks until the work is done in the thread that hears.
fn ask_until_alone(client: &mut Client) {
    let begun = Instant::now();
    while ask(client, "work") != "hearer" {
        assert!(begun.elapsed() < SOON, "it is never alone");
    }
}

fn under_way(hearers: &Hearers) -> usize {
    hearers.all.iter().filter(|hearer| hearer.load.working.load(Ordering::Relaxed)).count()
}

#[test]
fn a_connection_has_a_thread_of_its_own_while_there_are_threads() {
    let mut house = House::new(2);
    let (mut one, mut two) = (house.connect(), house.connect());
    assert_eq!((ask(&mut one, "work"), ask(&mut two, "work")), ("hearer".to_owned(), "hearer".to_owned()));
    let (mut three, mut four) = (house.connect(), house.connect());
    for client in [&mut one, &mut two, &mut three, &mut four] {
        assert_ne!(ask(client, "work"), "hearer");
    }
    assert_eq!(house.hearers.all.len(), 2);
    // Whose companion has gone works there again.
    drop((three, four));
    ask_until_alone(&mut one);
    ask_until_alone(&mut two);
    drop(one);
    let begun = Instant::now();
    while house.hearers.all.iter().all(|hearer| hearer.load.connections.load(Ordering::Relaxed) > 0) {
        assert!(begun.elapsed() < SOON);
    }
    let mut five = house.connect();
    assert_eq!((ask(&mut five, "work"), ask(&mut two, "work")), ("hearer".to_owned(), "hearer".to_owned()));
}

#[test]
fn nobody_waits_for_the_work_of_others() {
    let mut house = House::new(2);
    let (mut one, mut two) = (house.connect(), house.connect());
    begin(&mut one, "wait");
    while under_way(&house.hearers) == 0 {
        std::thread::yield_now();
    }
    let mut three = house.connect();
    // They share a thread: the work of the one is no hindrance to the other.
    begin(&mut two, "wait");
    assert_ne!(ask(&mut three, "work"), "hearer");
    house.tell.send(()).unwrap();
    house.tell.send(()).unwrap();
    assert_eq!(answer(&mut one), "hearer");
    assert_ne!(answer(&mut two), "hearer");
}

#[test]
fn work_that_breaks_down_breaks_nothing_else() {
    let mut house = House::new(1);
    let mut one = house.connect();
    assert!(ask(&mut one, "break").contains("on purpose"));
    assert_eq!(ask(&mut one, "work"), "hearer");
    let mut two = house.connect();
    assert!(ask(&mut two, "break").contains("on purpose"));
    assert_ne!(ask(&mut two, "work"), "hearer");
}

#[test]
fn what_is_under_way_at_the_end_is_answered() {
    let mut house = House::new(2);
    let (mut one, mut idle) = (house.connect(), house.connect());
    begin(&mut one, "wait");
    while under_way(&house.hearers) == 0 {
        std::thread::yield_now();
    }
    let ending = house.runtime.spawn(house.hearers.end());
    assert_eq!(idle.read(&mut [0]).unwrap(), 0);
    assert!(!ending.is_finished());
    house.tell.send(()).unwrap();
    assert_eq!(answer(&mut one), "hearer");
    house.runtime.block_on(ending).unwrap().unwrap();
    assert_eq!(one.read(&mut [0]).unwrap(), 0);
}

#[test]
fn those_that_are_dropped_hear_no_more() {
    let mut house = House::new(1);
    let mut one = house.connect();
    assert_eq!(ask(&mut one, "work"), "hearer");
    drop(house.hearers);
    assert_eq!(one.read(&mut [0]).unwrap(), 0);
}
