//! Checks whether a call in machine code can belong to a recorded arc.

use std::ops::Range;
use std::sync::OnceLock;

use super::code::{CallTarget, Code, PROLOGUE_SIZE};
use super::symbol::{Symbol, SymbolId};
use super::table::SymbolTable;
use crate::model::Address;

/// How the code before a return address relates to a callee, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SiteFinding {
    /// No call.
    Nowhere,
    /// A call of another function, which returns.
    Elsewhere,
    /// A call that may lead to the callee: through a register or a stub, or to a function that
    /// jumps.
    MayBe,
    /// A call of the callee.
    Direct,
}

/// The calls of a program, compared with recorded callees.
pub struct SiteCalls<'c, 'a> {
    code: &'c Code<'a>,
    /// Functions, if the program has names.
    table: Option<&'c SymbolTable>,
    /// The target of calls of mcount, if not known by name.
    mcount: Option<CallTarget>,
    /// Whether each function may jump elsewhere, computed on demand.
    jumps_away: Box<[OnceLock<bool>]>,
}

impl<'c, 'a> SiteCalls<'c, 'a> {
    pub fn new(
        code: &'c Code<'a>,
        table: Option<&'c SymbolTable>,
        mcount: Option<CallTarget>,
    ) -> Self {
        let mut jumps_away = Vec::new();
        let n_functions = table.map_or(0, |table| table.symbols().len());
        jumps_away.resize_with(n_functions, OnceLock::new);
        Self { code, table, mcount, jumps_away: jumps_away.into() }
    }

    /// Returns whether a call leads to mcount.
    pub fn is_mcount(&self, target: CallTarget) -> bool {
        self.mcount == Some(target) || self.code.is_mcount(target)
    }

    /// Returns whether any call is known to lead to mcount.
    pub fn know_mcount(&self) -> bool {
        self.mcount.is_some() || self.code.bounds.knows_mcount()
    }

    /// The places of `step` bytes from a call site where a call may return.
    pub fn places(&self, site: Address, step: u64) -> impl Iterator<Item = Address> + use<> {
        let return_step = self.code.return_step();
        let places = (0..step).map(move |offset| Address(site.0.wrapping_add(offset)));
        places.filter(move |place| place.0.is_multiple_of(return_step))
    }

    /// How the code before a place relates to a recorded callee.
    pub fn before(&self, place: Address, callee: Address) -> SiteFinding {
        // The hook calls no function of the program's.
        let target = self.code.call_returning_to(place);
        match target.filter(|&target| !self.is_mcount(target)) {
            Some(target) => self.leads(target, callee),
            None => SiteFinding::Nowhere,
        }
    }

    /// Returns whether a call leads to a callee, possibly through an uninstrumented function
    /// that jumps there.
    fn leads(&self, target: CallTarget, recorded: Address) -> SiteFinding {
        let CallTarget::At(target) = target else {
            return SiteFinding::MayBe;
        };
        let callee = self.function_at(recorded).map(|(_, callee)| &callee.range);
        if let Some(callee) = callee.filter(|callee| callee.contains(&target)) {
            let is_before = target <= recorded && callee.start <= target;
            return if is_before { SiteFinding::Direct } else { SiteFinding::MayBe };
        }
        let Some((id, other)) = self.function_at(target) else {
            let is_soon = callee.is_none() && recorded.0.wrapping_sub(target.0) < PROLOGUE_SIZE;
            return if is_soon { SiteFinding::Direct } else { SiteFinding::MayBe };
        };
        let body = &other.range;
        if callee.is_some_and(|callee| callee.start == body.end) {
            return SiteFinding::MayBe;
        }
        // Stubs made by the linker have no names: they follow a function with a name.
        if body.start != target {
            return SiteFinding::MayBe;
        }
        if self.jumps_away(id, body) { SiteFinding::MayBe } else { SiteFinding::Elsewhere }
    }

    fn function_at(&self, address: Address) -> Option<(SymbolId, &Symbol)> {
        let id = self.table?.containing(address)?;
        Some((id, self.table?.get(id)))
    }

    fn jumps_away(&self, id: SymbolId, body: &Range<Address>) -> bool {
        *self.jumps_away[id.index()].get_or_init(|| self.code.may_jump_away(body))
    }
}
