//! The wire format between page and worker: two closed unions, [`Command`] and [`Event`].
//!
//! Commands return nothing; every answer is an event that carries the id of what it answers. `www/src/protocol.d.ts` is
//! written from these types and a test holds it fresh. Bulk numbers are columns ([`crate::columns`]), never arrays of
//! objects; seeds are `u32`; names carry their units.

mod answer;
mod beam;
mod bench;
mod command;
mod event;
mod model;
mod replay;

pub use answer::{Answer, FullStep, Generated, Sample, TimingsMs};
pub use beam::{BeamResult, BeamSequence, BeamTree, EarlyStopping, Never};
pub use bench::{Comparison, Draws, Entropy, Margin, StepHistory};
pub use command::{
    Boundary, Call, ChainKind, ChainStep, Command, Limits, Pace, Positions, Prompt, Select, Settings,
    StartFrom,
};
pub use event::{
    Cut, Distribution, Draw, ErrorCode, ErrorDetails, Event, Memory, Rest, RunSummary, Shape, Step,
    StopReason, TokenColumn, TokenKind, WireError,
};
pub use model::{
    ConvertedTensor, IgnoredTensor, LoadReport, MemoryNeed, ModelCard, SelfTestOutcome, SelfTestReference,
    SimdLevel,
};
pub use replay::{ForcedToken, ReplayPart, Replayed};
