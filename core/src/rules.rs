//! The rules. Adding one is two files in `rules/` and one word in the list below.

use crate::finding::Level;
use crate::rule::{Basis, Check, Rule};

/// What most rules need.
mod prelude {
    pub(super) use std::collections::{BTreeMap, HashMap, HashSet};

    pub(super) use crate::config::{ConfigFile, Transport};
    pub(super) use crate::document::{Oddity, Value};
    pub(super) use crate::drift::What;
    pub(super) use crate::finding::Level;
    pub(super) use crate::keywords::shown;
    pub(super) use crate::refs::{Resolution, Resolver};
    pub(super) use crate::rule::{Basis, Check, Out, Rule};
    pub(super) use crate::site::{Kind, Site};
    pub(super) use crate::snapshot::Purpose;
    pub(super) use crate::text::{
        closest, count, excerpt, exited, fold, grouped, last_words, list, seconds, visible, words,
    };
    pub(super) use crate::transcript::{
        BOM, Body, Message, Role, Shape, Transcript, error_of, error_words, request_words, role,
    };
    pub(super) use crate::view::{Call, Run, Server, Tool, answer_site};
    pub(super) use crate::walk::{Argument, Root, SchemaNode};
}

macro_rules! rules {
    ($($name:ident),* $(,)?) => {
        $(
            #[allow(unreachable_pub, reason = "a rule file reads alike wherever it stands")]
            mod $name;
        )*
        /// Every rule, in the order of the catalogue.
        pub static ALL: &[&Rule] = &[$(&$name::RULE),*];
    };
}

rules![
    stdout_not_jsonrpc,
    stdout_glued,
    message_multiline,
    framing_content_length,
    stdout_not_utf8,
    stdout_bom,
    stdout_crlf,
    message_before_initialize,
    json_not_portable,
    server_not_started,
    server_exited,
    server_no_answer,
    http_unreachable,
    http_content_type,
    http_notification_status,
    http_origin_unchecked,
    http_session_kept,
    initialize_failed,
    initialize_invalid,
    protocol_version_refused,
    tools_list_failed,
    capability_tools_missing,
    capability_unanswered,
    tools_beyond_first_page,
    cursor_endless,
    listing_order_unstable,
    listing_unstable,
    listing_depends_on_client,
    discover_breaks_server,
    discover_missing,
    result_type_missing,
    cache_hints_missing,
    server_request_forbidden,
    version_error_missing,
    eras_disagree,
    message_invalid,
    shutdown_ignored,
    server_skipped,
    name_missing,
    schema_missing,
    schema_not_object,
    schema_invalid,
    boolean_schema,
    field_null,
    field_type_invalid,
    name_invalid,
    name_duplicate,
    name_not_portable,
    name_too_long_prefixed,
    name_leading_digit,
    names_alike,
    names_collide,
    name_shared_across_servers,
    server_name_unsafe,
    argument_name_invalid,
    description_missing,
    description_empty,
    description_short,
    description_long,
    description_truncated,
    description_duplicate,
    descriptions_alike,
    argument_description_missing,
    argument_type_missing,
    argument_open_object,
    enum_unexplained,
    date_format_missing,
    nullable_keyword,
    default_invalid,
    additional_properties_open,
    instructions_long,
    required_unknown,
    schema_unsatisfiable,
    root_combinator,
    array_items_missing,
    ref_dangling,
    ref_external,
    ref_recursive,
    ref_unsupported,
    ref_siblings,
    type_list,
    enum_not_portable,
    keyword_unsupported,
    pattern_lookaround,
    pattern_not_portable,
    schema_too_deep,
    schema_large,
    schema_dialect,
    properties_missing,
    format_nonstandard,
    strict_required_incomplete,
    strict_additional_properties,
    strict_keyword_unsupported,
    strict_format_unsupported,
    strict_limits,
    annotations_missing,
    annotation_contradicts,
    x_mcp_header_invalid,
    prompt_invalid,
    prompt_duplicate,
    prompt_argument_description_missing,
    resource_invalid,
    resource_uri_invalid,
    resource_duplicate,
    resource_template_invalid,
    hidden_characters,
    description_instructs,
    meta_key_reserved,
    too_many_tools,
    listing_large,
    output_schema_not_object,
    output_schema_uncompilable,
    output_schema_empty,
    result_text_missing,
    result_structured_missing,
    result_structured_invalid,
    result_text_mismatch,
    result_call_failed,
    tool_removed,
    argument_removed,
    argument_now_required,
    argument_narrowed,
    output_widened,
    annotation_weakened,
    description_changed,
    config_invalid,
    config_wrong_key,
    config_duplicate_server,
    config_no_servers,
    config_bom,
    config_windows_command,
    config_windows_only,
    config_docker_flags,
    config_variable_unset,
    config_unpinned,
    config_secret,
    config_transport_deprecated,
];

/// Stands for a rule that failed; not in the list, since nothing can make it look.
pub(crate) static INTERNAL: Rule = Rule {
    id: "internal-error",
    summary: "a rule of mcp-lint itself failed",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: "# internal-error\n\n## Why\n\nThe other rules are not affected, but this server was not judged by this one.\n\n## Fix\n\nPlease report it, with the tool definition that caused it.\n",
    check: Check::Server(|_, _| {}),
};

/// Whether a rule looks at all servers of a run together.
#[must_use]
pub fn is_of_run(id: &str) -> bool {
    find(id).is_some_and(|rule| matches!(rule.check, Check::Run(_)))
}

/// Whether a rule looks at what changed since a former listing.
#[must_use]
pub fn is_of_changes(id: &str) -> bool {
    find(id).is_some_and(|rule| matches!(rule.check, Check::Change(_)))
}

/// A rule by its id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.id == id)
}
