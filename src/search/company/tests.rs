use super::{HELPERS, Shared, awake, running, together};
use crate::search::patience::{Clock, Patience, is_spent};
use std::convert::Infallible;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Numbers that are taken one after the other.
struct Numbers {
    next: AtomicUsize,
    end: usize,
}

impl Shared for Numbers {
    type Share = Vec<usize>;

    fn share(&self) -> Vec<usize> {
        let next = || Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < self.end);
        std::iter::from_fn(next).collect()
    }
}

fn numbers(end: usize) -> Result<Numbers, Infallible> {
    Ok(Numbers { next: AtomicUsize::new(0), end })
}

/// Whoever asks works until somebody has come to help, or for long.
struct WithHelp<F>(AtomicUsize, F);

fn is_helper() -> bool {
    std::thread::current().name() == Some("helper")
}

impl<T: Send, F: Fn() -> T + Send + Sync + 'static> Shared for WithHelp<F> {
    type Share = Option<T>;

    fn share(&self) -> Option<T> {
        if is_helper() {
            self.0.fetch_add(1, Ordering::Relaxed);
            return Some((self.1)());
        }
        (0..100).find(|_| awake(|| (self.0.load(Ordering::Relaxed) > 0).then_some(())).is_some());
        None
    }
}

/// What those worked out who helped; asks again while all of them are helping others.
fn helped<T: Send, F: Fn() -> T + Clone + Send + Sync + 'static>(work: F) -> Vec<T> {
    let ask =
        |_| together(true, || Ok::<_, Infallible>(WithHelp(AtomicUsize::new(0), work.clone()))).unwrap().into_iter().flatten().collect();
    (0..1_000).map(ask).find(|shares: &Vec<T>| !shares.is_empty()).unwrap()
}

#[test]
fn everything_is_done_once_whoever_asks_and_whoever_helps() {
    std::thread::scope(|scope| {
        for asks in 0..4 {
            scope.spawn(move || {
                for turn in 0..300 {
                    let mut done = together(turn % 7 > 0, || numbers(turn * asks)).unwrap().concat();
                    done.sort_unstable();
                    assert!(done.into_iter().eq(0..turn * asks));
                }
            });
        }
    });
    assert!(helped(|| 7).iter().all(|seven| *seven == 7));
}

#[test]
fn nobody_helps_where_it_is_not_worth_the_while() {
    let ask = |_| together(false, || numbers(10)).unwrap();
    assert!((0..100).map(ask).all(|shares| shares.len() == 1));
}

#[test]
fn what_cannot_be_known_fails() {
    for _ in 0..50 {
        assert_eq!(together(true, || Err::<Numbers, _>("unknown")).unwrap_err(), "unknown");
        assert_eq!(together(true, || numbers(3)).unwrap().concat().len(), 3);
    }
}

#[test]
fn who_asked_is_told_that_one_who_helped_broke_down() {
    for _ in 0..HELPERS.each.len() * 2 {
        let told = catch_unwind(AssertUnwindSafe(|| helped(|| -> usize { panic!("on purpose") }))).unwrap_err();
        assert_eq!(told.downcast_ref::<&str>(), Some(&"a thread that helped broke down"));
    }
    assert!(!helped(|| 1).is_empty(), "those who broke down help again");
}

#[test]
fn the_time_of_a_question_is_that_of_those_who_help() {
    let is_over = || Clock::default().step().is_err_and(|error| is_spent(&error));
    let patience = Patience::begin(Duration::ZERO);
    assert!(helped(is_over).into_iter().all(|over| over));
    drop(patience);
    assert!(!helped(is_over).into_iter().any(|over| over));
}

#[test]
fn linux_says_how_many_threads_run() {
    if let Ok(load) = File::open("/proc/loadavg") {
        assert!((0..10).all(|_| running(&load).is_some()));
    }
}

#[test]
fn who_came_too_early_comes_again() {
    let slow = || {
        let begun = AtomicUsize::new(0);
        (0..3).find(|_| awake(|| (begun.load(Ordering::Relaxed) > 0).then_some(())).is_some());
        Ok::<_, Infallible>(WithHelp(AtomicUsize::new(0), || ()))
    };
    let ask = |_| together(true, slow).unwrap().into_iter().flatten().count();
    assert!((0..100).map(ask).any(|helped| helped > 0));
}
