//! A child process with everything it starts: watched line by line, ended as a whole.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::progress::Cancel;

/// How often a cancel is looked for while the child is silent.
const LOOK: Duration = Duration::from_millis(40);

/// A line the child wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// To standard output.
    Out(String),
    /// To standard error.
    Err(String),
}

/// How a child ended.
#[derive(Debug)]
pub enum Ended {
    /// By itself.
    Exited(ExitStatus),
    /// By us; no process of its group is left.
    Cancelled,
}

/// Runs `command` in its own process group, hands over its lines, and ends the whole group when asked to.
///
/// # Errors
/// If the program cannot be started or waited for.
pub fn run(command: &mut Command, cancel: &Cancel, mut line: impl FnMut(Line)) -> io::Result<Ended> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    own_group(command);
    let mut group = Group { child: command.spawn()?, is_over: false };
    let (sender, lines) = mpsc::channel();
    read_lines(group.child.stdout.take(), sender.clone(), Line::Out);
    read_lines(group.child.stderr.take(), sender, Line::Err);
    loop {
        match lines.recv_timeout(LOOK) {
            Ok(text) => line(text),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if cancel.is_cancelled() {
            group.end();
            return Ok(Ended::Cancelled);
        }
    }
    // Both pipes are closed; the child is about to end, or has closed them early.
    loop {
        if let Some(status) = group.child.try_wait()? {
            group.is_over = true;
            return Ok(Ended::Exited(status));
        }
        if cancel.is_cancelled() {
            group.end();
            return Ok(Ended::Cancelled);
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Runs a short command and returns its standard output.
///
/// # Errors
/// If it cannot be started, or ends with a failure: then with what it wrote to standard error.
pub fn output(command: &mut Command) -> io::Result<String> {
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn read_lines(from: Option<impl Read + Send + 'static>, to: mpsc::Sender<Line>, kind: fn(String) -> Line) {
    let Some(from) = from else { return };
    thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut bytes = Vec::new();
        while matches!(from.read_until(b'\n', &mut bytes), Ok(n) if n > 0) {
            let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
            bytes.clear();
            if to.send(kind(text)).is_err() {
                return;
            }
        }
    });
}

/// Ends the group when dropped early, so that a panic leaves nothing behind either.
struct Group {
    child: Child,
    is_over: bool,
}

impl Group {
    fn end(&mut self) {
        if self.is_over {
            return;
        }
        kill_group(&mut self.child);
        // The child is ours to reap; its children are reaped by the system once they are gone.
        let _ = self.child.wait();
        wait_for_group(&self.child);
        self.is_over = true;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(unix)]
fn group_of(child: &Child) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(child.id()).ok()?)
}

#[cfg(unix)]
fn kill_group(child: &mut Child) {
    let killed = group_of(child)
        .map(|group| rustix::process::kill_process_group(group, rustix::process::Signal::KILL));
    if !matches!(killed, Some(Ok(()))) {
        let _ = child.kill();
    }
}

/// Waits until no process of the group is left, at most two seconds: a killed process can need a
/// moment to disappear while it sits in a system call.
#[cfg(unix)]
fn wait_for_group(child: &Child) {
    let Some(group) = group_of(child) else { return };
    for _ in 0..200 {
        if rustix::process::test_kill_process_group(group).is_err() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    let id = child.id().to_string();
    let _ = Command::new("taskkill").args(["/T", "/F", "/PID", &id]).output();
    let _ = child.kill();
}

#[cfg(not(unix))]
fn wait_for_group(_: &Child) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Instant;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn lines_of_both_streams_arrive() {
        let mut lines = Vec::new();
        let ended = run(&mut shell("echo out; echo err >&2; exit 3"), &Cancel::default(), |l| lines.push(l));
        assert!(matches!(ended, Ok(Ended::Exited(status)) if status.code() == Some(3)));
        assert!(
            lines.contains(&Line::Out("out".into())) && lines.contains(&Line::Err("err".into())),
            "{lines:?}"
        );
    }

    #[test]
    fn cancel_ends_grandchildren_too() {
        let cancel = Cancel::default();
        let started = Instant::now();
        let mut grandchild = None;
        let ended = run(&mut shell("sleep 60 & echo $!; wait"), &cancel, |line| {
            if let Line::Out(pid) = line {
                grandchild = pid.parse().ok();
                cancel.cancel();
            }
        });
        assert!(matches!(ended, Ok(Ended::Cancelled)));
        assert!(started.elapsed() < Duration::from_secs(10));
        let pid = rustix::process::Pid::from_raw(grandchild.unwrap()).unwrap();
        assert!(rustix::process::test_kill_process(pid).is_err(), "the grandchild still runs");
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let missing = run(&mut Command::new("/nonexistent/cargo"), &Cancel::default(), |_| {});
        assert_eq!(missing.unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
