//! Weight files that arrive in pieces are read as if they had come whole, wherever the cuts fall.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::sync::Arc;

use logit_lab_engine::checkpoint::{Checkpoint, CheckpointBuilder, StoredDtype, TensorData};
use logit_lab_engine::model::gpt_neox::GptNeox;
use logit_lab_engine::precision::Precision;
use logit_lab_engine::{EngineError, checkpoint};
use logit_lab_tests::fixtures::{self, WeightFiles};
use proptest::prelude::*;

const NAME: &str = "model.safetensors";

fn add(
    builder: &mut CheckpointBuilder,
    name: &str,
    bytes: &[u8],
    announced: Option<usize>,
    piece: usize,
) -> Result<(), EngineError> {
    builder.begin_file(name, announced)?;
    bytes.chunks(piece).try_for_each(|part| builder.push(part))?;
    builder.finish_file()
}

fn in_pieces(bytes: &[u8], announced: Option<usize>, piece: usize) -> Result<Checkpoint, EngineError> {
    let mut builder = CheckpointBuilder::new(None)?;
    add(&mut builder, NAME, bytes, announced, piece)?;
    builder.finish()
}

fn data_of(checkpoint: &Checkpoint) -> Vec<(String, checkpoint::TensorInfo, Option<Arc<TensorData>>)> {
    let data =
        |name: &str, shape: &[usize]| checkpoint.tensor(name, shape).ok().map(|(_, data)| data.clone());
    checkpoint
        .tensors()
        .map(|(name, info)| (name.to_owned(), info.clone(), data(name, &info.shape)))
        .collect()
}

fn one_file(name: &str) -> &'static [u8] {
    match &fixtures::tiny(name).weights {
        WeightFiles::One(bytes) => bytes,
        WeightFiles::Shards { .. } => panic!("{name} has shards"),
    }
}

/// A file with every format of a number, of three numbers each, and one format that no model reads.
fn mixed_file() -> Vec<u8> {
    let values = [1.5_f64, -2.25, 1024.0];
    let mut data: Vec<u8> = vec![1, 0, 1];
    data.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    data.extend(values.iter().flat_map(|value| half::bf16::from_f64(*value).to_le_bytes()));
    data.extend(values.iter().flat_map(|value| half::f16::from_f64(*value).to_le_bytes()));
    data.extend(values.iter().flat_map(|value| (*value as f32).to_le_bytes()));
    let entries: Vec<String> = [
        ("u", "U8", 0, 3),
        ("d", "F64", 3, 27),
        ("b", "BF16", 27, 33),
        ("h", "F16", 33, 39),
        ("s", "F32", 39, 51),
    ]
    .iter()
    .map(|(name, dtype, begin, end)| {
        format!(r#""{name}":{{"dtype":"{dtype}","shape":[3],"data_offsets":[{begin},{end}]}}"#)
    })
    .collect();
    let header = format!("{{{}}}", entries.join(","));
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn numbers_that_are_cut_in_two_are_put_together() {
    let bytes = mixed_file();
    for piece in 1..=bytes.len() {
        let checkpoint = in_pieces(&bytes, Some(bytes.len()), piece).unwrap();
        for (name, dtype) in [
            ("d", StoredDtype::F64),
            ("b", StoredDtype::BF16),
            ("h", StoredDtype::F16),
            ("s", StoredDtype::F32),
        ] {
            let (info, data) = checkpoint.tensor(name, &[3]).unwrap();
            assert_eq!(info.dtype, dtype);
            assert_eq!(
                data.to_f32(name, |value| value).unwrap(),
                [1.5, -2.25, 1024.0],
                "{name} in pieces of {piece}"
            );
        }
        assert_eq!(checkpoint.bytes(), bytes.len());
        // F64 is narrowed, and bytes that no model reads are not kept.
        assert_eq!(checkpoint.kept_bytes(), 3 * (4 + 2 + 2 + 4));
    }
}

#[test]
fn tensors_stay_in_the_format_of_the_file_and_are_shared() {
    let checkpoint = in_pieces(&mixed_file(), None, 7).unwrap();
    let data = |name: &str| checkpoint.tensor(name, &[3]).unwrap().1.clone();
    assert_eq!(*data("h"), TensorData::F16(vec![0x3e00, 0xc080, 0x6400]));
    assert_eq!(*data("b"), TensorData::Bf16(vec![0x3fc0, 0xc010, 0x4480]));
    assert_eq!(*data("s"), TensorData::F32(vec![1.5, -2.25, 1024.0]));
    assert_eq!(data("h").as_bytes(), [0x00, 0x3e, 0x80, 0xc0, 0x00, 0x64]);
    let copy = checkpoint.clone();
    assert!(Arc::ptr_eq(&data("h"), &copy.tensor("h", &[3]).unwrap().1.clone()));
    let mut reader = copy.reader(Precision::F32);
    assert!(Arc::ptr_eq(&data("h"), &reader.stored("h", &[3]).unwrap()));
    assert!(reader.stored("h", &[4]).is_err());
    let report = reader.report();
    assert_eq!((report.tensors, report.converted.len(), report.ignored.len()), (1, 0, 4));
}

#[test]
fn every_small_checkpoint_is_the_same_in_pieces() {
    for tiny in &fixtures::TINY {
        let (index, files): (_, Vec<(&str, &[u8])>) = match &tiny.weights {
            WeightFiles::One(bytes) => (None, vec![(NAME, *bytes)]),
            WeightFiles::Shards { index, shards } => (Some(*index), shards.to_vec()),
        };
        for piece in [1, 1_000, 65_536] {
            let mut builder = CheckpointBuilder::new(index).unwrap();
            for (name, bytes) in &files {
                let announced = (piece > 1).then_some(bytes.len());
                add(&mut builder, name, bytes, announced, piece).unwrap();
            }
            assert_eq!(data_of(&builder.finish().unwrap()), data_of(&tiny.checkpoint()), "{}", tiny.name);
        }
    }
}

#[test]
fn old_buffers_are_told_of_and_not_kept() {
    let tiny = fixtures::tiny("legacy-buffers-f16");
    let checkpoint = tiny.checkpoint();
    let (_, report) = GptNeox::load(tiny.config(), checkpoint.clone(), Precision::F32).unwrap();
    assert!(!report.ignored.is_empty());
    for ignored in &report.ignored {
        let (name, info) = checkpoint.tensors().find(|(name, _)| *name == ignored.name).unwrap();
        assert!(checkpoint.tensor(name, &info.shape).is_err(), "{name} was kept");
    }
    let read = report.tensors;
    assert_eq!(data_of(&checkpoint).iter().filter(|(_, _, data)| data.is_some()).count(), read);
}

#[test]
fn a_builder_out_of_order_is_an_error_in_words() {
    let words = |result: Result<(), EngineError>| result.unwrap_err().to_string();
    let mut builder = CheckpointBuilder::new(None).unwrap();
    assert!(words(builder.push(&[1])).contains("begun first"));
    assert!(words(builder.finish_file()).contains("begun first"));
    builder.begin_file(NAME, None).unwrap();
    assert!(words(builder.begin_file("other", None)).contains("the end of model.safetensors first"));
    assert!(words(builder.finish().map(|_| ())).contains("broken off"));
    assert!(words(CheckpointBuilder::new(None).unwrap().finish().map(|_| ())).contains("no file"));
    let mut builder = CheckpointBuilder::new(None).unwrap();
    add(&mut builder, "one", &mixed_file(), None, 10).unwrap();
    assert!(words(builder.begin_file("two", None)).contains("an index"));
}

#[test]
fn a_length_that_was_not_announced_is_checked_at_the_end() {
    let bytes = one_file("relu");
    let fault = |bytes: &[u8], announced| in_pieces(bytes, announced, 1_000).unwrap_err().to_string();
    let cut = &bytes[..bytes.len() - 10];
    for announced in [None, Some(bytes.len())] {
        assert_eq!(fault(cut, announced), fault(cut, Some(cut.len())));
    }
    let mut longer = bytes.to_vec();
    longer.extend([0; 3]);
    for announced in [None, Some(bytes.len()), Some(longer.len())] {
        assert!(fault(&longer, announced).contains("3 bytes more"));
    }
}

#[test]
fn a_tensor_that_no_memory_can_hold_is_an_error_in_words() {
    let bytes = usize::MAX / 4 * 2;
    let header = format!(r#"{{"t":{{"dtype":"F16","shape":[{}],"data_offsets":[0,{bytes}]}}}}"#, bytes / 2);
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.push(0);
    let fault = in_pieces(&file, None, 100).unwrap_err().to_string();
    assert!(fault.contains(&format!("t: expected {bytes} bytes of free memory")), "{fault}");
}

proptest! {
    // Most flips in the header, where they matter.
    #[test]
    fn a_damaged_file_is_the_same_fault_in_pieces(
        flips in prop::collection::vec((prop_oneof![0_usize..8, 8_usize..4_000], any::<u8>()), 0..3),
        share in 0.0_f64..1.2,
        piece in 1_usize..5_000,
    ) {
        let mut bytes = one_file("legacy-buffers-f16").to_vec();
        for (place, value) in flips {
            bytes[place] = value;
        }
        bytes.truncate((bytes.len() as f64 * share) as usize);
        let whole = Checkpoint::from_file(bytes.clone());
        let announced = in_pieces(&bytes, Some(bytes.len()), piece);
        let unknown = in_pieces(&bytes, None, piece);
        match (whole, announced, unknown) {
            (Ok(whole), Ok(announced), Ok(unknown)) => {
                prop_assert_eq!(data_of(&whole), data_of(&announced));
                prop_assert_eq!(data_of(&whole), data_of(&unknown));
            }
            // Without a length another of several faults may be the first to show.
            (Err(whole), Err(announced), Err(_)) => prop_assert_eq!(whole.to_string(), announced.to_string()),
            (whole, announced, unknown) => {
                panic!("{:?} {:?} {:?}", whole.err(), announced.err(), unknown.err());
            }
        }
    }
}
