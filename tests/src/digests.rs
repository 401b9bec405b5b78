//! The fused kernel's logits, bit by bit: the same natively and in a browser, however the positions are computed.

use logit_lab_engine::model::{Forward, Kernel};

use crate::fixtures::{self, TINY};
use crate::forward::{logits_of_all, logits_of_last, some_ids};

/// Lengths of the prompts that the small checkpoints are run on.
const LENGTHS: [usize; 4] = [1, 2, 17, 48];

/// Digests of the logits of all positions, at each of [`LENGTHS`].
const TINY_DIGESTS: [(&str, [u64; 4]); 12] = [("", [0; 4]); 12];

/// Logits of the last position of a prompt of 48 tokens and of a full context of 512.
const TALES_DIGESTS: [u64; 2] = [0, 0];

/// Logits of the last position of 48 and of 600 tokens.
const STAND_IN_DIGESTS: [u64; 2] = [0, 0];

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
