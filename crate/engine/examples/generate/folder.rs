//! A model folder opened: its files read, its tensors as they arrive, and what the loader reports.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use logit_lab_engine::checkpoint::{Checkpoint, CheckpointBuilder, LoadReport};
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::model::{self, Forward, Kernel, LoadChoice};
use logit_lab_engine::precision::{CachePrecision, WeightPrecision};
use logit_lab_engine::tokenizer::Tokenizer;
use serde_json::{Value, json};

use super::{Fallible, Options};

/// A model, its tokenizer where the folder has one, what the loader did, and the tensors, shared with the model.
pub type Loaded = (Box<dyn Forward>, Option<Arc<Tokenizer>>, LoadReport, Checkpoint);

pub fn load(folder: &Path, choice: LoadChoice) -> Fallible<Loaded> {
    let (config, tokenizer, checkpoint) = open(folder)?;
    let (model, report) = model::load(config, checkpoint.clone(), choice)?;
    Ok((model, tokenizer, report, checkpoint))
}

pub fn load_choice(options: &Options, kernel: &str) -> Fallible<LoadChoice> {
    Ok(LoadChoice {
        kernel: Kernel::parse(kernel)?,
        precision: WeightPrecision::parse(&options.precision)?,
        kv_cache: CachePrecision::parse(&options.kv_cache)?,
    })
}

/// What the files of a folder say, before a model is made of it.
pub type Opened = (ModelConfig, Option<Arc<Tokenizer>>, Checkpoint);

pub fn open(folder: &Path) -> Fallible<Opened> {
    let config = ModelConfig::from_json(&read(&folder.join("config.json"))?)?;
    let tokenizer_file = folder.join("tokenizer.json");
    let tokenizer = if tokenizer_file.exists() {
        Some(Arc::new(Tokenizer::from_bytes(&read(&tokenizer_file)?)?))
    } else {
        None
    };
    let single = folder.join("model.safetensors");
    let builder = if single.exists() {
        let mut builder = CheckpointBuilder::new(None)?;
        add_file(&mut builder, folder, "model.safetensors")?;
        builder
    } else {
        let index = read(&folder.join("model.safetensors.index.json"))?;
        let mut builder = CheckpointBuilder::new(Some(&index))?;
        for name in Checkpoint::shard_names(&index)? {
            add_file(&mut builder, folder, &name)?;
        }
        builder
    };
    Ok((config, tokenizer, builder.finish()?))
}

pub fn read(path: &Path) -> Fallible<Vec<u8>> {
    std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()).into())
}

/// Reads a weight file in pieces, so that it is never in memory beside its tensors.
fn add_file(builder: &mut CheckpointBuilder, folder: &Path, name: &str) -> Fallible<()> {
    let path = folder.join(name);
    let cannot_read = |error| format!("cannot read {}: {error}", path.display());
    let mut file = File::open(&path).map_err(cannot_read)?;
    let length = file.metadata().map_err(cannot_read)?.len();
    builder.begin_file(name, usize::try_from(length).ok())?;
    let mut piece = vec![0; 1 << 20];
    loop {
        match file.read(&mut piece).map_err(cannot_read)? {
            0 => return Ok(builder.finish_file()?),
            length => builder.push(&piece[..length])?,
        }
    }
}

pub fn report_json(report: &LoadReport) -> Value {
    json!({
        "bytes": report.bytes,
        "dtypes": report.dtypes.iter().map(|dtype| dtype.name()).collect::<Vec<_>>(),
        "tensors": report.tensors,
        "ignored": report.ignored.iter()
            .map(|tensor| json!({"name": tensor.name, "reason": tensor.reason})).collect::<Vec<_>>(),
        "converted": report.converted.iter()
            .map(|tensor| json!({"name": tensor.name, "from": tensor.from.name(), "to": tensor.to.name()}))
            .collect::<Vec<_>>(),
    })
}
