use super::*;
use axum::Extension;
use axum::http::Uri;
use axum::routing::get;
use std::io::{Read, Write};
use std::net::TcpStream as Client;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
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
    /// How many wait to be told.
    begun: Arc<AtomicUsize>,
}

impl House {
    fn new(most: usize) -> House {
        let (tell, told) = channel::<()>();
        let (told, begun) = (Arc::new(Mutex::new(told)), Arc::<AtomicUsize>::default());
        let waiting = Arc::clone(&begun);
        let answer = move |asked: Uri, alone: Option<Extension<Alone>>| async move {
            let work = move || {
                match asked.path() {
                    "/wait" => {
                        waiting.fetch_add(1, Ordering::Relaxed);
                        told.lock().unwrap().recv_timeout(SOON).unwrap();
                    }
                    "/break" => panic!("on purpose"),
                    _ => {}
                }
                std::thread::current().name().unwrap_or_default().to_owned()
            };
            done(alone.map(|Extension(alone)| alone), work).await.unwrap_or_else(|error| format!("{error:?}"))
        };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let routes = Router::new().route("/{what}", get(answer));
        let hearers = runtime.block_on(async { Hearers::new(routes, most) });
        House { runtime, listener, hearers, tell, begun }
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

/// Waits until the thread of a connection that has gone may be used again.
fn wait_until_free(hearers: &Hearers) {
    let begun = Instant::now();
    while hearers.own.iter().all(|hearer| hearer.used.load(Ordering::Relaxed)) {
        assert!(begun.elapsed() < SOON);
    }
}

#[test]
fn a_connection_has_a_thread_of_its_own_while_there_are_threads() {
    let mut house = House::new(2);
    let (mut one, mut two) = (house.connect(), house.connect());
    assert_eq!((ask(&mut one, "work"), ask(&mut two, "work")), ("hearer".to_owned(), "hearer".to_owned()));
    let (mut three, mut four) = (house.connect(), house.connect());
    assert!(ask(&mut three, "work") != "hearer" && ask(&mut four, "work") != "hearer");
    // What is there already goes on as before.
    assert_eq!((ask(&mut one, "work"), ask(&mut two, "work")), ("hearer".to_owned(), "hearer".to_owned()));
    assert_eq!(house.hearers.own.len(), 2);
    drop(one);
    wait_until_free(&house.hearers);
    let mut five = house.connect();
    assert_eq!((ask(&mut five, "work"), ask(&mut two, "work")), ("hearer".to_owned(), "hearer".to_owned()));
    assert_ne!(ask(&mut three, "work"), "hearer");
}

#[test]
fn nobody_waits_for_the_work_of_others() {
    let mut house = House::new(2);
    let (mut one, mut two, mut three) = (house.connect(), house.connect(), house.connect());
    for client in [&mut one, &mut two, &mut three] {
        begin(client, "wait");
    }
    let mut four = house.connect();
    assert_ne!(ask(&mut four, "work"), "hearer");
    for _ in 0..3 {
        house.tell.send(()).unwrap();
    }
    assert_eq!((answer(&mut one), answer(&mut two)), ("hearer".to_owned(), "hearer".to_owned()));
    assert_ne!(answer(&mut three), "hearer");
}

#[test]
fn work_that_breaks_down_breaks_nothing_else() {
    let mut house = House::new(1);
    let (mut one, mut two) = (house.connect(), house.connect());
    for client in [&mut one, &mut two] {
        assert!(ask(client, "break").contains("on purpose"));
    }
    assert_eq!(ask(&mut one, "work"), "hearer");
    assert_ne!(ask(&mut two, "work"), "hearer");
}

#[test]
fn what_is_under_way_at_the_end_is_answered() {
    let mut house = House::new(2);
    let (mut one, mut idle, mut shared) = (house.connect(), house.connect(), house.connect());
    // Both are heard before the end.
    for client in [&mut one, &mut shared] {
        let _ = ask(client, "work");
        begin(client, "wait");
    }
    assert_eq!(ask(&mut idle, "work"), "hearer");
    while house.begun.load(Ordering::Relaxed) < 2 {
        std::thread::yield_now();
    }
    let ending = house.runtime.spawn(house.hearers.end());
    assert_eq!(idle.read(&mut [0]).unwrap(), 0);
    assert!(!ending.is_finished());
    house.tell.send(()).unwrap();
    house.tell.send(()).unwrap();
    assert_eq!(answer(&mut one), "hearer");
    assert_ne!(answer(&mut shared), "hearer");
    house.runtime.block_on(ending).unwrap().unwrap();
    assert_eq!((one.read(&mut [0]).unwrap(), shared.read(&mut [0]).unwrap()), (0, 0));
}

#[test]
fn those_that_are_dropped_hear_no_more() {
    let mut house = House::new(1);
    let mut one = house.connect();
    assert_eq!(ask(&mut one, "work"), "hearer");
    drop(house.hearers);
    assert_eq!(one.read(&mut [0]).unwrap(), 0);
}
