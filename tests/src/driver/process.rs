//! Programs that this process started, and only those, ended when they are dropped.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Failure;

static CLOSED: Mutex<bool> = Mutex::new(false);

/// A program with its descendants, in a process group of its own.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// A browser that the program started in a group of its own.
    adopted: Option<u32>,
}

impl Process {
    /// Starts a program whose output nobody reads.
    pub(crate) fn start(command: &mut Command) -> Result<Self, Failure> {
        Self::spawn(command.stdout(Stdio::null()))
    }

    /// Starts a program and waits for the first line it prints.
    pub(crate) fn start_and_read_line(command: &mut Command) -> Result<(Self, String), Failure> {
        let mut process = Self::spawn(command.stdout(Stdio::piped()))?;
        let output = process.child.stdout.take().ok_or("the output of a program cannot be read")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        Ok((process, line.trim().to_owned()))
    }

    fn spawn(command: &mut Command) -> Result<Self, Failure> {
        let program = command.get_program().to_string_lossy().into_owned();
        let closed = closed();
        if *closed {
            return Err("the run has ended".into());
        }
        std::fs::create_dir_all(scratch())?;
        let child = command
            .env("TMPDIR", scratch())
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(|error| Failure::from(error).during(&program))?;
        drop(closed);
        Ok(Self { child, adopted: None })
    }
}

impl Process {
    /// Ends the browser of this identity too: drivers start theirs outside their own group.
    pub(crate) fn adopt(&mut self, identity: Option<&serde_json::Value>) {
        self.adopted = identity.and_then(serde_json::Value::as_u64).and_then(|id| u32::try_from(id).ok());
    }

    /// Whether a child process of this name, cut to 15 bytes as the kernel does, is running.
    pub(crate) fn has_child(&self, name: &str) -> bool {
        let parent = self.child.id();
        let children = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
        children.unwrap_or_default().split_whitespace().any(|child| {
            std::fs::read_to_string(format!("/proc/{child}/comm")).is_ok_and(|comm| comm.trim() == name)
        })
    }

    /// Forgets the browser, because it has ended by itself.
    pub(crate) fn release(&mut self) {
        self.adopted = None;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        for group in self.adopted.into_iter().chain([self.child.id()]) {
            end_group(group);
        }
        // Reaps the child; it is already gone or going.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ends everything that this run has started, refuses to start more, and removes what all of it
/// left in its temporary folder. For the end of a run, interrupted or not.
pub(crate) fn end_all() {
    *closed() = true;
    // A browser that is just being started belongs to no group that is known here, but it has
    // inherited the folder. Twice, for what it started in between.
    for _ in 0..2 {
        let identities: Vec<String> = started_here().iter().map(u32::to_string).collect();
        if !identities.is_empty() {
            run_kill(Command::new("kill").args(["-KILL", "--"]).args(identities));
        }
    }
    // A browser that is just ending may still write. What is left after that, the system empties
    // some day.
    for _ in 0..20 {
        if std::fs::remove_dir_all(scratch()).is_ok() || !scratch().exists() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

/// Every process that has this run's temporary folder in its environment. Linux only; nothing
/// elsewhere.
fn started_here() -> Vec<u32> {
    let marker = format!("TMPDIR={}", scratch().display());
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let identity = |entry: std::fs::DirEntry| entry.file_name().to_str()?.parse::<u32>().ok();
    let has_marker = |process: &u32| {
        let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == marker.as_bytes())
    };
    processes.flatten().filter_map(identity).filter(has_marker).collect()
}

/// Temporary folder of all programs of this run: browsers leave profiles and sockets behind.
fn scratch() -> std::path::PathBuf {
    std::env::temp_dir().join(format!("tokenyard-browser-{}", std::process::id()))
}

/// Whether the run has ended. Held while a program starts, so that none starts afterwards.
fn closed() -> MutexGuard<'static, bool> {
    CLOSED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn end_group(group: u32) {
    run_kill(Command::new("kill").args(["-KILL", "--", &format!("-{group}")]));
}

/// What has ended by itself is no error. In a process group of its own, because what interrupts
/// this run must not interrupt its clearing up.
fn run_kill(command: &mut Command) {
    let _ = command.stderr(Stdio::null()).process_group(0).status();
}
