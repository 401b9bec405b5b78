//! The tokenizer against Hugging Face's: 222 texts with their ids, every id's display name, and streaming against whole
//! decoding.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::LazyLock;

use logit_lab_engine::EngineError;
use logit_lab_engine::tokenizer::{Piece, PieceKind, StreamDecoder, Tokenizer};
use logit_lab_tests::tokenizer::{PYTHIA, PYTHIA_JSON, TALES, TALES_JSON, streamed};
use proptest::prelude::*;

/// Rows of Pythia-14M's output head, more than the tokenizer has entries.
const PYTHIA_ROWS: u32 = 50_304;

/// The library's own, for comparison.
static REFERENCE: LazyLock<tokenizers::Tokenizer> =
    LazyLock::new(|| tokenizers::Tokenizer::from_bytes(PYTHIA_JSON).unwrap());

#[test]
fn every_single_id_decodes_as_in_the_library() {
    for id in 0..PYTHIA_ROWS {
        assert_eq!(PYTHIA.decode(&[id]), REFERENCE.decode(&[id], false).unwrap(), "id {id}");
    }
}

#[test]
fn every_row_has_a_visible_text_and_a_speakable_name() {
    for (tokenizer, rows, unused) in [(&*PYTHIA, PYTHIA_ROWS, 27), (&*TALES, 4_096, 0)] {
        let pieces: Vec<Piece> = (0..rows).map(|id| tokenizer.piece(id)).collect();
        for (id, piece) in pieces.iter().enumerate() {
            assert!(!piece.text.is_empty(), "id {id}");
            let mut in_code = false;
            for c in piece.text.chars() {
                in_code = c == '⟨' || in_code && c != '⟩';
                assert!(!c.is_control() && (!c.is_whitespace() || in_code && c == ' '), "id {id}: {piece:?}");
            }
            assert!(!piece.spoken.trim().is_empty(), "id {id}");
            assert!(!piece.spoken.chars().any(char::is_control), "id {id}: {piece:?}");
        }
        assert_eq!(pieces.iter().filter(|piece| piece.kind == PieceKind::Unused).count(), unused);
    }
}

fn piece_of(text: &str) -> Piece {
    let ids = PYTHIA.encode(text).unwrap();
    assert_eq!(ids.len(), 1, "{text:?} is one token");
    PYTHIA.piece(ids[0])
}

#[test]
fn pieces_make_white_space_visible_and_name_it() {
    for (text, shown, spoken) in [
        (" the", "·the", "space, the"),
        ("the", "the", "the"),
        ("\n", "⏎", "newline"),
        ("\n\n", "⏎⏎", "2 newlines"),
        ("\t", "⇥", "tab"),
        ("\r\n", "␍⏎", "carriage return, newline"),
        ("    ", "····", "4 spaces"),
        (".", ".", "full stop"),
        (",", ",", "comma"),
        ("...", "...", "3 full stops"),
        ("'t", "'t", "apostrophe, t"),
        (" \"", "·\"", "space, quotation mark"),
        ("//", "//", "2 slashes"),
        ("\u{A0}", "⟨U+00A0⟩", "no-break space"),
        ("\u{200B}", "⟨U+200B⟩", "zero-width space"),
        ("é", "é", "é"),
    ] {
        let piece = piece_of(text);
        assert_eq!((piece.text.as_str(), piece.spoken.as_str()), (shown, spoken));
        assert_eq!(piece.kind, PieceKind::Text);
    }
}

#[test]
fn special_and_unused_rows_say_so() {
    let piece =
        |text: &str, spoken: &str, kind| Piece { text: text.to_owned(), spoken: spoken.to_owned(), kind };
    assert_eq!(PYTHIA.piece(0), piece("<|endoftext|>", "end of text", PieceKind::Special));
    assert_eq!(PYTHIA.piece(1), piece("<|padding|>", "<|padding|>", PieceKind::Special));
    assert_eq!(PYTHIA.piece(50_280), piece("⟨unused 50280⟩", "unused row 50280", PieceKind::Unused));
    assert_eq!(PYTHIA.piece(u32::MAX).kind, PieceKind::Unused);
    assert_eq!(PYTHIA.bytes_of(50_277), None);
}

#[test]
fn parts_of_characters_are_shown_and_said_as_bytes() {
    let of_bytes = |bytes: &[u8]| {
        let id = (0..PYTHIA_ROWS).find(|id| PYTHIA.bytes_of(*id) == Some(bytes)).unwrap();
        PYTHIA.piece(id)
    };
    let lead = of_bytes(&[0xE2]);
    assert_eq!((lead.text.as_str(), lead.spoken.as_str()), ("⟨E2⟩", "byte E2"));
    assert_eq!(lead.kind, PieceKind::Bytes);
    let two = of_bytes(&[0xE2, 0x80]);
    assert_eq!((two.text.as_str(), two.spoken.as_str()), ("⟨E2 80⟩", "bytes E2 80"));
    let mixed = of_bytes(&[b' ', 0xE2, 0x80]);
    assert_eq!((mixed.text.as_str(), mixed.spoken.as_str()), ("·⟨E2 80⟩", "space, bytes E2 80"));
}

/// A tokenizer whose only entries, from id 1 on, are these added tokens.
fn with_added(tokens: &[(&str, bool)]) -> Tokenizer {
    let added: Vec<serde_json::Value> = tokens
        .iter()
        .enumerate()
        .map(|(index, (content, special))| {
            serde_json::json!({"id": index + 1, "content": content, "special": special, "single_word": false,
                "lstrip": false, "rstrip": false, "normalized": false})
        })
        .collect();
    Tokenizer::from_bytes(file(serde_json::json!({"added_tokens": added})).as_bytes()).unwrap()
}

/// The smallest tokenizer file, with some of its parts replaced.
fn file(parts: serde_json::Value) -> String {
    let mut file = serde_json::json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "post_processor": null,
        "decoder": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []},
    });
    for (key, value) in parts.as_object().unwrap() {
        file[key] = value.clone();
    }
    file.to_string()
}

#[test]
fn odd_tokens_are_visible_and_speakable_too() {
    for (content, special, shown, spoken) in [
        ("日\u{301}", false, "日\u{301}", "日\u{301}"),
        ("\u{301}中", false, "◌\u{301}中", "combining mark U+0301, 中"),
        ("中\u{FE0F}", false, "中⟨U+FE0F⟩", "中, character U+FE0F"),
        ("\u{E000}\u{E000}", false, "⟨U+E000⟩⟨U+E000⟩", "2 characters U+E000"),
        ("\u{3000}", false, "⟨U+3000⟩", "character U+3000"),
        ("\u{2028}", false, "⟨U+2028⟩", "character U+2028"),
        ("👩\u{200D}🚀", false, "👩⟨U+200D⟩🚀", "👩, zero-width joiner, 🚀"),
        ("<a b>", true, "<a·b>", "less-than sign, a, space, b, greater-than sign"),
        ("<pad>", true, "<pad>", "<pad>"),
        ("日 x", false, "日·x", "日, space, x"),
    ] {
        let piece = with_added(&[(content, special)]).piece(1);
        assert_eq!((piece.text.as_str(), piece.spoken.as_str()), (shown, spoken));
    }
}

#[test]
fn an_added_token_outside_the_byte_alphabet_is_its_own_text() {
    // The first has a character outside; the second is spelt in the alphabet throughout, so "Ġ" is a space.
    let tokenizer = with_added(&[("Ġ日", false), ("Ġb", false)]);
    assert_eq!(tokenizer.decode(&[1, 2, 0]), "Ġ日 ba");
}

fn refusal(json: &[u8]) -> (String, String, String) {
    match Tokenizer::from_bytes(json) {
        Err(EngineError::Tokenizer { subject, expected, found }) => (subject, expected, found),
        other => panic!("not refused as a tokenizer: {other:?}"),
    }
}

#[test]
fn files_that_are_no_tokenizer_are_refused_in_words() {
    let html = refusal(b"<!DOCTYPE html>\n<html>").2;
    assert_eq!(html, "a web page, which starts with \"<!DOCTYPE html>\"");
    let lfs = refusal(b"version https://git-lfs.github.com/spec/v1\noid sha256:00").2;
    assert!(lfs.starts_with("a Git LFS pointer"), "{lfs}");
    assert_eq!(refusal(b"  \n").2, "an empty file");
    assert_eq!(refusal(b"Entry not found").2, "a file that starts with \"Entry not found\"");
    assert!(refusal(&[0x1F, 0x8B, 0x08, 0, 0xFF]).2.starts_with("a file that starts with"));
    let cut = refusal(&TALES_JSON[..TALES_JSON.len() / 2]);
    assert_eq!(cut.1, "a whole file");
    assert_eq!(refusal(b"{\"version\": oops}").1, "valid JSON");
    assert!(refusal(b"{}").1.starts_with("a tokenizer as"));
}

#[test]
fn tokenizers_that_are_not_byte_level_bpe_are_refused_by_name() {
    let wordpiece = serde_json::json!({"decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true}});
    let (subject, expected, found) = refusal(file(wordpiece).as_bytes());
    assert_eq!((subject.as_str(), found.as_str()), ("decoder", "WordPiece"));
    assert!(expected.contains("only byte-level BPE"), "{expected}");
    assert_eq!(refusal(file(serde_json::json!({"decoder": null})).as_bytes()).2, "none");
    let words = serde_json::json!({"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}});
    assert_eq!(refusal(file(words).as_bytes()).2, "WordLevel");
    let dropout =
        serde_json::json!({"model": {"type": "BPE", "dropout": 0.5, "vocab": {"a": 0}, "merges": []}});
    assert_eq!(refusal(file(dropout).as_bytes()).0, "model, dropout");
}

#[test]
fn absurd_ids_in_the_file_are_refused_before_memory_is_set_aside() {
    for vocab in
        [serde_json::json!({"a": u32::MAX}), serde_json::json!({"a": 0, "b": 0}), serde_json::json!({})]
    {
        let model = serde_json::json!({"model": {"type": "BPE", "vocab": vocab, "merges": []}});
        assert_eq!(refusal(file(model).as_bytes()).0, "vocabulary");
    }
}

#[test]
fn truncation_and_padding_of_the_file_do_not_touch_a_prompt() {
    let parts = serde_json::json!({
        "truncation": {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 8}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0,
            "pad_type_id": 0, "pad_token": "a"},
    });
    let tokenizer = Tokenizer::from_bytes(file(parts).as_bytes()).unwrap();
    assert_eq!(tokenizer.encode("aaa").unwrap(), [0, 0, 0]);
}

#[test]
fn a_megabyte_of_text_encodes() {
    let text = "Once upon a time, there was a cat.\n".repeat(30_000);
    assert!(text.len() > 1_000_000);
    let ids = TALES.encode(&text).unwrap();
    assert_eq!(TALES.decode(&ids), text);
}

proptest! {
    #[test]
    fn any_ids_decode_as_in_the_library_whole_and_streamed(
        ids in prop::collection::vec(prop_oneof![9 => 0..50_400_u32, 1 => any::<u32>(), 1 => Just(u32::MAX)], 0..60)
    ) {
        let whole = PYTHIA.decode(&ids);
        prop_assert_eq!(&whole, &REFERENCE.decode(&ids, false).unwrap());
        prop_assert_eq!(streamed(&PYTHIA, &ids), whole);
        for id in ids {
            prop_assert!(!PYTHIA.piece(id).text.is_empty());
        }
    }

    #[test]
    fn any_bytes_stream_as_they_decode_whole(
        chunks in prop::collection::vec(prop::collection::vec(
            prop_oneof![any::<u8>(), prop::sample::select(&[0xE2_u8, 0x80, 0xF0, 0x9F, 0x98, 0x8A, 0xED, 0xA0, b'a'][..])],
            0..5), 0..40)
    ) {
        let mut stream = StreamDecoder::new();
        let mut text: String = chunks.iter().map(|chunk| stream.push(chunk)).collect();
        text.push_str(&stream.finish());
        let whole = chunks.concat();
        prop_assert_eq!(text, String::from_utf8_lossy(&whole));
    }

    #[test]
    fn any_text_encodes_and_comes_back_normalised(text in any::<String>()) {
        let ids = PYTHIA.encode(&text).unwrap();
        let reference = REFERENCE.encode(text.as_str(), true).unwrap();
        prop_assert_eq!(&ids[..], reference.get_ids());
        prop_assert_eq!(streamed(&PYTHIA, &ids), REFERENCE.decode(&ids, false).unwrap());
    }
}

logit_lab_tests::tokenizer_checks!(test);
