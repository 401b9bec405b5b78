//! The precision panel: what "precision" means for the loaded model, precisions compared on a text, and numbers in their
//! formats. The last needs no model.

use logit_lab_engine::EngineError;
use logit_lab_engine::lab::block_scaling::{self, PackedBytes};
use logit_lab_engine::lab::five_meanings::{Configuration, five_meanings};
use logit_lab_engine::lab::number_formats::{CodeFormat, describe};
use logit_lab_engine::lab::precision_table::{REPEATS, RowChoice};
use logit_lab_engine::lab::{PrecisionTable, TableSource};
use logit_lab_engine::model::Kernel;
use logit_lab_engine::model::kernels::RELAXED_SIMD;

use super::LabJob;
use crate::project::precision as project;
use crate::protocol::{self as wire, Answer, Call, Prompt};
use crate::shell::prompt::prompt_ids;
use crate::shell::{Result, Shell};

/// Shares a scale with a number when a call does not say.
const DEFAULT_LARGEST: f64 = 1.0;

impl Shell {
    /// Answers a call of the precision panel that can be answered at once.
    pub(in crate::shell) fn precision_call(&mut self, call: Call) -> Result<Option<Answer>> {
        Ok(match call {
            Call::FiveMeanings => Some(Answer::FiveMeanings { meanings: self.meanings()? }),
            Call::DescribeNumber { value, largest } => {
                let described = describe(value, largest.unwrap_or(DEFAULT_LARGEST))?;
                Some(Answer::DescribeNumber { result: Box::new(project::number(described)) })
            }
            Call::QuantizeBlock { values, block_size, format } => {
                let format = CodeFormat::parse(&format).ok_or_else(|| EngineError::Settings {
                    name: "format",
                    expected: "int8, int4, nf4, e4m3 or e5m2".into(),
                    found: format.chars().take(40).collect(),
                })?;
                let scaling = block_scaling::quantise(values, block_size, format)?;
                Some(Answer::QuantizeBlock { result: project::block_scaling(scaling, format) })
            }
            Call::PackedBytes { weights, code_bits, group, scale_bytes } => {
                let packed = PackedBytes::of(weights, code_bits, group, scale_bytes)?;
                Some(Answer::PackedBytes { result: project::packed_bytes(packed) })
            }
            _ => None,
        })
    }

    /// A comparison of precisions that has not begun; all of them where none are named.
    pub(in crate::shell) fn precision_table(
        &mut self,
        prompt: &Prompt,
        precisions: Option<Vec<String>>,
        kernel: Option<&str>,
    ) -> Result<Box<dyn LabJob>> {
        let clock = self.clock;
        let loaded = self.loaded_mut()?;
        let ids = prompt_ids(loaded, prompt)?;
        let kernel = kernel.map_or(Ok(loaded.choice.kernel), Kernel::parse)?;
        let source = TableSource {
            config: loaded.config.clone(),
            checkpoint: loaded.checkpoint.clone(),
            report: loaded.report.clone(),
            kernel,
            budget: loaded.budget,
        };
        let names = precisions.unwrap_or_else(|| RowChoice::NAMES.map(str::to_owned).into());
        let table = PrecisionTable::new(source, ids, &names, clock)?;
        Ok(Box::new(TableJob { table, kernel }))
    }

    fn meanings(&mut self) -> Result<Vec<wire::PrecisionMeaning>> {
        let loaded = self.loaded_mut()?;
        let (config, checkpoint) = (&loaded.config, &loaded.checkpoint);
        let running = Configuration { config, checkpoint, choice: loaded.choice, relaxed_simd: RELAXED_SIMD };
        Ok(five_meanings(running).map(project::meaning).into())
    }
}

struct TableJob {
    table: PrecisionTable,
    kernel: Kernel,
}

impl LabJob for TableJob {
    fn advance(&mut self) -> std::result::Result<bool, EngineError> {
        self.table.advance()
    }

    fn progress(&self) -> (usize, usize) {
        self.table.progress()
    }

    fn answer(self: Box<Self>) -> Result<Answer> {
        let (prefill_tokens, decode_steps) = self.table.timed_tokens();
        Ok(Answer::PrecisionReport {
            result: wire::PrecisionTable {
                tokens: self.table.tokens(),
                kernel: self.kernel.name().to_owned(),
                prefill_tokens,
                decode_steps,
                repeats: REPEATS,
                rows: self.table.rows().iter().map(project::precision_row).collect(),
            },
        })
    }
}
