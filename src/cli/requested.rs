//! The sections that a command line requests.

use crate::report::SectionId;

/// The requested sections, and all named ones. The first section of each report stands for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestedSections {
    wanted: SectionSet,
    named: SectionSet,
    /// The sum of the profiles is requested, which is no section.
    pub(super) sum: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct SectionSet(u64);

impl SectionSet {
    fn set(&mut self, section: SectionId, is_in: bool) {
        let bit = 1 << section as u64;
        self.0 = if is_in { self.0 | bit } else { self.0 & !bit };
    }

    fn contains(self, section: SectionId) -> bool {
        self.0 & 1 << section as u64 != 0
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl RequestedSections {
    /// These sections and no others.
    pub fn only(wanted: impl IntoIterator<Item = SectionId>) -> Self {
        let mut sections = Self::default();
        wanted.into_iter().for_each(|section| sections.set(section, true));
        sections
    }

    /// Requests or excludes a section, for `-p`, `-P` and similar.
    pub(super) fn set(&mut self, section: SectionId, is_wanted: bool) {
        self.wanted.set(section, is_wanted);
        self.named.set(section, true);
    }

    /// Requests sections, unless they were excluded.
    pub(super) fn add(&mut self, sections: impl IntoIterator<Item = SectionId>) {
        let named = self.named;
        let open = sections.into_iter().filter(|section| !named.contains(*section));
        open.for_each(|section| self.set(section, true));
    }

    /// Returns whether the section was requested.
    pub fn wants(&self, section: SectionId) -> bool {
        self.wanted.contains(section)
    }

    /// Returns whether the section may be printed by default: nothing was requested, and it was
    /// not excluded.
    pub fn is_open(&self, section: SectionId) -> bool {
        self.wanted.is_empty() && !self.sum && !self.named.contains(section)
    }

    /// Returns whether only this section was requested.
    pub fn want_only(&self, section: SectionId) -> bool {
        let mut rest = self.wanted;
        rest.set(section, false);
        rest.is_empty() && !self.sum && self.wants(section)
    }

    /// Returns whether the requested sections need no symbols.
    pub fn need_no_symbols(&self) -> bool {
        let mut rest = self.wanted;
        rest.set(SectionId::Files, false);
        rest.is_empty() && (self.sum || !self.wanted.is_empty())
    }

    /// Returns whether the section was not excluded.
    pub fn can_have(&self, section: SectionId) -> bool {
        use SectionId as S;
        let is_default = matches!(section, S::Flat | S::Graph | S::Counts);
        self.wants(section) || is_default && self.is_open(section)
    }

    /// Returns whether a section belongs to a report that was requested, or may be printed by
    /// default.
    pub fn allow(&self, section: SectionId) -> bool {
        let first = section.first();
        self.wants(first) || self.is_open(first)
    }
}
