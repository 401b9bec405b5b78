//! Whether this machine computes as others do: one short prompt whose logits are known beforehand.
//!
//! A browser once gave wrong numbers from its vector instructions without a word, and a model that computes wrongly still
//! writes text. Where the arithmetic is fixed by construction every bit must be right; where it is not, because a kernel
//! sums in another order or the weights are rounded, the known logits must be met within a tolerance that is far below
//! what a fault does to them.

use crate::checkpoint::{LoadReport, StoredDtype};
use crate::error::{EngineError, Result};
use crate::model::kernels::RELAXED_SIMD;
use crate::model::{Forward, Kernel, LoadChoice};
use crate::precision::{CachePrecision, Precision};

/// What a sound machine makes of one prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownLogits {
    /// The prompt.
    pub ids: Vec<u32>,
    /// Some of the logits after its last token, by id.
    pub logits: Vec<(u32, f32)>,
    /// [`digest`] of all of them, where the exact engine's are known.
    pub digest: Option<u64>,
}

/// How the logits compare with the known ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SelfTest {
    /// Whether they are what they must be.
    pub passed: bool,
    /// The largest difference of a known logit.
    pub largest_difference: f32,
    /// What was allowed; `None` where every bit had to be right.
    pub tolerance: Option<f32>,
}

/// FNV-1a, 64 bits, of the little-endian bytes of the numbers: equal bits have equal digests.
pub fn digest(values: &[f32]) -> u64 {
    values.iter().flat_map(|value| value.to_bits().to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// How far a sound engine's logits may be from the known ones, in logits; `None` where their bits are fixed.
///
/// Kernels that sum in another order stay within 0.002 of the reference. Rounded weights and caches may do more; the
/// figures are some times what they do to trained models (Tales-2M: 0.0004 for an F16 cache, 0.006 for BF16, 0.03 for
/// INT8, 0.5 for Q4), and a fault of arithmetic does more still.
pub fn tolerance(choice: LoadChoice, report: &LoadReport) -> Option<f32> {
    let precision = choice.precision;
    let of_weights =
        [precision.head, precision.embedding, precision.blocks].map(|precision| match precision {
            Precision::F32 => 0.0,
            Precision::F16 if report.dtypes == [StoredDtype::F16] => 0.0,
            Precision::F16 => 0.02,
            Precision::BF16 => 0.1,
            Precision::Int8 => 0.25,
            Precision::Q4 => 2.0,
        });
    let of_cache = match choice.kv_cache {
        CachePrecision::F32 => 0.0,
        CachePrecision::F16 => 0.02,
    };
    let rounding = of_weights.into_iter().fold(of_cache, f32::max);
    let is_fixed = rounding == 0.0 && choice.kernel == Kernel::Fused && !RELAXED_SIMD;
    (!is_fixed).then_some(rounding.max(REFERENCE_TOLERANCE))
}

/// For logits that another program computed, whose sums have another order.
const REFERENCE_TOLERANCE: f32 = 0.002;

/// Runs the prompt on `model`, whose cache is empty, and compares. With a tolerance, or without a known digest, the known
/// logits are compared one by one.
///
/// Errors: as [`Forward::extend`], and known logits of ids that the model has not.
pub fn run(model: &mut dyn Forward, known: &KnownLogits, tolerance: Option<f32>) -> Result<SelfTest> {
    let hidden = model.extend(&known.ids)?;
    let last_row = hidden.len().saturating_sub(model.config().hidden_size);
    let logits = model.logits(hidden.get(last_row..).unwrap_or_default())?;
    let mut largest_difference = 0.0_f32;
    for (id, expected) in &known.logits {
        let found = logits.get(*id as usize).ok_or_else(|| EngineError::Context {
            subject: "token id",
            expected: format!("an id below {}", logits.len()),
            found: id.to_string(),
        })?;
        let difference = (found - expected).abs();
        // A logit that is no number differs without bound.
        largest_difference =
            if difference.is_nan() { f32::INFINITY } else { largest_difference.max(difference) };
    }
    let (passed, tolerance) = match (tolerance, known.digest) {
        (None, Some(wanted)) => (digest(&logits) == wanted, None),
        (tolerance, _) => {
            let allowed = tolerance.unwrap_or(REFERENCE_TOLERANCE);
            (largest_difference <= allowed, Some(allowed))
        }
    };
    Ok(SelfTest { passed, largest_difference, tolerance })
}
