//! What a person waits for, as the output of any run has it.

use logit_lab_engine::lab::{Latency, RequestTimes, TimedRun, clock_step_ms};
use serde_json::{Value, json};

use crate::bench::spread_json;
use crate::now_ms;

/// The latencies of a request that began with the clock of `timed`, before its prompt was cut into tokens.
pub fn output(timed: &TimedRun, prompt_tokens: usize) -> Value {
    let timings = timed.timings();
    let latency = Latency::of(&RequestTimes {
        lead_in_ms: 0.0,
        prefill_ms: timings.first_token_ms.map(|_| timings.prefill_ms),
        prefill_tokens: prompt_tokens,
        tokens: timed.tokens(),
        clock_step_ms: clock_step_ms(now_ms),
    });
    json!({
        "output_tokens": latency.output_tokens,
        "first_token_ms": latency.first_token_ms,
        "request_ms": latency.request_ms,
        "mean_interval_ms": latency.mean_interval_ms,
        "interval_ms": spread_json(latency.interval_ms),
        "output_tokens_per_second": latency.output_tokens_per_second,
        "decode_tokens_per_second": latency.decode_tokens_per_second,
        "input_tokens_per_second": latency.input_tokens_per_second,
        "clock_step_ms": latency.clock_step_ms,
        "group_tokens": latency.group_tokens,
    })
}
