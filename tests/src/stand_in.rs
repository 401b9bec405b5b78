//! Checkpoints of the shapes of the small Pythias, made here: for tests of speed, memory and loading where the published
//! weights are not at hand. Their text is noise; their sizes and names are the published ones, and the smallest has the
//! published header length too.

/// The sizes of a model; head count and context are its configuration's alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub name: &'static str,
    pub hidden: usize,
    pub layers: usize,
    pub heads: usize,
    pub intermediate: usize,
}

pub const PYTHIA_14M: Shape = shape("pythia-14m", 128, 6, 4);

/// The shapes that can be asked for by name.
pub const SHAPES: [Shape; 4] = [
    PYTHIA_14M,
    shape("pythia-31m", 256, 6, 8),
    shape("pythia-70m", 512, 6, 8),
    shape("pythia-160m", 768, 12, 12),
];

const fn shape(name: &'static str, hidden: usize, layers: usize, heads: usize) -> Shape {
    Shape { name, hidden, layers, heads, intermediate: 4 * hidden }
}

const VOCABULARY: usize = 50_304;

/// Bytes of the header of Pythia-14M's file, its padding included.
pub const HEADER_BYTES: usize = 8_488;
/// Bytes of that whole file.
pub const FILE_BYTES: usize = 28_143_920;

/// One tensor: its name, its shape, and the spread of its values around a centre.
type Plan = (String, Vec<usize>, f32, f32);

impl Shape {
    /// The tensors in the order of the file.
    fn tensors(self) -> Vec<Plan> {
        let Self { hidden, intermediate, .. } = self;
        let mut tensors = vec![
            ("embed_out.weight".to_owned(), vec![VOCABULARY, hidden], 0.0, 0.25),
            ("gpt_neox.embed_in.weight".to_owned(), vec![VOCABULARY, hidden], 0.0, 0.6),
        ];
        let norm = |tensors: &mut Vec<_>, name: String| {
            tensors.push((format!("{name}.bias"), vec![hidden], 0.0, 0.1));
            tensors.push((format!("{name}.weight"), vec![hidden], 1.0, 0.1));
        };
        norm(&mut tensors, "gpt_neox.final_layer_norm".to_owned());
        for layer in 0..self.layers {
            for (part, outputs, inputs) in [
                ("attention.dense", hidden, hidden),
                ("attention.query_key_value", 3 * hidden, hidden),
                ("mlp.dense_4h_to_h", hidden, intermediate),
                ("mlp.dense_h_to_4h", intermediate, hidden),
            ] {
                let name = format!("gpt_neox.layers.{layer}.{part}");
                tensors.push((format!("{name}.bias"), vec![outputs], 0.0, 0.1));
                tensors.push((
                    format!("{name}.weight"),
                    vec![outputs, inputs],
                    0.0,
                    1.0 / (inputs as f32).sqrt(),
                ));
            }
            for part in ["input_layernorm", "post_attention_layernorm"] {
                norm(&mut tensors, format!("gpt_neox.layers.{layer}.{part}"));
            }
        }
        tensors
    }

    /// Its `config.json`, with Pythia's other fields.
    pub fn config_json(self) -> String {
        let Self { hidden, layers, heads, intermediate, .. } = self;
        format!(
            r#"{{"architectures":["GPTNeoXForCausalLM"],"attention_bias":true,"bos_token_id":0,"eos_token_id":0,"hidden_act":"gelu","hidden_size":{hidden},"intermediate_size":{intermediate},"layer_norm_eps":1e-05,"max_position_embeddings":2048,"model_type":"gpt_neox","num_attention_heads":{heads},"num_hidden_layers":{layers},"rotary_emb_base":10000,"rotary_pct":0.25,"tie_word_embeddings":false,"torch_dtype":"float16","use_parallel_residual":true,"vocab_size":{VOCABULARY}}}"#
        )
    }

    /// The whole checkpoint as one file. The same seed gives the same bytes.
    pub fn file(self, seed: u64) -> Vec<u8> {
        file(&self.tensors(), &mut { seed }, 0)
    }

    /// The checkpoint in `count` files of about the same number of tensors, by name, and their index.
    pub fn shards(self, seed: u64, count: usize) -> (String, Vec<(String, Vec<u8>)>) {
        let tensors = self.tensors();
        let mut places = Vec::new();
        let mut shards = Vec::new();
        let mut state = seed;
        for (n, part) in tensors.chunks(tensors.len().div_ceil(count)).enumerate() {
            let name = format!("model-{:05}-of-{count:05}.safetensors", n + 1);
            places.extend(part.iter().map(|(tensor, ..)| format!(r#""{tensor}":"{name}""#)));
            shards.push((name, file(part, &mut state, 0)));
        }
        (format!(r#"{{"metadata":{{}},"weight_map":{{{}}}}}"#, places.join(",")), shards)
    }
}

/// A checkpoint of Pythia-14M, byte for byte as long as the published one.
pub fn stand_in(seed: u64) -> Vec<u8> {
    file(&PYTHIA_14M.tensors(), &mut { seed }, HEADER_BYTES)
}

/// The bytes of a file with these tensors, whose header is filled up to `header_bytes`, or to a multiple of eight.
fn file(tensors: &[Plan], state: &mut u64, header_bytes: usize) -> Vec<u8> {
    let mut header = String::from(r#"{"__metadata__":{"format":"pt"}"#);
    let mut offset = 0;
    for (name, shape, ..) in tensors {
        let end = offset + 2 * shape.iter().product::<usize>();
        let shape = format!("{shape:?}").replace(' ', "");
        header += &format!(r#","{name}":{{"dtype":"F16","shape":{shape},"data_offsets":[{offset},{end}]}}"#);
        offset = end;
    }
    header.push('}');
    let header_bytes = header_bytes.max(header.len().next_multiple_of(8));
    header += &" ".repeat(header_bytes - header.len());

    let mut bytes = Vec::with_capacity(8 + header.len() + offset);
    bytes.extend((header.len() as u64).to_le_bytes());
    bytes.extend(header.as_bytes());
    for (_, shape, centre, spread) in tensors {
        for _ in 0..shape.iter().product() {
            let value = centre + spread * noise(state);
            bytes.extend(half::f16::from_f32(value).to_le_bytes());
        }
    }
    bytes
}

/// As many numbers as wanted, nearly normal, of variance `spread` squared: the same on every machine.
pub fn noise_values(seed: u64, length: usize, spread: f32) -> Vec<f32> {
    let mut state = seed;
    (0..length).map(|_| spread * noise(&mut state)).collect()
}

/// Nearly normal, variance 1: the sum of the four 16-bit parts of one SplitMix64 output.
fn noise(state: &mut u64) -> f32 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut word = *state;
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^= word >> 31;
    let sum: u64 = (0..4).map(|part| (word >> (16 * part)) & 0xffff).sum();
    // Four uniform parts have variance 4/12, so the sum is scaled by the root of 3.
    (sum as f32 / 65_536.0 - 2.0) * 1.732_050_8
}
