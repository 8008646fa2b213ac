//! The subcommands, one file each.

use crate::args::Command;

mod baseline;
mod check;
mod demo;
mod diff;
mod merge;
mod report;
mod result;
mod rules;

pub(crate) use rules::explanation;

/// Runs a subcommand; gives the exit code.
pub(crate) fn run(command: Command) -> anyhow::Result<u8> {
    match command {
        Command::Check(check) => check::run(&check),
        Command::Baseline(action) => baseline::run(&action),
        Command::Demo(output) => demo::run(&output),
        Command::DemoServer => demo::serve(),
        Command::Diff(diff) => diff::run(&diff),
        Command::Merge(merge) => merge::run(&merge),
        Command::Report(report) => report::run(&report),
        Command::Result(result) => result::run(&result),
        Command::Rules { id } => rules::run(id.as_deref()),
    }
}
