//! What is to be run in a batch, how, and what is told of each request.

use crate::error::{EngineError, Result};
use crate::model::Forward;
use crate::model::batch::PaddingSide;
use crate::model::gpt_neox::GptNeox;
use crate::sampling::SamplingSettings;
use crate::session::{StopReason, check_ids};

/// Requests of one experiment.
pub const MOST_REQUESTS: usize = 64;
/// Keys and values of a whole batch at its end. Beyond this a page would run out of memory and not of patience.
const MOST_KV_BYTES: usize = 256 << 20;

/// One prompt, with what belongs to it wherever it stands in a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchRequest {
    /// What its result is to be attached to.
    pub name: String,
    /// The prompt.
    pub ids: Vec<u32>,
    /// Of its own random stream.
    pub seed: u32,
    /// At least 1.
    pub max_new_tokens: usize,
}

/// Who runs when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Schedule {
    /// All requests in one batch, which runs until the last of them is finished.
    #[default]
    OneBatch,
    /// Batches of so many, one after the other; each runs until its last request is finished.
    Groups(usize),
    /// So many rows; when a request is finished the next one takes its place, and a row that nobody wants leaves.
    Continuous(usize),
}

/// Where the random numbers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Streams {
    /// Each request draws from the stream of its own seed: token n of it has the n-th number, in any row.
    #[default]
    PerRequest,
    /// One stream for all, a mistake to look at: the numbers go to whoever draws next, row after row.
    Shared {
        /// Of the one stream.
        seed: u32,
    },
}

/// How the requests are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BatchPlan {
    /// Who runs when.
    pub schedule: Schedule,
    /// Shortest prompts first, so that neighbours need little padding; equally long ones stay as they came.
    pub sort_by_length: bool,
    /// The rows in the opposite order.
    pub reversed: bool,
    /// Where the padding stands.
    pub padding: PaddingSide,
    /// Where the random numbers come from.
    pub streams: Streams,
}

/// How texts go on and end, the same for all requests.
#[derive(Debug, Clone)]
pub struct BatchSettings {
    /// How a token is picked.
    pub sampling: SamplingSettings,
    /// The end token, or none.
    pub eos_id: Option<u32>,
    /// Go on past it.
    pub ignore_eos: bool,
}

/// What went through the model, counted in places: one row in one column. A place of padding and one of a finished row cost
/// what any other costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// Places with a token of a running request; the same number as alone.
    pub real: usize,
    /// Places with padding.
    pub padding: usize,
    /// Places of rows that were finished.
    pub finished: usize,
    /// Forward passes, a prompt as one.
    pub forward_calls: usize,
    /// Times that the batch was put together anew.
    pub rebuilds: usize,
    /// Bytes of keys and values that this copied.
    pub copied_bytes: usize,
}

impl Work {
    /// All places.
    pub fn computed(&self) -> usize {
        self.real + self.padding + self.finished
    }
}

/// What became of one request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BatchText {
    /// The tokens after the prompt, the end token included.
    pub new_ids: Vec<u32>,
    /// Why it ended; `None` where it was stopped before.
    pub reason: Option<StopReason>,
    /// Milliseconds from the start of all to its first token.
    pub first_token_ms: Option<f64>,
    /// Milliseconds from the start of all to its last token.
    pub latency_ms: Option<f64>,
}

/// An error unless the model can run the requests as planned.
pub(super) fn check(model: &GptNeox, requests: &[BatchRequest], plan: BatchPlan) -> Result<()> {
    let lacking = |subject, expected: &str, found: usize| {
        Err(EngineError::Context { subject, expected: expected.into(), found: found.to_string() })
    };
    if requests.is_empty() || requests.len() > MOST_REQUESTS {
        return lacking("number of requests", &format!("1 to {MOST_REQUESTS}"), requests.len());
    }
    if let Schedule::Groups(0) | Schedule::Continuous(0) = plan.schedule {
        return lacking("rows of a batch", "at least 1", 0);
    }
    for request in requests {
        check_ids(&request.ids, model.config().vocab_size, model.config().max_position_embeddings)?;
        if request.max_new_tokens == 0 {
            return lacking("new tokens of a request", "at least 1", 0);
        }
    }
    let kv_bytes = kv_bytes(model, requests, plan.schedule);
    if kv_bytes > MOST_KV_BYTES {
        let expected =
            format!("at most {MOST_KV_BYTES}: fewer rows at once, shorter prompts or fewer new tokens");
        return lacking("bytes of the batch's KV cache", &expected, kv_bytes);
    }
    Ok(())
}

/// What the rows' keys and values may come to: as many columns as the longest row may have, behind the widest prompt.
fn kv_bytes(model: &GptNeox, requests: &[BatchRequest], schedule: Schedule) -> usize {
    let config = model.config();
    let rows = match schedule {
        Schedule::OneBatch => requests.len(),
        Schedule::Groups(rows) | Schedule::Continuous(rows) => rows.min(requests.len()),
    };
    let most = |length: fn(&BatchRequest) -> usize| requests.iter().map(length).max().unwrap_or(0);
    let columns = most(|request| request.ids.len())
        .saturating_add(most(|request| request.max_new_tokens).min(config.max_position_embeddings));
    let bytes_a_column = 2 * config.num_hidden_layers * config.hidden_size * size_of::<f32>();
    rows.saturating_mul(columns).saturating_mul(bytes_a_column)
}
