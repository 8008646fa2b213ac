//! A server that outlives its stdin.

use super::prelude::*;
use crate::snapshot::Ending;

pub static RULE: Rule = Rule {
    id: "shutdown-ignored",
    summary: "the server keeps running when its stdin closes",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("shutdown_ignored.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(main) = server.main() else { return };
    // Who never answered is not in a state to stop, and whom we cut short was not asked to.
    if main.was_cut_short() || main.unanswered().is_some() || main.launch.exchanges.is_empty() {
        return;
    }
    let message = match main.launch.ending {
        Ending::AfterTerminate(_) => {
            "The server was still running 2 s after its stdin closed, and ended only on SIGTERM."
        }
        Ending::Killed => {
            "The server was still running after its stdin closed and after SIGTERM, and had to be killed."
        }
        _ => return,
    };
    out.report(Site::server(), message);
}
