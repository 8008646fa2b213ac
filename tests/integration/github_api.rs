//! GitHub's API on loopback: it follows a script, writes down what it is asked, and holds every request
//! against GitHub's own description.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) method: String,
    /// Path and query, behind the base address.
    pub(crate) route: String,
    pub(crate) body: Value,
    pub(crate) token: String,
}

/// An answer of the script.
pub(crate) enum Answer {
    Json(u16, Value),
    /// With further headers.
    With(u16, &'static [(&'static str, &'static str)], Value),
    /// Nothing, until the client goes.
    Hang,
    /// A whole head, and half of a body.
    CutOff(u16),
}

pub(crate) struct Api {
    pub(crate) address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    faults: Arc<Mutex<Vec<String>>>,
}

impl Api {
    /// Starts an API that answers by a script: it is given each request and how many came before it.
    pub(crate) fn start(script: impl Fn(&Asked, usize) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/api/v3", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let faults = Arc::new(Mutex::new(Vec::new()));
        let (script, description) = (Arc::new(script), Arc::new(Description::load()));
        let (seen, found) = (Arc::clone(&asked), Arc::clone(&faults));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, found) = (Arc::clone(&seen), Arc::clone(&found));
                let (script, description) = (Arc::clone(&script), Arc::clone(&description));
                thread::spawn(move || {
                    let Some(request) = receive(&stream) else { return };
                    let mut seen = seen.lock().expect("no thread panics here");
                    let before = seen.len();
                    found.lock().expect("no thread panics here").extend(description.faults(&request));
                    seen.push(request.clone());
                    drop(seen);
                    send(stream, script(&request, before));
                });
            }
        });
        Self { address, asked, faults }
    }

    /// What was asked so far; every request has to be one that GitHub describes.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        assert_eq!(self.faults(), Vec::<String>::new());
        self.asked.lock().expect("no thread panics here").clone()
    }

    /// What was asked otherwise than GitHub describes it.
    pub(crate) fn faults(&self) -> Vec<String> {
        self.faults.lock().expect("no thread panics here").clone()
    }

    /// Methods and routes of what was asked, without the repository.
    pub(crate) fn routes(&self) -> Vec<String> {
        self.asked().iter().map(|asked| format!("{} {}", asked.method, asked.route)).collect()
    }
}

fn receive(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let (mut length, mut token) = (0, String::new());
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().ok()?,
            "authorization" => token = value.to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = if body.is_empty() { Value::Null } else { serde_json::from_slice(&body).expect("JSON is sent") };
    let route = target.strip_prefix("/api/v3").expect("the base address is kept").to_owned();
    Some(Asked { method, route, body, token })
}

fn send(mut stream: TcpStream, answer: Answer) {
    let (status, headers, body, kept) = match answer {
        Answer::Json(status, body) => (status, &[][..], body.to_string(), 1.0),
        Answer::With(status, headers, body) => (status, headers, body.to_string(), 1.0),
        Answer::CutOff(status) => (status, &[][..], json!({ "id": 1, "html_url": "https://x" }).to_string(), 0.5),
        Answer::Hang => {
            let _ = stream.read_to_end(&mut Vec::new());
            return;
        }
    };
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    let sent = &body[..(length as f64 * kept) as usize];
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n"
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(sent.as_bytes()));
}

/// GitHub's description, cut to what is used; nothing where it was not fetched, which CI does not allow.
struct Description(Option<Value>);

impl Description {
    fn load() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/github/api.json");
        match std::fs::read_to_string(&path) {
            Ok(text) => Self(Some(serde_json::from_str(&text).expect("the description is JSON"))),
            Err(_) if std::env::var_os("CI").is_none() => Self(None),
            Err(error) => panic!("run tests/github/install: {error}"),
        }
    }

    /// What GitHub does not describe of a request.
    fn faults(&self, asked: &Asked) -> Vec<String> {
        let named = format!("{} {}", asked.method, asked.route);
        let (path, query) = asked.route.split_once('?').unwrap_or((&asked.route, ""));
        let Some(description) = &self.0 else { return Vec::new() };
        let paths = description.as_object().expect("paths");
        let Some(operation) = paths
            .iter()
            .filter(|(template, _)| matches(template, path))
            .find_map(|(_, methods)| methods.get(asked.method.to_ascii_lowercase()))
        else {
            return vec![format!("{named}: no such request")];
        };
        let known: Vec<&str> = operation["query"].as_array().expect("names").iter().filter_map(Value::as_str).collect();
        let names = query.split('&').filter(|part| !part.is_empty()).filter_map(|part| part.split('=').next());
        let mut faults: Vec<String> = names
            .filter(|name| !known.contains(name))
            .map(|name| format!("{named}: unknown parameter {name}"))
            .collect();
        if let schema @ Value::Object(_) = &operation["body"] {
            let schema = jsonschema::validator_for(schema).expect("the description compiles");
            faults.extend(
                schema.iter_errors(&asked.body).map(|error| format!("{named}: {}: {error}", error.instance_path())),
            );
        }
        faults
    }
}

/// Whether a path fits a template. The last variable of a template may stand for several segments, as GitHub
/// takes them for files and refs.
fn matches(template: &str, path: &str) -> bool {
    let mut parts = path.split('/').peekable();
    let mut names = template.split('/').peekable();
    while let Some(name) = names.next() {
        let Some(part) = parts.next() else { return false };
        let is_last = names.peek().is_none();
        if is_last && matches!(name, "{path}" | "{ref}") {
            return !part.is_empty();
        }
        let is_variable = name.starts_with('{');
        let fits = if is_variable { !part.is_empty() } else { name == part };
        if !fits {
            return false;
        }
    }
    parts.peek().is_none()
}
