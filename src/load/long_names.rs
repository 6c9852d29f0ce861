//! Cuts long names that many functions and locations of a profile share.

use std::collections::HashMap;
use std::sync::Arc;

use crate::memory::Limits;
use crate::model::{NameCut, RecordedCosts, name_limit};

/// Cuts names of functions, objects and files if printing them would take a multiple of their
/// file. Files keep the end, which distinguishes them.
pub(super) fn cut(costs: &mut RecordedCosts) -> Option<NameCut> {
    let of_functions = costs.functions.iter();
    let of_functions =
        of_functions.flat_map(|function| [Some(&function.name), function.object.as_ref()]);
    let files = costs.locations.files().map(Some);
    let names = of_functions.chain(files).flatten().map(|name| &**name);
    let limit = name_limit(names, |n_bytes| Limits::of(n_bytes).names)?;
    let mut cutter = NameCutter { limit, made: HashMap::new(), n_names: 0 };
    for function in &mut costs.functions {
        cutter.cut(&mut function.name, |name| &name[..limit]);
        if let Some(object) = &mut function.object {
            cutter.cut(object, |name| &name[name.len() - limit..]);
        }
    }
    let locations = costs.locations.iter().map(|mut location| {
        cutter.cut(&mut location.file, |name| &name[name.len() - limit..]);
        location
    });
    costs.locations = locations.collect();
    Some(NameCut { n_names: cutter.n_names, n_bytes: limit })
}

/// Cuts each name once.
struct NameCutter {
    limit: usize,
    /// Name and its cut form, by the address of the stored name.
    made: HashMap<*const u8, [Arc<[u8]>; 2]>,
    n_names: usize,
}

impl NameCutter {
    fn cut(&mut self, name: &mut Arc<[u8]>, left: impl Fn(&[u8]) -> &[u8]) {
        if name.len() <= self.limit {
            return;
        }
        self.n_names += 1;
        // Keeping the whole name alive prevents reuse of its address.
        let known = self.made.entry(name.as_ptr());
        let [_, cut] = known.or_insert_with(|| [Arc::clone(name), left(name).into()]);
        *name = Arc::clone(cut);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Function;

    #[test]
    fn what_functions_share_they_share_when_it_is_cut() {
        let name: Arc<[u8]> = vec![b'a'; 400_000].into();
        let function = || Function::named(Arc::clone(&name));
        let mut costs = RecordedCosts {
            functions: (0..1000).map(|_| function()).collect(),
            ..RecordedCosts::default()
        };
        let cut = cut(&mut costs).expect("they have 400 MB together");
        assert_eq!(cut.n_names, 1000);
        let [first, second, ..] = &*costs.functions else {
            panic!("there are a thousand");
        };
        assert_eq!(first.name.len(), cut.n_bytes);
        assert!(Arc::ptr_eq(&first.name, &second.name));
    }

    #[test]
    fn a_few_long_names_stay() {
        let function = |letter| Function::named(vec![letter; 400_000]);
        let mut costs = RecordedCosts {
            functions: (0..100).map(function).collect(),
            ..RecordedCosts::default()
        };
        assert_eq!(cut(&mut costs), None);
        assert_eq!(costs.functions[7].name.len(), 400_000);
    }
}
