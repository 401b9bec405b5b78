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
    ("bf16", [0x71f8_c988_261e_61fb, 0xc707_978f_c5c5_4d17, 0xdc15_e107_c5be_53c7, 0x1bc4_0bf4_b23c_7b63]),
    (
        "full-rotary",
        [0xe073_afbd_ae72_d587, 0x1d03_0b96_8fcc_7346, 0xfc79_d15c_b9ee_2fe5, 0x334e_9f65_8f96_1e2d],
    ),
    (
        "gelu-new",
        [0x5bfd_c76e_14b6_cc61, 0x9839_7131_cfe4_ad0a, 0x0099_c926_780f_7e9d, 0xfb98_0bde_55c0_ad99],
    ),
    (
        "legacy-buffers-f16",
        [0xc2c1_352e_1914_78fa, 0xba6a_50f8_8fc5_455d, 0x06cb_1dab_44db_4651, 0x3799_45dd_b237_592f],
    ),
    (
        "lm-head-name",
        [0x5373_5181_f056_e0d0, 0x5f6a_e736_c64b_0ce5, 0x0c98_5d4d_789b_acea, 0x136b_3660_6bcb_4664],
    ),
    (
        "no-attention-bias",
        [0x2f2a_5700_e053_284c, 0x5f18_6a3d_c9ce_416a, 0xc092_86f2_d91e_8f11, 0xcfb7_b3b3_6166_5791],
    ),
    (
        "parallel-f16",
        [0xe60f_0561_90eb_21a0, 0x2bac_a03c_bdfc_70b2, 0x437f_8a5c_1102_b801, 0xf85d_ecc1_471c_d06c],
    ),
    ("relu", [0x8cb7_7687_534c_fbdb, 0x7713_f67e_93f6_6ba5, 0x8ebc_b549_4ceb_81d7, 0xd7c3_718e_3530_350d]),
    (
        "sequential-residual",
        [0x0132_2750_6df3_6264, 0xbb9c_3a42_aec0_02c9, 0xdba0_2ee3_8381_14a1, 0xbcd8_2702_04ce_b449],
    ),
    ("sharded", [0xa2fd_e785_e627_3042, 0x78f5_5a38_5a30_8f9f, 0x7c64_44cd_58ca_bb4b, 0xc2f6_7fb4_feca_a0a1]),
    (
        "tied-embeddings",
        [0x3f86_5d7a_ba45_68d8, 0xb6d5_5415_1279_8956, 0xfe67_be85_2f25_d696, 0xd8f9_6c09_457d_5c64],
    ),
    (
        "wide-odd",
        [0x7ebe_1b91_df71_cbc8, 0x9f0a_29b6_b1f6_b74c, 0x2375_32a8_b420_1431, 0x4264_b556_d5e6_b116],
    ),
];

/// Logits of the last position of a prompt of 48 tokens and of a full context of 512.
const TALES_DIGESTS: [u64; 2] = [0x1f20_2f44_da34_ff82, 0x9fbf_037c_fef0_aa0f];

/// Logits of the last position of 48 and of 600 tokens.
const STAND_IN_DIGESTS: [u64; 2] = [0x7c61_aaaa_32c7_1fbe, 0x41d4_a4ea_3b8f_7213];

/// With an F16 KV cache: of all positions of 48 tokens on [`F16_CACHE_TINY`], and of the last of [`TALES_DIGESTS`].
const F16_CACHE_DIGESTS: [u64; 4] =
    [0xf567_ebb2_37ac_e08f, 0xb823_f037_e2aa_5756, 0x0fc2_57e5_ee5f_d1a8, 0x17f1_ded4_d7de_a390];

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
