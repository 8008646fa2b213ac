//! GitHub: the event of a run, and what is published for it. The only part that knows octocrab.

pub(crate) mod api;
pub(crate) mod baseline;
pub(crate) mod check_run;
pub(crate) mod code_scanning;
pub(crate) mod event;
