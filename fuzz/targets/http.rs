//! Requests to the service: the first line has method and address, then come headers, an empty line
//! and the body. The administrator sends them, so that they pass authorization.

use super::service::{RawRequest, Service};
use std::sync::LazyLock;

static SERVICE: LazyLock<Service> = LazyLock::new(Service::start);

/// Maximum number of headers that are sent.
const MAX_HEADERS: usize = 32;

/// Panics if the service answers any request with a status of 500 or above.
pub fn run(data: &[u8]) {
    let Some(request) = parse(data) else {
        return;
    };
    let (method, target) = (request.method.clone(), request.target.clone());
    let status = SERVICE.send(request);
    assert!(status < 500, "{method} {target}: {status}");
}

fn parse(data: &[u8]) -> Option<RawRequest> {
    let (head, body) = match data.windows(2).position(|pair| pair == b"\n\n") {
        Some(at) => (&data[..at], &data[at + 2..]),
        None => (data, &[][..]),
    };
    let mut lines = head.split(|byte| *byte == b'\n');
    let first = std::str::from_utf8(lines.next()?).ok()?;
    let (method, target) = first.split_once(' ')?;
    let headers = lines.take(MAX_HEADERS).filter_map(|line| {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let name = std::str::from_utf8(&line[..colon]).ok()?;
        Some((name.to_owned(), line[colon + 1..].trim_ascii().to_vec()))
    });
    Some(RawRequest {
        method: method.to_owned(),
        target: target.to_owned(),
        headers: headers.collect(),
        body: body.to_vec(),
    })
}
