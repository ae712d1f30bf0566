//! Programs that this process started, and only those, ended when they are dropped.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::Failure;

/// Process groups that are alive, for the case that the run is interrupted.
static GROUPS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

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
        std::fs::create_dir_all(scratch())?;
        let child = command
            .env("TMPDIR", scratch())
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(|error| Failure::from(error).during(&program))?;
        groups().push(child.id());
        Ok(Self { child, adopted: None })
    }
}

impl Process {
    /// Ends the browser of this identity too: drivers start theirs outside their own group.
    pub(crate) fn adopt(&mut self, identity: Option<&serde_json::Value>) {
        self.adopted = identity.and_then(serde_json::Value::as_u64).and_then(|id| u32::try_from(id).ok());
        groups().extend(self.adopted);
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
        let gone = self.adopted.take();
        groups().retain(|group| Some(*group) != gone);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        for group in self.adopted.into_iter().chain([self.child.id()]) {
            signal("-KILL", group);
            groups().retain(|other| *other != group);
        }
        // Reaps the child; it is already gone or going.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ends every process group that is still alive, and removes what all of them left in their
/// temporary folder. For the end of a run, interrupted or not.
pub(crate) fn end_all() {
    for group in groups().drain(..) {
        signal("-KILL", group);
    }
    // A browser that is just ending may still write; the system empties its folder some day.
    let _ = std::fs::remove_dir_all(scratch());
}

/// Temporary folder of all programs of this run: browsers leave profiles and sockets behind.
fn scratch() -> std::path::PathBuf {
    std::env::temp_dir().join(format!("tokenyard-browser-{}", std::process::id()))
}

fn groups() -> std::sync::MutexGuard<'static, Vec<u32>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn signal(name: &str, group: u32) {
    let mut command = Command::new("kill");
    command.args([name, "--", &format!("-{group}")]).stderr(Stdio::null());
    // In a group of its own: what interrupts this run must not interrupt its clearing up. A group
    // that has ended by itself is no error.
    let _ = command.process_group(0).status();
}
