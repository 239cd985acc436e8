//! Bytes to spans: the decoder that never stops. Malformed parts become garbage or damaged leaves
//! with a problem each, and reading goes on behind them wherever the format tells where that is.

mod payload;
mod remarks;
mod walk;

use crate::schema::{MessageId, Model};

use super::problem::Problem;
use super::readings::Choices;
use super::span::ByteSpan;
use super::value::MessageValue;
use super::{collect, span, text};
use walk::Walk;

/// Messages nested deeper than this are refused, as protobuf's own decoders do.
pub const MAX_DEPTH: u8 = 100;

/// A message's bytes, understood as far as they can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotated {
    /// The arena; see [`ByteSpan`].
    pub spans: Vec<ByteSpan>,
    /// By offset.
    pub problems: Vec<Problem>,
    /// Problems that make a decoder refuse the message.
    pub errors: usize,
    /// The values: last one wins, messages merged. With errors, the values that were whole.
    pub value: MessageValue,
    /// The type it was read as.
    pub message: Option<MessageId>,
}

/// Reads `bytes` as a message of that type, or by guesses without one.
///
/// Never fails: what is wrong stands in [`Annotated::problems`]. Takes time linear in the input (times the
/// nesting where types are guessed) and at most [`MAX_DEPTH`] levels of stack.
pub fn annotate(model: &Model, message: Option<MessageId>, bytes: &[u8]) -> Annotated {
    annotate_with(Some(model), message, bytes, &Choices::default())
}

/// The same without any schema.
///
/// ```
/// use wirebench_engine::wire;
/// let bytes = [0x08, 0x96, 0x01, 0x12, 0x02, b'h', b'i'];
/// let annotated = wire::annotate_raw(&bytes);
/// assert!(annotated.problems.is_empty());
/// let leaf = wire::leaf_at(&annotated.spans, 5).expect("every byte has a leaf");
/// assert_eq!(annotated.text(None, &bytes, leaf), "\"hi\"");
/// ```
pub fn annotate_raw(bytes: &[u8]) -> Annotated {
    annotate_with(None, None, bytes, &Choices::default())
}

/// The same, with the user's choices for fields the schema does not know.
pub fn annotate_with(
    model: Option<&Model>,
    message: Option<MessageId>,
    bytes: &[u8],
    choices: &Choices,
) -> Annotated {
    let typed = model.zip(message);
    let (spans, mut problems) = Walk::new(typed.map(|(model, _)| model), bytes, choices).whole(message);
    let value = collect::message(typed, bytes, &spans, &mut problems);
    let (problems, errors) = problems.finish(bytes.len());
    Annotated { spans, problems, errors, value, message }
}

/// Only the spans, for bytes known to be good.
pub(crate) fn spans_of(model: &Model, message: MessageId, bytes: &[u8]) -> Vec<ByteSpan> {
    Walk::new(Some(model), bytes, &Choices::default()).whole(Some(message)).0
}

impl Annotated {
    /// Whether a decoder that follows the specification accepts the bytes.
    pub fn is_valid(&self) -> bool {
        self.errors == 0
    }

    /// Where a span is: `samples[3].x`.
    pub fn path(&self, model: Option<&Model>, span: usize) -> String {
        span::path(model, &self.spans, span)
    }

    /// What a span says, in a few words.
    pub fn text(&self, model: Option<&Model>, bytes: &[u8], span: usize) -> String {
        text::of_span(model, bytes, &self.spans, span)
    }
}
