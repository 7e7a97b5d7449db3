//! Requests of the crate oauth2 to the local service.

use axum::http::Response;
use oauth2::{HttpRequest, HttpResponse};
use std::io::{Error, Read, Write};
use std::net::TcpStream;

use quarry_world::wait::TIMEOUT;

/// Sends a request without TLS, even where the crate insists on an address with https.
pub fn send(request: HttpRequest) -> Result<HttpResponse, Error> {
    let (parts, body) = request.into_parts();
    let authority = parts
        .uri
        .authority()
        .expect("the address is absolute")
        .as_str();
    let mut stream = TcpStream::connect(authority)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    let mut head = format!(
        "{} {} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n",
        parts.method,
        parts.uri.path()
    );
    for (name, value) in &parts.headers {
        head.push_str(&format!("{name}: {}\r\n", value.to_str().unwrap()));
    }
    write!(stream, "{head}Content-Length: {}\r\n\r\n", body.len())?;
    stream.write_all(&body)?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let (head, body) = text.split_once("\r\n\r\n").expect("a response has a head");
    let mut lines = head.lines();
    let status = lines
        .next()
        .and_then(|line| line.split(' ').nth(1))
        .expect("a response has a status");
    let mut response = Response::builder().status(status);
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        response = response.header(name, value);
    }
    Ok(response.body(body.as_bytes().to_vec()).unwrap())
}
