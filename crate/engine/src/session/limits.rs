//! When a run ends, and which prompts there can be.

use crate::error::{EngineError, Result};
use crate::stop::StopStrings;

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The model chose the end token.
    EndToken,
    /// The budget of new tokens is used up.
    MaxNewTokens,
    /// The text reached a stop string.
    StopString,
    /// The model has no further position.
    ContextFull,
    /// The user asked for it.
    User,
}

impl StopReason {
    /// The reason in snake case, as the command line prints it.
    pub fn name(self) -> &'static str {
        match self {
            Self::EndToken => "end_token",
            Self::MaxNewTokens => "max_new_tokens",
            Self::StopString => "stop_string",
            Self::ContextFull => "context_full",
            Self::User => "user",
        }
    }

    /// Whether the same text can go on in a further run.
    pub fn can_continue(self) -> bool {
        matches!(self, Self::MaxNewTokens | Self::User)
    }
}

/// When a run ends by itself.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Budget of tokens for this run.
    pub max_new_tokens: usize,
    /// The end token, or none. A minimum length bans it.
    pub eos_id: Option<u32>,
    /// Go on past the end token.
    pub ignore_eos: bool,
    /// Strings that end a text. The text up to one is shown, nothing after.
    pub stop: StopStrings,
}

/// Whether a run that has made `made` tokens can make another.
pub(super) fn end_of_run(
    made: usize,
    context: usize,
    limits: &Limits,
    positions: usize,
) -> Option<StopReason> {
    if made >= limits.max_new_tokens {
        Some(StopReason::MaxNewTokens)
    } else if context >= positions {
        Some(StopReason::ContextFull)
    } else {
        None
    }
}

/// An error unless a text of that many bytes may have few enough tokens, so that a text of megabytes is refused at once
/// and not after seconds of splitting it. Only runs of one character have tokens longer than this.
pub fn check_text_bytes(bytes: usize, positions: usize) -> Result<()> {
    const MOST_BYTES_A_TOKEN: usize = 128;
    let most = positions.saturating_mul(MOST_BYTES_A_TOKEN);
    if bytes <= most {
        return Ok(());
    }
    Err(EngineError::Context {
        subject: "prompt",
        expected: format!("1 to {positions} tokens, which is at most {most} bytes of text"),
        found: format!("{bytes} bytes of text"),
    })
}

/// Token ids that a model of this vocabulary and this many positions can read.
///
/// Errors: none, too many, or one outside the vocabulary.
pub fn check_ids(ids: &[u32], vocab_size: usize, positions: usize) -> Result<()> {
    if ids.is_empty() || ids.len() > positions {
        return Err(EngineError::Context {
            subject: "prompt",
            expected: format!("1 to {positions} tokens"),
            found: match ids.len() {
                0 => "none".into(),
                n => format!("{n}"),
            },
        });
    }
    match ids.iter().find(|&&id| id as usize >= vocab_size) {
        None => Ok(()),
        Some(id) => Err(EngineError::Context {
            subject: "token id",
            expected: format!("0 to {}", vocab_size.saturating_sub(1)),
            found: id.to_string(),
        }),
    }
}
