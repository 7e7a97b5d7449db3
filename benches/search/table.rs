//! Prints the figures and the promises as Markdown tables, and returns them as JSON.

use super::load::Latencies;
use super::measure::{CLIENTS, Line, MAX_WORDS, Outcome, Rebuild};
use super::service::Memory;
use super::shapes::{HOSTILE_PREFIXES, Shape};
use super::world::VIEWERS;
use serde_json::{Value, json};

/// A promise: what was promised, what was measured, the bound in words, and whether it is kept.
struct Promise(&'static str, f64, &'static str, bool);

pub fn print(outcome: &Outcome) {
    let Outcome {
        documents,
        text,
        index,
        fts5,
        ..
    } = outcome;
    println!(
        "\n## {documents} documents, {:.0} MB of text\n",
        *text as f64 / 1e6
    );
    if !outcome.lines.is_empty() {
        print_lines(&outcome.lines);
    }
    if !outcome.shapes.is_empty() {
        print_shapes(&outcome.shapes);
    }
    println!(
        "\n| | documents/s | MB of text/s | size of the text's | processor s | memory of the process MB: own, with files, at most |"
    );
    println!("|---|---|---|---|---|---|");
    let speed = |seconds: f64| {
        format!(
            "{:.0} | {:.1}",
            *documents as f64 / seconds,
            *text as f64 / 1e6 / seconds
        )
    };
    println!(
        "| rebuild | {} | {:.2} | {:.1} | {} |",
        speed(outcome.indexing_seconds),
        *index as f64 / *text as f64,
        outcome.indexing.processor,
        memory_json(outcome.indexing)
    );
    if let Some(rebuild) = &outcome.rebuild {
        println!(
            "| rebuild during searches | {} | | | |",
            speed(rebuild.seconds)
        );
    }
    if let Some((bytes, seconds)) = *fts5 {
        println!(
            "| FTS5 | {} | {:.2} | | |",
            speed(seconds),
            bytes as f64 / *text as f64
        );
    }
    for (when, usage) in [
        ("at rest", outcome.at_rest),
        ("after searches", outcome.after_searches),
        ("after writes", outcome.after_writes),
    ] {
        println!(
            "| service {when} | | | | {:.1} | {} |",
            usage.processor,
            memory(usage)
        );
    }
    println!("\nReady {:.2} s after its start.", outcome.ready_seconds);
    println!(
        "\n| writes/s | reached | write ms | write to found | not found by the next search | other searches |"
    );
    println!("|---|---|---|---|---|---|");
    for freshness in &outcome.freshness {
        println!(
            "| {} | {:.0} | {} | {} | {} | {} |",
            freshness.target_rate,
            freshness.written.rate,
            cell(&freshness.written),
            cell(&freshness.found),
            freshness.missed,
            cell(&freshness.other_searches)
        );
    }
    if let Some(Rebuild { alone, during, .. }) = &outcome.rebuild {
        println!(
            "\n{:.0} searches a second: {} ms alone, {} ms during a rebuild",
            alone.rate,
            cell(alone),
            cell(during)
        );
    }
    println!("\n| promised | measured | at most | |");
    println!("|---|---|---|---|");
    for Promise(what, measured, bound, kept) in promises(outcome) {
        println!(
            "| {what} | {measured:.2} | {bound} | {} |",
            if kept { "kept" } else { "missed" }
        );
    }
}

fn print_lines(lines: &[Line]) {
    println!(
        "p50 and p99 in ms, 25 results with excerpts; ratios of the medians of the viewer who sees all\n"
    );
    println!(
        "| clients | words | 5 projects | 500 projects | 5,000 projects | tantivy | with 25 rows and excerpts | FTS5 | to tantivy | to with rows |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for line in lines {
        let [few, some, all] = &line.http;
        let cells = [
            few,
            some,
            all,
            &line.tantivy,
            &line.tantivy_with_rows,
            &line.fts5,
        ]
        .map(cell)
        .join(" | ");
        let to_tantivy = all.p50() / line.tantivy.p50();
        let to_tantivy_with_rows = all.p50() / line.tantivy_with_rows.p50();
        println!(
            "| {} | {} | {cells} | {to_tantivy:.2}× | {to_tantivy_with_rows:.2}× |",
            line.clients, line.words
        );
    }
    for clients in CLIENTS {
        let of_two = lines
            .iter()
            .filter(|line| line.clients == clients && line.words == 2);
        for line in of_two {
            let [few, some, all] = &line.http;
            let cells = [
                few,
                some,
                all,
                &line.tantivy,
                &line.tantivy_with_rows,
                &line.fts5,
            ]
            .map(|times| format!("{:.0}", times.rate))
            .join(" | ");
            println!("| {clients} | 2, responses a second | {cells} | | |");
        }
    }
}

fn print_shapes(shapes: &[Shape]) {
    println!("\none client that sees all, p50 and p99 in ms\n");
    println!("| query | ms | the words alone | ratio of the medians |");
    println!("|---|---|---|---|");
    for shape in shapes {
        println!(
            "| `{}` | {} | {} | {:.2}× |",
            shape.shape,
            cell(&shape.with),
            cell(&shape.words),
            shape.p50_ratio()
        );
    }
}

fn cell(times: &Latencies) -> String {
    format!("{:.2} / {:.2}", times.p50(), times.p99())
}

fn memory(memory: Memory) -> String {
    format!(
        "{:.0}, {:.0}, {:.0}",
        memory.own, memory.resident, memory.peak
    )
}

fn lines_with(outcome: &Outcome, clients: usize) -> impl Iterator<Item = &Line> {
    outcome
        .lines
        .iter()
        .filter(move |line| line.clients == clients)
}

/// Returns the promises for this size, over queries of one to five words. Medians are compared for
/// one client: eight threads that never wait keep a processor for many queries in a row, so that
/// waiting falls on few of them and does not show in a median.
fn promises(outcome: &Outcome) -> Vec<Promise> {
    let [one, eight] = CLIENTS;
    let http = Latencies::merged(lines_with(outcome, eight).flat_map(|line| &line.http));
    let all = Latencies::merged(lines_with(outcome, one).map(|line| &line.http[VIEWERS.len() - 1]));
    let slowest = lines_with(outcome, eight)
        .flat_map(|line| line.http.iter().map(Latencies::p99))
        .fold(0.0, f64::max);
    let to = |what: fn(&Line) -> &Latencies| {
        all.p50() / Latencies::merged(lines_with(outcome, one).map(what)).p50()
    };
    let to_tantivy = to(|line| &line.tantivy);
    let to_tantivy_with_rows = to(|line| &line.tantivy_with_rows);
    let mut promises = Vec::new();
    if outcome.lines.is_empty() {
        // Searches were not measured.
    } else if outcome.documents >= 1_000_000 {
        promises.push(Promise(
            "HTTP p50 to the tantivy query of tantivy",
            to_tantivy,
            "2×",
            to_tantivy <= 2.0,
        ));
        promises.push(Promise(
            "HTTP p99 of eight clients, ms",
            http.p99(),
            "50",
            http.p99() < 50.0,
        ));
        promises.push(Promise(
            "the same of the slowest line",
            slowest,
            "50",
            slowest < 50.0,
        ));
    } else {
        promises.push(Promise(
            "HTTP p50 to query, rows and excerpts",
            to_tantivy_with_rows,
            "2.5×",
            to_tantivy_with_rows <= 2.5,
        ));
        promises.push(Promise(
            "HTTP p99 of eight clients, ms",
            http.p99(),
            "25",
            http.p99() < 25.0,
        ));
        promises.push(Promise(
            "the same of the slowest line",
            slowest,
            "25",
            slowest < 25.0,
        ));
    }
    if let Some(slowest) = outcome
        .shapes
        .iter()
        .map(Shape::p50_ratio)
        .max_by(f64::total_cmp)
    {
        promises.push(Promise(
            "group or qualifier to the words alone, the slowest",
            slowest,
            "1.5×",
            slowest <= 1.5,
        ));
    }
    if let Some(prefixes) = &outcome.prefixes {
        promises.push(Promise(
            "a page of prefixes that match many terms, p99 ms",
            prefixes.p99(),
            "250",
            prefixes.p99() <= 250.0,
        ));
    }
    let rate = outcome.documents as f64 / outcome.indexing_seconds;
    promises.push(Promise(
        "documents a second in a rebuild",
        rate,
        "at least 10,000",
        rate >= 10_000.0,
    ));
    for freshness in outcome
        .freshness
        .iter()
        .filter(|freshness| freshness.target_rate == 200)
    {
        promises.push(Promise(
            "write to found at 200 writes a second, p99 ms",
            freshness.found.p99(),
            "100",
            freshness.found.p99() < 100.0,
        ));
        promises.push(Promise(
            "writes not found by the next search",
            freshness.missed as f64,
            "0",
            freshness.missed == 0,
        ));
    }
    if let Some(p99_ratio) = outcome.rebuild.as_ref().map(Rebuild::p99_ratio) {
        promises.push(Promise(
            "p99 during a rebuild to p99 alone, median rebuild",
            p99_ratio,
            "2×",
            p99_ratio < 2.0,
        ));
    }
    promises
}

fn times_json(times: &Latencies) -> Value {
    json!({"p50_ms": times.p50(), "p99_ms": times.p99(), "rate": times.rate, "count": times.count()})
}

fn memory_json(memory: Memory) -> Value {
    json!({"own_mb": memory.own, "resident_mb": memory.resident, "peak_mb": memory.peak, "processor_s": memory.processor})
}

fn rebuild_json(rebuild: &Rebuild) -> Value {
    json!({"alone": times_json(&rebuild.alone), "during": times_json(&rebuild.during), "seconds": rebuild.seconds})
}

fn line_json(line: &Line) -> Value {
    let viewers = VIEWERS
        .iter()
        .zip(&line.http)
        .map(|(projects, http)| json!({"projects": projects, "http": times_json(http)}));
    json!({"clients": line.clients, "words": line.words, "viewers": viewers.collect::<Vec<_>>(), "tantivy": times_json(&line.tantivy),
           "with_rows_and_excerpts": times_json(&line.tantivy_with_rows), "fts5": times_json(&line.fts5)})
}

fn shape_json(shape: &Shape) -> Value {
    json!({"query": shape.shape, "http": times_json(&shape.with), "words_alone": times_json(&shape.words)})
}

pub fn json(outcome: &Outcome) -> Value {
    let freshness = outcome.freshness.iter().map(|freshness| {
        json!({"target_rate": freshness.target_rate, "written": times_json(&freshness.written), "found": times_json(&freshness.found),
               "not_found_by_next_search": freshness.missed, "other_searches": times_json(&freshness.other_searches)})
    });
    let promises = promises(outcome);
    let promises = promises
        .iter()
        .map(|Promise(what, measured, bound, kept)| json!({"what": what, "measured": measured, "bound": bound, "kept": kept}));
    json!({
        "documents": outcome.documents, "words": MAX_WORDS, "text_bytes": outcome.text, "seconds": outcome.generation_seconds,
        "index": {"bytes": outcome.index, "seconds": outcome.indexing_seconds, "memory": memory_json(outcome.indexing)},
        "fts5": outcome.fts5.map(|(bytes, seconds)| json!({"bytes": bytes, "seconds": seconds})),
        "service": {"at_rest": memory_json(outcome.at_rest), "after_searches": memory_json(outcome.after_searches), "after_writes": memory_json(outcome.after_writes)},
        "lines": outcome.lines.iter().map(line_json).collect::<Vec<_>>(),
        "shapes": outcome.shapes.iter().map(shape_json).collect::<Vec<_>>(),
        "prefixes": outcome.prefixes.as_ref().map(|prefixes| json!({"query": HOSTILE_PREFIXES, "http": times_json(prefixes)})),
        "rebuild": outcome.rebuild.as_ref().map(rebuild_json),
        "freshness": freshness.collect::<Vec<_>>(),
        "promises": promises.collect::<Vec<_>>(),
    })
}
