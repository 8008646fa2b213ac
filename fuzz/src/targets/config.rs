use mcp_lint_core::config::{ConfigFile, Transport};
use mcp_lint_core::judge::{Subject, judge, judge_config};
use mcp_lint_core::policy::Policy;

use super::{are_sound, head, is_span, policies, text};
use crate::growth::is_linear;

/// Configuration files: the first line is the path, the rest is the text. Every place that is named is one of
/// the file, and an entry that can be used has no fault.
pub fn config(data: &[u8]) {
    let text = text(data);
    let file = read(&text);
    for entry in &file.entries {
        let Ok(document) = &file.document else { panic!("an entry of no document") };
        is_span(document, entry.span);
        let value = file.value(&entry.pointer);
        assert!(value.is_some(), "{} leads nowhere", entry.pointer);
        if let Some(span) = entry.site(&file, &["command"]).span {
            is_span(document, span);
        }
        if let Some(command) = entry.command() {
            let (program, args, wrapped) = command.effective();
            assert!(command.program.contains(program) || command.args.iter().any(|arg| arg.contains(program)));
            assert_eq!(args.len() + wrapped, command.args.len());
        }
        let is_faulty = file.faults.iter().any(|fault| fault.server == entry.name && !fault.server.is_empty());
        let is_unusable = entry.transport == Transport::Unusable;
        assert!(!is_unusable || is_faulty || entry.name.is_empty(), "{} is unusable for no reason", entry.name);
    }
    for fault in &file.faults {
        assert!(fault.message.ends_with('.'), "{fault:?}");
        if let (Some(span), Ok(document)) = (fault.span, &file.document) {
            is_span(document, span);
        }
    }
    for policy in policies() {
        are_sound(&judge_config(&file, &policy));
        for entry in file.entries.iter().take(4) {
            let subject = Subject::Skipped("it is not looked at".to_owned());
            let verdict = judge(&entry.name, Some(entry), &subject, &policy);
            are_sound(&verdict.map(|verdict| verdict.findings).unwrap_or_default());
        }
    }
    is_linear(data, |data| {
        let text = super::text(data);
        let mut file = read(&text);
        // Every argument as a variable without a value.
        let unset = |nth: usize, text: &str| (text.to_owned(), format!("V{nth}"));
        let of = |nth: usize| -> Vec<(String, String)> {
            let args = file.entries[nth].command().map_or(&[][..], |command| &command.args);
            args.iter().enumerate().map(|(nth, arg)| unset(nth, arg)).collect()
        };
        if let Some(entry) = file.entries.first() {
            let (name, unset) = (entry.name.clone(), of(0));
            file.note_unset(&name, unset);
        }
        let _ = judge_config(&file, &Policy::default());
    });
}

fn read(text: &str) -> ConfigFile {
    let (path, text) = head(text);
    ConfigFile::read(path, text)
}
