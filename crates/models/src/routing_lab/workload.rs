//! The arrival stream: Poisson arrivals of light and heavy requests that share prefixes.

use tokenyard_det::{Mulberry32, math, stat};

use super::Params;

/// One request, as the router sees it plus its true output length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Tick of arrival.
    pub arrival: u32,
    /// Prompt length in tokens, prefix included.
    pub prompt_tokens: u32,
    /// Leading tokens shared with the request's prefix family.
    pub prefix_tokens: u32,
    /// Output length in tokens; no rule may read it.
    pub output_tokens: u32,
    /// Prefix family, 0-based.
    pub prefix_id: u32,
    /// Tenant, 0-based.
    pub tenant: u32,
    /// Whether the request was drawn from the heavy class.
    pub heavy: bool,
}

/// All requests of a run, by arrival.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    requests: Vec<Request>,
}

/// What a workload looks like, in prompt tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkloadSummary {
    /// Mean prompt length; NaN without requests.
    pub mean: f64,
    /// Coefficient of variation of the prompt length, division by n; NaN without requests.
    pub cv: f64,
    /// Shortest prompt; 0 without requests.
    pub min: u32,
    /// Longest prompt; 0 without requests.
    pub max: u32,
    /// Share of heavy requests; NaN without requests.
    pub heavy_share: f64,
}

impl Workload {
    /// Draws `count` requests from the stream that starts at `seed`. The order of draws is part
    /// of the published model. Cost: eight draws and one logarithm per request.
    #[must_use]
    pub fn generate(params: &Params) -> Self {
        let mut rng = Mulberry32::new(params.seed);
        let mut clock = 0.0;
        let requests = (0..params.count).map(|_| draw(&mut rng, &mut clock, params)).collect();
        Self { requests }
    }

    /// The requests, by arrival; ties stay in the order they were drawn.
    #[must_use]
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// Mean, spread and range of the prompts.
    #[must_use]
    pub fn summary(&self) -> WorkloadSummary {
        let prompts = || self.requests.iter().map(|r| r.prompt_tokens);
        let lengths: Vec<f64> = prompts().map(f64::from).collect();
        let heavy = self.requests.iter().filter(|r| r.heavy).count() as f64;
        WorkloadSummary {
            mean: stat::mean(&lengths).unwrap_or(f64::NAN),
            cv: stat::cv(&lengths).unwrap_or(f64::NAN),
            min: prompts().min().unwrap_or(0),
            max: prompts().max().unwrap_or(0),
            heavy_share: heavy / lengths.len() as f64,
        }
    }
}

fn draw(rng: &mut Mulberry32, clock: &mut f64, params: &Params) -> Request {
    *clock += -math::ln(rng.draw().max(f64::EPSILON)) / params.arrival_rate;
    let heavy = rng.draw() < params.heavy_ratio;
    let prefix_id = rng.uniform_int(params.prefix_families);
    let tenant = rng.uniform_int(params.tenants);
    let mut tokens = |heavy_range: (u32, u32), light_range: (u32, u32)| {
        let (base, width) = if heavy { heavy_range } else { light_range };
        base + rng.uniform_int(width)
    };
    let prefix_tokens = tokens((1_400, 1_200), (380, 260));
    let fresh_tokens = tokens((220, 400), (40, 120));
    let output_tokens = tokens((260, 420), (40, 110));
    Request {
        // A saturating cast: with a rate of 0 the clock is infinite and nothing ever arrives.
        arrival: (*clock + 0.5).floor() as u32,
        prompt_tokens: prefix_tokens + fresh_tokens,
        prefix_tokens,
        output_tokens,
        prefix_id,
        tenant,
        heavy,
    }
}
