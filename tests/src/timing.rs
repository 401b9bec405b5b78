//! Checks of what is told of times: latencies, groups, spreads, benchmarks. Clocks are turned by the test.

use logit_lab_engine::lab::benchmark::{Benchmark, Comparison, Metric, Outcome, Summary, Verdict, Workload};
use logit_lab_engine::lab::spread::quantile;
use logit_lab_engine::lab::{Latency, RequestTimes, Spread, TimedRun, TokenTimes, clock_step_ms};
use logit_lab_engine::model::Kernel;
use logit_lab_engine::session::{CachePolicy, Limits, StartFrom};

use crate::clock::{coarse_clock, pass_ms, quarter_clock};
use crate::fixtures::load_tales_on;
use crate::session::{budget, greedy, tales_session};

fn close(found: Option<f64>, expected: f64) {
    let found = found.expect("a value");
    assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
}

fn at(moments_ms: &[f64]) -> Vec<TokenTimes> {
    moments_ms
        .iter()
        .map(|&at_ms| TokenTimes { at_ms, model_ms: 2.0, sampling_ms: 0.5, detokenize_ms: 0.25 })
        .collect()
}

fn request(tokens: &[TokenTimes]) -> RequestTimes<'_> {
    RequestTimes { prefill_ms: Some(40.0), prefill_tokens: 8, tokens, ..RequestTimes::default() }
}

/// t = 50, 60, 80, 90, 130 ms, worked out by hand.
pub fn latencies_are_those_that_are_worked_out_by_hand() {
    let tokens = at(&[50.0, 60.0, 80.0, 90.0, 130.0]);
    let latency = Latency::of(&request(&tokens));
    close(latency.first_token_ms, 50.0);
    close(latency.request_ms, 130.0);
    close(latency.mean_interval_ms, (130.0 - 50.0) / 4.0);
    close(latency.output_tokens_per_second, 5.0 / 0.130);
    close(latency.decode_tokens_per_second, 4.0 / 0.080);
    close(latency.input_tokens_per_second, 8.0 / 0.040);
    // Intervals 10, 20, 10, 40; NumPy's percentile([10, 20, 10, 40], 95) is 37.
    let interval_ms = latency.interval_ms.unwrap();
    close(Some(interval_ms.median), 15.0);
    close(Some(interval_ms.p95), 37.0);
    assert_eq!((interval_ms.count, interval_ms.smallest, interval_ms.largest), (4, 10.0, 40.0));
    assert_eq!((latency.group_tokens, latency.resolved, latency.groups.len()), (1, true, 4));
}

pub fn one_token_has_no_interval_and_none_has_no_latency() {
    let one = at(&[50.0]);
    let latency = Latency::of(&request(&one));
    close(latency.first_token_ms, 50.0);
    close(latency.request_ms, 50.0);
    close(latency.output_tokens_per_second, 20.0);
    assert_eq!((latency.mean_interval_ms, latency.interval_ms), (None, None));
    assert_eq!((latency.decode_tokens_per_second, latency.groups.len()), (None, 0));
    let none = Latency::of(&request(&[]));
    assert_eq!((none.first_token_ms, none.request_ms, none.output_tokens_per_second), (None, None, None));
    close(none.input_tokens_per_second, 200.0);
}

pub fn work_that_was_done_before_the_run_counts_in_the_request() {
    let tokens = at(&[1.0, 3.0]);
    let latency = Latency::of(&RequestTimes { lead_in_ms: 9.0, ..request(&tokens) });
    close(latency.first_token_ms, 10.0);
    close(latency.request_ms, 12.0);
    close(latency.mean_interval_ms, 2.0);
    let goes_on = Latency::of(&RequestTimes { prefill_ms: None, ..request(&tokens) });
    assert_eq!(goes_on.input_tokens_per_second, None);
    // A clock that saw no time pass tells no speed.
    let coarse = Latency::of(&RequestTimes { prefill_ms: Some(0.0), ..request(&tokens) });
    assert_eq!(coarse.input_tokens_per_second, None);
}

pub fn tokens_shorter_than_ten_steps_are_timed_in_groups_that_are_not() {
    // Tokens of 3 ms on a clock of 1 ms: four together last 12 ms. Ten intervals: two groups of four and two left over.
    let moments: Vec<f64> = (0..11).map(|n| 5.0 + 3.0 * f64::from(n)).collect();
    let tokens = at(&moments);
    let latency = Latency::of(&RequestTimes { clock_step_ms: 1.0, ..request(&tokens) });
    assert_eq!((latency.group_tokens, latency.resolved), (4, true));
    let rows: Vec<_> = latency.groups.iter().map(|group| (group.first, group.tokens)).collect();
    assert_eq!(rows, [(1, 4), (5, 6)], "what is left over joins the last group");
    for group in &latency.groups {
        close(Some(group.interval_ms), 3.0);
        assert!(group.interval_ms * group.tokens as f64 >= 10.0);
        assert_eq!((group.model_ms, group.sampling_ms, group.detokenize_ms), (2.0, 0.5, 0.25));
    }
    // Ten steps of a tenth of a millisecond are enough for a token of one millisecond.
    let moments: Vec<f64> = (0..5).map(|n| 0.1 + f64::from(n)).collect();
    let tokens = at(&moments);
    assert_eq!(Latency::of(&RequestTimes { clock_step_ms: 0.1, ..request(&tokens) }).group_tokens, 1);
    let short = Latency::of(&RequestTimes { clock_step_ms: 1.0, ..request(&tokens) });
    assert_eq!((short.group_tokens, short.resolved, short.groups.len()), (4, false, 1));
}

pub fn quantiles_are_those_of_numpy() {
    let sorted = [1.0, 2.0, 4.0, 8.0, 16.0];
    for (q, expected) in [(0.0, 1.0), (0.25, 2.0), (0.5, 4.0), (0.75, 8.0), (0.95, 14.4), (1.0, 16.0)] {
        close(quantile(&sorted, q), expected);
    }
    assert_eq!(quantile(&[], 0.5), None);
    let spread = Spread::of([16.0, 1.0, 8.0, 2.0, 4.0]).unwrap();
    assert_eq!((spread.median, spread.lower_quartile, spread.upper_quartile), (4.0, 2.0, 8.0));
    assert!(spread.covers(1.0) && spread.covers(16.0) && !spread.covers(0.99));
    assert_eq!(Spread::of([1.0, f64::NAN]), None);
}

pub fn the_step_of_a_clock_is_the_smallest_that_it_makes() {
    assert_eq!(clock_step_ms(quarter_clock), 0.25);
    assert_eq!(clock_step_ms(coarse_clock), 1.0);
    assert_eq!(clock_step_ms(|| 7.0), 0.0, "a clock that stands still");
}

pub fn a_pause_is_in_no_time_of_a_run() {
    let mut runs = [0.0, 1000.0].map(|pause_ms| {
        let mut session = tales_session(CachePolicy::Reuse, "The ship");
        session.start(StartFrom::Prompt, budget(4));
        let mut timed = TimedRun::new(quarter_clock);
        while session.stopped().is_none() {
            if timed.advance(&mut session, &greedy(), 0).unwrap().is_some() && pause_ms > 0.0 {
                timed.pause();
                pass_ms(pause_ms);
            }
        }
        timed.resume();
        timed
    });
    let [straight, paused] = &mut runs;
    assert_eq!((straight.tokens().len(), paused.tokens().len()), (4, 4));
    // Each pause is looked up twice, which the test's clock counts as time.
    let spent = |run: &TimedRun| run.tokens().last().unwrap().at_ms;
    assert!(spent(paused) < spent(straight) + 4.0, "{} beside {}", spent(paused), spent(straight));
    assert!(paused.elapsed_ms() < straight.elapsed_ms() + 4.0);
    for token in straight.tokens() {
        assert_eq!((token.sampling_ms, token.detokenize_ms), (0.25, 0.25));
    }
}

fn outcome(output_tokens: usize, decode_ms: f64) -> Outcome {
    Outcome {
        warm_up: false,
        output_tokens,
        prefill_ms: 4.0,
        decode_ms,
        total_ms: 10.0 + decode_ms,
        clock_step_ms: 0.0,
    }
}

fn of_times(decode_ms: &[f64]) -> Vec<Outcome> {
    decode_ms.iter().map(|&ms| outcome(11, ms)).collect()
}

fn verdict_of(first: &[Outcome], second: &[Outcome], metric: Metric) -> Verdict {
    let comparison = Comparison::of(first, second);
    comparison.metrics.iter().find(|compared| compared.metric == metric).unwrap().verdict
}

pub fn a_benchmark_is_summed_up_without_its_warm_ups() {
    let mut outcomes = of_times(&[20.0, 40.0, 30.0]);
    outcomes.insert(0, Outcome { warm_up: true, ..outcome(11, 900.0) });
    let summary = Summary::of(&outcomes);
    assert_eq!((summary.runs, summary.output_tokens), (3, Some(11)));
    let [prefill, decode, total, speed] = summary.metrics.map(|spread| spread.unwrap());
    assert_eq!((prefill.median, decode.median, total.median), (4.0, 3.0, 40.0));
    assert_eq!((decode.smallest, decode.largest), (2.0, 4.0));
    close(Some(speed.median), 11.0 / 0.040);
    let single = Summary::of(&[outcome(1, 0.0)]);
    assert_eq!(single.metrics[1], None, "one token has no further ones");
    assert_eq!(Summary::of(&[outcome(3, 1.0), outcome(4, 1.0)]).output_tokens, None);
}

pub fn a_winner_is_named_only_where_every_pair_agrees() {
    let slow = of_times(&[100.0, 110.0, 120.0, 100.0, 105.0]);
    let fast = of_times(&[50.0, 55.0, 60.0, 50.0, 52.5]);
    let comparison = Comparison::of(&slow, &fast);
    assert_eq!((comparison.pairs, comparison.chance_of_one_side), (5, 1.0 / 16.0));
    let decode = &comparison.metrics[1];
    assert_eq!(decode.ratios, [0.5; 5]);
    assert_eq!(verdict_of(&slow, &fast, Metric::DecodePerToken), Verdict::Second);
    assert_eq!(verdict_of(&fast, &slow, Metric::Total), Verdict::First);
    // More tokens a second is faster, fewer milliseconds too.
    assert_eq!(verdict_of(&slow, &fast, Metric::TokensPerSecond), Verdict::Second);
    // The prefill took the same in both.
    assert_eq!(verdict_of(&slow, &fast, Metric::Prefill), Verdict::SpreadCoversOne);
    let mixed = of_times(&[50.0, 55.0, 60.0, 50.0, 106.0]);
    assert_eq!(verdict_of(&slow, &mixed, Metric::DecodePerToken), Verdict::SpreadCoversOne);
    assert_eq!(verdict_of(&slow[..4], &fast[..4], Metric::Total), Verdict::TooFewPairs);
    assert_eq!(verdict_of(&[], &[], Metric::Total), Verdict::NotMeasured);
}

pub fn no_winner_is_named_of_unequal_work_or_beyond_the_clock() {
    let slow = of_times(&[100.0; 6]);
    let mut fast = of_times(&[50.0; 6]);
    fast[3].output_tokens = 5;
    for metric in Metric::ALL {
        assert_eq!(verdict_of(&slow, &fast, metric), Verdict::LengthsDiffer);
    }
    // A warm-up of another length is no matter.
    fast[3] = Outcome { warm_up: true, ..fast[3] };
    assert_eq!(Comparison::of(&slow, &fast).pairs, 5);
    assert_eq!(verdict_of(&slow, &fast, Metric::Total), Verdict::Second);
    let coarse = |outcomes: &[Outcome]| -> Vec<Outcome> {
        outcomes.iter().map(|outcome| Outcome { clock_step_ms: 1.0, ..*outcome }).collect()
    };
    let (slow, fast) = (coarse(&slow), coarse(&fast));
    assert_eq!(verdict_of(&slow, &fast, Metric::Prefill), Verdict::ClockTooCoarse, "4 ms are 4 steps");
    assert_eq!(verdict_of(&slow, &fast, Metric::Total), Verdict::Second);
}

pub fn a_benchmark_makes_exactly_the_tokens_that_were_asked_for_in_every_run() {
    let model = load_tales_on(Kernel::Fused);
    let ids: Vec<u32> = (100..110).collect();
    let workload = |limits| Workload {
        ids: ids.clone(),
        settings: greedy(),
        seed: 1,
        limits,
        cache: CachePolicy::Reuse,
    };
    // The id that greedy takes first is declared the end token.
    let first = {
        let mut session = tales_session(CachePolicy::Reuse, "The ship");
        session.set_prompt(ids.clone()).unwrap();
        session.start(StartFrom::Prompt, budget(1));
        while !session.forward_chunk().unwrap() {}
        session.pick(&greedy(), 1).unwrap().id
    };
    let limits = Limits { max_new_tokens: 9, eos_id: Some(first), ..Limits::default() };
    let run = |workload: Workload| {
        let mut benchmark = Benchmark::new(model.fresh(), None, workload, (1, 3), (quarter_clock, 0.25));
        while !benchmark.advance().unwrap() {
            pass_ms(1000.0);
        }
        assert_eq!(benchmark.progress(), (4, 4));
        benchmark.outcomes().to_vec()
    };
    let positions = model.config().max_position_embeddings;
    let forced = run(workload(limits.clone()).with_forced_length(7, positions).unwrap());
    assert_eq!(forced.iter().map(|outcome| outcome.output_tokens).collect::<Vec<_>>(), [7; 4]);
    assert_eq!(forced.iter().map(|outcome| outcome.warm_up).collect::<Vec<_>>(), [true, false, false, false]);
    for outcome in &forced {
        // One chunk and six steps, each between two looks at the clock.
        assert_eq!((outcome.prefill_ms, outcome.decode_ms), (0.25, 1.5));
        assert!(outcome.total_ms > outcome.prefill_ms + outcome.decode_ms);
        assert!(outcome.total_ms < 100.0, "what passes between two units of work is in no time");
    }
    let free = run(workload(limits));
    assert_eq!(free.iter().map(|outcome| outcome.output_tokens).collect::<Vec<_>>(), [1; 4]);
    let too_long = workload(Limits::default()).with_forced_length(positions - 9, positions);
    assert!(too_long.unwrap_err().to_string().contains("fit beside the prompt"));
    assert!(workload(Limits::default()).with_forced_length(0, positions).is_err());
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! timing_checks {
    ($test:meta) => {
        $crate::checks!($test, timing:
            latencies_are_those_that_are_worked_out_by_hand,
            one_token_has_no_interval_and_none_has_no_latency,
            work_that_was_done_before_the_run_counts_in_the_request,
            tokens_shorter_than_ten_steps_are_timed_in_groups_that_are_not,
            quantiles_are_those_of_numpy,
            the_step_of_a_clock_is_the_smallest_that_it_makes,
            a_pause_is_in_no_time_of_a_run,
            a_benchmark_is_summed_up_without_its_warm_ups,
            a_winner_is_named_only_where_every_pair_agrees,
            no_winner_is_named_of_unequal_work_or_beyond_the_clock,
            a_benchmark_makes_exactly_the_tokens_that_were_asked_for_in_every_run,
        );
    };
}
