//! The virtual token counter: whose request is next, by what each client has been served.
//!
//! Source: Sheng et al., "Fairness in Serving Large Language Models", and its artifact
//! Ying1123/VTC-artifact at 14c19b70, `vtc_req_queue.py`. All clients weigh the same here.
//! The rule of AIBrix that is named after it places requests and delays none.

use tokenyard_det::Digest;

/// What a prompt token and a generated token cost.
pub const INPUT: u64 = 1;
/// See [`INPUT`].
pub const OUTPUT: u64 = 2;

/// Counters of clients, in the order in which they first came.
#[derive(Clone, Debug, Default)]
pub struct Vtc {
    clients: Vec<(u32, u64)>,
}

impl Vtc {
    fn counter_mut(&mut self, client: u32) -> &mut u64 {
        let at = self.clients.iter().position(|(id, _)| *id == client).unwrap_or(self.clients.len());
        if at == self.clients.len() {
            self.clients.push((client, 0));
        }
        &mut self.clients[at].1
    }

    /// What a client has been served.
    #[must_use]
    pub fn counter(&self, client: u32) -> u64 {
        self.clients.iter().find(|(id, _)| *id == client).map_or(0, |(_, counter)| *counter)
    }

    /// A request of a client that has none waiting begins to wait: its counter is lifted to the
    /// smallest of those who wait, so that nobody saves up for a burst.
    pub fn arrived(&mut self, client: u32, waiting: impl Iterator<Item = u32>) {
        let least = waiting.filter(|other| *other != client).map(|other| self.counter(other)).min();
        let counter = self.counter_mut(client);
        *counter = (*counter).max(least.unwrap_or(0));
    }

    /// Whose head is offered next: the smallest counter of those who wait, the first that ever came
    /// among equals. If it cannot go, nobody does.
    #[must_use]
    pub fn next(&self, waiting: impl Iterator<Item = u32> + Clone) -> Option<u32> {
        let waits = |client: u32| waiting.clone().any(|other| other == client);
        let known = self.clients.iter().filter(|(client, _)| waits(*client));
        known.min_by_key(|(_, counter)| *counter).map(|(client, _)| *client)
    }

    /// A request goes, with so many prompt tokens.
    pub fn admitted(&mut self, client: u32, input: u32) {
        let counter = self.counter_mut(client);
        *counter = counter.saturating_add(INPUT * u64::from(input));
    }

    /// Tokens were generated.
    pub fn generated(&mut self, client: u32, output: u32) {
        let counter = self.counter_mut(client);
        *counter = counter.saturating_add(OUTPUT * u64::from(output));
    }

    /// Feeds the counters, in their order.
    pub fn digest(&self, into: &mut Digest) {
        for (client, counter) in &self.clients {
            into.u32(*client);
            into.u64(*counter);
        }
    }
}
