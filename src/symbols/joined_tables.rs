//! The tables of several objects as one.

use std::sync::Arc;

use super::files::InternedFiles;
use super::inlines::Inlines;
use super::line_pieces::LineRun;
use super::objects::Placed;
use super::symbol::{Granularity, SourceLine, Symbol, SymbolId};
use super::table::SymbolTable;
use crate::model::Address;

impl SymbolTable {
    /// The tables of several objects as one, in their order, with the lines of their code.
    pub fn of_objects(objects: Vec<(Placed, Self, &[LineRun])>) -> (Self, Vec<LineRun>) {
        let mut files = InternedFiles::default();
        let mut symbols: Vec<Symbol> = Vec::new();
        let mut inlines = Inlines::default();
        let (mut granularity, mut has_inlines) = (Granularity::Functions, false);
        let mut lines = Vec::new();
        for (placed, table, own_lines) in &objects {
            let mut joined = |line: SourceLine| SourceLine {
                file: files.mention(table.files().name(line.file)),
                line: line.line,
            };
            if table.granularity() != Granularity::Functions {
                granularity = table.granularity();
            }
            has_inlines |= table.inlines().is_some();
            inlines.append(table.inlines(), table.symbols().len(), &mut joined);
            lines.extend(own_lines.iter().map(|run| LineRun {
                addresses: placed.placed(run.addresses.start)..placed.placed(run.addresses.end),
                source: joined(run.source),
            }));
            symbols.extend(table.symbols().iter().map(|symbol| Symbol {
                range: placed.placed(symbol.range.start)..placed.placed(symbol.range.end),
                ticks_end: placed.placed(symbol.ticks_end),
                source: symbol.source.map(&mut joined),
                ..symbol.clone()
            }));
        }
        // Code of images of one memory may alternate.
        if !symbols.is_sorted_by_key(|symbol| symbol.range.start) {
            let mut order: Vec<usize> = (0..symbols.len()).collect();
            order.sort_by_key(|&index| symbols[index].range.start);
            symbols = order.iter().map(|&index| symbols[index].clone()).collect();
            inlines.reorder(&order);
            lines.sort_by_key(|run: &LineRun| run.addresses.start);
        }
        let table = Self::new(symbols, files.into_source_files(), granularity);
        let table = if has_inlines { table.with_inlines(inlines) } else { table };
        let objects = objects.into_iter().map(|(placed, ..)| placed);
        (table.with_objects(objects.collect()).with_whole_lines(), lines)
    }
}

impl SymbolTable {
    /// The same with the inlined code of some functions, which `inlined` contains in their order;
    /// and the lines of code. Functions keep their order.
    pub fn with_inlined_code(
        &self,
        functions: &[SymbolId],
        inlined: Self,
        lines: &[LineRun],
    ) -> (Self, Vec<LineRun>) {
        let others = self.iter().filter(|(id, _)| functions.binary_search(id).is_err());
        let others = others.map(|(_, symbol)| symbol.clone()).collect();
        let others = Self::new(others, self.files().clone(), self.granularity());
        let place =
            || Placed { name: Arc::default(), range: Address(0)..Address(u64::MAX), distance: 0 };
        let parts = vec![(place(), others, lines), (place(), inlined, &[][..])];
        let (table, lines) = Self::of_objects(parts);
        (table.with_objects(self.objects().into()), lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::objects::{place, tests::object};

    #[test]
    fn symbols_of_several_objects_are_found_where_they_were_put() {
        let table = || SymbolTable::of_entries([0x1000, 0x1100].into_iter().map(Address));
        let table = || table().cut_at(Address(0x1200));
        let ranges = vec![object("prog", 0x1000, 0x1200), object("liba.so", 0x1000, 0x1200)];
        let placed = place(ranges).expect("there is room");
        let in_library = placed[1].placed(Address(0x1180));
        let parts = placed.into_iter().map(|one| (one, table(), &[][..])).collect();
        let (joined, _) = SymbolTable::of_objects(parts);
        let id = joined.containing(in_library).expect("it is in the library");
        let symbol = joined.get(id);
        assert_eq!(&*symbol.name, b"0x1100");
        assert_eq!(joined.linked(symbol, symbol.range.start), Address(0x1100));
        let object = joined.object_of(symbol).expect("there are several");
        assert_eq!(&**object, b"liba.so");
        let first = joined.get(joined.containing(Address(0x1180)).expect("it is in prog"));
        assert_eq!(&**joined.object_of(first).expect("there are several"), b"prog");
    }

    #[test]
    fn code_of_images_may_alternate() {
        let table = |starts: [u64; 2]| SymbolTable::of_entries(starts.map(Address).into_iter());
        let whole = |name: &str| Placed {
            name: name.as_bytes().into(),
            range: Address(0)..Address(u64::MAX),
            distance: 0,
        };
        let parts = vec![
            (whole("app"), table([0x2000, 0x4000]), &[][..]),
            (whole("rom"), table([0x1000, 0x3000]), &[][..]),
        ];
        let (joined, _) = SymbolTable::of_objects(parts);
        let names = joined.symbols().iter().map(|symbol| &*symbol.name);
        assert_eq!(names.collect::<Vec<_>>(), [b"0x1000", b"0x2000", b"0x3000", b"0x4000"]);
    }
}
