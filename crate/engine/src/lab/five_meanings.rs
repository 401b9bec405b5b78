//! The five things that "precision" can mean, filled in for a running model: how weights are stored, what activations and
//! cache are kept in, what the operands of a product are, what its sum is kept in, and what comes out.
//!
//! What stands here is what the kernels do ([`crate::model::kernels`]); whoever changes one of them changes its sentence.

use crate::checkpoint::{Checkpoint, StoredDtype};
use crate::config::ModelConfig;
use crate::model::kernels::{integer_inputs, q4};
use crate::model::{Kernel, LoadChoice};
use crate::precision::{CachePrecision, Precision};

/// A running configuration.
#[derive(Debug, Clone, Copy)]
pub struct Configuration<'a> {
    /// Of the model.
    pub config: &'a ModelConfig,
    /// Whose tensors say in which formats the file has them.
    pub checkpoint: &'a Checkpoint,
    /// Kernel, weights, KV cache.
    pub choice: LoadChoice,
    /// Whether the build multiplies and adds with relaxed SIMD, as [`crate::model::kernels::RELAXED_SIMD`] says.
    pub relaxed_simd: bool,
}

/// One of the five meanings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meaning {
    /// In the lesson's words.
    pub name: &'static str,
    /// What it asks.
    pub question: &'static str,
    /// The answer, part by part where the parts differ.
    pub facts: Vec<Fact>,
}

/// What is true of one part of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Which part.
    pub part: String,
    /// The format, in a few words.
    pub format: String,
    /// How it comes about.
    pub detail: String,
}

fn fact(part: impl Into<String>, format: impl Into<String>, detail: impl Into<String>) -> Fact {
    Fact { part: part.into(), format: format.into(), detail: detail.into() }
}

/// All five, in the lesson's order.
pub fn five_meanings(running: Configuration) -> [Meaning; 5] {
    let meaning = |name, question, facts| Meaning { name, question, facts };
    [
        meaning("Stored weights", "In which format does each weight lie in memory?", stored(running)),
        meaning(
            "Activations and cache",
            "In which format is what the model computes kept between two steps?",
            kept(running),
        ),
        meaning("Arithmetic operands", "Which numbers does the processor multiply?", operands(running)),
        meaning(
            "Accumulation",
            "In which format are the many products of one output added up?",
            accumulation(running),
        ),
        meaning("Returned results", "What do you get to see?", results(running)),
    ]
}

/// A class of weight matrices, or several of which the same is true.
struct Class {
    name: &'static str,
    precision: Precision,
    /// In the file, without repeats.
    dtypes: Vec<StoredDtype>,
    /// Whether its rows are only looked up, never multiplied.
    looked_up: bool,
}

fn classes(running: Configuration) -> Vec<Class> {
    let Configuration { config, choice, .. } = running;
    let precision = choice.precision;
    let tied = config.tie_word_embeddings;
    let head = if tied { "gpt_neox.embed_in.weight" } else { "embed_out.weight" };
    let mut classes = vec![Class {
        name: "blocks",
        precision: precision.blocks,
        dtypes: dtypes(running, |name, axes| name.contains(".layers.") && axes == 2),
        looked_up: false,
    }];
    // Tied embeddings of one precision are one matrix.
    let shared = tied && precision.head == precision.embedding;
    if !shared {
        classes.push(Class {
            name: "embedding table",
            precision: precision.embedding,
            dtypes: dtypes(running, |name, _| name == "gpt_neox.embed_in.weight"),
            looked_up: true,
        });
    }
    classes.push(Class {
        name: if shared { "embedding table, which is also the output head" } else { "output head" },
        precision: precision.head,
        dtypes: dtypes(running, |name, _| name == head || !tied && name == "lm_head.weight"),
        looked_up: false,
    });
    classes
}

/// The formats of the tensors of those names and numbers of axes.
fn dtypes(running: Configuration, wanted: impl Fn(&str, usize) -> bool) -> Vec<StoredDtype> {
    let of = running.checkpoint.tensors().filter(|(name, info)| wanted(name, info.shape.len()));
    let mut dtypes: Vec<StoredDtype> = of.map(|(_, info)| info.dtype).collect();
    dtypes.sort_unstable();
    dtypes.dedup();
    dtypes
}

fn names(dtypes: &[StoredDtype]) -> String {
    dtypes.iter().map(|dtype| dtype.name()).collect::<Vec<_>>().join(" and ")
}

/// One fact for each class, or one for all where they are alike.
fn by_class(classes: &[Class], all: &str, of: impl Fn(&Class) -> (String, String)) -> Vec<Fact> {
    let facts: Vec<Fact> = classes
        .iter()
        .map(|class| {
            let (format, detail) = of(class);
            fact(class.name, format, detail)
        })
        .collect();
    match facts.first() {
        Some(first)
            if facts.iter().all(|other| (&other.format, &other.detail) == (&first.format, &first.detail)) =>
        {
            vec![fact(all, first.format.clone(), first.detail.clone())]
        }
        _ => facts,
    }
}

fn stored(running: Configuration) -> Vec<Fact> {
    let Configuration { choice, .. } = running;
    let mut facts =
        by_class(&classes(running), "all weight matrices", |class| stored_matrix(class, choice.kernel));
    let blocks = choice.precision.blocks;
    let rounded = match blocks {
        Precision::F16 | Precision::BF16 => {
            format!("; rounded to {} first, as a file of that format would hold them", shown(blocks))
        }
        Precision::F32 | Precision::Int8 | Precision::Q4 => String::new(),
    };
    facts.push(fact(
        "biases and layer norms",
        "F32",
        format!("they are few, so they are widened once, when the model is loaded{rounded}"),
    ));
    facts
}

fn stored_matrix(class: &Class, kernel: Kernel) -> (String, String) {
    let file = names(&class.dtypes);
    let is_of_file = |dtype| class.dtypes == [dtype];
    let rounding = match class.precision {
        Precision::F16 if is_of_file(StoredDtype::F16) => "exactly as the file has them".to_owned(),
        Precision::BF16 if is_of_file(StoredDtype::BF16) => "exactly as the file has them".to_owned(),
        Precision::F16 => format!("rounded from the file's {file} to 11 significant bits"),
        Precision::BF16 => format!("rounded from the file's {file} to 8 significant bits"),
        Precision::F32 if is_of_file(StoredDtype::F64) => "rounded from the file's F64".to_owned(),
        Precision::F32 | Precision::Int8 | Precision::Q4 => format!("the file's {file} numbers"),
    };
    match (kernel, class.precision) {
        (Kernel::Candle, Precision::F32) => ("F32".into(), format!("{rounding}, widened to 4 bytes")),
        (Kernel::Candle, _) => ("F32".into(), format!("{rounding}, and widened to 4 bytes again")),
        (Kernel::Fused, Precision::F32) if is_of_file(StoredDtype::F64) => {
            ("F32".into(), format!("4 bytes a weight, {rounding}"))
        }
        (Kernel::Fused, Precision::F32) => {
            (file, "as the file has them: nothing is rounded, and nothing takes more room than there".into())
        }
        (Kernel::Fused, Precision::F16 | Precision::BF16) => {
            (shown(class.precision).into(), format!("2 bytes a weight, {rounding}"))
        }
        (Kernel::Fused, Precision::Int8) => (
            "INT8 codes, F32 scales".into(),
            format!(
                "1 byte a weight, a whole number from −127 to 127, and one scale for each row; made from {rounding}"
            ),
        ),
        (Kernel::Fused, Precision::Q4) => (
            "4-bit codes, BF16 scales".into(),
            format!(
                "half a byte a weight, a whole number from −8 to 7, and one scale for each {} weights; made from {rounding}",
                q4::GROUP
            ),
        ),
    }
}

fn shown(precision: Precision) -> &'static str {
    match precision {
        Precision::F32 => "F32",
        Precision::F16 => "F16",
        Precision::BF16 => "BF16",
        Precision::Int8 => "INT8",
        Precision::Q4 => "Q4",
    }
}

fn kept(running: Configuration) -> Vec<Fact> {
    let Configuration { config, choice, .. } = running;
    let (bytes, format, detail) = match choice.kv_cache {
        CachePrecision::F32 => (4, "F32", "kept as computed"),
        CachePrecision::F16 => (
            2,
            "F16",
            "rounded when they are written, those of the present token too, and widened to F32 when they are read",
        ),
    };
    let token_bytes = 2 * config.num_hidden_layers * config.hidden_size * bytes;
    vec![
        fact(
            "activations",
            "F32",
            "hidden states, queries and the feed-forward block's numbers, 4 bytes each",
        ),
        fact(
            "KV cache: keys and values",
            format,
            format!(
                "{detail}; 2 × {} layers × {} numbers × {bytes} bytes are {token_bytes} bytes a token",
                config.num_hidden_layers, config.hidden_size
            ),
        ),
    ]
}

fn operands(running: Configuration) -> Vec<Fact> {
    let candle = running.choice.kernel == Kernel::Candle;
    let mut facts = by_class(&classes(running), "all matrix products", |class| {
        let most = integer_inputs::LARGEST_CODE;
        match class.precision {
            _ if candle => ("F32 × F32".into(), "weights were widened when the model was loaded".into()),
            Precision::F32 | Precision::F16 | Precision::BF16 if class.looked_up => {
                ("none: a look-up".into(), "one row is copied for each token, as F32".into())
            }
            Precision::Int8 | Precision::Q4 if class.looked_up => {
                ("none: a look-up".into(), "one row for each token, code × scale as F32".into())
            }
            Precision::F32 | Precision::F16 | Precision::BF16 => {
                ("F32 × F32".into(), "a weight is widened exactly as it is read; the input is F32".into())
            }
            Precision::Int8 | Precision::Q4 => (
                format!(
                    "{} code × 14-bit input code",
                    if class.precision == Precision::Q4 { "4-bit" } else { "INT8" }
                ),
                format!(
                    "the inputs of each position are rounded to whole numbers from −{most} to {most}, with one F32 scale \
                     for the position; whole numbers are multiplied"
                ),
            ),
        }
    });
    facts.push(fact("attention, softmax and layer norms", "F32", "no weights are quantised there"));
    facts
}

fn accumulation(running: Configuration) -> Vec<Fact> {
    let Configuration { choice, relaxed_simd, .. } = running;
    let candle = choice.kernel == Kernel::Candle;
    let rounding = if relaxed_simd {
        "relaxed SIMD: where the machine fuses multiply and add, product and sum are rounded once together, else one after \
         the other; so the last digits may differ from machine to machine"
    } else {
        "each product is rounded, then each sum: the same bits on every machine"
    };
    let products: Vec<Class> = classes(running).into_iter().filter(|class| !class.looked_up).collect();
    let mut facts = by_class(&products, "all matrix products", |class| {
        match class.precision {
        _ if candle => (
            "F32".into(),
            "in the order of candle's matrix library, which outside the browser fuses multiply and add".into(),
        ),
        Precision::F32 | Precision::F16 | Precision::BF16 => {
            ("F32, in 4 running sums".into(), rounding.to_owned())
        }
        Precision::Int8 => (
            "32-bit whole numbers, exact".into(),
            "sums of 2,048 products at most, longer ones in 64 bits; then converted to F32 and multiplied by both scales: \
             three roundings for an output; relaxed SIMD changes nothing here"
                .into(),
        ),
        Precision::Q4 => (
            "32-bit whole numbers in a group, F32 across groups".into(),
            format!(
                "each group of {} is summed exactly; its sum times its scale is added up in F32, in 4 running sums; \
                 relaxed SIMD changes nothing here",
                q4::GROUP
            ),
        ),
    }
    });
    if candle {
        facts.push(fact("attention, softmax and layer norms", "F32", "as candle's operations add them up"));
    } else {
        facts.push(fact("attention: scores and mixed values", "F32", rounding));
        facts.push(fact("layer norms", "F32, in 8 running sums", "the same bits in every build"));
    }
    facts
}

fn results(running: Configuration) -> Vec<Fact> {
    let vocab_size = running.config.vocab_size;
    vec![
        fact("logits", "F32", format!("one for each of the {vocab_size} tokens, never rounded further")),
        fact("chances", "F64", "exponentials are F32; they are summed and divided in F64"),
    ]
}
