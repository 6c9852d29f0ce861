use profan::compat::gprof;
use profan::load::{CounterBits, Hints, ReadPolicy, RequestedLayout};
use profan::model::Encoding;

use super::check;

/// Any bytes as a profile of any kind: with either policy, with and without the encoding of an
/// executable, and in requested layouts.
pub fn any_profile(data: &[u8]) {
    check::reading(data, &Hints::default());
    for policy in [ReadPolicy::CAREFUL, gprof::READ_POLICY] {
        for encoding in Encoding::ALL {
            let hints = Hints { encoding: Some(encoding), policy, ..Hints::default() };
            check::reading(data, &hints);
        }
    }
    for layout in [RequestedLayout::Gnu, RequestedLayout::Bsd, RequestedLayout::Bsd44] {
        let hints = Hints { layout: Some(layout), has_short_long: true, ..Hints::default() };
        check::reading(data, &hints);
    }
    for bits in CounterBits::ALL {
        let policy = ReadPolicy {
            counter_bits: Some(bits),
            times: Some(Default::default()),
            ..ReadPolicy::CAREFUL
        };
        let hints = Hints { policy, ..Hints::default() };
        check::reading(data, &hints);
    }
}
