//! `memory_bytes` of the output: what is allocated, counted.

use logit_lab_engine::lab::MemoryUse;
use logit_lab_engine::lab::memory_use::kv_bytes_per_position;
use logit_lab_engine::precision::CachePrecision;
use logit_lab_engine::session::Session;
use serde_json::{Value, json};

/// After a run. The checkpoint's own copy is gone by then, unless the kernel computes with it.
pub fn output(session: &Session, cache: CachePrecision) -> Value {
    let counted = MemoryUse::of(session, None, None);
    json!({
        "weights": counted.weight_bytes,
        "kv_used": counted.kv.used,
        "kv_reserved": counted.kv.reserved,
        "kv_per_position": kv_bytes_per_position(session.model().config(), cache),
        "activations": counted.work.activations,
        "workspace": counted.work.workspace,
        "counted": counted.counted_bytes(),
    })
}
