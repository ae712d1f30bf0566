//! Sessions: what a call that ended leads to.

use tokenyard_det::Stream;

use super::content::{self, Text};
use super::lengths::{Lengths, MOST_TOKENS};
use super::plan::{After, Plan};
use crate::chain::Chain;
use crate::request::Request;
use crate::scenario::workload::{Prefix, RolloutSettings, WorkloadSettings};
use crate::time::{Ps, from_s};

/// What calls of all sessions are made from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Script {
    pub(super) seed: u64,
    pub(super) block: u32,
    pub(super) plan: Plan,
    pub(super) prefix: Prefix,
    pub(super) shared_tokens: u32,
    pub(super) output: Lengths,
    pub(super) rollouts: Option<RolloutSettings>,
    growth: Option<Lengths>,
    think_s: f64,
    tool_s: f64,
    compact: Option<(u32, u32)>,
    deadline: Option<Ps>,
}

/// A session with calls in flight or to come.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Session {
    /// Number of its first call's own text; the call of turn t has this plus t.
    pub(super) first_text: u32,
    /// Calls it may make; those of its plan beyond are never made.
    pub(super) calls: u32,
    /// Calls made and not ended.
    pub(super) open: u32,
    fork: Option<Fork>,
}

/// Children in flight.
#[derive(Clone, Debug, PartialEq)]
struct Fork {
    /// What the children and the summary continue.
    trunk: Trunk,
    /// Children that have not ended.
    left: u32,
    /// Tokens of the children's last answers, which the summary reads.
    answers: u32,
}

/// A served call, as far as the next one needs it.
#[derive(Clone, Debug, PartialEq)]
struct Trunk {
    number: u32,
    tokens: u32,
    chain: Chain,
}

/// One call's random numbers: always four, so that no setting moves another one's draw.
struct Draws {
    output: f64,
    growth: f64,
    think: f64,
    tool: f64,
}

impl Session {
    pub(super) fn new(first_text: u32, calls: u32) -> Self {
        Self { first_text, calls, open: 1, fork: None }
    }
}

impl Script {
    pub(super) fn new(seed: u64, block: u32, settings: &WorkloadSettings, output: Lengths) -> Self {
        let growth = f64::from(settings.growth_tokens);
        Self {
            seed,
            block,
            plan: Plan::of(settings),
            prefix: settings.prefix,
            shared_tokens: if settings.prefix == Prefix::None { 0 } else { settings.shared_tokens },
            output,
            rollouts: settings.rollouts,
            growth: (growth > 0.0).then(|| Lengths::about(&settings.prompt, growth)),
            think_s: settings.think_s,
            tool_s: settings.tool_s,
            compact: settings.compact_tokens.map(|limit| (limit, settings.compact_to_tokens)),
            deadline: settings.deadline,
        }
    }

    /// When nobody wants the answer of a request that arrives then.
    pub(super) fn deadline(&self, arrival: Ps) -> Option<Ps> {
        self.deadline.map(|patience| arrival.saturating_add(patience))
    }

    /// Tokens that a session's prompts begin with and others share, at most [`MOST_TOKENS`], and
    /// their blocks.
    pub(super) fn shared(&self, family: Option<u32>) -> (u32, Chain) {
        let mut chain = Chain::new();
        let text = match (self.prefix, family) {
            (Prefix::None, _) => return (0, chain),
            (Prefix::Families, Some(family)) => Text::Family(family),
            _ => Text::System,
        };
        content::extend(&mut chain, self.block, text, self.shared_tokens);
        let (Some(rollouts), Some(step)) = (&self.rollouts, family) else {
            return (self.shared_tokens, chain);
        };
        let tokens = (self.shared_tokens + rollouts.step_tokens).min(MOST_TOKENS);
        content::extend(&mut chain, self.block, Text::Step(step), tokens);
        (tokens, chain)
    }

    /// Output tokens of a call of a session.
    pub(super) fn output(&self, session: u32, turn: u32, u: f64) -> u32 {
        let drawn = self.output.at(u);
        let Some(rollouts) = &self.rollouts else { return drawn };
        let place = session % rollouts.step;
        match rollouts.straggler_every {
            Some(every) if turn + 1 == rollouts.turns && place.is_multiple_of(every) => {
                rollouts.straggler_tokens
            }
            _ => drawn,
        }
    }

    /// What follows `request`: calls with the time they arrive at. `session` is brought up to date.
    pub(super) fn follow(
        &self,
        session: &mut Session,
        request: &Request,
        ok: bool,
        at: Ps,
        generated: u64,
    ) -> Vec<Request> {
        session.open -= 1;
        let after = if ok { self.plan.after(request.turn) } else { After::End };
        let mut next = Vec::new();
        match after {
            After::Next(turn) if turn < session.calls => {
                next.push(self.call(session, request, &self.trunk(request, generated), turn, at));
            }
            After::Children => {
                let trunk = self.trunk(request, generated);
                let turns = self.plan.children().filter(|turn| *turn < session.calls);
                next.extend(turns.map(|turn| self.call(session, request, &trunk, turn, at)));
                session.fork = Some(Fork { trunk, left: next.len() as u32, answers: 0 });
            }
            _ => {}
        }
        if self.plan.is_child(request.turn) && next.is_empty() {
            next.extend(self.child_done(session, request, ok && after == After::ChildDone, at));
        }
        session.open += next.len() as u32;
        next
    }

    fn trunk(&self, request: &Request, generated: u64) -> Trunk {
        Trunk {
            number: request.number,
            tokens: request.prompt.saturating_add(request.output),
            chain: content::served(request, self.block, generated),
        }
    }

    /// The summary, if this was the last child.
    fn child_done(
        &self,
        session: &mut Session,
        request: &Request,
        answered: bool,
        at: Ps,
    ) -> Option<Request> {
        let mut fork = session.fork.take()?;
        fork.left = fork.left.saturating_sub(1);
        if answered {
            fork.answers = fork.answers.saturating_add(request.output).min(MOST_TOKENS);
        }
        if fork.left > 0 {
            session.fork = Some(fork);
            return None;
        }
        let turn = self.plan.summary().filter(|turn| *turn < session.calls)?;
        fork.trunk.tokens = fork.trunk.tokens.saturating_add(fork.answers);
        Some(self.call(session, request, &fork.trunk, turn, at))
    }

    fn draws(&self, text: u32) -> Draws {
        let mut stream = Stream::new(self.seed, "calls", u64::from(text));
        let mut unit = || stream.unit();
        Draws { output: unit(), growth: unit(), think: unit(), tool: unit() }
    }

    /// The call of a turn that continues `trunk`; `before` is the call whose end led to it.
    fn call(&self, session: &Session, before: &Request, trunk: &Trunk, turn: u32, at: Ps) -> Request {
        let text = session.first_text + turn;
        let draws = self.draws(text);
        let fork = self.plan.is_child(turn) != self.plan.is_child(before.turn);
        let new = self.growth.as_ref().map_or(0, |growth| growth.at(draws.growth));
        let (prompt, chain) = self.prompt(before.family, trunk, new, Text::Call(text));
        let arrival = if fork { at } else { at.saturating_add(self.pause(turn, &draws)) };
        Request {
            number: 0,
            arrival,
            turn,
            parent: fork.then_some(trunk.number),
            deadline: self.deadline(arrival),
            prompt,
            output: self.output(before.session.unwrap_or(0), turn, draws.output),
            chain,
            ..*before
        }
    }

    /// The last prompt and its answer and `new` tokens, unless that is so long that it is replaced
    /// by the shared tokens, a summary, and the new tokens.
    fn prompt(&self, family: Option<u32>, trunk: &Trunk, new: u32, own: Text) -> (u32, Chain) {
        let whole = trunk.tokens.saturating_add(new);
        let (shared, mut chain) = self.shared(family);
        let tokens = match self.compact {
            Some((limit, to)) if whole > limit => {
                shared.saturating_add(to).saturating_add(new).min(MOST_TOKENS)
            }
            _ => {
                if matches!(self.prefix, Prefix::Families | Prefix::Sessions) {
                    chain = trunk.chain.cut(whole.min(MOST_TOKENS) / self.block);
                }
                whole.min(MOST_TOKENS)
            }
        };
        content::extend(&mut chain, self.block, own, tokens);
        (tokens, chain)
    }

    /// Exponential times: of a person between two turns of the main line, and of a tool.
    fn pause(&self, turn: u32, draws: &Draws) -> Ps {
        let wait =
            |mean: f64, u: f64| if mean > 0.0 { -mean * tokenyard_det::math::ln(1.0 - u) } else { 0.0 };
        let person = self.plan.person && !self.plan.is_child(turn);
        let think = if person { wait(self.think_s, draws.think) } else { 0.0 };
        from_s(think + wait(self.tool_s, draws.tool))
    }
}
