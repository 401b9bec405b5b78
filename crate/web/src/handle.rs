//! What JavaScript sees: [`EngineHandle`], [`Sha256`] and the summary of a panic.

use std::sync::{Mutex, Once};

use serde::Serialize;
use sha2::Digest;
use wasm_bindgen::prelude::*;

use crate::protocol::{ErrorCode, ErrorDetails, Event, WireError};
use crate::shell::{LoadOptions, Shell, WeightFile};

/// One worker's engine. Commands are queued; [`EngineHandle::slice`] does the work and returns events.
#[wasm_bindgen]
pub struct EngineHandle {
    shell: Shell,
}

#[wasm_bindgen]
impl EngineHandle {
    /// An engine without a model: it answers only what needs none.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        remember_panics();
        Self { shell: Shell::new(now_ms, wasm_bytes) }
    }

    /// Loads a model and returns its `ModelCard`. `weights` is an array of `{name, bytes}`; `index` is
    /// `model.safetensors.index.json` where there are shards. Throws a `WireError`; a model loaded before stays.
    pub fn load(
        &mut self,
        config: Vec<u8>,
        tokenizer: Option<Vec<u8>>,
        weights: js_sys::Array,
        index: Option<Vec<u8>>,
        options: JsValue,
    ) -> Result<JsValue, JsValue> {
        let files = weights.iter().map(weight_file).collect::<Result<Vec<_>, _>>()?;
        let options: LoadOptions =
            serde_wasm_bindgen::from_value(options).map_err(|error| not_a_command(&error))?;
        let card = self
            .shell
            .load(&config, tokenizer.as_deref(), files, index.as_deref(), &options)
            .map_err(|error| to_js(&error))?;
        Ok(to_js(&card))
    }

    /// Queues a command.
    pub fn command(&mut self, command: JsValue) {
        match serde_wasm_bindgen::from_value(command) {
            Ok(command) => self.shell.command(command),
            Err(error) => self.shell.reject(command_error(&error)),
        }
    }

    /// Works for about `budget_ms` and returns the events of that time, an array.
    pub fn slice(&mut self, budget_ms: f64) -> JsValue {
        to_js::<Vec<Event>>(&self.shell.slice(budget_ms))
    }

    /// Whether there is work that needs no further command.
    pub fn busy(&self) -> bool {
        self.shell.busy()
    }
}

impl Default for EngineHandle {
    fn default() -> Self {
        Self::new()
    }
}

/// SHA-256 of bytes that arrive in pieces. In the worker, because a page on plain http has no `crypto.subtle`.
#[wasm_bindgen]
#[derive(Default)]
pub struct Sha256 {
    state: sha2::Sha256,
}

#[wasm_bindgen]
impl Sha256 {
    /// The digest of nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.state.update(bytes);
    }

    /// The digest of everything added, in lower-case hexadecimal; the state starts anew.
    pub fn finish(&mut self) -> String {
        let digest = self.state.finalize_reset();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Where and why the engine panicked, or an empty string. After a panic no other function may be called.
#[wasm_bindgen]
pub fn panic_summary() -> String {
    PANIC.lock().map(|summary| summary.clone()).unwrap_or_default()
}

static PANIC: Mutex<String> = Mutex::new(String::new());

fn remember_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            if let Ok(mut summary) = PANIC.lock() {
                *summary = info.to_string();
            }
        }));
    });
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;
}

fn now_ms() -> f64 {
    performance_now()
}

fn wasm_bytes() -> usize {
    #[cfg(target_arch = "wasm32")]
    {
        core::arch::wasm32::memory_size::<0>() * 65_536
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        0
    }
}

fn weight_file(value: JsValue) -> Result<WeightFile, JsValue> {
    let get = |key: &str| js_sys::Reflect::get(&value, &JsValue::from_str(key));
    let name = get("name")?.as_string().unwrap_or_default();
    let bytes: js_sys::Uint8Array = get("bytes")?.dyn_into()?;
    Ok(WeightFile { name, bytes: bytes.to_vec() })
}

fn command_error(error: &serde_wasm_bindgen::Error) -> WireError {
    WireError {
        code: ErrorCode::Command,
        message: format!("the message is not a command: {error}"),
        details: ErrorDetails::default(),
    }
}

fn not_a_command(error: &serde_wasm_bindgen::Error) -> JsValue {
    to_js(&command_error(error))
}

/// Wire types always serialize; were one not to, JavaScript would see `undefined` in place of an event and say so.
fn to_js<T: Serialize>(value: &T) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::new().serialize_missing_as_null(true);
    value.serialize(&serializer).unwrap_or(JsValue::UNDEFINED)
}
