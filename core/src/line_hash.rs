//! GitHub's hash of a line: what code scanning knows an alert by when the lines above it move.
//!
//! A line is hashed together with what follows it, up to a hundred characters without blanks, so a hash
//! changes when the text just below its line does. Lines that hash alike are numbered.

use std::collections::HashMap;

/// How many characters go into a hash.
const WINDOW: usize = 100;
/// What each character is multiplied by.
const BASE: u64 = 37;
/// Stands behind the last character of a file, and is hashed like one.
const END: u16 = 0xffff;

/// The hashes of all lines of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineHashes {
    /// Hash and number of each line.
    lines: Vec<(u64, u32)>,
}

impl LineHashes {
    /// Hashes every line of a text, in time that grows with the text alone.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let (units, starts) = squeezed(text);
        let mut seen: HashMap<u64, u32> = HashMap::new();
        let lines = starts.into_iter().map(|start| {
            let hash = window(&units[start..]);
            let number = seen.entry(hash).or_default();
            *number += 1;
            (hash, *number)
        });
        Self { lines: lines.collect() }
    }

    /// The hash of a line, counted from 1, as GitHub writes it.
    #[must_use]
    pub fn line(&self, line: u32) -> Option<String> {
        let at = usize::try_from(line).ok()?.checked_sub(1)?;
        self.lines.get(at).map(|(hash, number)| format!("{hash:x}:{number}"))
    }

    /// How many lines there are; the empty one behind a last line break counts.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lines.len()
    }
}

/// The text in UTF-16 units without spaces and tabs, with one form of line break and an end; and where each
/// line starts in it.
fn squeezed(text: &str) -> (Vec<u16>, Vec<usize>) {
    let mut units = Vec::with_capacity(text.len() + 1);
    let mut starts = Vec::new();
    let mut at_start = true;
    let mut after_return = false;
    for unit in text.encode_utf16().chain([END]) {
        let is_blank = unit == u16::from(b' ') || unit == u16::from(b'\t');
        let ends_return = after_return && unit == u16::from(b'\n');
        after_return = unit == u16::from(b'\r');
        if is_blank || ends_return {
            continue;
        }
        if at_start {
            starts.push(units.len());
        }
        let unit = if after_return { u16::from(b'\n') } else { unit };
        at_start = unit == u16::from(b'\n');
        units.push(unit);
    }
    (units, starts)
}

/// A window that the text does not fill is filled up with zeros.
fn window(units: &[u16]) -> u64 {
    let padded = units.iter().copied().chain(std::iter::repeat(0));
    padded.take(WINDOW).fold(0, |hash: u64, unit| hash.wrapping_mul(BASE).wrapping_add(u64::from(unit)))
}

#[cfg(test)]
mod tests {
    use super::LineHashes;

    fn hashes(text: &str) -> Vec<String> {
        let all = LineHashes::of(text);
        (1..).map_while(|line| all.line(line)).collect()
    }

    #[test]
    fn an_empty_file_has_one_line() {
        assert_eq!(hashes(""), ["c129715d7a2bc9a3:1"]);
    }

    #[test]
    fn blanks_do_not_count() {
        let expected = ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"];
        assert_eq!(hashes(" a\nb\n  \t\tc\n d"), expected);
        assert_eq!(hashes("a \n\tb\nc\nd"), expected);
    }

    #[test]
    fn empty_lines_are_lines() {
        let expected = [
            "8b7cf3e952e7aeb2:1",
            "b1ae1287ec4718d9:1",
            "bff680108adb0fcc:1",
            "c6805c5e1288b612:1",
            "b86d3392aea1be30:1",
            "e6ceba753e1a442:1",
        ];
        assert_eq!(hashes(" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End"), expected);
    }

    #[test]
    fn line_breaks_come_in_three_forms() {
        let expected = [
            "e9496ae3ebfced30:1",
            "fb7c023a8b9ccb3f:1",
            "ce8ba1a563dcdaca:1",
            "e20e36e16fcb0cc8:1",
            "b3edc88f2938467e:1",
            "c8e28b0b4002a3a0:1",
            "c129715d7a2bc9a3:1",
        ];
        assert_eq!(hashes(" hello; \t\r\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n"), expected);
    }

    #[test]
    fn a_file_hashes_alike_with_either_line_break() {
        let unix = "{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n";
        assert_eq!(hashes(unix), hashes(&unix.replace('\n', "\r\n")));
        assert_eq!(hashes(unix), hashes(&unix.replace('\n', "\r")));
    }

    #[test]
    fn a_blank_between_return_and_line_feed_makes_two_lines() {
        assert_eq!(LineHashes::of("a\r\nb").count(), 2);
        assert_eq!(LineHashes::of("a\r \nb").count(), 3);
    }

    #[test]
    fn lines_that_hash_alike_are_numbered() {
        let expected = [
            "a7f2ff13bc495cf2:1",
            "a7f2ff13bc495cf2:2",
            "a7f2ff13bc495cf2:3",
            "a7f2ff13bc495cf2:4",
            "a7f2ff13bc495cf2:5",
            "a7f2ff13bc495cf2:6",
            "a7f2ff1481e87703:1",
            "a9cf91f7bbf1862b:1",
            "55ec222b86bcae53:1",
            "cc97dc7b1d7d8f7b:1",
            "c129715d7a2bc9a3:1",
        ];
        assert_eq!(hashes(&"Lorem ipsum dolor sit amet.\n".repeat(10)), expected);
    }

    #[test]
    fn equal_lines_differ_by_what_follows() {
        let expected = [
            "e54938cc54b302f1:1",
            "bb609acbe9138d60:1",
            "1131fd5871777f34:1",
            "5c482a0f8b35ea28:1",
            "54517377da7028d2:1",
            "2c644846cb18d53e:1",
            "f1b89f20de0d133:1",
            "c129715d7a2bc9a3:1",
        ];
        assert_eq!(hashes("x = 2\nx = 1\nprint(x)\nx = 3\nprint(x)\nx = 4\nprint(x)\n"), expected);
    }

    /// Horner's rule over UTF-16 units, by hand: an emoji is two of them, a byte order mark one.
    #[test]
    fn characters_outside_the_basic_plane_are_two_units() {
        let by_hand = |units: &[u64]| {
            let padded = units.iter().copied().chain(std::iter::repeat_n(0, 100 - units.len()));
            format!("{:x}:1", padded.fold(0_u64, |hash, unit| hash.wrapping_mul(37).wrapping_add(unit)))
        };
        assert_eq!(hashes("🦀"), [by_hand(&[0xd83e, 0xdd80, 0xffff])]);
        assert_eq!(hashes("\u{feff}{"), [by_hand(&[0xfeff, 0x7b, 0xffff])]);
    }

    #[test]
    fn there_is_no_line_zero_and_none_behind_the_last() {
        let hashes = LineHashes::of("a\n");
        assert_eq!((hashes.line(0), hashes.line(3), hashes.count()), (None, None, 2));
    }
}
