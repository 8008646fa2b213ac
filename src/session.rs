//! A session with a server: the launches in which it is asked what a client asks.

use mcp_lint_core::protocol::NEWEST_WITH_HANDSHAKE;
use mcp_lint_core::snapshot::{Launch, Outcome, Purpose, Snapshot};
use tokio::sync::watch;

use crate::conversation::{Conversation, Phase, Plan, Server, Told};
use crate::declared::{Declared, Protocol};

/// Starts or reaches a server, asks what a client asks, and stops it: as often as there are ways to start a
/// conversation, since no launch can tell both.
pub(crate) async fn examine(
    server: &Server,
    plan: Plan,
    interrupt: watch::Receiver<bool>,
    mut phase: impl FnMut(Phase),
) -> Snapshot {
    let mut snapshot = match plan.protocol {
        Protocol::Auto => either_way(server, plan, &interrupt, &mut phase).await,
        Protocol::Legacy(revision) => greeted(server, plan, revision, &interrupt, &mut phase).await.launch.into(),
        Protocol::Modern => modern(server, plan, &interrupt, true, &mut phase).await.launch.into(),
    };
    if !plan.declared.is_empty() && was_listed(&snapshot.main) && !*interrupt.borrow() {
        phase(Phase::Comparing);
        let plan = Plan { declared: Declared::default(), call: false, ..plan };
        let undeclared = if snapshot.main.is_modern() {
            modern(server, plan, &interrupt, true, &mut |_| {}).await
        } else {
            greeted(server, plan, plan.protocol.offered(), &interrupt, &mut |_| {}).await
        };
        snapshot.undeclared = Some(undeclared.launch);
    }
    snapshot
}

/// With a handshake first; then as newer clients start, which is all there is where the handshake is refused.
async fn either_way(
    server: &Server,
    plan: Plan,
    interrupt: &watch::Receiver<bool>,
    phase: &mut impl FnMut(Phase),
) -> Snapshot {
    let Told { launch: main, is_refused, .. } = greeted(server, plan, NEWEST_WITH_HANDSHAKE, interrupt, phase).await;
    let goes_on = main.overflow.is_none() && !*interrupt.borrow();
    if is_refused && goes_on {
        let other = modern(server, plan, interrupt, true, phase).await;
        return if other.is_understood {
            Snapshot { refused: Some(main), ..other.launch.into() }
        } else {
            Snapshot { probe: Some(other.launch), ..main.into() }
        };
    }
    let probe = if plan.probe && was_listed(&main) && goes_on {
        phase(Phase::Probing);
        Some(modern(server, plan, interrupt, false, &mut |_| {}).await.launch)
    } else {
        None
    };
    Snapshot { probe, ..main.into() }
}

/// A launch with a handshake.
async fn greeted(
    server: &Server,
    plan: Plan,
    revision: &str,
    interrupt: &watch::Receiver<bool>,
    phase: &mut impl FnMut(Phase),
) -> Told {
    phase(Phase::Starting);
    match Conversation::start(server, plan, interrupt.clone()) {
        Ok(conversation) => conversation.greet_and_list(revision, phase).await,
        Err(failure) => Told::nothing(failure),
    }
}

/// A launch without a handshake; where it is the only one, everything is asked.
async fn modern(
    server: &Server,
    plan: Plan,
    interrupt: &watch::Receiver<bool>,
    is_only: bool,
    phase: &mut impl FnMut(Phase),
) -> Told {
    phase(Phase::Starting);
    match Conversation::start(server, plan, interrupt.clone()) {
        Ok(conversation) => conversation.discover_and_list(is_only, phase).await,
        Err(failure) => Told::nothing(failure),
    }
}

fn was_listed(launch: &Launch) -> bool {
    let is_answer = |outcome| matches!(outcome, Outcome::Answered(_));
    launch.exchanges.iter().any(|exchange| exchange.purpose == Purpose::Tools(0) && is_answer(exchange.outcome))
}
