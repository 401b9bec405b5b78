//! Requests in padded batches: each row is what it is alone, whatever stands beside it; and both mistakes show.

use std::sync::atomic::{AtomicU64, Ordering};

use logit_lab_engine::lab::batch_run::{Cell, Schedule, Streams};
use logit_lab_engine::lab::{BatchExperiment, BatchOutcome, BatchPlan, BatchRequest, BatchSettings};
use logit_lab_engine::model::batch::PaddingSide;
use logit_lab_engine::model::gpt_neox::GptNeox;
use logit_lab_engine::sampling::SamplingSettings;
use logit_lab_engine::session::{CachePolicy, Session, StartFrom, StopReason};

use crate::fixtures::{load_tales, tiny};
use crate::forward::some_ids;
use crate::session::{budget, creative, greedy, run};

/// Every look at it is a millisecond later.
fn ticking() -> f64 {
    static LOOKS: AtomicU64 = AtomicU64::new(0);
    LOOKS.fetch_add(1, Ordering::Relaxed) as f64
}

fn settings(sampling: SamplingSettings) -> BatchSettings {
    BatchSettings { sampling, eos_id: None, ignore_eos: false }
}

/// Prompts of these lengths, each beginning elsewhere, that want so many new tokens.
fn requests(model: &GptNeox, shapes: &[(usize, usize)]) -> Vec<BatchRequest> {
    let ids = some_ids(model, 200);
    let request = |(index, (length, max_new_tokens)): (usize, &(usize, usize))| BatchRequest {
        name: format!("request {index}"),
        ids: ids[11 * index..11 * index + length].to_vec(),
        seed: 40 + index as u32,
        max_new_tokens: *max_new_tokens,
    };
    shapes.iter().enumerate().map(request).collect()
}

fn outcome(
    model: &GptNeox,
    requests: &[BatchRequest],
    settings: BatchSettings,
    plan: BatchPlan,
) -> BatchOutcome {
    let mut experiment =
        BatchExperiment::new(model, requests.to_vec(), settings, plan, true, ticking).unwrap();
    while !experiment.advance().unwrap() {}
    let (done, all) = experiment.progress();
    assert_eq!(done, all);
    experiment.outcome()
}

/// What the ordinary generation loop makes of a request on the same kernel.
fn alone(model: &GptNeox, request: &BatchRequest, sampling: &SamplingSettings) -> Vec<u32> {
    let mut session = Session::new(Box::new(model.sharing()), None, CachePolicy::Reuse);
    session.set_prompt(request.ids.clone()).unwrap();
    run(&mut session, StartFrom::Prompt, budget(request.max_new_tokens), sampling, request.seed);
    session.new_ids().to_vec()
}

const SHAPES: [(usize, usize); 5] = [(3, 9), (40, 4), (7, 14), (1, 6), (12, 2)];

fn plans() -> Vec<BatchPlan> {
    let mut plans = Vec::new();
    for schedule in
        [Schedule::OneBatch, Schedule::Groups(2), Schedule::Continuous(2), Schedule::Continuous(3)]
    {
        for sort_by_length in [false, true] {
            plans.push(BatchPlan { schedule, sort_by_length, ..BatchPlan::default() });
        }
    }
    plans
}

fn assert_rows_equal_their_runs_alone(name: &str, model: &GptNeox, plan: BatchPlan) {
    let requests = requests(model, &SHAPES);
    for sampling in [greedy(), creative()] {
        let found = outcome(model, &requests, settings(sampling.clone()), plan);
        let what = format!("{name}, {plan:?}");
        for (index, request) in requests.iter().enumerate() {
            let expected = alone(model, request, &sampling);
            assert_eq!(found.texts[index].new_ids, expected, "{what}, row of request {index}");
            assert_eq!(found.alone[index].new_ids, expected, "{what}, request {index} alone");
            assert_eq!(found.reversed.as_ref().unwrap()[index].new_ids, expected, "{what}, reversed {index}");
            assert_eq!(found.alone[index].compared, expected.len(), "{what}");
            let difference = found.alone[index].largest_logit_difference.unwrap();
            assert!(difference < 1e-4, "{what}: logits of request {index} differ by {difference}");
            assert_eq!(found.texts[index].reason, Some(StopReason::MaxNewTokens));
        }
        // The last token of a text is never run.
        let real: usize = SHAPES.iter().map(|(prompt, new)| prompt + new - 1).sum();
        assert_eq!(found.work.real, real, "{what}");
    }
}

pub fn rows_of_a_batch_equal_their_runs_alone() {
    for name in ["parallel-f16", "sequential-residual", "full-rotary", "wide-odd"] {
        let model = tiny(name).load().0;
        for plan in plans() {
            assert_rows_equal_their_runs_alone(name, &model, plan);
        }
    }
}

pub fn rows_of_the_bundled_model_equal_their_runs_alone() {
    let model = load_tales().0;
    for schedule in [Schedule::OneBatch, Schedule::Continuous(2)] {
        let plan = BatchPlan { schedule, ..BatchPlan::default() };
        assert_rows_equal_their_runs_alone("Tales-2M", &model, plan);
    }
}

pub fn every_place_of_a_static_batch_is_counted() {
    let model = tiny("relu").load().0;
    let found = outcome(&model, &requests(&model, &SHAPES), settings(greedy()), BatchPlan::default());
    // 5 rows of 40 columns, then 13 steps of 5 rows: the longest text has 14 tokens.
    let lengths: usize = SHAPES.iter().map(|(prompt, _)| prompt).sum();
    assert_eq!(found.work.padding, 5 * 40 - lengths);
    let running: usize = SHAPES.iter().map(|(_, new)| new - 1).sum();
    assert_eq!(found.work.finished, 5 * 13 - running);
    assert_eq!(found.work.computed(), 5 * 40 + 5 * 13);
    assert_eq!((found.work.forward_calls, found.work.rebuilds), (14, 0));
    let [layout] = found.layouts.as_slice() else { panic!("{} batches", found.layouts.len()) };
    let cells: Vec<_> = layout.rows.iter().map(|row| layout.cells(row)).collect();
    let count = |wanted| cells.iter().flatten().filter(|cell| **cell == wanted).count();
    assert_eq!(count(Cell::Padding), found.work.padding);
    assert_eq!(count(Cell::Prompt), lengths);
    assert_eq!(count(Cell::New), running);
    assert_eq!(count(Cell::Finished), found.work.finished);
}

pub fn the_mask_shows_what_a_row_of_the_batch_sees() {
    let model = tiny("relu").load().0;
    let found =
        outcome(&model, &requests(&model, &[(2, 1), (4, 1)]), settings(greedy()), BatchPlan::default());
    let layout = &found.layouts[0];
    let rows = |row: usize| -> Vec<String> {
        let mask = layout.mask(&layout.rows[row], 99);
        mask.chunks(4).map(|query| query.iter().map(|seen| if *seen { '1' } else { '0' }).collect()).collect()
    };
    assert_eq!(rows(0), ["1000", "0100", "0010", "0011"]);
    assert_eq!(rows(1), ["1000", "1100", "1110", "1111"]);
}

pub fn names_stay_with_their_texts_whatever_the_order_of_the_rows() {
    let model = tiny("parallel-f16").load().0;
    let requests = requests(&model, &SHAPES);
    let run = |sort_by_length, reversed| {
        let plan = BatchPlan { sort_by_length, reversed, ..BatchPlan::default() };
        outcome(&model, &requests, settings(creative()), plan)
    };
    let (as_given, sorted, reversed) = (run(false, false), run(true, false), run(true, true));
    assert_eq!(as_given.order, [0, 1, 2, 3, 4]);
    assert_eq!(sorted.order, [3, 0, 2, 4, 1]);
    assert_eq!(reversed.order, [1, 4, 2, 0, 3]);
    for found in [&sorted, &reversed] {
        let rows: Vec<usize> = found.layouts[0].rows.iter().map(|row| row.request).collect();
        assert_eq!(rows, found.order);
        for (index, request) in found.requests.iter().enumerate() {
            assert_eq!(request.name, format!("request {index}"));
            assert_eq!(found.texts[index].new_ids, as_given.texts[index].new_ids);
        }
    }
}

pub fn neighbours_of_like_length_need_less_padding() {
    let model = tiny("relu").load().0;
    let requests = requests(&model, &[(30, 2), (3, 2), (31, 2), (4, 2)]);
    let padding = |sort_by_length| {
        let plan = BatchPlan { schedule: Schedule::Groups(2), sort_by_length, ..BatchPlan::default() };
        outcome(&model, &requests, settings(greedy()), plan).work.padding
    };
    assert_eq!((padding(false), padding(true)), (27 + 27, 1 + 1));
}

pub fn a_newcomer_takes_the_place_of_a_finished_request() {
    let model = tiny("parallel-f16").load().0;
    let requests = requests(&model, &SHAPES);
    let run = |schedule| {
        outcome(&model, &requests, settings(creative()), BatchPlan { schedule, ..BatchPlan::default() })
    };
    let (groups, continuous) = (run(Schedule::Groups(2)), run(Schedule::Continuous(2)));
    assert!(groups.work.finished > 0);
    assert_eq!(continuous.work.finished, 0, "a finished row leaves");
    assert!(continuous.work.rebuilds > 0 && continuous.work.copied_bytes > 0);
    assert!(continuous.admission_ms > 0.0 && continuous.admission_ms < continuous.batch_ms);
    // Request 1 is the first to finish; request 2 gets its row, the second one.
    assert!(continuous.layouts[1].carried);
    let rows: Vec<usize> = continuous.layouts[1].rows.iter().map(|row| row.request).collect();
    assert_eq!(rows, [0, 2]);
    let row = &continuous.layouts[1].rows[0];
    let carried = &continuous.layouts[1].cells(row)[..continuous.layouts[1].start_columns];
    // Request 0 had made 4 tokens, of which 3 were run.
    assert_eq!(carried.iter().filter(|cell| **cell == Cell::New).count(), 3);
    assert_eq!(carried.iter().filter(|cell| **cell == Cell::Prompt).count(), 3);
}

/// What right padding does: the first token of a short row is read from a column of padding.
pub fn right_padding_that_reads_the_last_column_spoils_short_rows_only() {
    let model = load_tales().0;
    let requests = requests(&model, &[(4, 8), (9, 8), (6, 8)]);
    let plan = BatchPlan { padding: PaddingSide::Right, ..BatchPlan::default() };
    let found = outcome(&model, &requests, settings(greedy()), plan);
    for (index, alone) in found.alone.iter().enumerate() {
        let same = found.texts[index].new_ids == alone.new_ids;
        let difference = alone.largest_logit_difference.unwrap();
        assert_eq!(same, index == 1, "request {index}");
        assert_eq!(difference < 1e-4, index == 1, "request {index} differs by {difference}");
    }
    let cells = found.layouts[0].cells(&found.layouts[0].rows[0]);
    assert_eq!(cells[3..5], [Cell::Prompt, Cell::Padding]);
}

/// One stream for all rows: the same requests, settings and seed, and another order of the rows makes other texts.
pub fn a_shared_stream_makes_texts_depend_on_the_order_of_the_rows() {
    let model = load_tales().0;
    let requests = requests(&model, &[(4, 10), (9, 10), (6, 10)]);
    let run = |streams| {
        outcome(&model, &requests, settings(creative()), BatchPlan { streams, ..BatchPlan::default() })
    };
    let ids = |texts: &[logit_lab_engine::lab::batch_run::BatchText]| -> Vec<Vec<u32>> {
        texts.iter().map(|text| text.new_ids.clone()).collect()
    };
    let (own, shared) = (run(Streams::PerRequest), run(Streams::Shared { seed: 40 }));
    assert_eq!(ids(&own.texts), ids(own.reversed.as_ref().unwrap()));
    assert_ne!(ids(&shared.texts), ids(shared.reversed.as_ref().unwrap()));
    assert_ne!(ids(&shared.texts), ids(&own.texts));
    let same_again = run(Streams::Shared { seed: 40 });
    assert_eq!(ids(&shared.texts), ids(&same_again.texts), "the same order gives the same texts");
}

pub fn an_end_token_ends_its_own_row_only() {
    let model = tiny("parallel-f16").load().0;
    let requests = requests(&model, &[(3, 12), (5, 12), (8, 12)]);
    let free = outcome(&model, &requests, settings(greedy()), BatchPlan::default());
    let eos = free.texts[1].new_ids[2];
    let first = |ids: &[u32]| ids.iter().position(|id| *id == eos).map_or(12, |at| at + 1);
    let with_end = BatchSettings { eos_id: Some(eos), ..settings(greedy()) };
    let found = outcome(&model, &requests, with_end, BatchPlan::default());
    for (text, free) in found.texts.iter().zip(&free.texts) {
        assert_eq!(text.new_ids, free.new_ids[..first(&free.new_ids)]);
    }
    assert_eq!(found.texts[1].reason, Some(StopReason::EndToken));
    assert!(found.texts[1].new_ids.len() <= 3);
    let going_on = BatchSettings { eos_id: Some(eos), ignore_eos: true, ..settings(greedy()) };
    let found = outcome(&model, &requests, going_on, BatchPlan::default());
    assert_eq!(found.texts[1].new_ids, free.texts[1].new_ids);
}

pub fn latencies_add_up_to_the_times_of_the_whole() {
    let model = tiny("relu").load().0;
    let requests = requests(&model, &SHAPES);
    for plan in plans() {
        let found = outcome(&model, &requests, settings(greedy()), plan);
        let latencies: Vec<f64> = found.texts.iter().map(|text| text.latency_ms.unwrap()).collect();
        assert!(found.texts.iter().all(|text| text.first_token_ms.unwrap() <= text.latency_ms.unwrap()));
        assert!(latencies.iter().all(|latency| *latency > 0.0 && *latency <= found.batch_ms));
        let mut in_turn = 0.0;
        for alone in &found.alone {
            in_turn += alone.run_ms;
            assert!((alone.latency_ms - in_turn).abs() < 1e-9);
        }
        let tokens: usize = SHAPES.iter().map(|(_, new)| new).sum();
        let rate = tokens as f64 * 1e3 / found.batch_ms;
        assert!((found.tokens_per_second().unwrap() - rate).abs() < 1e-9);
        assert!((found.tokens_per_second_alone().unwrap() - tokens as f64 * 1e3 / in_turn).abs() < 1e-9);
    }
}

pub fn a_batch_that_is_stopped_tells_what_there_is() {
    let model = tiny("relu").load().0;
    let mut experiment = BatchExperiment::new(
        &model,
        requests(&model, &SHAPES),
        settings(greedy()),
        BatchPlan::default(),
        false,
        ticking,
    )
    .unwrap();
    for _ in 0..8 {
        assert!(!experiment.advance().unwrap());
    }
    let found = experiment.outcome();
    assert!(found.alone.is_empty() && found.reversed.is_none());
    assert_eq!(found.tokens_per_second_alone(), None);
    assert!(found.texts.iter().any(|text| text.reason.is_some()), "the shortest is finished");
    assert!(found.texts.iter().any(|text| text.reason.is_none() && text.latency_ms.is_none()));
}

pub fn a_row_that_fills_the_context_ends_and_the_others_go_on() {
    let model = tiny("relu").load().0;
    let requests = requests(&model, &[(60, 30), (2, 30)]);
    let found = outcome(&model, &requests, settings(greedy()), BatchPlan::default());
    assert_eq!(found.texts[0].reason, Some(StopReason::ContextFull));
    assert_eq!(found.texts[0].new_ids.len(), 4);
    assert_eq!(found.texts[1].reason, Some(StopReason::MaxNewTokens));
    for (text, alone) in found.texts.iter().zip(&found.alone) {
        assert_eq!((&text.new_ids, text.reason), (&alone.new_ids, alone.reason));
    }
}

pub fn requests_that_cannot_be_run_are_refused_in_words() {
    let model = tiny("relu").load().0;
    let refused = |requests: Vec<BatchRequest>, schedule| {
        let plan = BatchPlan { schedule, ..BatchPlan::default() };
        BatchExperiment::new(&model, requests, settings(greedy()), plan, false, ticking)
            .err()
            .map(|e| e.to_string())
    };
    let good = requests(&model, &[(3, 2)]);
    assert_eq!(refused(good.clone(), Schedule::OneBatch), None);
    assert!(refused(Vec::new(), Schedule::OneBatch).unwrap().contains("number of requests"));
    assert!(refused(vec![good[0].clone(); 65], Schedule::OneBatch).unwrap().contains("number of requests"));
    assert!(refused(requests(&model, &[(3, 0)]), Schedule::OneBatch).unwrap().contains("new tokens"));
    assert!(refused(good.clone(), Schedule::Groups(0)).unwrap().contains("rows"));
    let tales = load_tales().0;
    let long = requests(&tales, &[(200, 1000)]);
    let plan = BatchPlan::default();
    let error =
        BatchExperiment::new(&tales, vec![long[0].clone(); 64], settings(greedy()), plan, false, ticking)
            .err();
    assert!(
        error.unwrap().to_string().contains("KV cache"),
        "what memory may not hold is refused before it is taken"
    );
    let wrong = BatchRequest { ids: vec![96], ..good[0].clone() };
    assert!(refused(vec![wrong], Schedule::OneBatch).unwrap().contains("token id"));
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! batch_checks {
    ($test:meta) => {
        $crate::checks!($test, batch_run:
            rows_of_a_batch_equal_their_runs_alone,
            rows_of_the_bundled_model_equal_their_runs_alone,
            every_place_of_a_static_batch_is_counted,
            the_mask_shows_what_a_row_of_the_batch_sees,
            names_stay_with_their_texts_whatever_the_order_of_the_rows,
            neighbours_of_like_length_need_less_padding,
            a_newcomer_takes_the_place_of_a_finished_request,
            right_padding_that_reads_the_last_column_spoils_short_rows_only,
            a_shared_stream_makes_texts_depend_on_the_order_of_the_rows,
            an_end_token_ends_its_own_row_only,
            latencies_add_up_to_the_times_of_the_whole,
            a_batch_that_is_stopped_tells_what_there_is,
            a_row_that_fills_the_context_ends_and_the_others_go_on,
            requests_that_cannot_be_run_are_refused_in_words,
        );
    };
}
