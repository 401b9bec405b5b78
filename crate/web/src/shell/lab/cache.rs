//! Two paths on one text, and the memory that is in use.

use std::sync::Arc;

use logit_lab_engine::EngineError;
use logit_lab_engine::lab::memory_use::{kv_bytes_per_position, number_bytes};
use logit_lab_engine::lab::{CacheCheck, CheckStep, Clock, Continuation, HeadRows, MemoryUse};
use logit_lab_engine::session::{CachePolicy, Pass};
use logit_lab_engine::tokenizer::Tokenizer;

use super::super::{Loaded, Result};
use super::LabJob;
use crate::columns::{F32Column, F64Column, U8Column, U32Column};
use crate::protocol::{self as wire, Answer, CacheCheckResult, CheckContinuation, CheckPath};
use crate::{convert, project};

/// A comparison under way.
pub(in crate::shell) struct CacheCheckJob {
    check: CacheCheck,
    tokenizer: Option<Arc<Tokenizer>>,
}

impl CacheCheckJob {
    /// Both paths on the loaded weights.
    pub(in crate::shell) fn new(
        loaded: &mut Loaded,
        ids: Vec<u32>,
        continuation: CheckContinuation,
        paths: [CheckPath; 2],
        all_positions: bool,
        clock: Clock,
    ) -> Result<Self> {
        let [first, second] = paths;
        let mut path = |CheckPath { kernel, cache }: CheckPath| {
            loaded.fresh_model(kernel.as_deref()).map(|model| (model, convert::cache_policy(cache)))
        };
        let paths = [path(first)?, path(second)?];
        let continuation = match continuation {
            CheckContinuation::Ids(ids) => Continuation::Given(ids),
            CheckContinuation::Greedy(steps) => Continuation::Greedy(steps),
        };
        let head = if all_positions { HeadRows::All } else { HeadRows::Last };
        let check = CacheCheck::new(paths, ids, continuation, head, clock)?;
        Ok(Self { check, tokenizer: loaded.tokenizer.clone() })
    }
}

impl LabJob for CacheCheckJob {
    fn advance(&mut self) -> std::result::Result<bool, EngineError> {
        self.check.advance()
    }

    fn progress(&self) -> (usize, usize) {
        (self.check.steps().len(), self.check.total())
    }

    fn answer(self: Box<Self>) -> Result<Answer> {
        let steps = self.check.steps();
        let tokens = |id: fn(&CheckStep) -> u32| {
            let ids: Vec<u32> = steps.iter().map(id).collect();
            project::tokens(self.tokenizer.as_deref(), &ids)
        };
        let times = |path: fn(&CheckStep) -> f64| F64Column(steps.iter().map(path).collect());
        let result = CacheCheckResult {
            ids: U32Column(self.check.ids().to_vec()),
            prompt_length: self.check.prompt_length(),
            total: self.check.total(),
            contexts: U32Column(
                steps.iter().map(|step| u32::try_from(step.context).unwrap_or(u32::MAX)).collect(),
            ),
            differences: F32Column(steps.iter().map(|step| step.difference).collect()),
            most_different: tokens(|step| step.id),
            same_bits: U8Column(steps.iter().map(|step| u8::from(step.same_bits)).collect()),
            first_best: tokens(|step| step.best[0]),
            second_best: tokens(|step| step.best[1]),
            first_ms: times(|step| step.forward_ms[0]),
            second_ms: times(|step| step.forward_ms[1]),
        };
        Ok(Answer::CacheCheck { result: Box::new(result) })
    }
}

/// What the newest forward pass for the page's text did.
pub(in crate::shell) fn cache_state(loaded: &Loaded) -> wire::CacheState {
    let session = &loaded.session;
    let Pass { reused, computed, discarded, shared } = session.last_pass();
    wire::CacheState {
        reused,
        computed,
        discarded,
        shared,
        cache: session.cache_policy() == CachePolicy::Reuse,
        layers: loaded.config.num_hidden_layers,
        prompt_tokens: session.prompt_length(),
        tokens: project::tokens(loaded.tokenizer.as_deref(), session.ids()),
    }
}

/// What the page's model has in memory now.
pub(in crate::shell) fn memory_use(loaded: &Loaded, wasm_bytes: usize) -> wire::MemoryUse {
    let counted = MemoryUse::of(&loaded.session, Some(&loaded.checkpoint), loaded.other_kernel.as_deref());
    let cache = loaded.choice.kv_cache;
    wire::MemoryUse {
        weight_bytes: counted.weight_bytes,
        file_copy_bytes: counted.file_copy_bytes,
        second_kernel_bytes: counted.second_kernel_bytes,
        kv_used_bytes: counted.kv.used,
        kv_reserved_bytes: counted.kv.reserved,
        activation_bytes: counted.work.activations,
        workspace_bytes: counted.work.workspace,
        wasm_bytes,
        other_bytes: counted.other_bytes(wasm_bytes),
        kv_bytes_per_position: kv_bytes_per_position(&loaded.config, cache),
        kv_number_bytes: number_bytes(cache),
        positions: loaded.session.model().cached(),
    }
}
