//! Pythia's tokenizer: from the bytes of tokenizer.json to ids and back.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use logit_lab_bench::{MEASUREMENT, PARAGRAPH, WARM_UP};
use logit_lab_engine::tokenizer::{StreamDecoder, Tokenizer};
use logit_lab_tests::tokenizer::PYTHIA_JSON;

fn tokenizer(c: &mut Criterion) {
    let mut group = c.benchmark_group("tokenizer");
    group.measurement_time(MEASUREMENT).warm_up_time(WARM_UP).sample_size(10);
    group.bench_function("load", |bencher| bencher.iter(|| Tokenizer::from_bytes(black_box(PYTHIA_JSON))));

    let tokenizer = Tokenizer::from_bytes(PYTHIA_JSON).unwrap();
    let long = PARAGRAPH.repeat(100_000 / PARAGRAPH.len());
    for (name, text) in [("encode a paragraph", PARAGRAPH), ("encode 100 kB", &long)] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| tokenizer.encode(black_box(text))));
    }
    let ids = tokenizer.encode(&long).unwrap();
    group.throughput(Throughput::Elements(ids.len() as u64));
    group.bench_function("decode 100 kB", |bencher| bencher.iter(|| tokenizer.decode(black_box(&ids))));
    group.bench_function("decode 100 kB token by token", |bencher| {
        bencher.iter(|| {
            let mut stream = StreamDecoder::new();
            let bytes: usize = ids.iter().map(|id| stream.push_token(&tokenizer, *id).len()).sum();
            bytes
        });
    });
    group.finish();
}

criterion_group!(group, tokenizer);
criterion_main!(group);
