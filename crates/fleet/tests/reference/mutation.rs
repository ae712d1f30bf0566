//! Deliberate faults. Each is a plausible misreading of the page; a comparison that does not
//! notice one of them is worth nothing.

/// A fault of the reference engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutation {
    /// Chunked: waiting sequences are admitted before the decoders got their blocks.
    AdmitBeforeGrowth,
    /// Within one release the block nearest the root is the first to be evicted.
    EvictParentFirst,
    /// Blocks can be hit from the start of the iteration that fills them.
    PublishAtStart,
    /// A prompt may be hit whole, without a token left to compute.
    HitWholePrompt,
    /// The sequence admitted first is preempted.
    PreemptOldest,
    /// A preempted sequence waits at the back of the line.
    PreemptedToBack,
    /// Decoders take nothing of the budget.
    BudgetIgnoresDecoders,
    /// The KV tokens that decoders read are counted before their new token is written.
    KvReadBeforeWrite,
    /// An aborted running sequence leaves at once.
    AbortImmediately,
    /// The cache survives a failure.
    KeepCacheOnFailure,
    /// Waiting sequences are admitted in an iteration that preempted.
    AdmitAfterPreemption,
    /// A failed admission makes the blocks it hit the last to be evicted.
    FailedAdmissionTouches,
    /// The time without a place does not count as a gap between tokens.
    GapForgetsPreemption,
    /// Generated blocks are cached whatever the settings say.
    CacheGeneratedAlways,
    /// A head of the line that lacked blocks does not notice that more of its chain is cached now.
    HeadKeepsItsHits,
}

impl Mutation {
    /// All faults.
    pub(crate) const ALL: [Self; 15] = [
        Self::AdmitBeforeGrowth,
        Self::EvictParentFirst,
        Self::PublishAtStart,
        Self::HitWholePrompt,
        Self::PreemptOldest,
        Self::PreemptedToBack,
        Self::BudgetIgnoresDecoders,
        Self::KvReadBeforeWrite,
        Self::AbortImmediately,
        Self::KeepCacheOnFailure,
        Self::AdmitAfterPreemption,
        Self::FailedAdmissionTouches,
        Self::GapForgetsPreemption,
        Self::CacheGeneratedAlways,
        Self::HeadKeepsItsHits,
    ];
}
