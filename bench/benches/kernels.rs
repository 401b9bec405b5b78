//! The inner loops of sampling over a vocabulary of 50,304. Natively these are the portable twins.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use logit_lab_bench::{MEASUREMENT, WARM_UP, logit_sets};
use logit_lab_engine::model::kernels::{exp, scan};

fn kernels(c: &mut Criterion) {
    let logits = logit_sets(1).remove(0);
    let mut maxima = Vec::new();
    scan::lane_maxima(&logits, &mut maxima);
    let top = scan::largest(&logits).unwrap();
    c.bench_function("kernels/sum of exponentials", |bencher| {
        bencher.iter(|| exp::sum_of_exponentials(black_box(&logits), top, 0.9));
    });
    let mut weights = Vec::new();
    c.bench_function("kernels/exponentials", |bencher| {
        bencher.iter(|| {
            weights.clear();
            exp::exponentials(black_box(&logits), top, 0.9, &mut weights);
        });
    });
    c.bench_function("kernels/all finite", |bencher| bencher.iter(|| scan::all_finite(black_box(&logits))));
    let mut found = Vec::new();
    c.bench_function("kernels/argmax", |bencher| {
        bencher.iter(|| {
            scan::lane_maxima(black_box(&logits), &mut found);
            scan::first_largest(&logits, &found)
        });
    });
    // About 60 logits of this spread reach it.
    let least = top - 1.5;
    c.bench_function("kernels/band at the top", |bencher| {
        bencher.iter(|| {
            let mut count = 0u32;
            scan::for_each_in_band(black_box(&logits), &maxima, least, f32::INFINITY, |_, _| count += 1);
            count
        });
    });
}

criterion_group! {
    name = group;
    config = Criterion::default().measurement_time(MEASUREMENT).warm_up_time(WARM_UP);
    targets = kernels
}
criterion_main!(group);
