//! Times and benchmarks as the wire has them.

use logit_lab_engine::lab::benchmark::{self, Comparison, Metric, Summary};
use logit_lab_engine::lab::{Latency, Spread, TokenGroup};

use crate::columns::{F64Column, U32Column};
use crate::protocol as wire;

/// What a person waits for.
pub fn latency(latency: &Latency) -> wire::Latency {
    let numbers = |part: fn(&TokenGroup) -> usize| {
        U32Column(latency.groups.iter().map(|group| part(group) as u32).collect())
    };
    let times = |part: fn(&TokenGroup) -> f64| F64Column(latency.groups.iter().map(part).collect());
    wire::Latency {
        output_tokens: latency.output_tokens,
        first_token_ms: latency.first_token_ms,
        request_ms: latency.request_ms,
        mean_interval_ms: latency.mean_interval_ms,
        interval_ms: latency.interval_ms.map(spread),
        output_tokens_per_second: latency.output_tokens_per_second,
        decode_tokens_per_second: latency.decode_tokens_per_second,
        input_tokens_per_second: latency.input_tokens_per_second,
        clock_step_ms: latency.clock_step_ms,
        group_tokens: latency.group_tokens,
        resolved: latency.resolved,
        groups: wire::TokenGroups {
            first: numbers(|group| group.first),
            tokens: numbers(|group| group.tokens),
            interval_ms: times(|group| group.interval_ms),
            model_ms: times(|group| group.model_ms),
            sampling_ms: times(|group| group.sampling_ms),
            detokenize_ms: times(|group| group.detokenize_ms),
        },
    }
}

fn spread(spread: Spread) -> wire::Spread {
    let Spread { count, smallest, lower_quartile, median, upper_quartile, p95, largest } = spread;
    wire::Spread { count, smallest, lower_quartile, median, upper_quartile, p95, largest }
}

/// Outcomes of one or two configurations in short.
pub fn benchmark_summary(first: Vec<wire::Outcome>, second: Vec<wire::Outcome>) -> wire::BenchmarkSummary {
    let [first, second] = [first, second].map(|side| side.into_iter().map(outcome_of).collect::<Vec<_>>());
    let comparison = (!second.is_empty()).then(|| comparison(&Comparison::of(&first, &second)));
    let values = |outcomes: &[benchmark::Outcome]| {
        let metrics = Metric::ALL.into_iter().zip(Summary::of(outcomes).metrics);
        metrics
            .map(|(metric, values)| wire::MetricValues {
                metric: metric_name(metric),
                spread: values.map(spread),
            })
            .collect()
    };
    wire::BenchmarkSummary { first: values(&first), second: values(&second), comparison }
}

fn comparison(comparison: &Comparison) -> wire::BenchmarkComparison {
    wire::BenchmarkComparison {
        pairs: comparison.pairs,
        chance_of_one_side: comparison.chance_of_one_side,
        metrics: comparison
            .metrics
            .iter()
            .map(|compared| wire::MetricRatio {
                metric: metric_name(compared.metric),
                ratios: compared.ratios.clone(),
                ratio: compared.ratio.map(spread),
                verdict: verdict(compared.verdict),
            })
            .collect(),
    }
}

fn metric_name(metric: Metric) -> wire::MetricName {
    match metric {
        Metric::Prefill => wire::MetricName::PrefillMs,
        Metric::DecodePerToken => wire::MetricName::DecodeMsPerToken,
        Metric::Total => wire::MetricName::TotalMs,
        Metric::TokensPerSecond => wire::MetricName::TokensPerSecond,
    }
}

fn verdict(verdict: benchmark::Verdict) -> wire::Verdict {
    match verdict {
        benchmark::Verdict::First => wire::Verdict::First,
        benchmark::Verdict::Second => wire::Verdict::Second,
        benchmark::Verdict::LengthsDiffer => wire::Verdict::LengthsDiffer,
        benchmark::Verdict::SpreadCoversOne => wire::Verdict::SpreadCoversOne,
        benchmark::Verdict::TooFewPairs => wire::Verdict::TooFewPairs,
        benchmark::Verdict::ClockTooCoarse => wire::Verdict::ClockTooCoarse,
        benchmark::Verdict::NotMeasured => wire::Verdict::NotMeasured,
    }
}

/// An outcome on its way to the page.
pub fn outcome(outcome: &benchmark::Outcome) -> wire::Outcome {
    let benchmark::Outcome { warm_up, output_tokens, prefill_ms, decode_ms, total_ms, clock_step_ms } =
        *outcome;
    wire::Outcome { warm_up, output_tokens, prefill_ms, decode_ms, total_ms, clock_step_ms }
}

fn outcome_of(outcome: wire::Outcome) -> benchmark::Outcome {
    let wire::Outcome { warm_up, output_tokens, prefill_ms, decode_ms, total_ms, clock_step_ms } = outcome;
    benchmark::Outcome { warm_up, output_tokens, prefill_ms, decode_ms, total_ms, clock_step_ms }
}
