//! Messages over a loopback socket: what the system does for a message between p4d and a client, without a network.

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use super::round::Work;
use super::stopwatch::{Part, Stopwatch};

/// Bytes of a message: a few variables, as p4d and its clients send.
const MESSAGE: usize = 512;
/// An answer that takes longer never comes.
const PATIENCE: Duration = Duration::from_secs(5);

/// A connection, and the thread at its other end, which ends with it.
#[derive(Debug)]
struct Echo {
    stream: Option<TcpStream>,
    other: Option<JoinHandle<()>>,
    message: [u8; MESSAGE],
}

/// One thread's work.
pub(super) fn work() -> io::Result<Box<dyn Work>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let stream = TcpStream::connect_timeout(&listener.local_addr()?, PATIENCE)?;
    let ours = stream.local_addr()?;
    // Another process may have been faster.
    let other = loop {
        let (other, theirs) = listener.accept()?;
        if theirs == ours {
            break other;
        }
    };
    for end in [&stream, &other] {
        end.set_nodelay(true)?;
        end.set_read_timeout(Some(PATIENCE))?;
        end.set_write_timeout(Some(PATIENCE))?;
    }
    let other = std::thread::Builder::new().name("bench echo".to_owned()).spawn(move || {
        let mut other = other;
        let mut message = [0; MESSAGE];
        // Ends where the connection does.
        while other.read_exact(&mut message).is_ok() {
            if other.write_all(&message).is_err() {
                break;
            }
        }
    })?;
    Ok(Box::new(Echo { stream: Some(stream), other: Some(other), message: [7; MESSAGE] }))
}

impl Work for Echo {
    fn once(&mut self, watch: &mut Stopwatch) -> io::Result<bool> {
        let Some(stream) = &mut self.stream else {
            return Ok(false);
        };
        stream.write_all(&self.message)?;
        stream.read_exact(&mut self.message)?;
        watch.mark(Part::Read);
        Ok(true)
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        drop(self.stream.take());
        if let Some(other) = self.other.take() {
            // It has nothing to say.
            drop(other.join());
        }
    }
}
