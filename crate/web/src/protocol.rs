//! The wire format between page and worker: two closed unions, [`Command`] and [`Event`].
//!
//! Commands return nothing; every answer is an event that carries the id of what it answers. `www/src/protocol.d.ts` is
//! written from these types and a test holds it fresh. Bulk numbers are columns ([`crate::columns`]), never arrays of
//! objects; seeds are `u32`; names carry their units.

mod answer;
mod batch;
mod beam;
mod bench;
mod benchmark;
mod cache;
mod call;
mod command;
mod event;
mod model;
mod precision;
mod replay;
mod scores;
mod timing;

pub use answer::{Answer, FullStep, Generated, Sample, TimingsMs};
pub use batch::{
    BatchAlone, BatchCall, BatchLayout, BatchRequest, BatchResult, BatchRow, BatchWork, BatchedRequest,
    OtherText, PaddingSide,
};
pub use beam::{BeamResult, BeamSequence, BeamTree, EarlyStopping, Never};
pub use bench::{Comparison, Draws, Entropy, Margin, StepHistory};
pub use benchmark::{
    BenchmarkCall, BenchmarkComparison, BenchmarkSummary, MetricName, MetricRatio, MetricValues, Outcome,
    Verdict,
};
pub use cache::{CacheCheckResult, CacheState, CheckContinuation, CheckPath, MemoryUse};
pub use call::{Call, Positions};
pub use command::{
    Boundary, ChainKind, ChainStep, Command, Limits, Pace, Prompt, Select, Settings, StartFrom,
};
pub use event::{
    Cut, Distribution, Draw, ErrorCode, ErrorDetails, Event, Memory, Rest, RunSummary, Shape, Step,
    StopReason, TokenColumn, TokenKind, WireError,
};
pub use model::{
    ConvertedTensor, IgnoredTensor, LoadReport, MemoryNeed, ModelCard, SelfTestOutcome, SelfTestReference,
    SimdLevel,
};
pub use precision::{
    BitField, BlockScaling, FloatFacts, MeasuredSpeed, NumberDescription, NumberKind, PackedBytes,
    PrecisionFact, PrecisionFigures, PrecisionMeaning, PrecisionRow, PrecisionTable, Quantised, StoredNumber,
};
pub use replay::{ForcedToken, ReplayPart, Replayed};
pub use scores::{ScoreCall, TextScores, TextSummary, WeightsDigest};
pub use timing::{Latency, RunTiming, Spread, TokenGroups};
