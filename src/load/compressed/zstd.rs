//! Decompresses .zst files.

use std::io::{self, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::{MAX_WINDOW, Unsupported};

/// Ends a frame early: an empty last block, and space for a checksum. Source: RFC 8878,
/// 3.1.1.2.
const END_OF_FRAME: &[u8] = &[1, 0, 0, 0, 0, 0, 0];

/// Decompresses consecutive zstd frames.
pub(super) struct ZstdDecoder<R> {
    compressed: R,
    frame: FrameDecoder,
    state: FrameState,
    /// The error of the frame, after the bytes not yet passed on.
    error: Option<io::Error>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameState {
    BetweenFrames,
    InFrame,
    Over,
}

impl<R: Read> ZstdDecoder<R> {
    pub(super) fn new(compressed: R) -> Self {
        let mut frame = FrameDecoder::new();
        frame.set_max_window_size(MAX_WINDOW.into());
        Self { compressed, frame, state: FrameState::BetweenFrames, error: None }
    }

    /// Starts the next frame, if any.
    fn start_frame(&mut self) -> io::Result<FrameState> {
        let mut first = [0];
        if self.compressed.read(&mut first)? == 0 {
            return Ok(FrameState::Over);
        }
        match self.frame.reset(first.as_slice().chain(&mut self.compressed)) {
            Ok(()) => Ok(FrameState::InFrame),
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let mut skipped = self.compressed.by_ref().take(length.into());
                io::copy(&mut skipped, &mut io::sink())?;
                Ok(FrameState::BetweenFrames)
            }
            Err(FrameDecoderError::WindowSizeTooBig { .. }) => {
                Err(Unsupported("a zstd file that needs more than 128 MiB to decompress").into())
            }
            Err(FrameDecoderError::DictNotProvided { .. }) => {
                Err(Unsupported("a zstd file that needs a dictionary to decompress").into())
            }
            Err(error) => Err(io::Error::other(error)),
        }
    }

    /// Decompresses until bytes are available or the frame ends.
    fn fill(&mut self) {
        while self.error.is_none() && self.frame.can_collect() == 0 && !self.frame.is_finished() {
            let one = BlockDecodingStrategy::UptoBlocks(1);
            if let Err(error) = self.frame.decode_blocks(&mut self.compressed, one) {
                self.error = Some(io::Error::other(error));
                // The decoder keeps back bytes that later blocks could refer to; no more blocks
                // follow.
                let all = BlockDecodingStrategy::All;
                let _ = self.frame.decode_blocks(END_OF_FRAME, all);
            }
        }
    }

    /// The error at the end of a frame, if any.
    fn end_frame(&mut self) -> io::Result<()> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let stated = self.frame.get_checksum_from_data();
        if stated.is_some() && stated != self.frame.get_calculated_checksum() {
            return Err(io::Error::other("the checksum is wrong"));
        }
        Ok(())
    }

    fn step(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.state {
                FrameState::Over => return Ok(0),
                FrameState::BetweenFrames => self.state = self.start_frame()?,
                FrameState::InFrame => {
                    self.fill();
                    let n_read = self.frame.read(buffer)?;
                    if n_read > 0 {
                        return Ok(n_read);
                    }
                    self.end_frame()?;
                    self.state = FrameState::BetweenFrames;
                }
            }
        }
    }
}

impl<R: Read> Read for ZstdDecoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let outcome = self.step(buffer);
        if outcome.is_err() {
            self.state = FrameState::Over;
        }
        outcome
    }
}
