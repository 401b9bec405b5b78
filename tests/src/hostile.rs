//! What files and settings from anywhere are fed to: functions that must return, whatever the bytes are. The fuzz targets
//! of `fuzz/` call them with new bytes, and the kept corpus is run through them by every `cargo test`.

use logit_lab_engine::Result;
use logit_lab_engine::checkpoint::{Checkpoint, CheckpointBuilder};
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::memory::{MemoryBudget, MemoryLimit, MemoryNeed};
use logit_lab_engine::model::gpt_neox::GptNeox;
use logit_lab_engine::model::{self, Kernel, LoadChoice};
use logit_lab_engine::precision::Precision;
use logit_lab_engine::sampling::{
    BoundaryRule, ChainStep, DEFAULT_ORDER, Decoding, History, Sampler, SamplingSettings, SettingsValues,
};
use logit_lab_engine::session::{CachePolicy, Limits, Session, StartFrom, StopReason, check_text_bytes};
use logit_lab_engine::stop::StopStrings;
use logit_lab_engine::tokenizer::{StreamDecoder, Tokenizer};

use crate::fixtures::{self, WeightFiles};

/// Room for a hostile file's tensors: enough for a small model, and far from what a machine lacks.
fn budget() -> MemoryBudget {
    let need = MemoryNeed::of(&fixtures::tiny("relu").config(), LoadChoice::default(), None);
    MemoryBudget { need, limit: MemoryLimit::Bytes(16 << 20) }
}

/// What a fuzz target does with its bytes.
pub type Target = fn(&[u8]);

/// The fuzz targets by name, each with its function.
pub const TARGETS: [(&str, Target); 4] =
    [("safetensors", safetensors), ("config", config), ("tokenizer", tokenizer), ("generate", generate)];

/// Weights: the first byte says how long the pieces are, the second what is announced; the rest is the file. What can
/// be read is run. Pieces of any length, and an announced length that is right, must change nothing.
pub fn safetensors(data: &[u8]) {
    let Some(([piece, announced], file)) = data.split_first_chunk::<2>() else { return };
    let whole = in_pieces(file, None, file.len().max(1));
    let cut = in_pieces(file, (*announced & 1 == 1).then_some(file.len()), usize::from(*piece).max(1));
    match (whole, cut) {
        (Ok(whole), Ok(cut)) => {
            assert!(whole.tensors().eq(cut.tensors()), "pieces changed the tensors");
            run(whole);
        }
        (Err(_), Err(_)) => {}
        (whole, cut) => panic!("whole: {whole:?}, in pieces: {cut:?}"),
    }
    // The same bytes as an index, whose shards are never there.
    let _ = Checkpoint::from_shards(file, Vec::new());
}

fn in_pieces(file: &[u8], announced: Option<usize>, piece: usize) -> Result<Checkpoint> {
    let mut builder = CheckpointBuilder::new(None)?.within(budget());
    builder.begin_file("model.safetensors", announced)?;
    for part in file.chunks(piece) {
        builder.push(part)?;
    }
    builder.finish_file()?;
    builder.finish()
}

/// Loads and runs what has the tensors of the smallest fixture.
fn run(checkpoint: Checkpoint) {
    let config = fixtures::tiny("legacy-buffers-f16").config();
    for precision in [Precision::F32, Precision::Q4] {
        for kernel in [Kernel::Fused, Kernel::Candle] {
            let choice = LoadChoice { precision: precision.into(), ..LoadChoice::exact(kernel) };
            let Ok((mut model, _)) = model::load(config.clone(), checkpoint.clone(), choice) else {
                continue;
            };
            if let Ok(hidden) = model.extend(&[1, 2, 3]) {
                let _ = model.logits(&hidden);
            }
        }
    }
}

/// A `config.json`. One that is accepted has sizes that can be multiplied, and an estimate of its memory.
pub fn config(data: &[u8]) {
    let Ok(config) = ModelConfig::from_json(data) else { return };
    assert!(config.num_attention_heads * config.head_size() == config.hidden_size);
    assert!(config.rotary_dimensions() <= config.head_size());
    for kernel in [Kernel::Fused, Kernel::Candle] {
        let need = MemoryNeed::of(&config, LoadChoice::exact(kernel), Some(data.len() as u64));
        assert!(need.total_bytes() >= config.parameters() as u64);
    }
    // Weights for it are not there, and that is an error.
    let empty = Checkpoint::from_file(b"\x02\0\0\0\0\0\0\0{}".to_vec()).expect("a file without tensors");
    if config.num_hidden_layers < 8 {
        assert!(GptNeox::load(config, empty, Precision::F32).is_err());
    }
}

/// A `tokenizer.json`, and text, which stands after a zero byte or is the file itself.
pub fn tokenizer(data: &[u8]) {
    let mut parts = data.splitn(2, |byte| *byte == 0);
    let (json, text) = (parts.next().unwrap_or_default(), parts.next().unwrap_or(data));
    let Ok(tokenizer) = Tokenizer::from_bytes(json) else { return };
    let text: String = String::from_utf8_lossy(text).chars().take(300).collect();
    let ids = tokenizer.encode(&text).unwrap_or_default();
    let mut streamed = String::new();
    let mut stream = StreamDecoder::new();
    for id in
        ids.iter().copied().chain([0, tokenizer.max_id(), tokenizer.max_id().saturating_add(1), u32::MAX])
    {
        let piece = tokenizer.piece(id);
        assert!(!piece.text.is_empty() || tokenizer.bytes_of(id).is_some_and(<[u8]>::is_empty));
        streamed += &stream.push_token(&tokenizer, id);
    }
    streamed += &stream.finish();
    let _ = (streamed, tokenizer.decode(&ids));
}

/// Settings, logits and ids: one sampling step on arbitrary numbers, then a session with arbitrary ids and limits on a
/// small model.
pub fn generate(data: &[u8]) {
    let mut bytes = Bytes(data);
    let values = settings_values(&mut bytes);
    let uniform = bytes.f64();
    let count = usize::from(bytes.byte());
    let logits: Vec<f32> = (0..count).map(|_| bytes.f32()).collect();
    let history: Vec<u32> = (0..bytes.byte() % 16).map(|_| bytes.small()).collect();
    let prompt_length = usize::from(bytes.byte() % 18);
    let Ok(settings) = SamplingSettings::new(values) else { return };
    let eos_id = (bytes.byte() & 1 == 1).then(|| bytes.small());
    let told = History { ids: &history, prompt_length, eos_id };
    if let Ok(mut step) = Sampler::new().step(&logits, &settings, &told, uniform) {
        let full = step.full();
        let sum: f64 = full.probabilities.iter().sum();
        assert!((sum - 1.0).abs() < 1e-6, "the chances add up to {sum}");
        assert!((step.draw().id as usize) < logits.len());
    }
    let tiny = fixtures::tiny("relu");
    let WeightFiles::One(_) = &tiny.weights else { return };
    let mut session = Session::new(tiny.load_on(Kernel::Fused), None, CachePolicy::Reuse);
    for _ in 0..2 {
        let ids: Vec<u32> = (0..bytes.byte() % 80).map(|_| bytes.small()).collect();
        let length = ids.len();
        if session.set_prompt(ids).is_err() {
            continue;
        }
        assert!((1..=tiny.config().max_position_embeddings).contains(&length));
        let stop = StopStrings::new(vec![bytes.text(), bytes.text()]).unwrap_or_default();
        let limits = Limits {
            max_new_tokens: usize::from(bytes.byte() % 8),
            eos_id,
            ignore_eos: bytes.byte() & 1 == 1,
            stop,
        };
        session.start(StartFrom::Prompt, limits);
        while session.stopped().is_none() {
            let Ok(done) = session.forward_chunk() else { break };
            if done && session.pick(&settings, u32::from(bytes.byte())).is_err() {
                break;
            }
            let _ = session.read();
        }
        let _ = session.inspect(bytes.small() as usize, &settings).is_ok();
    }
}

fn settings_values(bytes: &mut Bytes<'_>) -> SettingsValues {
    let mut chain = Vec::new();
    for _ in 0..bytes.byte() % 6 {
        chain.push(match bytes.byte() % 4 {
            0 => ChainStep::Temperature(bytes.f64()),
            1 => ChainStep::TopK(bytes.small() as usize),
            2 => ChainStep::TopP(bytes.f64()),
            _ => ChainStep::MinP(bytes.f64()),
        });
    }
    let decoding = match bytes.byte() % 3 {
        0 => Decoding::Greedy,
        1 => Decoding::Sample { chain },
        _ => Decoding::Sample { chain: DEFAULT_ORDER.to_vec() },
    };
    SettingsValues {
        decoding,
        repetition_penalty: bytes.f64(),
        no_repeat_ngram: usize::from(bytes.byte() % 5),
        suppress: (0..bytes.byte() % 4).map(|_| bytes.small()).collect(),
        min_new_tokens: bytes.small() as usize,
        boundary: if bytes.byte() & 1 == 1 { BoundaryRule::Listing } else { BoundaryRule::Smallest },
    }
}

/// Values from bytes; when these are used up, zeros.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let mut taken = [0; N];
        for byte in &mut taken {
            *byte = self.byte();
        }
        taken
    }

    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// Mostly an id that a small vocabulary has, now and then any number.
    fn small(&mut self) -> u32 {
        match self.byte() {
            255 => u32::from_le_bytes(self.take()),
            id => u32::from(id),
        }
    }

    fn f32(&mut self) -> f32 {
        f32::from_bits(u32::from_le_bytes(self.take()))
    }

    /// Mostly a number of an ordinary size, now and then any bits.
    fn f64(&mut self) -> f64 {
        match self.byte() {
            255 => f64::from_bits(u64::from_le_bytes(self.take())),
            quarter => f64::from(quarter) / 64.0,
        }
    }

    fn text(&mut self) -> String {
        let length = usize::from(self.byte() % 8);
        let bytes: Vec<u8> = (0..length).map(|_| self.byte()).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// A JSON list in a list, and so on.
pub fn nested(depth: usize) -> String {
    "[".repeat(depth) + &"]".repeat(depth)
}

/// Nesting must not use up the stack, of which there is little in a browser.
pub fn deep_json_is_an_error_wherever_it_stands() {
    for depth in [100, 1_000, 100_000] {
        let deep = nested(depth);
        assert!(ModelConfig::from_json(format!(r#"{{"vocab_size":{deep}}}"#).as_bytes()).is_err());
        assert!(ModelConfig::from_json(format!(r#"{{"rope_scaling":{deep}}}"#).as_bytes()).is_err());
        let index = format!(r#"{{"weight_map":{deep}}}"#);
        assert!(CheckpointBuilder::new(Some(index.as_bytes())).is_err());
        for header in [format!(r#"{{"t":{deep}}}"#), format!(r#"{{"t":{{"shape":{deep}}}}}"#)] {
            let mut file = (header.len() as u64).to_le_bytes().to_vec();
            file.extend(header.as_bytes());
            assert!(Checkpoint::from_file(file).is_err());
        }
        for field in ["model", "pre_tokenizer", "normalizer", "post_processor", "decoder", "added_tokens"] {
            assert!(
                Tokenizer::from_bytes(format!(r#"{{"version":"1.0","{field}":{deep}}}"#).as_bytes()).is_err()
            );
        }
        for (field, list) in
            [("pre_tokenizer", "pretokenizers"), ("normalizer", "normalizers"), ("decoder", "decoders")]
        {
            let begin = format!(r#"{{"type":"Sequence","{list}":["#).repeat(depth);
            let json = format!(r#"{{"version":"1.0","{field}":{begin}{}}}"#, "]}".repeat(depth));
            assert!(Tokenizer::from_bytes(json.as_bytes()).is_err());
        }
    }
}

/// A prompt of more positions than there are is an error with both figures; one of exactly as many runs.
pub fn the_context_holds_its_own_length_and_no_token_more() {
    let model = fixtures::tiny("relu").load_on(Kernel::Fused);
    let positions = model.config().max_position_embeddings;
    let settings = SamplingSettings::default();
    let mut session = Session::new(model, None, CachePolicy::Reuse);
    for length in [positions - 1, positions] {
        session.set_prompt(vec![1; length]).expect("a prompt that fits");
        let limits = Limits { max_new_tokens: 5, ..Limits::default() };
        session.start(StartFrom::Prompt, limits);
        while session.stopped().is_none() {
            while !session.forward_chunk().expect("a forward pass") {}
            session.pick(&settings, 1).expect("a pick");
        }
        assert_eq!(session.stopped(), Some(StopReason::ContextFull));
        assert_eq!(session.ids().len(), positions);
    }
    let error = session.set_prompt(vec![1; positions + 1]).expect_err("too long").to_string();
    assert!(error.contains(&format!("1 to {positions} tokens")), "{error}");
    assert!(error.contains(&format!("{}", positions + 1)), "{error}");
    assert_eq!(session.ids().len(), positions, "the session is as it was");
    // A megabyte of text is refused by its length, without a look at it.
    assert!(
        check_text_bytes(1 << 20, 2048)
            .expect_err("a megabyte")
            .to_string()
            .contains("1048576 bytes of text")
    );
    assert!(check_text_bytes(200_000, 2048).is_ok());
}

#[macro_export]
macro_rules! hostile_checks {
    ($test:meta) => {
        $crate::checks!($test, hostile: deep_json_is_an_error_wherever_it_stands,
            the_context_holds_its_own_length_and_no_token_more);
    };
}
