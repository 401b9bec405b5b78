//! Checks of what can be stored in fewer bytes: the KV cache, and each class of weights on its own.

use logit_lab_engine::EngineError;
use logit_lab_engine::model::{self, Forward, Kernel, LoadChoice};
use logit_lab_engine::precision::{CachePrecision, Precision, WeightPrecision, stored_bytes};

use crate::fixtures::{self, TINY, Tiny, tales_expected, tiny};
use crate::forward::some_ids;
use crate::quantised::bits;

/// How far an F16 cache moves a logit of Tales-2M at most; its logits spread over some twenty.
const F16_CACHE_LOGIT_ERROR: f32 = 0.05;

fn with_cache(kv_cache: CachePrecision) -> LoadChoice {
    LoadChoice { kv_cache, ..LoadChoice::default() }
}

fn with_weights(precision: WeightPrecision) -> LoadChoice {
    LoadChoice { precision, ..LoadChoice::default() }
}

const INT8_HEAD: WeightPrecision =
    WeightPrecision { head: Precision::Int8, embedding: Precision::F32, blocks: Precision::F32 };

pub fn an_f16_cache_takes_half_the_bytes() {
    let check = |name: &str, load: &dyn Fn(LoadChoice) -> Box<dyn Forward>| {
        let [mut wide, mut narrow] =
            [CachePrecision::F32, CachePrecision::F16].map(|cache| load(with_cache(cache)));
        for length in [1, 40, 23] {
            let ids = some_ids(&*wide, length);
            wide.extend(&ids).expect(name);
            narrow.extend(&ids).expect(name);
            let (wide, narrow) = (wide.kv_bytes(), narrow.kv_bytes());
            assert_eq!((wide.used, wide.reserved), (2 * narrow.used, 2 * narrow.reserved), "{name}");
        }
        let config = narrow.config();
        let numbers = 64 * config.num_hidden_layers * 2 * config.hidden_size;
        assert_eq!(narrow.kv_bytes().used, 2 * numbers, "{name}");
        assert!(narrow.kv_bytes().reserved >= 2 * numbers, "{name}");
        let fork = narrow.fork().expect(name);
        assert_eq!(fork.kv_bytes(), narrow.kv_bytes(), "{name}: a fork keeps the format");
        let mut fresh = narrow.fresh();
        fresh.extend(&[1]).expect(name);
        assert_eq!(fresh.kv_bytes().used, 2 * numbers / 64, "{name}: a fresh one too");
    };
    for tiny in &TINY {
        check(tiny.name, &|choice| tiny.load_as(choice));
    }
    check("Tales-2M", &fixtures::load_tales_as);
}

pub fn an_f16_cache_moves_the_logits_a_little() {
    let ids = &tales_expected().full_context.ids[..150];
    let [wide, narrow] = [CachePrecision::F32, CachePrecision::F16].map(|cache| {
        let mut model = fixtures::load_tales_as(with_cache(cache));
        let hidden = model.extend(ids).unwrap();
        model.logits(&hidden).unwrap()
    });
    let error = wide.iter().zip(&narrow).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(error > 0.0 && error < F16_CACHE_LOGIT_ERROR, "the largest error is {error}");
}

/// Hidden states, logits and bytes of weights, with the head in INT8 alone and with all of it in F32 and INT8.
fn only_the_head_differs(name: &str, load: &dyn Fn(LoadChoice) -> Box<dyn Forward>) -> [usize; 2] {
    let [mut exact, mut head, all] =
        [WeightPrecision::default(), INT8_HEAD, WeightPrecision::uniform(Precision::Int8)]
            .map(|precision| load(with_weights(precision)));
    let ids = some_ids(&*exact, 40);
    let hidden = exact.extend(&ids).expect(name);
    assert_eq!(bits(&hidden), bits(&head.extend(&ids).expect(name)), "{name}: hidden states");
    let [exact_logits, head_logits, all_logits] =
        [&exact, &head, &all].map(|model| bits(&model.logits(&hidden).expect(name)));
    assert_ne!(exact_logits, head_logits, "{name}: the head is quantised");
    assert_eq!(head_logits, all_logits, "{name}: as in a model that is quantised altogether");
    [exact.weight_bytes(), head.weight_bytes()]
}

pub fn an_int8_head_changes_the_head_alone() {
    let [exact, head] = only_the_head_differs("Tales-2M", &fixtures::load_tales_as);
    let config = fixtures::load_tales_as(LoadChoice::default()).config().clone();
    let bytes = |precision| stored_bytes(precision, config.vocab_size, config.hidden_size);
    assert_eq!(exact - head, bytes(Precision::F16) - bytes(Precision::Int8), "the file holds F16");
    for name in ["relu", "parallel-f16", "lm-head-name", "wide-odd"] {
        let tiny = tiny(name);
        if !tiny.config().tie_word_embeddings {
            only_the_head_differs(name, &|choice| tiny.load_as(choice));
        }
    }
}

pub fn a_tied_head_in_another_precision_stands_beside_the_table() {
    let tied = tiny("tied-embeddings");
    let config = tied.config();
    assert!(config.tie_word_embeddings);
    let [exact, head] = only_the_head_differs(tied.name, &|choice| tied.load_as(choice));
    assert_eq!(head - exact, stored_bytes(Precision::Int8, config.vocab_size, config.hidden_size));
}

pub fn each_class_of_weights_is_rounded_on_its_own() {
    let converted = |tiny: &Tiny, text: &str| -> Vec<String> {
        let choice = with_weights(WeightPrecision::parse(text).unwrap());
        let report = model::load(tiny.config(), tiny.checkpoint(), choice).unwrap().1;
        report.converted.into_iter().map(|tensor| tensor.name).collect()
    };
    // A file of F32.
    let relu = tiny("relu");
    assert!(converted(relu, "f32").is_empty());
    assert_eq!(converted(relu, "head=bf16"), ["embed_out.weight"]);
    assert_eq!(converted(relu, "embedding=f16"), ["gpt_neox.embed_in.weight"]);
    let blocks = converted(relu, "blocks=f16");
    assert!(blocks.len() > 10 && !blocks.iter().any(|name| name.contains("embed")), "{blocks:?}");
}

pub fn the_candle_kernel_takes_one_precision_and_an_f32_cache() {
    let small = tiny("relu");
    let refused = |choice: LoadChoice| {
        model::load(small.config(), small.checkpoint(), LoadChoice { kernel: Kernel::Candle, ..choice }).err()
    };
    assert!(refused(with_weights(Precision::F16.into())).is_none());
    let by_class = refused(with_weights(WeightPrecision::parse("head=f16").unwrap())).unwrap();
    assert!(matches!(by_class, EngineError::Settings { name: "precision", .. }), "{by_class}");
    assert!(by_class.to_string().contains("candle") && by_class.to_string().contains("head=f16"));
    let cache = refused(with_cache(CachePrecision::F16)).unwrap();
    assert!(matches!(cache, EngineError::Settings { name: "kv_cache", .. }), "{cache}");
    assert!(cache.to_string().contains("candle") && cache.to_string().contains("f16"));
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! storage_checks {
    ($test:meta) => {
        $crate::checks!($test, storage:
            an_f16_cache_takes_half_the_bytes,
            an_f16_cache_moves_the_logits_a_little,
            an_int8_head_changes_the_head_alone,
            a_tied_head_in_another_precision_stands_beside_the_table,
            each_class_of_weights_is_rounded_on_its_own,
            the_candle_kernel_takes_one_precision_and_an_f32_cache,
        );
    };
}
