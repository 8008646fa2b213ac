//! That work grows no faster than the input: it is done for an input made longer, and for one four times as
//! long. Only a fuzz run measures time; a test does not.

use std::time::Duration;

use mcp_lint_core::document::{Dialect, Document, Value};
use rustix::time::{ClockId, clock_gettime};

use crate::Dice;

/// Bytes of the shorter input.
const SHORT: usize = 16_384;
/// How many times as long the other one is.
const TIMES: usize = 4;
/// Below this, nothing is said: the clock and the caches decide.
const NOTICEABLE: Duration = Duration::from_millis(60);
/// From this on work grows too fast. Linear work takes 4 times as long, quadratic work 16 times.
const TOO_MUCH: f64 = 10.0;

/// Does the work for longer inputs, for one input in eight, and panics where it grows too fast.
pub(crate) fn is_linear(data: &[u8], work: impl Fn(&[u8])) {
    let mut dice = Dice::of(data);
    if !cfg!(fuzzing) || data.is_empty() || data.len() > SHORT || dice.below(8) > 0 {
        return;
    }
    let way = Way::of(data, &mut dice);
    let (short, long) = (way.grown(SHORT), way.grown(SHORT * TIMES));
    let ratio = |tries: usize| {
        let long = (0..tries).map(|_| time(&long, &work)).min().unwrap_or_default();
        let short = (0..tries).map(|_| time(&short, &work)).min().unwrap_or_default();
        let is_noticed = long > NOTICEABLE;
        if is_noticed { long.as_secs_f64() / short.as_secs_f64().max(1e-4) } else { 0.0 }
    };
    if ratio(1) > TOO_MUCH {
        let sure = ratio(4);
        let shown = String::from_utf8_lossy(&short[..short.len().min(300)]);
        assert!(sure <= TOO_MUCH, "{TIMES} times the input takes {sure:.0} times the time: {shown}");
    }
}

fn time(data: &[u8], work: &impl Fn(&[u8])) -> Duration {
    let now = || {
        let now = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(u64::try_from(now.tv_sec).unwrap_or_default(), u32::try_from(now.tv_nsec).unwrap_or_default())
    };
    let start = now();
    work(data);
    now() - start
}

/// A way to make an input longer: a piece of it is repeated where it stands.
struct Way {
    before: Vec<u8>,
    piece: Piece,
    behind: Vec<u8>,
}

enum Piece {
    /// As it is.
    Plain(Vec<u8>),
    /// With a number in the middle.
    Numbered(Vec<u8>, Vec<u8>),
}

impl Way {
    fn of(data: &[u8], dice: &mut Dice) -> Self {
        if dice.below(3) > 0
            && let Some(way) = Self::of_json(data, dice)
        {
            return way;
        }
        let start = if dice.below(3) == 0 { 0 } else { dice.below(data.len()) };
        let end = if dice.below(2) == 0 { data.len() } else { (start + 1 + dice.below(64)).min(data.len()) };
        Self::plain(data, start, end)
    }

    fn plain(data: &[u8], start: usize, end: usize) -> Self {
        let piece = Piece::Plain(data[start..end].to_vec());
        Self { before: data[..start].to_vec(), piece, behind: data[end..].to_vec() }
    }

    /// Repeats an item or a member, the one with its comma and the other with another key each time.
    fn of_json(data: &[u8], dice: &mut Dice) -> Option<Self> {
        let open = data.iter().position(|byte| matches!(byte, b'{' | b'['))?;
        // A fault of the text is where the JSON may end and something else begin.
        let text = std::str::from_utf8(&data[open..]).ok()?;
        let document = Document::parse(text, Dialect::STRICT).ok().or_else(|| {
            let error = Document::parse(text, Dialect::STRICT).err()?;
            Document::parse(text.get(..error.offset as usize)?.trim_end(), Dialect::STRICT).ok()
        })?;
        let (mut places, mut rest) = (Vec::new(), vec![document.root()]);
        while let Some(value) = rest.pop() {
            places.extend(value.items().map(|item| (None, item)));
            let names = value.members().filter_map(|(key, member)| Some((value.key_span(key)?, member)));
            // A repeated key has the place of the last one.
            let names = names.filter(|(key, member)| key.end <= member.span().start);
            let names = names.map(|(key, member)| (Some(key), member));
            places.extend(names);
            rest.extend(value.items().chain(value.members().map(|(_, member)| member)));
        }
        let (key, value) = *dice.pick(&places)?;
        let end = open + value.span().end as usize;
        let start = open + key.map_or(value.span().start, |key| key.start) as usize;
        let number = match key {
            Some(key) => Some(open + key.end as usize - 1),
            // Of two items, one may have a name of its own.
            None => value.get("name").filter(|_| dice.below(2) == 0).and_then(name_end).map(|at| open + at),
        };
        let comma = |piece: &[u8]| [b",", piece].concat();
        let piece = match number {
            Some(at) if at >= start => Piece::Numbered(comma(&data[start..at]), data[at..end].to_vec()),
            _ => Piece::Plain(comma(&data[start..end])),
        };
        Some(Self { before: data[..end].to_vec(), piece, behind: data[end..].to_vec() })
    }

    fn grown(&self, most: usize) -> Vec<u8> {
        let mut data = self.before.clone();
        let mut number = 0;
        while data.len() + self.behind.len() < most {
            match &self.piece {
                Piece::Plain(piece) => data.extend_from_slice(piece),
                Piece::Numbered(start, end) => {
                    data.extend_from_slice(start);
                    data.extend_from_slice(format!("{number:05}").as_bytes());
                    data.extend_from_slice(end);
                }
            }
            number += 1;
        }
        [data, self.behind.clone()].concat()
    }
}

/// Where the text of a name ends, in its document.
fn name_end(name: Value<'_>) -> Option<usize> {
    name.as_str().map(|_| name.span().end as usize - 1)
}
