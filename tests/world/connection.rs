//! A keep-alive connection to the service that costs a client little, for tests and benches that
//! send many requests.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Time after which a read or write fails.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A keep-alive connection. It is opened again when the service has closed it.
pub struct Connection {
    address: String,
    stream: BufReader<TcpStream>,
}

/// A response without its headers.
pub struct ReceivedResponse {
    /// 0 if the service closed the connection instead of sending a response.
    pub status: u16,
    pub body: Vec<u8>,
}

impl Connection {
    /// Connects to this host and port.
    pub fn open(address: &str) -> io::Result<Connection> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        Ok(Connection {
            address: address.to_owned(),
            stream: BufReader::new(stream),
        })
    }

    /// Sends a [`request`] and reads its response.
    pub fn send(&mut self, request: &[u8]) -> io::Result<ReceivedResponse> {
        self.write(request)?;
        self.read()
    }

    /// Sends one or more requests without reading the responses.
    pub fn write(&mut self, requests: &[u8]) -> io::Result<()> {
        match self.stream.get_mut().write_all(requests) {
            Ok(()) => Ok(()),
            Err(_) => {
                *self = Connection::open(&self.address)?;
                self.stream.get_mut().write_all(requests)
            }
        }
    }

    /// Reads the next response.
    pub fn read(&mut self) -> io::Result<ReceivedResponse> {
        let mut response = ReceivedResponse {
            status: 0,
            body: Vec::new(),
        };
        let mut length = 0;
        let mut is_chunked = false;
        let mut line = String::new();
        loop {
            line.clear();
            if self.stream.read_line(&mut line)? == 0 {
                *self = Connection::open(&self.address)?;
                response.status = 0;
                return Ok(response);
            }
            line.make_ascii_lowercase();
            let line = line.trim_end();
            if response.status == 0 {
                let status = line.split(' ').nth(1);
                response.status = status.and_then(|status| status.parse().ok()).unwrap_or(0);
            } else if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().map_err(io::Error::other)?;
            } else if line == "transfer-encoding: chunked" {
                is_chunked = true;
            } else if line.is_empty() {
                break;
            }
        }
        if is_chunked {
            while self.read_chunk(&mut response.body)? > 0 {}
        } else {
            self.read_bytes(length, &mut response.body)?;
        }
        Ok(response)
    }

    /// Appends a chunk to the body. Returns its length, which is 0 for the last one.
    fn read_chunk(&mut self, body: &mut Vec<u8>) -> io::Result<usize> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
        self.read_bytes(length, body)?;
        self.stream.read_exact(&mut [0; 2])?;
        Ok(length)
    }

    fn read_bytes(&mut self, length: usize, body: &mut Vec<u8>) -> io::Result<()> {
        let start = body.len();
        body.resize(start + length, 0);
        self.stream.read_exact(&mut body[start..])
    }
}

/// Returns the bytes of a request. `headers` each end with CRLF.
pub fn request(method: &str, path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}
