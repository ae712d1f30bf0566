//! The native digests, one a line, in the order of the suite.

fn main() {
    for index in 0..tokenyard_fleet::digest::COUNT {
        println!("{:016x}", tokenyard_fleet::digest::run(index));
    }
}
