//! What a person waits for, from the times of one request: time to first token, inter-token latency, request latency and
//! throughput, each with its boundary.
//!
//! A request starts when work on its prompt starts, and t_n is the moment at which output token n has been picked and its
//! text is there; all in milliseconds since that start, pauses left out. A token that takes less than ten steps of the
//! clock cannot be timed alone: then as many tokens are timed together as make every group last ten steps.

use super::spread::Spread;

/// A timing of fewer steps of the clock is uncertain by more than a tenth.
pub const FEWEST_CLOCK_STEPS: f64 = 10.0;

/// When an output token was there, and the parts of the work that led to it, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TokenTimes {
    /// Since the start of the run that made it, pauses left out.
    pub at_ms: f64,
    /// The forward pass; 0 where the logits were already there.
    pub model_ms: f64,
    /// From the logits to the picked token.
    pub sampling_ms: f64,
    /// From the picked token to its text.
    pub detokenize_ms: f64,
}

/// The times of one request.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RequestTimes<'a> {
    /// Work on this request that was done before the run began, in milliseconds: a prompt that is read while it is typed.
    pub lead_in_ms: f64,
    /// The prompt's forward pass; `None` where the request has none.
    pub prefill_ms: Option<f64>,
    /// Positions that it computed; those of a prefix that was reused are not among them.
    pub prefill_tokens: usize,
    /// Every output token.
    pub tokens: &'a [TokenTimes],
    /// The smallest step of the clock that told these times; 0 where it is not known.
    pub clock_step_ms: f64,
}

/// Output tokens that were timed together, as one token each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenGroup {
    /// The first of its tokens, from 0 among the run's output tokens. Token 0 is in no group: nothing comes before it.
    pub first: usize,
    /// How many.
    pub tokens: usize,
    /// From the token before the group to its last one, by the number of tokens.
    pub interval_ms: f64,
    /// What of it the model took.
    pub model_ms: f64,
    /// What of it sampling took.
    pub sampling_ms: f64,
    /// What of it making text took.
    pub detokenize_ms: f64,
}

/// See the module's head.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Latency {
    /// N.
    pub output_tokens: usize,
    /// Time to first token: t_1.
    pub first_token_ms: Option<f64>,
    /// Request latency: t_N.
    pub request_ms: Option<f64>,
    /// Mean post-first interval: (t_N - t_1) / (N - 1); `None` when N is 1.
    pub mean_interval_ms: Option<f64>,
    /// Inter-token latencies t_n - t_(n-1), by groups where `group_tokens` is above 1.
    pub interval_ms: Option<Spread>,
    /// Output tokens per second over the whole request: N / t_N.
    pub output_tokens_per_second: Option<f64>,
    /// Output tokens per second after the first: (N - 1) / (t_N - t_1).
    pub decode_tokens_per_second: Option<f64>,
    /// Input tokens per second: positions that the prefill computed, by its time.
    pub input_tokens_per_second: Option<f64>,
    /// The clock's smallest step in milliseconds; 0 where it is not known.
    pub clock_step_ms: f64,
    /// Tokens that are timed together; 1 where each lasts ten steps of the clock.
    pub group_tokens: usize,
    /// Whether every group lasts ten steps. A run may be too short for that even as one group.
    pub resolved: bool,
    /// The intervals in order.
    pub groups: Vec<TokenGroup>,
}

impl Latency {
    /// All that can be told from these times.
    pub fn of(request: &RequestTimes<'_>) -> Self {
        let tokens = request.tokens;
        let moment = |token: &TokenTimes| request.lead_in_ms + token.at_ms;
        let first_token_ms = tokens.first().map(moment);
        let request_ms = tokens.last().map(moment);
        let after_first = tokens.len().saturating_sub(1);
        let decode_ms = match (first_token_ms, request_ms) {
            (Some(first), Some(last)) if after_first > 0 => Some(last - first),
            _ => None,
        };
        let (group_tokens, resolved) = group_size(tokens, request.clock_step_ms);
        let groups: Vec<TokenGroup> = groups_of(tokens, group_tokens).collect();
        Self {
            output_tokens: tokens.len(),
            first_token_ms,
            request_ms,
            mean_interval_ms: decode_ms.map(|ms| ms / after_first as f64),
            interval_ms: Spread::of(groups.iter().map(|group| group.interval_ms)),
            output_tokens_per_second: request_ms.and_then(|ms| per_second(tokens.len(), ms)),
            decode_tokens_per_second: decode_ms.and_then(|ms| per_second(after_first, ms)),
            input_tokens_per_second: request.prefill_ms.and_then(|ms| per_second(request.prefill_tokens, ms)),
            clock_step_ms: request.clock_step_ms,
            group_tokens,
            resolved,
            groups,
        }
    }
}

/// So many a second; `None` of nothing, and over a time that the clock could not tell from none.
pub fn per_second(count: usize, ms: f64) -> Option<f64> {
    (count > 0 && ms > 0.0).then(|| count as f64 * 1e3 / ms)
}

/// The fewest tokens of a group with which every group lasts ten steps of the clock, and whether there is such a number.
fn group_size(tokens: &[TokenTimes], clock_step_ms: f64) -> (usize, bool) {
    // Differences of decimal fractions: ten steps of 0.1 ms may come out a little short.
    let enough_ms = FEWEST_CLOCK_STEPS * clock_step_ms * (1.0 - 1e-9);
    let most = tokens.len().saturating_sub(1).max(1);
    let lasts = |size: &usize| {
        groups_of(tokens, *size).all(|group| group.interval_ms * group.tokens as f64 >= enough_ms)
    };
    (1..=most).find(lasts).map_or((most, false), |size| (size, true))
}

/// Groups of `size` tokens from the second token on. Fewer that are left at the end join the last group.
fn groups_of(tokens: &[TokenTimes], size: usize) -> impl Iterator<Item = TokenGroup> {
    let intervals = tokens.len().saturating_sub(1);
    let groups = if intervals == 0 { 0 } else { (intervals / size.max(1)).max(1) };
    (0..groups).filter_map(move |group| {
        let before = group * size;
        let end = if group + 1 == groups { intervals } else { before + size };
        let of_group = tokens.get(before + 1..=end)?;
        let count = of_group.len() as f64;
        let mean = |part: fn(&TokenTimes) -> f64| of_group.iter().map(part).sum::<f64>() / count;
        Some(TokenGroup {
            first: before + 1,
            tokens: of_group.len(),
            interval_ms: (of_group.last()?.at_ms - tokens.get(before)?.at_ms) / count,
            model_ms: mean(|token| token.model_ms),
            sampling_ms: mean(|token| token.sampling_ms),
            detokenize_ms: mean(|token| token.detokenize_ms),
        })
    })
}
