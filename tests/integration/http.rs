//! Servers over HTTP: good ones, and every way to be a bad one.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use crate::harness::{Run, command, finished, folder, folder_with, run};

/// A request: its line and headers, names in lower case, and its message.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    line: String,
    headers: Vec<(String, String)>,
    pub(crate) message: Value,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn is(&self, method: &str) -> bool {
        self.message["method"] == method
    }
}

/// A server that writes by hand what it answers.
pub(crate) struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    pub(crate) fn start(answer: impl Fn(&Asked, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (seen, answer) = (Arc::clone(&asked), Arc::new(answer));
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
                thread::spawn(move || {
                    if let Some(request) = receive(&stream) {
                        seen.lock().expect("no thread panics").push(request.clone());
                        answer(&request, &mut stream);
                    }
                });
            }
        });
        Self { port, asked }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }

    fn check(&self, words: &[&str]) -> Run {
        let folder = folder();
        run(folder.path(), &[&["check", &self.address(), "--json", "--no-probe"], words].concat())
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no thread panics").clone()
    }
}

fn receive(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim_end().split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let length =
        headers.iter().find(|(name, _)| name == "content-length").map_or(0, |(_, value)| value.parse().unwrap_or(0));
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Asked {
        line: line.trim_end().to_owned(),
        headers,
        message: serde_json::from_slice(&body).unwrap_or(Value::Null),
    })
}

pub(crate) fn send(stream: &mut TcpStream, status: &str, headers: &[&str], body: &[u8]) {
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n", body.len());
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

pub(crate) const JSON: &str = "content-type: application/json";

/// The result that a good server gives.
pub(crate) fn message(asked: &Asked) -> Value {
    let result = match asked.message["method"].as_str() {
        Some("initialize") => json!({
            "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
            "serverInfo": { "name": "parcels", "version": "1.0.0" }
        }),
        Some("tools/list") => json!({ "tools": [{
            "name": "track_parcel",
            "description": "Shows where a parcel is: in transit, at a depot in Gr\u{f6}ningen, or delivered.",
            "inputSchema": { "type": "object", "properties": {}, "additionalProperties": false }
        }] }),
        _ => json!({}),
    };
    json!({ "jsonrpc": "2.0", "id": asked.message["id"], "result": result })
}

/// What a good server does.
pub(crate) fn answer(asked: &Asked, stream: &mut TcpStream) {
    if asked.header("origin").is_some() {
        return send(stream, "403 Forbidden", &[], b"");
    }
    if asked.message.get("id").is_none() {
        return send(stream, "202 Accepted", &[], b"");
    }
    if asked.message["id"] == "after the end" {
        return send(stream, "404 Not Found", &[], b"");
    }
    send(stream, "200 OK", &[JSON, "mcp-session-id: s-1"], message(asked).to_string().as_bytes());
}

fn rules(run: &Run) -> Vec<String> {
    run.rules().into_iter().filter(|rule| rule.starts_with("http-") || rule.starts_with("server-")).collect()
}

#[test]
fn a_good_server_is_checked_in_a_session_that_is_ended() {
    let server = Server::start(answer);
    let run = server.check(&["--header", "Authorization: Bearer not-a-real-key"]);
    let report = run.report();
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    assert_eq!(report["servers"][0]["outcome"], "checked");
    assert_eq!((&report["servers"][0]["transport"], &report["servers"][0]["tools"]), (&json!("http"), &json!(1)));
    assert_eq!(rules(&run), Vec::<String>::new());
    let asked = server.asked();
    assert!(asked.iter().all(|asked| asked.header("authorization") == Some("Bearer not-a-real-key")));
    let first = &asked[0];
    assert_eq!((first.header("mcp-session-id"), first.header("mcp-protocol-version")), (None, None));
    assert_eq!(first.header("accept"), Some("application/json, text/event-stream"));
    let listing = asked.iter().find(|asked| asked.is("tools/list")).expect("a listing");
    assert_eq!(listing.header("mcp-session-id"), Some("s-1"));
    assert_eq!(listing.header("mcp-protocol-version"), Some("2025-11-25"));
    let [.., end, after] = asked.as_slice() else { panic!("requests: {asked:?}") };
    assert!(end.line.starts_with("DELETE ") && end.header("mcp-session-id") == Some("s-1"), "{end:?}");
    assert!(after.is("ping") && after.header("mcp-session-id") == Some("s-1"), "{after:?}");
    assert!(!run.stdout.contains("not-a-real-key") && !run.stderr.contains("not-a-real-key"));
}

#[test]
fn a_stream_may_be_cut_anywhere_and_kept_alive() {
    let server = Server::start(|asked, stream| {
        if asked.message.get("id").is_none() || asked.header("origin").is_some() {
            return answer(asked, stream);
        }
        let _ = stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n: hello\n\n");
        let text = format!("id: 1\nevent: message\ndata: {}\r\n\r\n: bye\n\n", message(asked));
        let _ = stream.set_nodelay(true);
        // Every byte by itself, so that characters of two bytes are split too.
        for byte in text.as_bytes() {
            let _ = stream.write_all(&[*byte]);
        }
    });
    let run = server.check(&[]);
    assert_eq!((run.code, rules(&run)), (Some(0), Vec::new()), "{}", run.stdout);
    assert_eq!(run.report()["servers"][0]["tools"], 1);
}

#[test]
fn what_a_bad_server_does_is_named() {
    type Do = fn(&Asked, &mut TcpStream);
    let cases: &[(&str, &str, Do)] = &[
        ("http-content-type", "text/html", |asked, stream| {
            if asked.message.get("id").is_none() || asked.header("origin").is_some() {
                return answer(asked, stream);
            }
            send(stream, "200 OK", &["content-type: text/html"], message(asked).to_string().as_bytes());
        }),
        ("http-unreachable", "status 404", |asked, stream| match asked.is("tools/list") {
            true => send(stream, "404 Not Found", &[], b"no such session"),
            false => answer(asked, stream),
        }),
        ("http-unreachable", "Bearer", |_, stream| {
            send(stream, "401 Unauthorized", &["www-authenticate: Bearer realm=\"x\""], b"")
        }),
        ("http-unreachable", "403", |_, stream| send(stream, "403 Forbidden", &[], b"")),
        ("http-unreachable", "405", |_, stream| send(stream, "405 Method Not Allowed", &[], b"")),
        ("http-unreachable", "500", |_, stream| send(stream, "500 Oops", &[], b"<html>")),
        ("http-unreachable", "leads to https://example.com/mcp", |_, stream| {
            send(stream, "307 Temporary Redirect", &["location: https://example.com/mcp"], b"");
        }),
        ("http-unreachable", "compressed", |_, stream| {
            send(stream, "200 OK", &[JSON, "content-encoding: gzip"], &[0x1f; 100])
        }),
        ("http-unreachable", "202", |_, stream| send(stream, "202 Accepted", &[], b"")),
        ("http-unreachable", "broke off", |_, stream| {
            let _ =
                stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{");
        }),
        ("http-unreachable", "ends before a message", |_, stream| {
            send(stream, "200 OK", &["content-type: text/event-stream"], b": nothing\n\ndata: {}\n\n");
        }),
        ("http-notification-status", "status 200", |asked, stream| match asked.is("notifications/initialized") {
            true => send(stream, "200 OK", &[JSON], b"{}"),
            false => answer(asked, stream),
        }),
        ("http-session-kept", "status 200", |asked, stream| match asked.message["id"] == "after the end" {
            true => send(stream, "200 OK", &[JSON], message(asked).to_string().as_bytes()),
            false => answer(asked, stream),
        }),
        ("http-origin-unchecked", "foreign origin", |asked, stream| {
            let headers = asked.headers.iter().filter(|(name, _)| name != "origin").cloned().collect();
            answer(&Asked { headers, ..asked.clone() }, stream);
        }),
        ("initialize-failed", "-32001", |asked, stream| {
            let error =
                json!({ "jsonrpc": "2.0", "id": asked.message["id"], "error": { "code": -32001, "message": "no" } });
            send(stream, "400 Bad Request", &[JSON], error.to_string().as_bytes());
        }),
    ];
    for (rule, part, act) in cases {
        let run = Server::start(act).check(&[]);
        assert!(run.rules().contains(&(*rule).to_owned()), "{rule}, {part}: {}", run.stdout);
        assert!(run.message(rule).contains(part), "{part}: {}", run.message(rule));
    }
}

#[test]
fn what_has_no_end_is_bounded() {
    let endless = |head: &'static [u8], chunk: &'static [u8]| {
        Server::start(move |_, stream| {
            let mut is_read = stream.write_all(head).is_ok();
            while is_read {
                is_read = stream.write_all(chunk).is_ok();
            }
        })
    };
    let stream = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    let json = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";
    for (server, part) in [
        (endless(stream, b": keep alive\n\n"), "64 MiB"),
        (endless(stream, b"data: {}\n\n"), "50000 messages"),
        (endless(stream, b"data: x"), "16 MiB"),
        (endless(json, b"[[[[[[[["), "16 MiB"),
    ] {
        let run = server.check(&["--timeout", "60"]);
        assert!(run.message("server-no-answer").contains(part), "{part}: {}", run.stdout);
    }
    // One byte after the other, for ever: the deadline holds.
    let slow = Server::start(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n");
        let mut byte = [0];
        let _ = stream.read(&mut byte);
    });
    assert!(slow.check(&["--timeout", "0.3"]).message("server-no-answer").contains("0.3 s"));
}

#[test]
fn a_redirect_on_the_same_origin_is_followed() {
    let server = Server::start(|asked, stream| match asked.line.contains(" /mcp ") {
        true => send(stream, "307 Temporary Redirect", &["location: /v2/mcp"], b""),
        false => answer(asked, stream),
    });
    assert_eq!(server.check(&[]).report()["servers"][0]["tools"], 1);
}

#[test]
fn credentials_do_not_go_to_another_origin() {
    let stranger = Server::start(answer);
    let address = stranger.address();
    let redirecting = Server::start(move |_, stream| {
        send(stream, "307 Temporary Redirect", &[&format!("location: {address}")], b"");
    });
    redirecting.check(&["--header", "X-Key: not-a-real-key"]);
    let address = stranger.address();
    let naming = Server::start(move |_, stream| {
        let event = format!("event: endpoint\ndata: {address}\n\n");
        send(stream, "200 OK", &["content-type: text/event-stream"], event.as_bytes());
    });
    let run = naming.check(&["--sse", "--header", "X-Key: not-a-real-key"]);
    assert!(run.message("http-unreachable").contains("leads to"), "{}", run.stdout);
    assert!(stranger.asked().is_empty());
}

#[test]
fn the_older_transport_answers_on_its_own_stream() {
    let events: Arc<Mutex<Option<TcpStream>>> = Arc::default();
    let server = Server::start(move |asked, stream| {
        if asked.line.starts_with("GET") {
            let head =
                b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nevent: endpoint\ndata: /post?id=7\n\n";
            let _ = stream.write_all(head);
            *events.lock().expect("no thread panics") = stream.try_clone().ok();
            let _ = stream.read(&mut [0]);
            return;
        }
        assert!(asked.line.starts_with("POST /post?id=7"));
        send(stream, "202 Accepted", &[], b"Accepted");
        if asked.message.get("id").is_some() {
            let mut events = events.lock().expect("no thread panics");
            let text = format!("event: message\ndata: {}\n\n", message(asked));
            let _ = events.as_mut().expect("a stream").write_all(text.as_bytes());
        }
    });
    let run = server.check(&["--sse"]);
    assert_eq!((run.code, run.report()["servers"][0]["tools"].clone()), (Some(0), json!(1)), "{}", run.stdout);
}

#[test]
fn entries_over_http_are_checked_where_it_is_asked_for() {
    let server = Server::start(answer);
    let entry = json!({ "mcpServers": { "far": {
        "type": "http", "url": server.address().replace("/mcp", "/${MCP_PATH}"),
        "headers": { "X-Key": "${PARCEL_KEY}" }
    } } });
    let folder = folder_with(".mcp.json", &entry.to_string());
    let skipped = run(folder.path(), &["check", "--json"]);
    assert_eq!(skipped.report()["servers"][0]["outcome"], "skipped");
    assert!(skipped.message("server-skipped").contains("--http"));
    let mut command = command(folder.path());
    command.args(["check", "--json", "--http"]).env("MCP_PATH", "mcp").env("PARCEL_KEY", "not-a-real-key");
    let run = finished(command.output().expect("the binary starts"));
    assert_eq!(run.report()["servers"][0]["outcome"], "checked", "{}", run.stdout);
    assert!(server.asked().iter().all(|asked| asked.header("x-key") == Some("not-a-real-key")));
    assert!(!run.stdout.contains("not-a-real-key"));
}

#[test]
fn where_nobody_answers_the_check_cannot_be_carried_out() {
    let folder = folder();
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    for (address, part) in [
        (format!("http://{closed}/"), "nobody listens"),
        ("http://no-such-host.invalid/".to_owned(), "not known"),
        ("ftp://example.com/".to_owned(), "unknown scheme"),
        ("server.js".to_owned(), "check -- server.js"),
    ] {
        let run = run(folder.path(), &["check", &address]);
        assert_eq!(run.code, Some(2), "{address}");
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
}

#[test]
fn no_key_is_quoted_however_a_server_sends_it_back() {
    let echo = |asked: &Asked, stream: &mut TcpStream| {
        let all = format!("refused: {} {:?}", asked.line, asked.headers);
        send(stream, "403 Forbidden", &[], all.as_bytes());
    };
    let server = Server::start(echo);
    let key = "k3y-".repeat(100);
    let folder = folder();
    let address = format!("http://someuser:pass%2Fword@127.0.0.1:{}/mcp?key=QUERY%2FVALUE&BAREVALUE", server.port);
    let header = format!("X-Key: {key}");
    for format in ["text", "json", "markdown", "sarif", "github"] {
        let run = run(folder.path(), &["check", &address, "--no-probe", "--format", format, "--header", &header]);
        assert!(run.stdout.contains("403"), "{}", run.stdout);
        // The last is the base64 of `someuser`.
        for part in ["k3y-k3y-", "QUERY", "BAREVALUE", "someuser", "pass", "c29tZXVzZX"] {
            assert!(!run.stdout.contains(part) && !run.stderr.contains(part), "{format} {part}: {}", run.stdout);
        }
    }
    for words in [
        &["check", "http://x/", "--header", "Authorization Bearer S3CRET"][..],
        &["check", "user:S3CRET@host/mcp?k=S3CRET"],
    ] {
        let run = run(folder.path(), words);
        assert_eq!(run.code, Some(2));
        assert!(!run.stderr.contains("S3CRET"), "{}", run.stderr);
    }
}
