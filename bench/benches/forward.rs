//! The forward pass on the stand-in of Pythia-14M's shape, for each kernel of `KERNELS`.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use logit_lab_bench::{KERNELS, MEASUREMENT, WARM_UP, model, prompt};
use logit_lab_engine::model::Forward;
use logit_lab_engine::session::PREFILL_CHUNK;

/// Runs the prompt as a session does, chunk by chunk; returns the logits of its last position.
fn prefill(model: &mut dyn Forward, ids: &[u32]) -> Vec<f32> {
    let hidden_size = model.config().hidden_size;
    let chunks = ids.chunks(PREFILL_CHUNK);
    let hidden = chunks.map(|chunk| model.prefill(chunk).unwrap()).last().unwrap_or_default();
    model.logits(&hidden[hidden.len() - hidden_size..]).unwrap()
}

/// One token on top of what is cached, and the head.
fn decode(model: &mut dyn Forward, id: u32) -> Vec<f32> {
    let hidden = model.prefill(&[id]).unwrap();
    model.logits(&hidden).unwrap()
}

fn bench(c: &mut Criterion, name: &str, model: &mut dyn Forward) {
    let mut group = c.benchmark_group(name);
    group.measurement_time(MEASUREMENT).warm_up_time(WARM_UP).sample_size(20);
    for context in [16, 1_000] {
        model.truncate(0);
        prefill(model, &prompt(context));
        group.throughput(Throughput::Elements(1));
        group.bench_function(format!("decode at context {context}"), |bencher| {
            bencher.iter(|| {
                model.truncate(context);
                decode(model, black_box(11))
            });
        });
    }
    let hidden = vec![0.5; model.config().hidden_size];
    group.bench_function("head", |bencher| bencher.iter(|| model.logits(black_box(&hidden)).unwrap()));
    group.sample_size(10);
    for length in [128, 512] {
        let ids = prompt(length);
        group.throughput(Throughput::Elements(length as u64));
        group.bench_function(format!("prefill of {length}"), |bencher| {
            bencher.iter(|| {
                model.truncate(0);
                prefill(model, black_box(&ids))
            });
        });
    }
    group.finish();
}

fn forward(c: &mut Criterion) {
    for (name, load) in KERNELS {
        bench(c, &format!("forward/{name}"), &mut *model(load));
    }
}

criterion_group!(group, forward);
criterion_main!(group);
