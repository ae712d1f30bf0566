//! A study: one workload and one fleet under up to four rules, on the same arrivals, side by side.
//!
//! It is to the fleet page what a lab is to a lab page: keys and numbers, no sentences, no browser.
