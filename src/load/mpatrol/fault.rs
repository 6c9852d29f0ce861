//! Errors of both files by their effect on mpatrol's own tools.

use std::error::Error;

use super::super::error::OfFormat;
use super::profile::ProfileError;
use super::trace::TraceError;

/// The errors that mpatrol's tools check for. They do not notice others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MpatrolFault {
    TooOld,
    TooNew,
    /// Wrong letters at an end, or an unknown event.
    Invalid,
    /// The file ends early.
    Unreadable,
}

impl MpatrolFault {
    pub fn of(OfFormat(fault): &OfFormat) -> Option<Self> {
        let fault: &(dyn Error + 'static) = &**fault;
        if let Some(fault) = fault.downcast_ref() {
            return Self::of_profile(fault);
        }
        fault.downcast_ref().and_then(Self::of_trace)
    }

    fn of_profile(fault: &ProfileError) -> Option<Self> {
        match fault {
            ProfileError::TooOld { .. } => Some(Self::TooOld),
            ProfileError::TooNew { .. } => Some(Self::TooNew),
            ProfileError::NoEnd => Some(Self::Invalid),
            _ => None,
        }
    }

    fn of_trace(fault: &TraceError) -> Option<Self> {
        match fault {
            TraceError::Marker | TraceError::Version(_) => Some(Self::TooNew),
            TraceError::Magic(_) | TraceError::Event(_) | TraceError::CutNumber(_) => {
                Some(Self::Invalid)
            }
            TraceError::CutOff(_) | TraceError::Unreadable(_) => Some(Self::Unreadable),
            TraceError::WideNumber(_) | TraceError::LongName { .. } => None,
        }
    }
}
