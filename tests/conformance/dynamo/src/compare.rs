//! Holds one decision against the other.

use tokenyard_det::Stream;
use tokenyard_policy::dynamo;
use tokenyard_policy::{Choice, Draw, ReplicaIx, TieBreak};

use crate::coverage::Coverage;
use crate::state::State;
use crate::upstream::Upstream;
use crate::{listen, ours};

/// Relative difference that another library's exp and tanh may make.
const LAST_BITS: f64 = 2e-15;

/// How near a draw is to the edge between two workers when rounding may decide.
const EDGE: f64 = 1e-12;

/// A state that both sides can decide: who may be chosen, and what they cost on each side.
#[derive(Clone, Debug)]
pub struct Scored {
    /// Who may be chosen, ascending.
    pub eligible: Vec<ReplicaIx>,
    /// Upstream's costs, in that order.
    pub theirs: Vec<f64>,
    /// Ours.
    pub ours: Vec<f64>,
}

/// Compares everything about a state.
///
/// # Errors
/// The first difference, in words.
pub fn decide(state: &State, coverage: &mut Coverage) -> Result<(), String> {
    listen::start();
    coverage.see(state);
    let mut upstream = Upstream::new(state);
    let first = upstream.decide(&upstream.seeded(state.number));
    let eligible = match (ours::eligible(state), first) {
        (Err(ours), Err(Ok(theirs))) if ours == theirs => {
            coverage.refuse(ours);
            return Ok(());
        }
        (Ok(eligible), Ok(_)) => eligible,
        (ours, theirs) => return Err(format!("may be chosen: {ours:?}, upstream {theirs:?}")),
    };
    coverage.see_eligible(state, &eligible);
    if state.pinned.is_some() {
        return pinned(state, &upstream, &eligible, coverage);
    }
    let theirs = costs(&mut upstream, state.number, &eligible)?;
    let ours = ours::costs(state, &state.params, &eligible);
    let scored = Scored { eligible, theirs, ours };
    same_costs(state, &scored, coverage)?;
    if state.params.temperature > 0.0 {
        same_draw(state, &upstream, &scored, coverage)?;
    } else {
        same_smallest(state, &upstream, &scored, coverage)?;
    }
    rules(state, &scored, coverage)
}

/// Both sides' costs of a state in which somebody may be chosen and nobody is pinned.
///
/// # Errors
/// In words, if upstream chooses somebody else or shows no cost.
pub fn score(state: &State) -> Result<Option<Scored>, String> {
    listen::start();
    let Ok(eligible) = ours::eligible(state) else { return Ok(None) };
    if state.pinned.is_some() {
        return Ok(None);
    }
    let theirs = costs(&mut Upstream::new(state), state.number, &eligible)?;
    let ours = ours::costs(state, &state.params, &eligible);
    Ok(Some(Scored { eligible, theirs, ours }))
}

/// Upstream's costs of exactly those who may be chosen.
fn costs(upstream: &mut Upstream, seed: u64, eligible: &[ReplicaIx]) -> Result<Vec<f64>, String> {
    let all = upstream.costs(seed, eligible.len())?;
    let numbered = (0..).zip(&all).filter_map(|(number, cost)| Some((number, (*cost)?)));
    let (chosen, costs): (Vec<ReplicaIx>, Vec<f64>) = numbered.unzip();
    if chosen == eligible {
        Ok(costs)
    } else {
        Err(format!("eligible {eligible:?}, upstream chooses {chosen:?}"))
    }
}

/// A pinned worker's cost is shown to three decimals.
fn pinned(
    state: &State,
    upstream: &Upstream,
    eligible: &[ReplicaIx],
    coverage: &mut Coverage,
) -> Result<(), String> {
    for selector in [upstream.seeded(state.number), upstream.unseeded()] {
        let pick = upstream.decide(&selector).map_err(|refused| format!("pinned: {refused:?}"))?;
        let ours = ours::costs(state, &state.params, eligible);
        let shown: Vec<String> = ours.iter().map(|cost| format!("logit: {cost:.3},")).collect();
        if eligible != [pick.to] || !shown.iter().all(|text| pick.heard.message.contains(text)) {
            return Err(format!("pinned: {eligible:?} {shown:?}, upstream {pick:?}"));
        }
        coverage.decisions += 1;
    }
    Ok(())
}

fn same_costs(state: &State, scored: &Scored, coverage: &mut Coverage) -> Result<(), String> {
    for (ours, theirs) in scored.ours.iter().zip(&scored.theirs) {
        let is_same = ours.to_bits() == theirs.to_bits();
        let is_near = (ours - theirs).abs() <= LAST_BITS * theirs.abs();
        if state.preferred.is_empty() {
            coverage.costs += 1;
        } else {
            coverage.near_costs[0] += 1;
            coverage.near_costs[1] += u64::from(!is_same);
        }
        if !(is_same || is_near && !state.preferred.is_empty()) {
            return Err(format!("costs {:?}, upstream {:?}", scored.ours, scored.theirs));
        }
    }
    Ok(())
}

/// Places of the smallest costs.
fn smallest(costs: &[f64]) -> Vec<usize> {
    let least = costs.iter().fold(f64::INFINITY, |least, cost| least.min(*cost));
    costs.iter().enumerate().filter(|(_, cost)| **cost == least).map(|(at, _)| at).collect()
}

/// At temperature 0 both sides choose from the same set, and each reaches all of it.
fn same_smallest(
    state: &State,
    upstream: &Upstream,
    scored: &Scored,
    coverage: &mut Coverage,
) -> Result<(), String> {
    let tied = smallest(&scored.ours);
    coverage.ties += u64::from(tied.len() > 1);
    coverage.ties_drawn += u64::from(tied.len() > 1);
    let place = |to: ReplicaIx| scored.eligible.binary_search(&to).unwrap_or(usize::MAX);
    let seeded = upstream.seeded(state.number);
    let mut theirs = || upstream.decide(&seeded).map(|pick| place(pick.to)).unwrap_or(usize::MAX);
    reaches(&tied, "upstream", coverage, &mut theirs)?;
    let unseeded = upstream.unseeded();
    let mut theirs = || upstream.decide(&unseeded).map(|pick| place(pick.to)).unwrap_or(usize::MAX);
    // How many draws this takes differs from run to run: one for each of the tied is counted.
    reaches(&tied, "upstream without a seed", &mut Coverage::default(), &mut theirs)?;
    coverage.decisions += tied.len() as u64;
    let mut stream = Stream::new(state.number, "ours", 0);
    let mut ours = || {
        let mut draw = Draw { stream: &mut stream, ties: TieBreak::Upstream };
        let picked = dynamo::pick(&scored.ours, 0.0, &mut draw, &mut Vec::new());
        picked.filter(|(_, count)| *count as usize == tied.len()).map_or(usize::MAX, |(at, _)| at)
    };
    reaches(&tied, "ours", &mut Coverage::default(), &mut ours)
}

/// Draws until everybody of `tied` was chosen, and at least twice; nobody else may be.
fn reaches(
    tied: &[usize],
    who: &str,
    coverage: &mut Coverage,
    choose: &mut dyn FnMut() -> usize,
) -> Result<(), String> {
    let mut seen = vec![false; tied.len()];
    // One of 8 is missed by so many draws about once in 10^18 states.
    for draws in 1..=2 + 40 * tied.len() {
        let at = choose();
        coverage.decisions += 1;
        let Ok(place) = tied.binary_search(&at) else {
            return Err(format!("{who} chose {at}, smallest are {tied:?}"));
        };
        seen[place] = true;
        if draws > 1 && seen.iter().all(|seen| *seen) {
            return Ok(());
        }
    }
    Err(format!("{who} never chose some of {tied:?}"))
}

/// Above temperature 0 one draw leads both sides to one worker.
fn same_draw(
    state: &State,
    upstream: &Upstream,
    scored: &Scored,
    coverage: &mut Coverage,
) -> Result<(), String> {
    coverage.ties += u64::from(smallest(&scored.ours).len() > 1);
    let seeded = upstream.seeded(state.number);
    let mut theirs = fastrand::Rng::with_seed(state.number);
    let mut probabilities = Vec::new();
    dynamo::probabilities(&scored.ours, state.params.temperature, &mut probabilities);
    for _ in 0..3 {
        let pick = upstream.decide(&seeded).map_err(|refused| format!("softmax: {refused:?}"))?;
        let draw = theirs.f64();
        let reached = |draw: f64| scored.eligible[dynamo::sample(&probabilities, draw)];
        coverage.decisions += 1;
        coverage.same_draws += 1;
        if reached(draw) != pick.to {
            coverage.edges += 1;
            if reached(draw - EDGE) != pick.to && reached(draw + EDGE) != pick.to {
                return Err(format!("softmax: {} of {probabilities:?}, upstream {}", reached(draw), pick.to));
            }
        }
    }
    let pick = upstream.decide(&upstream.unseeded()).map_err(|refused| format!("softmax: {refused:?}"))?;
    coverage.decisions += 1;
    if scored.eligible.contains(&pick.to) { Ok(()) } else { Err(format!("softmax chose {}", pick.to)) }
}

/// The registered rules behind a router's view have upstream's costs and choose by them.
fn rules(state: &State, scored: &Scored, coverage: &mut Coverage) -> Result<(), String> {
    if !ours::fits_a_view(state, &scored.eligible) {
        return Ok(());
    }
    for id in ["dynamo-kv", "kv-aware"] {
        let mut stream = Stream::new(state.number, id, 0);
        let mut draws = stream.clone();
        let (choice, rows) =
            ours::rule(id, state, &scored.eligible, &mut stream).ok_or("settings out of the rule's range")?;
        let costs: Vec<f64> = rows.iter().map(|row| row.values[5]).collect();
        let shown: Vec<ReplicaIx> = rows.iter().map(|row| row.replica).collect();
        let Choice::Send { to, tied, .. } = choice else { return Err(format!("{id} chose nobody")) };
        let tied_theirs = smallest(&scored.theirs);
        let fits = if state.params.temperature > 0.0 {
            let mut probabilities = Vec::new();
            dynamo::probabilities(&scored.theirs, state.params.temperature, &mut probabilities);
            scored.eligible[dynamo::sample(&probabilities, draws.unit())] == to
        } else {
            tied as usize == tied_theirs.len() && tied_theirs.iter().any(|at| scored.eligible[*at] == to)
        };
        if !fits || costs != scored.theirs || shown != scored.eligible {
            return Err(format!("{id}: {choice:?} by {costs:?}, upstream {:?}", scored.theirs));
        }
        coverage.rules += 1;
    }
    Ok(())
}
