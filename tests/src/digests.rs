//! The fused kernel's logits, bit by bit: the same natively and in a browser, however the positions are computed.

use logit_lab_engine::model::{Forward, Kernel};

use crate::fixtures::{self, TINY};
use crate::forward::{logits_of_all, logits_of_last, some_ids};

/// Lengths of the prompts that the small checkpoints are run on.
const LENGTHS: [usize; 4] = [1, 2, 17, 48];

/// Digests of the logits of all positions, at each of [`LENGTHS`].
const TINY_DIGESTS: [(&str, [u64; 4]); 12] = [
    ("bf16", [0x5814_057a_54d0_46b5, 0x0ee1_2443_5f43_3ac2, 0xb8ed_b504_1936_4dd3, 0x67d1_c220_3330_edda]),
    (
        "full-rotary",
        [0xbb84_314f_e00c_871c, 0xb29b_5ce1_ca6c_a299, 0x03c5_bf8d_e41b_77ef, 0x5b9e_9a40_728c_15b1],
    ),
    (
        "gelu-new",
        [0x5bfd_c76e_14b6_cc61, 0x9839_7131_cfe4_ad0a, 0x0099_c926_780f_7e9d, 0xfb98_0bde_55c0_ad99],
    ),
    (
        "legacy-buffers-f16",
        [0xd67c_1a91_b0f6_3d3e, 0x50da_bfbf_24d2_eca2, 0x9c20_c7bf_5957_2b3b, 0x95b7_a610_d34c_41db],
    ),
    (
        "lm-head-name",
        [0xed2e_e011_6585_cd17, 0xc0bf_2d3f_f95e_e807, 0x56b3_097a_dea0_e5e1, 0xb8b1_12ad_1115_ff85],
    ),
    (
        "no-attention-bias",
        [0x534e_bb64_1c23_cd24, 0x5bef_38c4_4944_5a33, 0x6579_f230_7510_273c, 0x703c_1b9d_2763_8e19],
    ),
    (
        "parallel-f16",
        [0x8128_0a62_5b43_4fec, 0x4051_174b_d250_6ac6, 0x0f4b_dbec_6c4e_cba4, 0xe581_020c_72d1_f4ff],
    ),
    ("relu", [0x8cb7_7687_534c_fbdb, 0x7713_f67e_93f6_6ba5, 0x8ebc_b549_4ceb_81d7, 0xd7c3_718e_3530_350d]),
    (
        "sequential-residual",
        [0xee55_df21_e392_af5f, 0x0e46_b443_f510_ea97, 0xe4e0_6300_152f_d760, 0x7ac0_b704_f036_7334],
    ),
    ("sharded", [0x69ba_ad63_5908_f8f7, 0x9516_408f_88a6_7467, 0xb8b3_e172_6be9_ec72, 0xff1b_88f6_4bfb_1fba]),
    (
        "tied-embeddings",
        [0x7109_978a_d1fe_2fbc, 0x8b0f_f2ef_4cfa_bf36, 0x0c6e_ee88_55b1_dcc9, 0x4071_c18c_a69c_a092],
    ),
    (
        "wide-odd",
        [0x54ac_c262_89b0_6691, 0x05df_38b1_02d6_7f52, 0x6f97_41b3_c9ee_b641, 0xb334_2831_6626_42ee],
    ),
];

/// Logits of the last position of a prompt of 48 tokens and of a full context of 512.
const TALES_DIGESTS: [u64; 2] = [0xcad6_a301_c90e_f497, 0xc87a_db90_399b_791a];

/// Logits of the last position of 48 and of 600 tokens.
const STAND_IN_DIGESTS: [u64; 2] = [0x9284_ced0_fd4f_962f, 0xf1fd_b191_8a8c_07a0];

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
    for tiny in &TINY {
        let model = tiny.load_on(Kernel::Fused);
        chunks_change_no_bit(tiny.name, &*model, &some_ids(&*model, 64));
    }
    let model = fixtures::load_tales_on(Kernel::Fused);
    chunks_change_no_bit("Tales-2M", &*model, &some_ids(&*model, 150));
}

/// A fork, its origin, and a sequence that was cut and went on: each has the bits of a model that knew only its ids.
pub fn forks_and_cuts_change_no_bit_of_the_logits() {
    for (name, model) in TINY
        .iter()
        .map(|tiny| (tiny.name, tiny.load_on(Kernel::Fused)))
        .chain([("Tales-2M", fixtures::load_tales_on(Kernel::Fused))])
    {
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
        );
    };
}
