//! Connections with windows, and addresses from text.
//!
//! Knows socket options. Must not know what is said on a connection.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use socket2::{Domain, Protocol, SockRef, Socket, Type};

use super::{NetworkError, PATIENCE, POLL};

/// The addresses of a text `HOST:PORT`, in the order in which the system would try them.
///
/// ```
/// use plimsoll_probe::bench::network::resolve;
/// assert_eq!(resolve("127.0.0.1:7117").unwrap()[0].port(), 7117);
/// assert!(resolve("7117").unwrap_err().to_string().contains("with a port"));
/// ```
pub fn resolve(text: &str) -> Result<Vec<SocketAddr>, NetworkError> {
    let wrong = |reason: String| NetworkError::Address { text: text.escape_debug().take(80).collect(), reason };
    let found = text.to_socket_addrs().map_err(|e| wrong(e.to_string()))?;
    let mut addresses: Vec<SocketAddr> = Vec::new();
    for address in found {
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    if addresses.is_empty() {
        return Err(wrong("no address is known for it".to_owned()));
    }
    Ok(addresses)
}

/// The next connection of a listener that does not block; none where none waits now.
pub(super) fn accept(listener: &TcpListener) -> io::Result<Option<(TcpStream, SocketAddr)>> {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted, WouldBlock};
    loop {
        match listener.accept() {
            Ok(accepted) => return Ok(Some(accepted)),
            Err(error) => match error.kind() {
                WouldBlock => return Ok(None),
                // The client has thought better of it.
                ConnectionAborted | ConnectionReset | Interrupted => {}
                _ => return Err(error),
            },
        }
    }
}

/// Connects. The window is set before: what the two sides agree on when they meet
/// depends on it.
pub(super) fn connect(
    address: SocketAddr,
    window_bytes: Option<u64>,
    stop: &AtomicBool,
) -> Result<TcpStream, NetworkError> {
    let failed = |reason| NetworkError::Connect { address, reason };
    let family = Domain::for_address(address);
    let socket = Socket::new(family, Type::STREAM, Some(Protocol::TCP)).map_err(failed)?;
    set_window(&SockRef::from(&socket), window_bytes).map_err(failed)?;
    // The system waits for an answer without looking up; on a thread of its own nobody waits for it.
    let (answer, answered) = mpsc::sync_channel(1);
    thread::Builder::new()
        .name("bench-connect".to_owned())
        .spawn(move || {
            let connected = socket.connect_timeout(&address.into(), PATIENCE);
            // Nobody listens any more once stopped.
            drop(answer.send(connected.map(|()| socket)));
        })
        .map_err(failed)?;
    loop {
        match answered.recv_timeout(POLL) {
            Ok(connected) => return connected.map(TcpStream::from).map_err(failed),
            Err(RecvTimeoutError::Timeout) if !stop.load(Ordering::Relaxed) => {}
            Err(RecvTimeoutError::Timeout) => return Err(NetworkError::Interrupted),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(failed(io::Error::other("the attempt broke off")));
            }
        }
    }
}

/// Sets both buffers; none leaves them to the kernel, which then fits them to the connection.
pub(super) fn set_window(socket: &SockRef<'_>, window_bytes: Option<u64>) -> io::Result<()> {
    let Some(bytes) = window_bytes else {
        return Ok(());
    };
    let bytes = usize::try_from(bytes).map_err(io::Error::other)?;
    socket.set_send_buffer_size(bytes)?;
    socket.set_recv_buffer_size(bytes)
}

/// Buffers as the kernel says them, in bytes: to send, to receive.
pub(super) fn buffers(stream: &TcpStream) -> io::Result<(u64, u64)> {
    let socket = SockRef::from(stream);
    Ok((socket.send_buffer_size()? as u64, socket.recv_buffer_size()? as u64))
}
