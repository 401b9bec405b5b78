//! What stands beside a row of the table: why it equals the F32 row or differs from it, by the formats of the file.

use super::RowChoice;
use crate::checkpoint::StoredDtype;
use crate::model::Kernel;
use crate::precision::{CachePrecision, Precision};

/// Why a row is equal to the F32 row or differs from it, from the formats of the file.
pub fn note(choice: RowChoice, kernel: Kernel, dtypes: &[StoredDtype]) -> Option<String> {
    let file = dtypes.iter().map(|dtype| dtype.name()).collect::<Vec<_>>().join(" and ");
    let same = |name: &str| {
        format!(
            "This checkpoint stores {name}. F32 takes each number as it is, and so does {name}: every product is of the same \
             numbers, so the logits have the same bits."
        )
    };
    if choice.kv_cache != CachePrecision::F32 {
        return Some(
            "Keys and values are rounded when they are written; the weights are those of the file.".into(),
        );
    }
    let Some(precision) = choice.precision.as_uniform() else {
        return Some(format!("Only {} differs from the F32 row.", choice.precision));
    };
    match precision {
        Precision::F32 => {
            let bytes = match (kernel, dtypes) {
                (Kernel::Fused, [StoredDtype::F16 | StoredDtype::BF16]) => format!(
                    " It lies in memory as the file's {file}, 2 bytes a weight, and each number is widened exactly as it is \
                     read; widened once for all it would take 4."
                ),
                _ => String::new(),
            };
            Some(format!("The reference: the file's own {file} numbers, computed with in F32.{bytes}"))
        }
        Precision::F16 if dtypes == [StoredDtype::F16] => Some(format!(
            "{} With a checkpoint of F32 numbers it would differ: F16 keeps 11 of their 24 significant bits.",
            same("F16")
        )),
        Precision::F16 if dtypes == [StoredDtype::F32] => Some(
            "This checkpoint stores F32: F16 keeps 11 of the 24 significant bits of each weight, so the logits differ. With a \
             checkpoint of F16 numbers this row would equal F32, bit for bit."
                .into(),
        ),
        Precision::F16 => Some(format!(
            "This checkpoint stores {file}: F16 keeps what has at most 11 significant bits and lies in its range, and rounds \
             the rest. With a checkpoint of F16 numbers alone this row would equal F32, bit for bit."
        )),
        Precision::BF16 if dtypes == [StoredDtype::BF16] => Some(same("BF16")),
        Precision::BF16 => Some(format!("BF16 keeps 8 significant bits of each {file} number.")),
        Precision::Int8 => Some("One F32 scale a row; inputs of products are rounded to 14 bits.".into()),
        Precision::Q4 => Some("One BF16 scale for 64 weights; inputs of products are rounded to 14 bits.".into()),
    }
}
