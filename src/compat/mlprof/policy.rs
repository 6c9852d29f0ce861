//! What mlprof does in another way than profan, in rooms that both use.

use crate::load::MltonPolicy;

/// How mlprof reads: it takes what its parsers take, and nothing else.
pub(super) const READ_POLICY: MltonPolicy = MltonPolicy {
    knows_first_release: false,
    ignores_blank_ends: false,
    joins_tabs: true,
    keeps_unknown_positions: true,
    takes_any_value: true,
};
