//! Routers read the fleet every so often.

use super::World;
use super::event::{Class, Kind};

impl World {
    /// A router reads the fleet.
    pub(super) fn scrape(&mut self, router: u16) {
        let settings = &self.scenario.router;
        let (every, delay) = (settings.scrape, settings.scrape_delay);
        let wanted = self.routers[usize::from(router)].wants(settings);
        let now = self.now;
        let reading = self.truth().read(now, wanted);
        self.readings[usize::from(router)].push_back(reading);
        if delay == 0 {
            self.deliver(router);
        } else {
            self.queue.push(now.saturating_add(delay), Class::Scrape, Kind::Deliver { router });
        }
        self.queue.push(now.saturating_add(every), Class::Scrape, Kind::Scrape { router });
    }

    /// What it read arrives; who was held back may go now.
    pub(super) fn deliver(&mut self, router: u16) {
        let at = usize::from(router);
        if let Some(reading) = self.readings[at].pop_front() {
            self.routers[at].scraped(&reading, &self.scenario.router);
            if self.held {
                self.next_in_line();
            }
        }
    }
}
