//! Code scanning: the SARIF file, sent, and what GitHub made of it.

use std::io::Write;
use std::time::Duration;

use base64::Engine;
use serde_json::{Value, json};

use super::api::{Api, Refusal, Request};
use super::event::Event;

/// When to ask whether the file was processed: seconds after the one before. GitHub's own uploader asks as
/// often and then lets it be.
const ASK_AFTER: [u64; 5] = [5, 10, 20, 40, 80];

/// Largest file that GitHub takes, in bytes, compressed.
const LARGEST: usize = 10 << 20;

/// What became of an upload.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Upload {
    Processed,
    /// It was taken; what came of it is not known yet.
    Pending,
    /// It was taken and then thrown away, for these reasons.
    Failed(Vec<String>),
    TooLarge(usize),
}

/// Uploads a SARIF file for the commit that was checked, and waits for the verdict; `pace` is the length of a
/// second.
///
/// # Errors
/// When GitHub does not take it.
pub(crate) async fn upload(api: &Api, event: &Event, sarif: &str, pace: Duration) -> Result<Upload, Refusal> {
    let packed = pack(sarif);
    if packed.len() > LARGEST {
        return Ok(Upload::TooLarge(packed.len()));
    }
    let route = format!("/repos/{}/{}/code-scanning/sarifs", event.repository.owner, event.repository.name);
    let body = json!({
        "commit_sha": event.commit_sha,
        "ref": event.git_ref,
        "sarif": base64::engine::general_purpose::STANDARD.encode(packed),
        "tool_name": "mcp-lint",
    });
    // The same file for the same commit twice is one analysis: it can be sent again.
    let taken = api.send(Request::Post(&body), &route).await?;
    let Some(id) = taken.get("id").and_then(Value::as_str).filter(|id| is_id(id)) else {
        return Ok(Upload::Pending);
    };
    let route = format!("{route}/{id}");
    for seconds in ASK_AFTER {
        tokio::time::sleep(pace.saturating_mul(u32::try_from(seconds).unwrap_or(u32::MAX))).await;
        let Ok(status) = api.send(Request::Get, &route).await else { continue };
        match status.get("processing_status").and_then(Value::as_str) {
            Some("complete") => return Ok(Upload::Processed),
            Some("failed") => return Ok(Upload::Failed(errors(&status))),
            _ => {}
        }
    }
    Ok(Upload::Pending)
}

fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= 100 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn errors(status: &Value) -> Vec<String> {
    let errors = status.get("errors").and_then(Value::as_array).into_iter().flatten();
    errors.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// gzip, as the API wants it; writing to memory does not fail.
fn pack(text: &str) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    match packer.write_all(text.as_bytes()) {
        Ok(()) => packer.finish().unwrap_or_default(),
        Err(_) => Vec::new(),
    }
}
