//! The fused kernel's logits, bit by bit: the same natively and in a browser, however the positions are computed.

use logit_lab_engine::model::{Forward, Kernel, LoadChoice};
use logit_lab_engine::precision::{CachePrecision, Precision, WeightPrecision};

use crate::fixtures::{self, TINY};
use crate::forward::{logits_of_all, logits_of_last, some_ids};

/// Lengths of the prompts that the small checkpoints are run on.
const LENGTHS: [usize; 4] = [1, 2, 17, 48];

/// Digests of the logits of all positions, at each of [`LENGTHS`].
const TINY_DIGESTS: [(&str, [u64; 4]); 12] = [
    ("bf16", [0x4ad4_cd3a_4ba7_3644, 0x6d61_21b5_b14e_edef, 0x8e01_576f_493d_6065, 0x518e_6b0c_9d99_4d6c]),
    (
        "full-rotary",
        [0x6e0e_dbf3_fd1c_e870, 0xeac8_6a1a_3676_51c0, 0xe4c3_54c7_d8c5_74cc, 0xbed9_a141_3cb7_2295],
    ),
    (
        "gelu-new",
        [0x5bfd_c76e_14b6_cc61, 0x9839_7131_cfe4_ad0a, 0x0099_c926_780f_7e9d, 0xfb98_0bde_55c0_ad99],
    ),
    (
        "legacy-buffers-f16",
        [0xea66_330f_6bc5_58bf, 0x7238_2afa_5e0b_2d14, 0x843a_ea81_a110_41cb, 0xfb04_637e_862d_b474],
    ),
    (
        "lm-head-name",
        [0x59ca_05c5_b329_7a45, 0xac6d_cbe8_56a6_5030, 0xb103_e14a_70e9_a123, 0x8316_19b1_4de9_ef73],
    ),
    (
        "no-attention-bias",
        [0x3213_20bf_80a7_de48, 0x2f66_0887_cdc1_5b0a, 0x3832_e162_2012_3d76, 0x62da_6a02_4d88_10ca],
    ),
    (
        "parallel-f16",
        [0x6375_619e_1ff6_bf82, 0xad95_91f2_dffa_301a, 0xa6b2_1cd6_e728_df11, 0x725a_20fb_9671_2d50],
    ),
    ("relu", [0x8cb7_7687_534c_fbdb, 0x7713_f67e_93f6_6ba5, 0x8ebc_b549_4ceb_81d7, 0xd7c3_718e_3530_350d]),
    (
        "sequential-residual",
        [0x2214_9602_7535_00d3, 0xe09e_7e66_2c2f_8570, 0x92de_4e99_3269_87fd, 0x5e75_8879_4c91_ee13],
    ),
    ("sharded", [0xcde0_25ff_4b20_5db6, 0x7db6_8428_0f9f_9ec1, 0xfe97_107d_1104_7652, 0x7613_8fb8_1631_ba62]),
    (
        "tied-embeddings",
        [0xb8c6_79fa_b167_b4e8, 0xba47_2a48_0f17_dd9d, 0xb29f_8edb_8829_a54d, 0xa9a9_da9f_53d2_82cb],
    ),
    (
        "wide-odd",
        [0xc1f8_230d_46a4_41f0, 0x3acf_f5a3_f117_35b3, 0x1e1a_cbd2_65d2_3286, 0x6b80_75a0_4868_5d54],
    ),
];

/// Logits of the last position of a prompt of 48 tokens and of a full context of 512.
const TALES_DIGESTS: [u64; 2] = [0x17b9_f151_d416_8e31, 0x7e54_d05c_5dca_f95f];

/// Logits of the last position of 48 and of 600 tokens.
const STAND_IN_DIGESTS: [u64; 2] = [0x22c7_75e7_fd8e_b332, 0x5ebb_860d_5a88_1f15];

/// With an F16 KV cache: of all positions of 48 tokens on [`F16_CACHE_TINY`], and of the last of [`TALES_DIGESTS`].
const F16_CACHE_DIGESTS: [u64; 4] =
    [0xba75_5a05_147e_1125, 0x103e_95a7_82a0_2b1f, 0x61ae_07d2_0759_05d7, 0x94b1_3105_6bd2_9a66];

/// Even and odd head sizes.
const F16_CACHE_TINY: [&str; 2] = ["parallel-f16", "wide-odd"];

/// The fused kernel, exact but for the KV cache.
const F16_CACHE: LoadChoice = LoadChoice {
    kernel: Kernel::Fused,
    precision: WeightPrecision::uniform(Precision::F32),
    kv_cache: CachePrecision::F16,
};

/// FNV-1a over the bits of each number, little-endian.
pub fn digest(values: &[f32]) -> u64 {
    values.iter().flat_map(|value| value.to_bits().to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

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
