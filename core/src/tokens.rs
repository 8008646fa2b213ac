//! Counting tokens.

use tiktoken_rs::o200k_base_singleton;

/// Tokens of OpenAI's o200k vocabulary. No vendor publishes one for Claude or Gemini, so for those the
/// number is an estimate. The first call loads the vocabulary, which takes about a third of a second.
#[must_use]
pub fn o200k(text: &str) -> usize {
    o200k_base_singleton().encode_ordinary(text).len()
}
