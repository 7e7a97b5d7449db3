//! A browser without scripts: it keeps cookies and sends forms.

use crate::{Client, Response, World};
use axum::http::Method;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A browser of one person.
pub struct Browser<'w> {
    client: Client<'w>,
    cookies: RefCell<BTreeMap<String, String>>,
}

impl<'w> Browser<'w> {
    /// Opens a browser without cookies.
    pub fn new(world: &'w World) -> Browser<'w> {
        Browser::with(world.anonymous())
    }

    /// Opens a browser that sends the headers of the client.
    pub fn with(client: Client<'w>) -> Browser<'w> {
        Browser {
            client: client.with("User-Agent", "Tests/1.0"),
            cookies: RefCell::default(),
        }
    }

    /// Opens a browser and logs in with the password of the world.
    pub fn logged_in(world: &'w World, login: &str) -> Browser<'w> {
        let browser = Browser::new(world);
        browser
            .log_in(login, &password(login), &[])
            .assert_status(303);
        browser
    }

    /// Sends the login form.
    pub fn log_in(&self, login: &str, password: &str, more: &[(&str, &str)]) -> Response {
        let page = self.get("/login");
        let mut fields = vec![("username", login), ("password", password)];
        fields.extend_from_slice(more);
        self.submit(&page, "/login", &fields)
    }

    /// Loads a page.
    #[must_use = "assert the status"]
    pub fn get(&self, path: &str) -> Response {
        self.request("text/html", |client| client.get(path))
    }

    /// Loads a page of which the browser has kept one with this entity tag.
    #[must_use = "assert the status"]
    pub fn revalidate(&self, path: &str, tag: &str) -> Response {
        self.request("text/html", |client| {
            client.with("If-None-Match", tag).get(path)
        })
    }

    /// Loads data, as a script of a page does.
    #[must_use = "assert the status"]
    pub fn get_json(&self, path: &str) -> Response {
        self.request("application/json", |client| client.get(path))
    }

    /// Changes data, as a script of a page does.
    #[must_use = "assert the status"]
    pub fn put_json(
        &self,
        path: &str,
        csrf_token: Option<&str>,
        body: serde_json::Value,
    ) -> Response {
        self.request("application/json", |client| match csrf_token {
            Some(token) => client.with("X-CSRF-Token", token).put(path, body),
            None => client.put(path, body),
        })
    }

    /// Sends data with this method and media type, as a script of a page does.
    #[must_use = "assert the status"]
    pub fn send_data(
        &self,
        method: Method,
        path: &str,
        csrf_token: &str,
        (media_type, body): (&str, &str),
    ) -> Response {
        let body = body.as_bytes().to_vec();
        self.request("application/json", |client| {
            client
                .with("X-CSRF-Token", csrf_token)
                .send(method, path, Some(media_type), body)
        })
    }

    /// Sends a form with the token of the page.
    #[must_use = "assert the status"]
    pub fn submit(&self, page: &Response, path: &str, fields: &[(&str, &str)]) -> Response {
        let token = csrf_token(page);
        let mut fields = fields.to_vec();
        fields.push(("authenticity_token", &token));
        self.post(path, &fields)
    }

    /// Sends a form.
    #[must_use = "assert the status"]
    pub fn post(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        let body: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("{}={}", encode(name), encode(value)))
            .collect();
        let form = Some("application/x-www-form-urlencoded");
        self.request("text/html", |client| {
            client.send(Method::POST, path, form, body.join("&").into_bytes())
        })
    }

    /// Sends a form with files, each a name and a content, with the token of the page first.
    #[must_use = "assert the status"]
    pub fn submit_files(
        &self,
        page: &Response,
        path: &str,
        fields: &[(&str, &str)],
        files: &[(&str, &[u8])],
    ) -> Response {
        let token = csrf_token(page);
        let mut all = vec![("authenticity_token", token.as_str())];
        all.extend_from_slice(fields);
        self.post_files(path, &all, files)
    }

    /// Sends a form with files.
    #[must_use = "assert the status"]
    pub fn post_files(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        files: &[(&str, &[u8])],
    ) -> Response {
        let mut body = Vec::new();
        for (name, value) in fields {
            body.extend(format!("--frontier\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").bytes());
        }
        for (name, content) in files {
            let head = format!(
                "form-data; name=\"attachments[new][file]\"; filename=\"{name}\"\r\nContent-Type: text/plain"
            );
            body.extend(format!("--frontier\r\nContent-Disposition: {head}\r\n\r\n").bytes());
            body.extend_from_slice(content);
            body.extend(b"\r\n");
        }
        body.extend(b"--frontier--\r\n");
        self.post_body(path, "multipart/form-data; boundary=frontier", body)
    }

    /// Sends a body.
    #[must_use = "assert the status"]
    pub fn post_body(&self, path: &str, content_type: &str, body: Vec<u8>) -> Response {
        self.request("text/html", |client| {
            client.send(Method::POST, path, Some(content_type), body)
        })
    }

    /// Returns the value of a cookie.
    pub fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.borrow().get(name).cloned()
    }

    /// Sets a cookie.
    pub fn set_cookie(&self, name: &str, value: &str) {
        self.cookies
            .borrow_mut()
            .insert(name.to_owned(), value.to_owned());
    }

    fn request(&self, accept: &str, send: impl FnOnce(Client<'w>) -> Response) -> Response {
        let list: Vec<String> = self
            .cookies
            .borrow()
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let client = self.client.clone().with("Accept", accept);
        let response = send(if list.is_empty() {
            client
        } else {
            client.with("Cookie", &list.join("; "))
        });
        for line in response.headers.get_all("set-cookie") {
            let (cookie, attributes) = line.to_str().unwrap().split_once(';').unwrap();
            let (name, value) = cookie.split_once('=').unwrap();
            match attributes.contains("Max-Age=0") {
                true => self.cookies.borrow_mut().remove(name),
                false => self
                    .cookies
                    .borrow_mut()
                    .insert(name.to_owned(), value.to_owned()),
            };
        }
        response
    }
}

/// Returns the password of a user of the world.
pub fn password(login: &str) -> String {
    if login == "bob" {
        "bobbobbob".to_owned()
    } else {
        format!("{login}{login}")
    }
}

/// Returns the token of the first form of a page.
#[track_caller]
pub fn csrf_token(page: &Response) -> String {
    field(page, "authenticity_token").unwrap_or_else(|| panic!("no token in {page:?}"))
}

/// Returns the value of the first hidden field with this name.
pub fn field(page: &Response, name: &str) -> Option<String> {
    find_field(&page.body, name)
}

/// Returns the value of a hidden field in the form with this action.
pub fn form_field(page: &Response, action: &str, name: &str) -> Option<String> {
    find_field(
        page.body.split_once(&format!("action=\"{action}\""))?.1,
        name,
    )
}

fn find_field(html: &str, name: &str) -> Option<String> {
    let (_, rest) = html.split_once(&format!("name=\"{name}\" value=\""))?;
    let (value, _) = rest.split_once('"')?;
    Some(unescape(value))
}

/// Returns the text of an attribute.
pub fn unescape(value: &str) -> String {
    value
        .replace("&#60;", "<")
        .replace("&#62;", ">")
        .replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&#38;", "&")
}

fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}
