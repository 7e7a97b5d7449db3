//! A keep-alive connection whose responses may have any status.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Time after which a response does not count any more.
const TIMEOUT: Duration = Duration::from_secs(60);

pub struct Client {
    address: String,
    stream: BufReader<TcpStream>,
}

impl Client {
    pub fn connect(address: &str) -> io::Result<Client> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        Ok(Client {
            address: address.to_owned(),
            stream: BufReader::new(stream),
        })
    }

    /// Sends a request and reads its response. Returns the status. Connects again when the service
    /// has closed the connection.
    pub fn send(&mut self, request: &[u8]) -> io::Result<u16> {
        self.write(request)?;
        self.read()
    }

    pub fn write(&mut self, request: &[u8]) -> io::Result<()> {
        match self.stream.get_mut().write_all(request) {
            Ok(()) => Ok(()),
            Err(_) => {
                *self = Client::connect(&self.address)?;
                self.stream.get_mut().write_all(request)
            }
        }
    }

    /// Reads a response and returns its status.
    pub fn read(&mut self) -> io::Result<u16> {
        let mut status = 0;
        let mut length = 0;
        let mut is_chunked = false;
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                *self = Client::connect(&self.address)?;
                return Ok(0);
            }
            let line = line.trim_end().to_ascii_lowercase();
            if status == 0 {
                let code = line.split(' ').nth(1);
                status = code.and_then(|code| code.parse().ok()).unwrap_or(0);
            } else if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            } else if line == "transfer-encoding: chunked" {
                is_chunked = true;
            } else if line.is_empty() {
                break;
            }
        }
        if is_chunked {
            while self.read_chunk()? > 0 {}
        } else {
            self.skip(length)?;
        }
        Ok(status)
    }

    fn read_chunk(&mut self) -> io::Result<u64> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let length = u64::from_str_radix(line.trim(), 16).unwrap_or(0);
        self.skip(length + 2)?;
        Ok(length)
    }

    fn skip(&mut self, length: u64) -> io::Result<()> {
        io::copy(&mut (&mut self.stream).take(length), &mut io::sink())?;
        Ok(())
    }
}

/// Returns a request. `headers` each end with CRLF.
pub fn request(method: &str, path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: bench\r\n{headers}Content-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}
