//! The figures as tables for a person, with what was promised beside them, and as JSON.

use super::load::Times;
use super::measure::{CLIENTS, Line, Outcome, Rebuild, WORDS};
use super::service::Memory;
use super::world::VIEWERS;
use serde_json::{Value, json};

/// What was promised: what it is, what was measured, the bound in words, and whether it holds.
struct Promise(&'static str, f64, &'static str, bool);

pub fn print(outcome: &Outcome) {
    let Outcome { documents, text, index, fulltext, .. } = outcome;
    let (mb, part) = (|bytes: f64| bytes / 1e6, |bytes: u64| bytes as f64 / *text as f64);
    println!("\n## {documents} documents, {:.0} MB of text\n", mb(*text as f64));
    if !outcome.lines.is_empty() {
        print_lines(&outcome.lines);
    }
    println!("\n| | documents/s | MB of text/s | size of the text's | processor s | memory of the process MB: own, with files, at most |");
    println!("|---|---|---|---|---|---|");
    let made = |seconds: f64| format!("{:.0} | {:.1}", *documents as f64 / seconds, mb(*text as f64) / seconds);
    println!(
        "| rebuild | {} | {:.2} | {:.1} | {} |",
        made(outcome.indexed_in),
        part(*index),
        outcome.indexing.processor,
        memory(outcome.indexing)
    );
    if let Some(rebuild) = &outcome.rebuild {
        println!("| rebuild beside searches | {} | | | |", made(rebuild.took));
    }
    if let Some((bytes, seconds)) = *fulltext {
        println!("| FTS5 | {} | {:.2} | | |", made(seconds), part(bytes));
    }
    for (what, of) in [("at rest", outcome.at_rest), ("after searches", outcome.searched), ("after writes", outcome.at_last)] {
        println!("| service {what} | | | | {:.1} | {} |", of.processor, memory(of));
    }
    println!("\n| writes/s | reached | write ms | write to found | not found at once | search beside |");
    println!("|---|---|---|---|---|---|");
    for fresh in &outcome.fresh {
        println!(
            "| {} | {:.0} | {} | {} | {} | {} |",
            fresh.wanted,
            fresh.written.rate,
            cell(&fresh.written),
            cell(&fresh.found),
            fresh.late,
            cell(&fresh.beside)
        );
    }
    if let Some(Rebuild { alone, beside, .. }) = &outcome.rebuild {
        println!("\n{:.0} searches a second: {} ms alone, {} ms beside a rebuild", alone.rate, cell(alone), cell(beside));
    }
    println!("\n| promised | measured | at most | |");
    println!("|---|---|---|---|");
    for Promise(what, measured, bound, kept) in promises(outcome) {
        println!("| {what} | {measured:.2} | {bound} | {} |", if kept { "kept" } else { "missed" });
    }
}

fn print_lines(lines: &[Line]) {
    println!("p50 and p99 in ms, 25 results with excerpts; ratios of the medians of the viewer who sees all\n");
    println!(
        "| clients | words | 5 projects | 500 projects | 5,000 projects | bare query | with 25 rows and excerpts | FTS5 | to bare | to with rows |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for line in lines {
        let [few, some, all] = &line.http;
        let cells = [few, some, all, &line.bare, &line.shown, &line.fulltext].map(cell).join(" | ");
        let (to_bare, to_shown) = (all.p50() / line.bare.p50(), all.p50() / line.shown.p50());
        println!("| {} | {} | {cells} | {to_bare:.2}× | {to_shown:.2}× |", line.clients, line.words);
    }
    for clients in CLIENTS {
        let rate = |times: &Times| format!("{:.0}", times.rate);
        let of_two = lines.iter().filter(|line| line.clients == clients && line.words == 2);
        for line in of_two {
            let [few, some, all] = &line.http;
            let cells = [few, some, all, &line.bare, &line.shown, &line.fulltext].map(rate).join(" | ");
            println!("| {clients} | 2, answers a second | {cells} | | |");
        }
    }
}

fn cell(times: &Times) -> String {
    format!("{:.2} / {:.2}", times.p50(), times.p99())
}

fn memory(memory: Memory) -> String {
    format!("{:.0}, {:.0}, {:.0}", memory.own, memory.resident, memory.peak)
}

/// What was promised for a world of this size, over questions of one to five words. Medians are compared of one client each: of eight
/// threads that never wait for anything each keeps a processor for many questions in a row, so that the waiting falls on few of
/// them and shows in no median.
fn promises(outcome: &Outcome) -> Vec<Promise> {
    let of = |clients: usize| outcome.lines.iter().filter(move |line| line.clients == clients);
    let [one, eight] = CLIENTS;
    let http = Times::joined(of(eight).flat_map(|line| &line.http));
    let all = Times::joined(of(one).map(|line| &line.http[VIEWERS.len() - 1]));
    let worst = of(eight).flat_map(|line| line.http.iter().map(Times::p99)).fold(0.0, f64::max);
    let to = |what: fn(&Line) -> &Times| all.p50() / Times::joined(of(one).map(what)).p50();
    let (to_bare, to_shown) = (to(|line| &line.bare), to(|line| &line.shown));
    let mut promises = Vec::new();
    if outcome.lines.is_empty() {
        // searches were left out
    } else if outcome.documents >= 1_000_000 {
        promises.push(Promise("HTTP p50 to the bare query", to_bare, "2×", to_bare <= 2.0));
        promises.push(Promise("HTTP p99 of eight clients, ms", http.p99(), "50", http.p99() < 50.0));
        promises.push(Promise("the same of the slowest line", worst, "50", worst < 50.0));
    } else {
        promises.push(Promise("HTTP p50 to query, rows and excerpts", to_shown, "1.5×", to_shown <= 1.5));
        promises.push(Promise("HTTP p99 of eight clients, ms", http.p99(), "25", http.p99() < 25.0));
        promises.push(Promise("the same of the slowest line", worst, "25", worst < 25.0));
    }
    let rate = outcome.documents as f64 / outcome.indexed_in;
    promises.push(Promise("documents a second in a rebuild", rate, "at least 10,000", rate >= 10_000.0));
    for fresh in outcome.fresh.iter().filter(|fresh| fresh.wanted == 200) {
        promises.push(Promise("write to found at 200 writes a second, p99 ms", fresh.found.p99(), "100", fresh.found.p99() < 100.0));
        promises.push(Promise("writes not found by the next search", fresh.late as f64, "0", fresh.late == 0));
    }
    if let Some(raised) = outcome.rebuild.as_ref().map(Rebuild::raised) {
        promises.push(Promise("p99 beside a rebuild to p99 without, the middle turn", raised, "1.5×", raised < 1.5));
    }
    promises
}

pub fn json(outcome: &Outcome) -> Value {
    let times = |times: &Times| json!({"p50_ms": times.p50(), "p99_ms": times.p99(), "rate": times.rate, "count": times.count()});
    let memory = |memory: Memory| json!({"own_mb": memory.own, "resident_mb": memory.resident, "peak_mb": memory.peak, "processor_s": memory.processor});
    let rebuild = |rebuild: &Rebuild| json!({"alone": times(&rebuild.alone), "beside": times(&rebuild.beside), "took_s": rebuild.took});
    let line = |line: &Line| {
        let viewers = VIEWERS.iter().zip(&line.http).map(|(projects, http)| json!({"projects": projects, "http": times(http)}));
        json!({"clients": line.clients, "words": line.words, "viewers": viewers.collect::<Vec<_>>(), "bare": times(&line.bare),
               "with_rows_and_excerpts": times(&line.shown), "fts5": times(&line.fulltext)})
    };
    let fresh = outcome.fresh.iter().map(|fresh| {
        json!({"wanted": fresh.wanted, "written": times(&fresh.written), "found": times(&fresh.found),
               "not_found_at_once": fresh.late, "beside": times(&fresh.beside)})
    });
    let promises = promises(outcome);
    let promises = promises
        .iter()
        .map(|Promise(what, measured, bound, kept)| json!({"what": what, "measured": measured, "bound": bound, "kept": kept}));
    json!({
        "documents": outcome.documents, "words": WORDS, "text_bytes": outcome.text, "made_in_s": outcome.made_in,
        "index": {"bytes": outcome.index, "made_in_s": outcome.indexed_in, "memory": memory(outcome.indexing)},
        "fts5": outcome.fulltext.map(|(bytes, seconds)| json!({"bytes": bytes, "made_in_s": seconds})),
        "service": {"at_rest": memory(outcome.at_rest), "after_searches": memory(outcome.searched), "after_writes": memory(outcome.at_last)},
        "lines": outcome.lines.iter().map(line).collect::<Vec<_>>(),
        "rebuild": outcome.rebuild.as_ref().map(rebuild),
        "fresh": fresh.collect::<Vec<_>>(),
        "promises": promises.collect::<Vec<_>>(),
    })
}
