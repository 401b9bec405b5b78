//! From logits to the next token: one function that samples and tells.
//!
//! [`Sampler::step`] does one step and lends everything that led to the pick, [`SamplingStep`]. What a reader is shown
//! is a projection of that value; there is no second code path that explains, and how many rows are shown has no
//! influence on anything. The order of a step:
//!
//! 1. Repetition penalty and bans change the raw logits into the processed logits (`penalties`).
//! 2. The processed logits are ranked once: descending, ties by lower token id (`ranking`).
//! 3. The chain of temperature and filters cuts the ranking to a prefix (`chain`).
//! 4. A uniform number picks from the softmax over what is left (`draw`); [`uniform`] makes it from a seed (`rng`).
//!
//! Greedy decoding takes rank 0 after step 1 instead. There is no clock and no random source here, and no
//! transcendental function of the standard library: the same logits, settings, history and number give the same bits
//! on every machine.
//!
//! ```
//! use logit_lab_engine::sampling::{ChainStep, Decoding, History, Sampler, SamplingSettings, SettingsValues};
//!
//! # fn main() -> logit_lab_engine::Result<()> {
//! let settings = SamplingSettings::new(SettingsValues {
//!     decoding: Decoding::Sample { chain: vec![ChainStep::TopK(2)] },
//!     ..SettingsValues::default()
//! })?;
//! let logits = [8f32, 4.0, 2.0, 1.0].map(f32::ln);
//! let mut sampler = Sampler::new();
//! let step = sampler.step(&logits, &settings, &History::default(), 0.7)?;
//! assert!((step.probability(0) - 2.0 / 3.0).abs() < 1e-6);
//! assert_eq!(step.draw().id, 1);
//! assert_eq!(step.probability(2), 0.0);
//! # Ok(())
//! # }
//! ```

mod chain;
mod draw;
mod penalties;
mod ranking;
mod rng;
mod scale;
mod settings;
mod stages;
mod step;
mod summary;
mod tally;

pub use chain::Cut;
pub use draw::Draw;
pub use penalties::History;
pub use rng::uniform;
pub use settings::{BoundaryRule, ChainStep, DEFAULT_ORDER, Decoding, SamplingSettings, SettingsValues};
pub use stages::{Comparison, Entropy, Margin, Stages};
pub use step::{BaseDistribution, FullDistribution, Row, Sampler, SamplingStep};
pub use summary::StepSummary;
pub use tally::Tally;
