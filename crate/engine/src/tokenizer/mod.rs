//! Text to token ids and back, with a name for every token that can be shown and said.
//!
//! Encoding is the work of the `tokenizers` crate. Decoding is not: a byte-level token is a few bytes, so one table of
//! bytes, made when the file is read, serves whole decoding, [`StreamDecoder`] and [`Piece`] alike, and the three cannot
//! disagree.
//!
//! The model may have more rows than the tokenizer has entries (Pythia-14M: 50,304 against 50,277). Such ids, and any
//! other number, are legal everywhere here: they have no text, and their piece says that they are unused.

mod file;
mod pieces;
mod stream;

use std::ops::Range;

use tokenizers::{DecoderWrapper, Model, ModelWrapper};

use crate::{EngineError, Result};

pub use pieces::{Piece, PieceKind};
pub use stream::StreamDecoder;

/// Ids from here on are taken for a fault of the file, before memory is set aside for them. The largest vocabularies
/// in use have about 260,000 entries.
const MAX_ROWS: u32 = 1 << 20;

/// A byte-level BPE tokenizer, read from the text of a `tokenizer.json`.
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    table: ByteTable,
    entries: usize,
}

impl Tokenizer {
    /// Reads a `tokenizer.json`.
    ///
    /// Truncation and padding that the file asks for are switched off: they are settings for training in batches, and
    /// would change a prompt without a word.
    ///
    /// # Errors
    ///
    /// [`EngineError::Tokenizer`] if the bytes are not JSON, are not a tokenizer, or describe one that is not a
    /// repeatable byte-level BPE.
    pub fn from_bytes(json: &[u8]) -> Result<Self> {
        file::require_json_object(json)?;
        file::require_shallow(json)?;
        file::require_sound_decoder(json)?;
        let mut inner = tokenizers::Tokenizer::from_bytes(json).map_err(|e| file::unreadable(e.as_ref()))?;
        require_byte_level_bpe(&inner)?;
        inner
            .with_truncation(None)
            .map_err(|e| error("truncation", "that it can be switched off", e.to_string()))?;
        inner.with_padding(None);
        let table = ByteTable::new(&inner)?;
        let entries = inner.get_vocab_size(true);
        let tokenizer = Self { inner, table, entries };
        // The library builds its tables of letters when it first needs them, a tenth of a second in a browser. That belongs
        // to loading, not to the time of somebody's first prompt. A text that it refuses is the affair of its first use.
        drop(tokenizer.encode(" a1."));
        Ok(tokenizer)
    }

    /// The ids of a text, as Hugging Face's `tokenizer.encode(text).ids`. Special tokens that the text spells out are
    /// recognised; none are added but those that the file's own post-processor adds. A character for which the
    /// vocabulary has no token at all (possible only where it lacks some of the 256 bytes) is left out, as there.
    ///
    /// # Errors
    ///
    /// [`EngineError::Tokenizer`] if the library refuses the text.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        // The fast variant leaves out character offsets, which nothing here reads.
        self.inner
            .encode_fast(text, true)
            .map(|encoding| encoding.get_ids().to_vec())
            .map_err(|e| error("encoding", "text that can be split into tokens", e.to_string()))
    }

    /// The text of ids, as Hugging Face's `decode(ids, skip_special_tokens=False)`. Bytes that are not UTF-8 become
    /// U+FFFD; ids without text contribute nothing.
    #[must_use]
    pub fn decode(&self, ids: &[u32]) -> String {
        let mut bytes = Vec::new();
        for id in ids {
            bytes.extend_from_slice(self.bytes_of(*id).unwrap_or_default());
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The bytes that a token adds to the text, or `None` where no entry has this id. They need not be whole
    /// characters.
    #[must_use]
    pub fn bytes_of(&self, id: u32) -> Option<&[u8]> {
        self.table.get(id)
    }

    /// The ids whose text is `text`, and those whose text contains it, in ascending order each.
    #[must_use]
    pub fn find(&self, text: &str) -> (Vec<u32>, Vec<u32>) {
        let wanted = text.as_bytes();
        let (mut same, mut containing) = (Vec::new(), Vec::new());
        for id in 0..=self.table.max_id {
            match self.bytes_of(id) {
                Some(bytes) if bytes == wanted => same.push(id),
                Some(bytes) if bytes.windows(wanted.len().max(1)).any(|part| part == wanted) => {
                    containing.push(id);
                }
                _ => {}
            }
        }
        (same, containing)
    }

    /// Number of entries of the vocabulary, added tokens included. Not the number of the model's rows.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// The largest id that has an entry.
    #[must_use]
    pub fn max_id(&self) -> u32 {
        self.table.max_id
    }

    /// How many entries have an id from `rows` on, and so no row in a model of that many.
    #[must_use]
    pub fn ids_from(&self, rows: usize) -> usize {
        self.table.spans.iter().skip(rows).flatten().count()
    }

    /// How a token is shown and said. Made on demand: a page needs a few hundred of them, not the vocabulary.
    #[must_use]
    pub fn piece(&self, id: u32) -> Piece {
        let Some(bytes) = self.bytes_of(id) else {
            return pieces::unused(id);
        };
        let added = self.inner.get_added_vocabulary().get_added_tokens_decoder();
        match added.get(&id) {
            Some(token) if token.special => pieces::special(&token.content),
            _ => pieces::text(bytes),
        }
    }
}

impl std::fmt::Debug for Tokenizer {
    /// Without the vocabulary, which would fill the screen.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokenizer")
            .field("entries", &self.entries)
            .field("max_id", &self.table.max_id)
            .finish_non_exhaustive()
    }
}

/// The bytes of every token, one after the other, and where each lies.
struct ByteTable {
    bytes: Vec<u8>,
    /// By id; `None` for a gap in the vocabulary.
    spans: Vec<Option<Range<usize>>>,
    max_id: u32,
}

impl ByteTable {
    /// One pass over the ids, upwards until every entry has been met: asking for the vocabulary as a map would clone it
    /// once more.
    fn new(inner: &tokenizers::Tokenizer) -> Result<Self> {
        let model = inner.get_model();
        let added = inner.get_added_vocabulary().get_added_tokens_decoder();
        let alphabet = byte_of_char();
        let expected = model.get_vocab_size();
        let max_added = added.keys().copied().max();
        let mut table = Self { bytes: Vec::new(), spans: Vec::new(), max_id: 0 };
        let mut found = 0_usize;
        let mut id = 0_u32;
        while found < expected || max_added.is_some_and(|max| id <= max) {
            if id >= MAX_ROWS {
                return Err(error(
                    "vocabulary",
                    format!("ids below {MAX_ROWS}, each used once"),
                    format!("{found} such ids for {expected} entries"),
                ));
            }
            let in_model = model.id_to_token(id);
            found += usize::from(in_model.is_some());
            let content = added.get(&id).map(|token| token.content.as_str());
            let span = content.or(in_model.as_deref()).map(|token| table.append(token, &alphabet));
            if span.is_some() {
                table.max_id = id;
            }
            table.spans.push(span);
            id += 1;
        }
        if table.spans.is_empty() {
            return Err(error("vocabulary", "at least one entry", "none"));
        }
        Ok(table)
    }

    fn get(&self, id: u32) -> Option<&[u8]> {
        let span = self.spans.get(usize::try_from(id).ok()?)?.clone()?;
        self.bytes.get(span)
    }

    fn append(&mut self, token: &str, alphabet: &[Option<u8>]) -> Range<usize> {
        let start = self.bytes.len();
        for c in token.chars() {
            let byte = usize::try_from(u32::from(c)).ok().and_then(|i| alphabet.get(i).copied().flatten());
            let Some(byte) = byte else {
                // One foreign character, and the whole token is text rather than spelt bytes: the added runs of
                // spaces, for example.
                self.bytes.truncate(start);
                self.bytes.extend_from_slice(token.as_bytes());
                break;
            };
            self.bytes.push(byte);
        }
        start..self.bytes.len()
    }
}

/// GPT-2's alphabet, by character: bytes that print stand for themselves as Latin-1, the others, in order, for the
/// characters from U+0100 on.
fn byte_of_char() -> Vec<Option<u8>> {
    let prints = |byte: &u8| matches!(byte, 0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF);
    let itself = (0..=u8::MAX).map(|byte| Some(byte).filter(prints));
    itself.chain((0..=u8::MAX).filter(|byte| !prints(byte)).map(Some)).collect()
}

fn require_byte_level_bpe(inner: &tokenizers::Tokenizer) -> Result<()> {
    let decoder = inner.get_decoder();
    if !matches!(decoder, Some(DecoderWrapper::ByteLevel(_))) {
        let found = decoder.map_or_else(|| "none".to_owned(), variant_name);
        return Err(error("decoder", "ByteLevel (only byte-level BPE tokenizers are supported)", found));
    }
    let ModelWrapper::BPE(bpe) = inner.get_model() else {
        let found = variant_name(inner.get_model());
        return Err(error("model", "BPE (only byte-level BPE tokenizers are supported)", found));
    };
    match bpe.dropout {
        Some(dropout) if dropout != 0.0 => Err(error(
            "model, dropout",
            "none (it splits the same text differently each time)",
            dropout.to_string(),
        )),
        _ => Ok(()),
    }
}

/// The library's wrappers have no names but those that `Debug` prints.
fn variant_name(wrapper: &impl std::fmt::Debug) -> String {
    format!("{wrapper:?}").chars().take_while(char::is_ascii_alphanumeric).collect()
}

fn error(subject: &str, expected: impl Into<String>, found: impl Into<String>) -> EngineError {
    EngineError::Tokenizer { subject: subject.to_owned(), expected: expected.into(), found: found.into() }
}
