//! The fused kernel's logits, bit by bit: the same natively and in a browser, however the positions are computed.

pub use logit_lab_engine::lab::self_test::digest;
use logit_lab_engine::model::{Forward, Kernel, LoadChoice};
use logit_lab_engine::precision::{CachePrecision, Precision, WeightPrecision};

use crate::fixtures::{self, TINY};
use crate::forward::{logits_of_all, logits_of_last, some_ids};

/// Lengths of the prompts that the small checkpoints are run on.
const LENGTHS: [usize; 4] = [1, 2, 17, 48];

/// Digests of the logits of all positions, at each of [`LENGTHS`].
const TINY_DIGESTS: [(&str, [u64; 4]); 12] = [
    ("bf16", [0x10ec_056b_74f5_6065, 0x0291_988b_3c32_74e1, 0xd288_e6a1_11a7_4e8d, 0x9f65_b1dd_a0f0_7a08]),
    (
        "full-rotary",
        [0xd9df_d5d0_7afa_5207, 0xde04_865d_7418_6851, 0xe494_8840_097d_ad9a, 0xecf3_6575_11cd_a38a],
    ),
    (
        "gelu-new",
        [0x9f08_623d_ece7_1969, 0xcc78_aa71_b25d_dfc7, 0x4823_4037_cdac_859a, 0x4a46_0ce3_d31a_de01],
    ),
    (
        "legacy-buffers-f16",
        [0xa3a8_6960_30ae_f80c, 0x1c35_7157_ee9e_006f, 0x4f28_fa16_b7d1_119b, 0x4335_cc45_8df6_7bc7],
    ),
    (
        "lm-head-name",
        [0x11d8_4412_5946_2670, 0x77e9_9c8e_5414_a438, 0x450d_6e19_9d36_7649, 0x29a0_916b_4631_16a1],
    ),
    (
        "no-attention-bias",
        [0xa894_d503_2d75_38e6, 0x0abb_c1e0_fa87_0d1e, 0x5408_75c7_c07c_cfe7, 0xb5a9_6a8a_f7e2_3480],
    ),
    (
        "parallel-f16",
        [0x2fb6_d406_c2f4_edba, 0x5340_1bdb_8346_0f35, 0x1bc6_7e69_9cc3_1818, 0xa016_d432_1831_7d8b],
    ),
    ("relu", [0x0fe6_a217_d953_1efc, 0x6852_e8fc_33f8_b297, 0x3685_c34b_e993_d5ce, 0xb550_c923_9d1b_ab93]),
    (
        "sequential-residual",
        [0xcbee_8303_b872_dace, 0xca63_ca3b_8054_ddcf, 0xdbe2_d9d7_9842_1777, 0x358c_3cbf_ff2c_845a],
    ),
    ("sharded", [0x40f2_b7f8_2e5d_016f, 0x42fd_0a6f_9562_6345, 0x507d_d14b_70cd_035e, 0xb547_8372_f865_43d2]),
    (
        "tied-embeddings",
        [0x9af6_dd82_c182_5b24, 0x7ed1_fc72_653f_32c9, 0x390b_3cc7_8139_a783, 0x8bda_a801_8f0a_3605],
    ),
    (
        "wide-odd",
        [0xd599_6984_7cf9_64cb, 0x2b6c_6d17_0568_a915, 0x4481_39ab_3310_a6b0, 0x8f6e_6aa8_4f8c_e4cf],
    ),
];

/// Logits of the last position of a prompt of 48 tokens and of a full context of 512.
const TALES_DIGESTS: [u64; 2] = [0x544a_e148_fb2f_bdcb, 0xdf41_5651_8ae1_4b60];

/// Logits of the last position of 48 and of 600 tokens.
const STAND_IN_DIGESTS: [u64; 2] = [0x147a_d0f2_3ef1_30f9, 0xa405_33ca_a907_c94f];

/// With an F16 KV cache: of all positions of 48 tokens on [`F16_CACHE_TINY`], and of the last of [`TALES_DIGESTS`].
const F16_CACHE_DIGESTS: [u64; 4] =
    [0xf1dc_233d_98aa_dd99, 0xb0b8_e55a_6718_4b6d, 0x018b_91a3_0670_f0e8, 0xa00e_80d3_a28c_5b81];

/// Even and odd head sizes.
const F16_CACHE_TINY: [&str; 2] = ["parallel-f16", "wide-odd"];

/// The fused kernel, exact but for the KV cache.
const F16_CACHE: LoadChoice = LoadChoice {
    kernel: Kernel::Fused,
    precision: WeightPrecision::uniform(Precision::F32),
    kv_cache: CachePrecision::F16,
};

pub fn bits_of_the_small_checkpoints_are_pinned() {
    let found: Vec<(&str, [u64; 4])> = TINY
        .iter()
        .map(|tiny| {
            let model = tiny.load_on(Kernel::Fused);
            (tiny.name, LENGTHS.map(|length| digest(&logits_of_all(&*model, &some_ids(&*model, length)))))
        })
        .collect();
    assert!(found == TINY_DIGESTS, "small checkpoints: found {found:#x?}");
}

pub fn bits_of_tales_are_pinned() {
    let model = fixtures::load_tales_on(Kernel::Fused);
    let full = fixtures::tales_expected().full_context.ids;
    let found = [&full[..48], &full].map(|ids| digest(&logits_of_last(&*model, ids)));
    assert!(found == TALES_DIGESTS, "Tales-2M: found {found:#x?}");
}

pub fn bits_of_the_stand_in_are_pinned() {
    let model = fixtures::load_stand_in_on(Kernel::Fused);
    let found = [48, 600].map(|length| digest(&logits_of_last(&*model, &some_ids(&*model, length))));
    assert!(found == STAND_IN_DIGESTS, "stand-in: found {found:#x?}");
}

pub fn bits_with_an_f16_cache_are_pinned() {
    let tiny = F16_CACHE_TINY.map(|name| {
        let model = fixtures::tiny(name).load_as(F16_CACHE);
        digest(&logits_of_all(&*model, &some_ids(&*model, 48)))
    });
    let model = fixtures::load_tales_as(F16_CACHE);
    let full = fixtures::tales_expected().full_context.ids;
    let tales = [&full[..48], &full].map(|ids| digest(&logits_of_last(&*model, ids)));
    let found = [tiny[0], tiny[1], tales[0], tales[1]];
    assert!(found == F16_CACHE_DIGESTS, "F16 cache: found {found:#x?}");
}

/// Every small checkpoint and Tales-2M, by name.
fn models(choice: LoadChoice) -> impl Iterator<Item = (&'static str, Box<dyn Forward>)> {
    TINY.iter()
        .map(move |tiny| (tiny.name, tiny.load_as(choice)))
        .chain(std::iter::once_with(move || ("Tales-2M", fixtures::load_tales_as(choice))))
}

/// Runs `ids` in pieces; digest of the logits of every position.
fn in_chunks(model: &mut dyn Forward, ids: &[u32], chunk: usize) -> u64 {
    let hidden: Vec<f32> = ids.chunks(chunk).flat_map(|ids| model.extend(ids).expect("a chunk")).collect();
    digest(&model.logits(&hidden).expect("logits"))
}

/// One position at a time, in chunks, at once; the head for one row or for all.
fn chunks_change_no_bit(name: &str, model: &dyn Forward, ids: &[u32]) {
    let whole = logits_of_all(model, ids);
    for chunk in [1, 3, 32] {
        let found = in_chunks(&mut *model.fresh(), ids, chunk);
        assert_eq!(found, digest(&whole), "{name}, chunks of {chunk}");
    }
    let vocabulary = model.config().vocab_size;
    assert_eq!(
        digest(&logits_of_last(model, ids)),
        digest(&whole[whole.len() - vocabulary..]),
        "{name}, head of one row"
    );
}

pub fn chunks_change_no_bit_of_the_logits() {
    chunks_change_no_bit_of(LoadChoice::default());
}

pub fn chunks_change_no_bit_with_an_f16_cache() {
    chunks_change_no_bit_of(F16_CACHE);
}

fn chunks_change_no_bit_of(choice: LoadChoice) {
    for (name, model) in models(choice) {
        let length = if name == "Tales-2M" { 150 } else { 64 };
        chunks_change_no_bit(name, &*model, &some_ids(&*model, length));
    }
}

pub fn forks_and_cuts_change_no_bit_of_the_logits() {
    forks_and_cuts_change_no_bit_of(LoadChoice::default());
}

pub fn forks_and_cuts_change_no_bit_with_an_f16_cache() {
    forks_and_cuts_change_no_bit_of(F16_CACHE);
}

/// A fork, its origin, and a sequence that was cut and went on: each has the bits of a model that knew only its ids.
fn forks_and_cuts_change_no_bit_of(choice: LoadChoice) {
    for (name, model) in models(choice) {
        let most = model.config().max_position_embeddings.min(130);
        let ids = some_ids(&*model, most);
        let (prompt, rest) = ids.split_at(most / 2);
        let (one, two) = rest.split_at(rest.len() / 2);
        let expected = |tail: &[u32]| {
            let all = [prompt, tail].concat();
            let hidden = model.fresh().extend(&all).expect("a pass");
            digest(&hidden[prompt.len() * model.config().hidden_size..])
        };
        let mut origin = model.fresh();
        origin.extend(prompt).expect("a prompt");
        let mut fork = origin.fork().expect("a fork");
        assert_eq!(digest(&origin.extend(one).expect("one")), expected(one), "{name}, origin");
        assert_eq!(digest(&fork.extend(two).expect("two")), expected(two), "{name}, fork");
        origin.truncate(prompt.len());
        assert_eq!(digest(&origin.extend(two).expect("two")), expected(two), "{name}, cut");
        let mut late = fork.fork().expect("a fork");
        drop(fork);
        late.truncate(prompt.len());
        assert_eq!(digest(&late.extend(one).expect("one")), expected(one), "{name}, fork of a fork, cut");
    }
}

/// Makes a test of each check of this module.
#[macro_export]
macro_rules! digest_checks {
    ($test:meta) => {
        $crate::checks!(
            $test,
            digests: bits_of_the_small_checkpoints_are_pinned,
            bits_of_tales_are_pinned,
            bits_of_the_stand_in_are_pinned,
            chunks_change_no_bit_of_the_logits,
            forks_and_cuts_change_no_bit_of_the_logits,
            bits_with_an_f16_cache_are_pinned,
            chunks_change_no_bit_with_an_f16_cache,
            forks_and_cuts_change_no_bit_with_an_f16_cache,
        );
    };
}
