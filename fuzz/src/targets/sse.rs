use mcp_lint_core::sse::{Event, Reader};

use crate::Dice;
use crate::growth::is_linear;

/// Event streams: however the bytes are cut, the events are the same.
pub fn sse(data: &[u8]) {
    let whole = events([data]);
    assert_eq!(events(data.chunks(1)), whole, "byte by byte");
    let mut dice = Dice::of(data);
    for _ in 0..4 {
        let mut rest = data;
        let pieces = std::iter::from_fn(|| {
            let (piece, behind) = rest.split_at(dice.below(rest.len() + 1).max(1).min(rest.len()));
            rest = behind;
            (!piece.is_empty()).then_some(piece)
        });
        assert_eq!(events(pieces), whole);
    }
    let size: usize = whole.0.iter().map(|event| event.name.len() + event.data.len()).sum();
    assert!(size + whole.1 <= data.len(), "more than was sent");
    is_linear(data, |data| drop(events(data.chunks(7))));
}

/// The events, and how many bytes wait for more.
fn events<'d>(pieces: impl IntoIterator<Item = &'d [u8]>) -> (Vec<Event>, usize) {
    let (mut reader, mut events) = (Reader::default(), Vec::new());
    for piece in pieces {
        reader.take(piece, |event| events.push(event));
    }
    (events, reader.pending())
}
