//! One sampling step over a vocabulary of 50,304, and what the page reads from it.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use logit_lab_bench::{MEASUREMENT, WARM_UP, logit_sets};
use logit_lab_engine::sampling::ChainStep::{self, MinP, Temperature, TopK, TopP};
use logit_lab_engine::sampling::{
    Decoding, History, Sampler, SamplingSettings, SamplingStep, SettingsValues, uniform,
};

/// Rows of a summary, as many as the page keeps.
const SUMMARY_ROWS: usize = 6;

fn settings(decoding: Decoding) -> SamplingSettings {
    SamplingSettings::new(SettingsValues { decoding, ..SettingsValues::default() }).unwrap()
}

fn sample(chain: &[ChainStep]) -> SamplingSettings {
    settings(Decoding::Sample { chain: chain.to_vec() })
}

/// Steps through eight sets of logits and the uniform numbers of one seed, so that the draw goes to all depths.
fn bench(c: &mut Criterion, name: &str, settings: &SamplingSettings, read: fn(&mut SamplingStep<'_>)) {
    let sets = logit_sets(8);
    let mut sampler = Sampler::new();
    let mut tokens = 0u64..;
    c.bench_function(name, |bencher| {
        bencher.iter(|| {
            let token = tokens.next().unwrap_or_default();
            let logits = &sets[token as usize % sets.len()];
            let mut step = sampler.step(logits, settings, &History::default(), uniform(1, token)).unwrap();
            read(&mut step);
            black_box(step.draw())
        });
    });
}

fn sampler(c: &mut Criterion) {
    let draw_only = |_: &mut SamplingStep<'_>| {};
    let rows = |step: &mut SamplingStep<'_>| {
        let base = step.base();
        black_box((step.top_rows(20), base.probability(0)));
    };
    let usual = sample(&[Temperature(0.8), TopK(50), TopP(0.9)]);
    bench(c, "sampler/greedy", &settings(Decoding::Greedy), draw_only);
    bench(c, "sampler/all off", &sample(&[]), draw_only);
    bench(c, "sampler/temperature 0.8, top-k 50, top-p 0.9", &usual, draw_only);
    bench(c, "sampler/min-p 0.05", &sample(&[MinP(0.05)]), draw_only);
    bench(c, "sampler/top-p 0.95", &sample(&[TopP(0.95)]), draw_only);
    bench(c, "sampler/temperature 0.8, top-k 50, top-p 0.9, with 20 rows", &usual, rows);
    bench(c, "sampler/greedy, with 20 rows", &settings(Decoding::Greedy), rows);
    // What a token of the page's run keeps of its step, so that it can be looked back at.
    let summary = |step: &mut SamplingStep<'_>| {
        black_box(step.summary(SUMMARY_ROWS));
    };
    bench(c, "sampler/greedy, with its summary", &settings(Decoding::Greedy), summary);
    bench(c, "sampler/temperature 0.8, top-k 50, top-p 0.9, with its summary", &usual, summary);
    bench(c, "sampler/all off, with its summary", &sample(&[]), summary);
    bench(c, "sampler/all off, in full", &sample(&[]), |step| {
        black_box(step.full());
    });
}

criterion_group! {
    name = group;
    config = Criterion::default().measurement_time(MEASUREMENT).warm_up_time(WARM_UP);
    targets = sampler
}
criterion_main!(group);
