//! A beam search as columns.

use logit_lab_engine::search::{BeamSearch, Fate, Hypothesis};
use logit_lab_engine::tokenizer::Tokenizer;

use super::tokens;
use crate::columns::U32Column;
use crate::protocol as wire;

/// The texts that are returned and the whole tree.
pub fn beam_result(search: &BeamSearch, tokenizer: Option<&Tokenizer>) -> wire::BeamResult {
    let firsts = first_rows(search);
    let sequence = |found: &Hypothesis| wire::BeamSequence {
        new_ids: U32Column(found.new_ids.clone()),
        text: tokenizer.map(|tokenizer| tokenizer.decode(found.text_ids())),
        score: found.score,
        sum: found.sum,
        stop_reason: found.reason.into(),
        leaf: firsts.get(found.leaf.0).map_or(0, |first| first + found.leaf.1),
    };
    wire::BeamResult {
        sequences: search.sequences().iter().map(sequence).collect(),
        tree: beam_tree(search, 0, tokenizer),
        forward_calls: search.forward_calls(),
    }
}

/// The tree from step `from` on.
pub fn beam_tree(search: &BeamSearch, from: usize, tokenizer: Option<&Tokenizer>) -> wire::BeamTree {
    let firsts = first_rows(search);
    let mut tree = wire::BeamTree::default();
    let mut ids = Vec::new();
    for (index, step) in search.steps().iter().enumerate().skip(from) {
        // Where in the step before the beams of this one stand, in the order of the beams.
        let before =
            index.checked_sub(1).and_then(|before| search.steps().get(before).zip(firsts.get(before)));
        let beams: Vec<usize> = before.map_or_else(Vec::new, |(step, first)| {
            let kept = step.candidates.iter().enumerate();
            kept.filter(|(_, one)| matches!(one.fate, Fate::Kept(_)))
                .map(|(place, _)| first + place)
                .collect()
        });
        for candidate in &step.candidates {
            ids.push(candidate.id);
            tree.steps.0.push(index as u32);
            tree.parents.0.push(beams.get(candidate.parent).map_or(0, |row| 1 + *row as u32));
            tree.log_probabilities.0.push(candidate.log_probability);
            tree.sums.0.push(candidate.sum);
            tree.scores.0.push(candidate.score);
            tree.fates.0.push(match candidate.fate {
                Fate::Dropped => 0,
                Fate::Kept(_) => 1,
                Fate::Finished => 2,
            });
        }
    }
    tree.tokens = tokens(tokenizer, &ids);
    tree
}

/// The row of each step's first candidate.
fn first_rows(search: &BeamSearch) -> Vec<usize> {
    let starts = search.steps().iter().scan(0, |next, step| {
        let first = *next;
        *next += step.candidates.len();
        Some(first)
    });
    starts.collect()
}
