//! One weight file whose bytes arrive in pieces: first its header, then the tensors in the order of their bytes.

use std::collections::VecDeque;

use super::data::{TensorData, TensorDecoder, kept_bytes};
use super::header::{self, TensorInfo};
use super::no_room;
use crate::error::Result;

/// A tensor of a file, with its numbers where a model may read them.
pub(super) type DecodedTensor = (String, TensorInfo, Option<TensorData>);

type BegunTensor = (String, TensorInfo, TensorDecoder);

/// See the module's head.
#[derive(Debug)]
pub(super) struct FileDecoder {
    name: String,
    /// Length of the whole file, where it is known beforehand: a fault then shows before the data is read.
    announced_bytes: Option<usize>,
    received_bytes: usize,
    /// The beginning of the file while its header is not whole.
    head: Vec<u8>,
    /// What follows the header; `None` until that is whole.
    body: Option<Body>,
}

#[derive(Debug)]
struct Body {
    /// Where the tensors begin, counted from the start of the file.
    start: usize,
    waiting: VecDeque<(String, TensorInfo)>,
    current: Option<BegunTensor>,
    done: Vec<DecodedTensor>,
}

impl FileDecoder {
    pub(super) fn new(name: &str, announced_bytes: Option<usize>) -> Self {
        Self { name: name.to_owned(), announced_bytes, received_bytes: 0, head: Vec::new(), body: None }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Bytes so far.
    pub(super) fn bytes(&self) -> usize {
        self.received_bytes
    }

    /// Takes what does not belong to the header.
    pub(super) fn push_body(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.body {
            Some(body) => body.push(&self.name, bytes),
            None => Ok(()),
        }
    }

    /// Takes what belongs to the header and returns the rest; when the header has become whole, with the bytes that its
    /// tensors will take in memory, of which none is allocated yet.
    pub(super) fn push_head<'a>(&mut self, mut bytes: &'a [u8]) -> Result<(&'a [u8], Option<u64>)> {
        self.received_bytes = self.received_bytes.saturating_add(bytes.len());
        if self.body.is_some() {
            return Ok((bytes, None));
        }
        loop {
            let wanted = header::wanted_bytes(&self.name, &self.head, self.announced_bytes)?;
            if self.head.len() >= wanted {
                let tensors = header::parse(&self.name, &self.head, self.announced_bytes)?;
                let kept =
                    tensors.iter().map(|(name, info)| kept_bytes(name, info)).fold(0, u64::saturating_add);
                let (waiting, done) = (tensors.into(), Vec::new());
                self.body = Some(Body { start: self.head.len(), waiting, current: None, done });
                self.head = Vec::new();
                return Ok((bytes, Some(kept)));
            }
            if bytes.is_empty() {
                return Ok((bytes, None));
            }
            let (mine, rest) = bytes.split_at((wanted - self.head.len()).min(bytes.len()));
            self.head.try_reserve(mine.len()).map_err(|_| no_room(&self.name, wanted))?;
            self.head.extend_from_slice(mine);
            bytes = rest;
        }
    }

    /// The tensors, after the last byte.
    pub(super) fn finish(mut self) -> Result<Vec<DecodedTensor>> {
        let Some(body) = &mut self.body else {
            let wanted = header::wanted_bytes(&self.name, &self.head, Some(self.received_bytes))?;
            return Err(header::truncated_header(&self.name, wanted, self.received_bytes));
        };
        // Tensors without bytes may be left at the end.
        body.push(&self.name, &[])?;
        let data_bytes = self.received_bytes - body.start;
        match &body.current {
            Some((name, info, _)) => Err(header::truncated_tensor(name, info, body.start, data_bytes)),
            None => Ok(std::mem::take(&mut body.done)),
        }
    }
}

impl Body {
    fn push(&mut self, file: &str, mut bytes: &[u8]) -> Result<()> {
        loop {
            let begun = match self.current.take() {
                Some(current) => Some(current),
                None => self.begin_next()?,
            };
            let Some((name, info, mut decoder)) = begun else {
                let covered = self.done.last().map_or(0, |(_, info, _)| info.end);
                return match bytes.len() {
                    0 => Ok(()),
                    more => Err(header::bytes_beyond(file, covered, more)),
                };
            };
            bytes = decoder.push(bytes);
            if !decoder.is_whole() {
                self.current = Some((name, info, decoder));
                return Ok(());
            }
            self.done.push((name, info, decoder.finish()));
        }
    }

    fn begin_next(&mut self) -> Result<Option<BegunTensor>> {
        let Some((name, info)) = self.waiting.pop_front() else { return Ok(None) };
        let decoder = TensorDecoder::new(&name, &info)?;
        Ok(Some((name, info, decoder)))
    }
}
