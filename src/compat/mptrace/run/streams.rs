//! Outputs of events: standard output, standard error and files, in any combination.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

use crate::compat::mptrace::options::MptracePlan;
use crate::compat::{CANNOT_WRITE, WithFirstLine, first_line};
use crate::output::Output;
use crate::report::Text;

/// Prefix of lines on standard error.
pub(super) const NAME: &str = "mptrace: ";

/// The outputs of a run, each in its own order.
pub(super) struct Streams<'a> {
    /// Text for standard output.
    pub(super) stdout: Text,
    stderr: Text,
    out: &'a mut dyn Write,
    notes: &'a mut dyn Write,
    hatf: Option<SideStream>,
    program: Option<SideStream>,
}

/// The output of another format.
enum SideStream {
    Stdout,
    Stderr,
    File(Text, Box<Output>),
}

impl<'a> Streams<'a> {
    pub(super) fn open(
        plan: &MptracePlan,
        out: &'a mut dyn Write,
        notes: &'a mut dyn Write,
    ) -> Result<Self> {
        Ok(Self {
            stdout: Text::default(),
            stderr: Text::default(),
            out,
            notes,
            program: plan.program.as_deref().map(SideStream::open).transpose()?,
            hatf: plan.hatf.as_deref().map(SideStream::open).transpose()?,
        })
    }

    /// Writes a line to standard error.
    pub(super) fn say(&mut self, line: &str) {
        for part in [NAME, line, "\n"] {
            self.stderr.word(part);
        }
    }

    /// The event file, if requested.
    pub(super) fn hatf(&mut self) -> Option<&mut Text> {
        let side = self.hatf.as_mut()?;
        Some(side.text(&mut self.stdout, &mut self.stderr))
    }

    /// The program file, if requested.
    pub(super) fn program(&mut self) -> Option<&mut Text> {
        let side = self.program.as_mut()?;
        Some(side.text(&mut self.stdout, &mut self.stderr))
    }

    /// Writes full buffers.
    pub(super) fn write_pieces(&mut self) -> Result<()> {
        let written = self.stdout.write_piece(self.out);
        let written = written.and_then(|()| self.stderr.write_piece(self.notes));
        written.context(CANNOT_WRITE)?;
        for side in [&mut self.hatf, &mut self.program] {
            if let Some(SideStream::File(text, output)) = side {
                text.write_piece(output).context(CANNOT_WRITE)?;
            }
        }
        Ok(())
    }

    /// Writes the buffers of both standard streams.
    pub(super) fn flush(&mut self) -> Result<()> {
        let written = self.stdout.write(self.out);
        let written = written.and_then(|()| self.stderr.write(self.notes));
        written.context(CANNOT_WRITE)
    }

    /// Writes everything, and completes the files.
    pub(super) fn finish(mut self) -> Result<()> {
        self.flush()?;
        for side in [self.hatf, self.program].into_iter().flatten() {
            if let SideStream::File(mut text, mut output) = side {
                let written = text.write(&mut output).and_then(|()| output.finish());
                written.context(CANNOT_WRITE)?;
            }
        }
        Ok(())
    }
}

impl SideStream {
    fn open(path: &Path) -> Result<Self> {
        match path.to_str() {
            Some("stdout") => return Ok(Self::Stdout),
            Some("stderr") => return Ok(Self::Stderr),
            _ => {}
        }
        let cannot = || format!("{} cannot be written", path.display());
        let output = Output::create(path).with_context(cannot).map_err(|error| {
            let line = first_line::cannot_open(path);
            WithFirstLine::add(Some(NAME.to_owned() + &line), error)
        })?;
        Ok(Self::File(Text::default(), Box::new(output)))
    }

    fn text<'t>(&'t mut self, stdout: &'t mut Text, stderr: &'t mut Text) -> &'t mut Text {
        match self {
            Self::Stdout => stdout,
            Self::Stderr => stderr,
            Self::File(text, _) => text,
        }
    }
}
