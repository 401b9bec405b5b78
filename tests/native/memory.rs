//! What loading takes of memory, counted by the allocator.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use logit_lab_engine::checkpoint::{Checkpoint, CheckpointBuilder};
use logit_lab_tests::stand_in::{FILE_BYTES, stand_in};

/// The system's allocator, with the bytes that are out and the most that ever were.
struct Counting;

static NOW_BYTES: AtomicUsize = AtomicUsize::new(0);
static PEAK_BYTES: AtomicUsize = AtomicUsize::new(0);

fn came(bytes: usize) {
    let now = NOW_BYTES.fetch_add(bytes, Relaxed) + bytes;
    PEAK_BYTES.fetch_max(now, Relaxed);
}

// SAFETY: every call is handed to the system's allocator as it came; only numbers are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        came(layout.size());
        // SAFETY: the caller's promise is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW_BYTES.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // Both blocks are there for a moment, unless the block grows in its place; counted as the worse case.
        came(new_size);
        // SAFETY: as above.
        let moved = unsafe { System.realloc(pointer, layout, new_size) };
        NOW_BYTES.fetch_sub(layout.size(), Relaxed);
        moved
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One measurement at a time: the counters are of the whole process.
static MEASURING: Mutex<()> = Mutex::new(());

/// The most bytes that `work` had at a time, beyond what there was before, and its result.
fn peak_of<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = NOW_BYTES.load(Relaxed);
    PEAK_BYTES.store(before, Relaxed);
    let result = work();
    (PEAK_BYTES.load(Relaxed) - before, result)
}

fn load_in_pieces(file: &[u8], announced: Option<usize>) -> Checkpoint {
    let mut builder = CheckpointBuilder::new(None).unwrap();
    builder.begin_file("model.safetensors", announced).unwrap();
    file.chunks(64 * 1024).for_each(|piece| builder.push(piece).unwrap());
    builder.finish_file().unwrap();
    builder.finish().unwrap()
}

#[test]
fn a_file_in_pieces_takes_its_own_length_and_little_more() {
    let _alone = MEASURING.lock().unwrap();
    let file = stand_in(14);
    for announced in [Some(FILE_BYTES), None] {
        let (peak, checkpoint) = peak_of(|| load_in_pieces(&file, announced));
        eprintln!("stand-in of {FILE_BYTES} bytes in pieces of 64 KiB: peak {peak} bytes");
        assert!(peak < FILE_BYTES + 2 * 1024 * 1024, "{peak}");
        assert_eq!(checkpoint.bytes(), FILE_BYTES);
        assert_eq!(checkpoint.kept_bytes(), FILE_BYTES - 8 - 8_488);
        let (peak, copy) = peak_of(|| checkpoint.clone());
        assert!(peak < 64 * 1024, "a clone took {peak} bytes");
        assert_eq!(copy.bytes(), FILE_BYTES);
    }
}

#[test]
fn buffers_that_no_model_reads_take_no_memory() {
    let _alone = MEASURING.lock().unwrap();
    let mask_bytes = 16 << 20;
    let entry = |name: &str, dtype: &str, numbers: usize, begin: usize, end: usize| {
        format!(r#""{name}":{{"dtype":"{dtype}","shape":[{numbers}],"data_offsets":[{begin},{end}]}}"#)
    };
    let header = format!(
        "{{{},{}}}",
        entry("gpt_neox.layers.0.attention.bias", "F16", mask_bytes / 2, 0, mask_bytes),
        entry("counts", "I64", mask_bytes / 8, mask_bytes, 2 * mask_bytes),
    );
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.resize(file.len() + 2 * mask_bytes, 1);
    let (peak, checkpoint) = peak_of(|| load_in_pieces(&file, Some(file.len())));
    assert!(peak < 64 * 1024, "{peak}");
    assert_eq!((checkpoint.tensors().count(), checkpoint.kept_bytes()), (2, 0));
}
