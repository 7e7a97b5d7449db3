# `just` lists these; each is one command that also works without just.

_list:
    @just --list --unsorted

# Build and start the service with demo data on 127.0.0.1:3000
demo:
    cargo run --release -- demo

# Run every test
test *arguments:
    cargo test {{arguments}}

# Run everything that has to pass before a change is merged
check:
    .ci/run

# Run everything, with all rounds of random tests and every test on both engines
check-all:
    .ci/run --all

# Measure searches and the REST API against the promises
bench:
    cargo bench --bench search --bench load
