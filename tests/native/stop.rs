//! Stop strings against a plain search in the whole text, and the cases that go wrong easily.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use logit_lab_engine::EngineError;
use logit_lab_engine::stop::{StopDelta, StopStream, StopStrings};
use proptest::prelude::*;

fn stream(strings: &[&str]) -> StopStream {
    StopStream::new(StopStrings::new(texts(strings)).unwrap())
}

/// What is shown after each delta, then at the end, and what was hit.
fn run(strings: &[&str], deltas: &[&str]) -> (Vec<String>, Option<usize>) {
    let mut stream = stream(strings);
    let mut shown: Vec<String> = deltas.iter().map(|delta| stream.push(delta).text).collect();
    shown.push(stream.finish());
    (shown, stream.hit())
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// The match that ends first in the text; of those, the one that starts first; of those, the first in the list.
fn first_match(strings: &[String], text: &str) -> Option<(usize, usize)> {
    let ends = (1..=text.len()).filter(|end| text.is_char_boundary(*end));
    ends.filter_map(|end| {
        let fits = strings.iter().enumerate().filter(|(_, stop)| text[..end].ends_with(stop.as_str()));
        let (index, stop) = fits.max_by_key(|(index, stop)| (stop.len(), usize::MAX - index))?;
        Some((end - stop.len(), index))
    })
    .next()
}

/// What may be shown of a text without a match: all but the longest end that begins a stop string.
fn showable<'a>(strings: &[String], text: &'a str) -> &'a str {
    let starts = (0..=text.len()).filter(|start| text.is_char_boundary(*start));
    let begins =
        |tail: &str| tail.is_empty() || strings.iter().any(|s| s.len() > tail.len() && s.starts_with(tail));
    let start = starts.into_iter().find(|start| begins(&text[*start..])).unwrap();
    &text[..start]
}

#[test]
fn an_empty_stop_string_is_an_error() {
    let error = StopStrings::new(vec!["a".to_owned(), String::new()]).unwrap_err();
    assert!(matches!(error, EngineError::Settings { name: "stop", .. }), "{error}");
}

#[test]
fn without_stop_strings_everything_is_shown_at_once() {
    let mut stream = stream(&[]);
    assert_eq!(stream.push("all of it"), StopDelta { text: "all of it".to_owned(), hit: None });
    assert_eq!(stream.finish(), "");
    assert!(StopStrings::default().is_empty());
}

#[test]
fn a_stop_string_across_tokens_does_not_leak() {
    let (shown, hit) = run(&["\n\nQ:"], &["Yes.\n", "\n", "Q", ": why"]);
    assert_eq!((shown.concat().as_str(), hit), ("Yes.", Some(0)));
    assert_eq!(shown[0], "Yes.");
}

#[test]
fn what_was_held_is_released_when_it_turns_out_otherwise_and_at_the_end() {
    assert_eq!(run(&["END"], &["E", "N", "x", "EN"]).0, ["", "", "ENx", "", "EN"]);
}

#[test]
fn nothing_is_shown_after_a_hit() {
    let mut stream = stream(&["."]);
    assert_eq!(stream.push("One. Two."), StopDelta { text: "One".to_owned(), hit: Some(0) });
    assert_eq!(stream.push("Three"), StopDelta { text: String::new(), hit: Some(0) });
    assert_eq!((stream.finish().as_str(), stream.hit()), ("", Some(0)));
}

#[test]
fn a_stop_string_that_overlaps_itself_is_found() {
    assert_eq!(run(&["aab"], &["a", "a", "a", "b"]), (texts(&["", "", "a", "", ""]), Some(0)));
    assert_eq!(run(&["abab"], &["aba", "cabab"]).0.concat(), "abac");
}

#[test]
fn the_earliest_end_wins_then_the_earliest_start() {
    assert_eq!(run(&["abcd", "bc"], &["xabcd"]), (texts(&["xa", ""]), Some(1)));
    assert_eq!(run(&["bc", "abc", "abc"], &["xa", "bc"]), (texts(&["x", "", ""]), Some(1)));
}

#[test]
fn stop_strings_of_characters_that_share_bytes_are_kept_apart() {
    // U+00E9 and U+00E8 share their first byte, the two emoji their first three.
    assert_eq!(run(&["é"], &["è", "é"]), (texts(&["è", "", ""]), Some(0)));
    assert_eq!(run(&["😊😀"], &["😊", "😊", "😀"]), (texts(&["", "😊", "", ""]), Some(0)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_stream_equals_a_search_in_the_whole_text_after_each_delta(
        strings in prop::collection::vec("[abéè😊]{1,5}", 0..4),
        deltas in prop::collection::vec("[abéè😊😀]{0,4}", 0..16),
    ) {
        let mut stream = StopStream::new(StopStrings::new(strings.clone()).unwrap());
        let (mut text, mut shown) = (String::new(), String::new());
        for delta in &deltas {
            text.push_str(delta);
            let answer = stream.push(delta);
            shown.push_str(&answer.text);
            match first_match(&strings, &text) {
                Some((start, index)) => {
                    prop_assert_eq!(&shown, &text[..start]);
                    prop_assert_eq!(answer.hit, Some(index));
                }
                None => {
                    prop_assert_eq!(&shown, showable(&strings, &text));
                    prop_assert_eq!(answer.hit, None);
                }
            }
        }
        let end = stream.finish();
        match first_match(&strings, &text) {
            Some(_) => prop_assert_eq!(end, ""),
            None => prop_assert_eq!(shown + &end, text),
        }
    }
}
