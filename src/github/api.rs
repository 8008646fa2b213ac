//! GitHub's API: requests with bounds, and repeats that cannot do a thing twice.

use std::time::Duration;

use anyhow::Context;
use mcp_lint_core::text::excerpt;
use octocrab::Octocrab;
use serde_json::Value;

/// Longest answer that is read, in bytes.
const LONGEST_ANSWER: usize = 8 << 20;

/// Most characters of GitHub's words that are quoted.
const LONGEST_MESSAGE: usize = 1_000;

/// How often a request is made at most.
const TRIES: u32 = 4;

/// Wait before the first repeat; it doubles with each.
const FIRST_WAIT: Duration = Duration::from_secs(1);

/// Longest wait that GitHub may ask for before the job goes on without it.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// A connection to one API, as one user.
pub(crate) struct Api {
    octocrab: Octocrab,
    /// Kept out of what is quoted: a proxy may send back what it was sent.
    token: String,
    timeout: Duration,
}

/// Why a request was not granted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// GitHub answered, and said no.
    #[error("GitHub answered {status} to {request}: {message}")]
    Answered { status: u16, request: String, message: String },
    /// No whole answer came.
    #[error("no answer to {request}: {what}")]
    Unanswered { request: String, what: String },
}

impl Refusal {
    /// The status, where GitHub answered.
    pub(crate) fn status(&self) -> Option<u16> {
        match self {
            Self::Answered { status, .. } => Some(*status),
            Self::Unanswered { .. } => None,
        }
    }
}

/// A request.
#[derive(Clone, Copy)]
pub(crate) enum Request<'a> {
    Get,
    Post(&'a Value),
    Patch(&'a Value),
    Put(&'a Value),
}

/// How one try ended.
enum Try {
    Done(Value),
    /// It was refused for now and did nothing: it can be made again, after a wait.
    Later(Option<Duration>, Refusal),
    /// It may have been carried out.
    Unsure(Refusal),
    Refused(Refusal),
}

impl Api {
    /// A connection. Must be made inside a runtime.
    ///
    /// # Errors
    /// When the address is none, or TLS cannot be set up.
    pub(crate) fn new(address: &str, token: String, timeout: Duration) -> anyhow::Result<Self> {
        let client = crate::client::builder()
            .connect_timeout(timeout)
            .timeout(timeout)
            .redirect(reqwest::redirect::Policy::limited(3))
            .build()
            .context("cannot set up TLS")?;
        let octocrab = Octocrab::builder()
            .base_uri(address)
            .ok()
            .with_context(|| format!("the API's address {address:?} is none"))?
            .user_access_token(token.clone())
            .build_with_reqwest(client)
            .context("cannot set up the connection to GitHub")?;
        Ok(Self { octocrab, token, timeout })
    }

    /// Makes a request that does the same when it is made twice.
    ///
    /// # Errors
    /// When it is refused, or not answered after several tries.
    pub(crate) async fn send(&self, request: Request<'_>, route: &str) -> Result<Value, Refusal> {
        self.send_once(request, route, async || None).await
    }

    /// Makes a request that must not be carried out twice: before it is repeated, `done` looks whether it was
    /// carried out after all, and gives its answer.
    ///
    /// # Errors
    /// When it is refused, or not answered after several tries.
    pub(crate) async fn send_once(
        &self,
        request: Request<'_>,
        route: &str,
        done: impl AsyncFn() -> Option<Value>,
    ) -> Result<Value, Refusal> {
        let mut wait = FIRST_WAIT;
        let mut tries = 0;
        loop {
            tries += 1;
            let (pause, refusal, is_unsure) = match self.attempt(request, route).await {
                Try::Done(answer) => return Ok(answer),
                Try::Refused(refusal) => return Err(refusal),
                Try::Later(asked, refusal) => (asked.unwrap_or(wait), refusal, false),
                Try::Unsure(refusal) => (wait, refusal, true),
            };
            if tries == TRIES || pause > LONGEST_WAIT {
                return Err(refusal);
            }
            tracing::debug!("{refusal}; once more in {pause:?}");
            tokio::time::sleep(pause).await;
            if is_unsure && let Some(answer) = done().await {
                return Ok(answer);
            }
            wait *= 2;
        }
    }

    async fn attempt(&self, request: Request<'_>, route: &str) -> Try {
        let named = format!("{} {route}", request.method());
        let answer = tokio::time::timeout(self.timeout, self.exchange(request, route)).await;
        let unanswered = |what: String| Refusal::Unanswered { request: named.clone(), what };
        match answer {
            Err(_) => Try::Unsure(unanswered(format!("nothing within {} s", self.timeout.as_secs_f32()))),
            Ok(Err(error)) => Try::Unsure(unanswered(causes(&error))),
            Ok(Ok(answer)) => answer.judge(named, &self.token),
        }
    }

    async fn exchange(&self, request: Request<'_>, route: &str) -> anyhow::Result<Answer> {
        let response = match request {
            Request::Get => self.octocrab._get(route).await,
            Request::Post(body) => self.octocrab._post(route, Some(body)).await,
            Request::Patch(body) => self.octocrab._patch(route, Some(body)).await,
            Request::Put(body) => self.octocrab._put(route, Some(body)).await,
        }?;
        let status = response.status().as_u16();
        let wait = asked_wait(response.headers());
        let body = http_body_util::Limited::new(response.into_body(), LONGEST_ANSWER);
        let bytes = http_body_util::BodyExt::collect(body).await.map_err(anyhow::Error::from_boxed)?.to_bytes();
        Ok(Answer { status, wait, body: serde_json::from_slice(&bytes).ok() })
    }
}

impl Request<'_> {
    fn method(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post(_) => "POST",
            Self::Patch(_) => "PATCH",
            Self::Put(_) => "PUT",
        }
    }
}

struct Answer {
    status: u16,
    /// How long GitHub asks to wait, if it says.
    wait: Option<Duration>,
    body: Option<Value>,
}

impl Answer {
    fn judge(self, request: String, token: &str) -> Try {
        let status = self.status;
        if (200..300).contains(&status) {
            return match self.body {
                Some(body) => Try::Done(body),
                None => Try::Unsure(Refusal::Unanswered { request, what: "the answer is not JSON".to_owned() }),
            };
        }
        let said = self.body.as_ref().and_then(|body| body.get("message")).and_then(Value::as_str).unwrap_or_default();
        let message = if said.is_empty() { "no reason given" } else { said };
        let is_limited = status == 429 || (status == 403 && (self.wait.is_some() || said.contains("rate limit")));
        let message = excerpt(message, LONGEST_MESSAGE * 2).replace(token, "[redacted]");
        let refusal = Refusal::Answered { status, request, message: excerpt(&message, LONGEST_MESSAGE) };
        match status {
            _ if is_limited => Try::Later(self.wait, refusal),
            500.. => Try::Unsure(refusal),
            _ => Try::Refused(refusal),
        }
    }
}

/// `retry-after` in seconds, or the time until the limit starts anew where nothing is left of it.
#[expect(clippy::disallowed_methods, reason = "GitHub names a time of day, and the wait is bounded all the same")]
fn asked_wait(headers: &reqwest::header::HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.parse::<i64>().ok();
    let seconds = match number("retry-after") {
        Some(seconds) => seconds,
        None if number("x-ratelimit-remaining") == Some(0) => {
            number("x-ratelimit-reset")? - jiff::Timestamp::now().as_second()
        }
        None => return None,
    };
    Some(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)))
}

/// An error with its causes, in one line; octocrab's own words alone say little.
fn causes(error: &anyhow::Error) -> String {
    let mut lines: Vec<String> = error.chain().map(ToString::to_string).collect();
    lines.dedup();
    lines.join(": ")
}
