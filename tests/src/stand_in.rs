//! A checkpoint of exactly Pythia-14M's shape and size, made here: for tests of speed, memory and loading where the
//! published weights are not at hand. Its text is noise; its sizes, names and header length are the published ones.

const LAYERS: usize = 6;
const HIDDEN: usize = 128;
const INTERMEDIATE: usize = 512;
const VOCABULARY: usize = 50_304;

/// Bytes of the file's header, its padding included.
pub const HEADER_BYTES: usize = 8_488;
/// Bytes of the whole file.
pub const FILE_BYTES: usize = 28_143_920;

/// The 76 tensors with their shapes and the spread of their values around a centre, in the order of the file.
fn tensors() -> Vec<(String, Vec<usize>, f32, f32)> {
    let mut tensors = vec![
        ("embed_out.weight".to_owned(), vec![VOCABULARY, HIDDEN], 0.0, 0.25),
        ("gpt_neox.embed_in.weight".to_owned(), vec![VOCABULARY, HIDDEN], 0.0, 0.6),
    ];
    let norm = |tensors: &mut Vec<_>, name: String| {
        tensors.push((format!("{name}.bias"), vec![HIDDEN], 0.0, 0.1));
        tensors.push((format!("{name}.weight"), vec![HIDDEN], 1.0, 0.1));
    };
    norm(&mut tensors, "gpt_neox.final_layer_norm".to_owned());
    for layer in 0..LAYERS {
        for (part, outputs, inputs) in [
            ("attention.dense", HIDDEN, HIDDEN),
            ("attention.query_key_value", 3 * HIDDEN, HIDDEN),
            ("mlp.dense_4h_to_h", HIDDEN, INTERMEDIATE),
            ("mlp.dense_h_to_4h", INTERMEDIATE, HIDDEN),
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

/// The bytes of a stand-in. The same seed gives the same bytes.
pub fn stand_in(seed: u64) -> Vec<u8> {
    let tensors = tensors();
    let mut header = String::from(r#"{"__metadata__":{"format":"pt"}"#);
    let mut offset = 0;
    for (name, shape, ..) in &tensors {
        let end = offset + 2 * shape.iter().product::<usize>();
        let shape = format!("{shape:?}").replace(' ', "");
        header += &format!(r#","{name}":{{"dtype":"F16","shape":{shape},"data_offsets":[{offset},{end}]}}"#);
        offset = end;
    }
    header.push('}');
    assert!(header.len() <= HEADER_BYTES, "a header of {} bytes does not fit", header.len());
    header += &" ".repeat(HEADER_BYTES - header.len());

    let mut bytes = Vec::with_capacity(FILE_BYTES);
    bytes.extend((HEADER_BYTES as u64).to_le_bytes());
    bytes.extend(header.as_bytes());
    let mut state = seed;
    for (_, shape, centre, spread) in &tensors {
        for _ in 0..shape.iter().product() {
            let value = centre + spread * noise(&mut state);
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
