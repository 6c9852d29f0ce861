//! Decompresses .xz files.

use std::io::{self, Read};

use lzma_rust2::{Action, Status, XzStream};

use super::super::BUFFER_SIZE;
use super::{MAX_WINDOW, Unsupported};

/// Decompresses consecutive xz streams.
pub(super) struct XzDecoder<R> {
    compressed: R,
    stream: XzStream,
    piece: Box<[u8]>,
    /// Start of the unused part of the chunk.
    start: usize,
    end: usize,
    /// At the end, or damaged.
    is_over: bool,
    /// An error after the bytes not yet passed on.
    error: Option<io::Error>,
}

impl<R: Read> XzDecoder<R> {
    pub(super) fn new(compressed: R) -> Self {
        let has_several_streams = true;
        Self {
            compressed,
            stream: XzStream::new_mem_limit(has_several_streams, MAX_WINDOW >> 10),
            piece: vec![0; BUFFER_SIZE].into(),
            start: 0,
            end: 0,
            is_over: false,
            error: None,
        }
    }

    /// Reads the next chunk if necessary. Returns whether more may follow.
    fn fill(&mut self) -> io::Result<Action> {
        if self.start == self.end {
            self.end = self.compressed.read(&mut self.piece)?;
            self.start = 0;
        }
        Ok(match self.end {
            0 => Action::Finish,
            _ => Action::Run,
        })
    }

    fn step(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let action = self.fill()?;
            let piece = &self.piece[self.start..self.end];
            let had = self.stream.total_out();
            let outcome = self.stream.process(piece, buffer, action);
            let n_out = usize::try_from(self.stream.total_out() - had);
            let n_out = n_out.expect("no more than the buffer holds");
            match outcome {
                Ok(done) => {
                    self.start += done.bytes_consumed;
                    self.is_over = done.status == Status::StreamEnd;
                    // A decoder that neither reads nor writes at the end would wait for ever.
                    let is_stuck = action == Action::Finish && done.bytes_consumed == 0;
                    if n_out > 0 || self.is_over {
                        return Ok(n_out);
                    }
                    if is_stuck {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) if n_out > 0 => {
                    self.error = Some(named(error));
                    return Ok(n_out);
                }
                Err(error) => return Err(named(error)),
            }
        }
    }
}

/// The error, or the missing feature of the decoder, which reports unknown filters as damage.
fn named(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::OutOfMemory => {
            Unsupported("an xz file that needs more than 128 MiB to decompress").into()
        }
        _ if error.to_string().to_lowercase().contains("supported") => {
            Unsupported("an xz file with an unsupported filter or check").into()
        }
        _ => error,
    }
}

impl<R: Read> Read for XzDecoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.error.take() {
            self.is_over = true;
            return Err(error);
        }
        if self.is_over || buffer.is_empty() {
            return Ok(0);
        }
        let outcome = self.step(buffer);
        self.is_over |= outcome.is_err();
        outcome
    }
}
