//! Exports of every lab in any state: that they hold what they should and lead back to it.
