//! Decoding while tokens still arrive.

use super::Tokenizer;

/// Turns tokens into text one at a time. All that it returned, joined, is the text of [`Tokenizer::decode`] on all ids.
///
/// Decoding each token by itself does not do that. A token is a run of bytes, and a character may lie across two of
/// them. An emoji is four bytes; GPT-NeoX spells many of them with two tokens:
///
/// ```
/// use logit_lab_engine::tokenizer::StreamDecoder;
///
/// let tokens: [&[u8]; 3] = [b"Hi ", &[0xF0, 0x9F, 0x98], &[0x8A]];
///
/// // Token by token, each half is broken for itself:
/// let apart: String = tokens.iter().map(|bytes| String::from_utf8_lossy(bytes)).collect();
/// assert_eq!(apart, "Hi \u{FFFD}\u{FFFD}");
///
/// // The stream holds the first half back until the second is there:
/// let mut stream = StreamDecoder::new();
/// let shown: Vec<String> = tokens.iter().map(|bytes| stream.push(bytes)).collect();
/// assert_eq!(shown, ["Hi ", "", "😊"]);
/// assert_eq!(stream.finish(), "");
/// ```
///
/// Decoding all ids again at every token would be right but quadratic. Waiting for whatever ends in U+FFFD, as some
/// libraries do, holds back broken bytes that nothing can complete; here at most three bytes wait, and only while they
/// are the beginning of a character.
#[derive(Debug, Clone, Default)]
pub struct StreamDecoder {
    /// The beginning of a character, at most three bytes.
    pending: Vec<u8>,
}

impl StreamDecoder {
    /// A decoder at the beginning of a text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the bytes of a token and returns the text that is now certain, often that token, sometimes nothing.
    #[must_use]
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.pending.extend_from_slice(bytes);
        let held_bytes = incomplete_tail_bytes(&self.pending);
        let ready = self.pending.len().saturating_sub(held_bytes);
        let tail = self.pending.split_off(ready);
        let ready = std::mem::replace(&mut self.pending, tail);
        String::from_utf8_lossy(&ready).into_owned()
    }

    /// [`push`](Self::push) for a token id. An id without text adds nothing and completes nothing.
    #[must_use]
    pub fn push_token(&mut self, tokenizer: &Tokenizer, id: u32) -> String {
        self.push(tokenizer.bytes_of(id).unwrap_or_default())
    }

    /// Ends the text: what still waits will not be completed and comes out as U+FFFD. Afterwards the decoder is at the
    /// beginning of a new text.
    #[must_use]
    pub fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.pending)).into_owned()
    }
}

/// How many bytes at the end may yet become a character.
fn incomplete_tail_bytes(bytes: &[u8]) -> usize {
    let invalid = bytes.utf8_chunks().last().map(|chunk| chunk.invalid()).unwrap_or_default();
    match std::str::from_utf8(invalid) {
        // No length: the bytes are not wrong, they only end too early.
        Err(e) if e.error_len().is_none() => invalid.len(),
        _ => 0,
    }
}
