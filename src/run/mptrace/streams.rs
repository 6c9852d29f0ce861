//! Where the lines of one event go: standard output, standard error and files, in
//! any combination.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

use super::CANNOT_WRITE;
use crate::cli::MptracePlan;
use crate::output::Output;
use crate::report::Text;

/// The streams of one run. What goes to standard output stays in the order in
/// which it was made.
pub(super) struct Streams<'a> {
    /// What goes to standard output.
    pub(super) stdout: Text,
    pub(super) notes: &'a mut dyn Write,
    out: &'a mut dyn Write,
    hatf: Option<Side>,
    program: Option<Side>,
}

/// Where a second form of the trace goes.
enum Side {
    Stdout,
    Stderr(Text),
    File(Text, Output),
}

impl<'a> Streams<'a> {
    pub(super) fn open(
        plan: &MptracePlan,
        out: &'a mut dyn Write,
        notes: &'a mut dyn Write,
    ) -> Result<Self> {
        Ok(Self {
            stdout: Text::default(),
            notes,
            out,
            hatf: plan.hatf.as_deref().map(Side::open).transpose()?,
            program: plan.program.as_deref().map(Side::open).transpose()?,
        })
    }

    /// What goes to the file of events, if there is one.
    pub(super) fn hatf(&mut self) -> Option<&mut Text> {
        let side = self.hatf.as_mut()?;
        Some(side.text(&mut self.stdout))
    }

    /// What goes to the file of the program, if there is one.
    pub(super) fn program(&mut self) -> Option<&mut Text> {
        let side = self.program.as_mut()?;
        Some(side.text(&mut self.stdout))
    }

    /// Writes what was gathered, once that is enough to be worth it.
    pub(super) fn write_pieces(&mut self) -> Result<()> {
        let written = self.stdout.write_piece(self.out);
        written.context(CANNOT_WRITE)?;
        for side in [&mut self.hatf, &mut self.program].into_iter().flatten() {
            side.write_piece(self.notes)?;
        }
        Ok(())
    }

    /// Writes what was gathered for the two standard streams.
    pub(super) fn flush(&mut self) -> Result<()> {
        self.stdout.write(self.out).context(CANNOT_WRITE)?;
        for side in [&mut self.hatf, &mut self.program].into_iter().flatten() {
            if let Side::Stderr(text) = side {
                text.write(self.notes).context(CANNOT_WRITE)?;
            }
        }
        Ok(())
    }

    /// Writes everything, and makes the files appear.
    pub(super) fn finish(mut self) -> Result<()> {
        self.flush()?;
        for side in [self.hatf, self.program].into_iter().flatten() {
            if let Side::File(mut text, mut output) = side {
                let written = text.write(&mut output).and_then(|()| output.finish());
                written.context(CANNOT_WRITE)?;
            }
        }
        Ok(())
    }
}

impl Side {
    fn open(path: &Path) -> Result<Self> {
        let text = Text::default();
        match path.to_str() {
            Some("stdout") => return Ok(Self::Stdout),
            Some("stderr") => return Ok(Self::Stderr(text)),
            _ => {}
        }
        // Here a `-` is a file like any other.
        let output = Output::open(Some(&Path::new(".").join(path)));
        let output = output.with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(Self::File(text, output))
    }

    fn text<'t>(&'t mut self, stdout: &'t mut Text) -> &'t mut Text {
        match self {
            Self::Stdout => stdout,
            Self::Stderr(text) | Self::File(text, _) => text,
        }
    }

    fn write_piece(&mut self, notes: &mut dyn Write) -> Result<()> {
        let written = match self {
            Self::Stdout => Ok(()),
            Self::Stderr(text) => text.write_piece(notes),
            Self::File(text, output) => text.write_piece(output),
        };
        written.context(CANNOT_WRITE)
    }
}
