//! Peers of a network measurement that are another program, fail, or mean no good.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use plimsoll::bench::network::{NetworkError, NetworkPlan};

use super::network::{beside_server, measure, named, now, short};

const MAGIC: &str = "plimsoll-bench-network 1\n";

/// A server that does what `play` does with its first connection.
fn against(play: impl FnOnce(TcpStream, &TcpListener) + Send) -> NetworkError {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::scope(|scope| {
        let playing = named(scope, "wrong server", || {
            let (stream, _) = listener.accept().unwrap();
            play(stream, &listener);
        });
        let error = measure(address, &short()).unwrap_err();
        playing.join().unwrap();
        error
    })
}

/// Reads a line; empty at the end.
fn line(stream: &mut TcpStream) -> String {
    let mut line = Vec::new();
    let mut byte = [0];
    while stream.read(&mut byte).is_ok_and(|n| n == 1) && byte != *b"\n" {
        line.push(byte[0]);
    }
    String::from_utf8(line).unwrap()
}

#[test]
fn another_kind_of_server_is_named_by_what_it_says() {
    let error = against(|mut stream, _| stream.write_all(b"SSH-2.0-OpenSSH_9.2\r\n").unwrap());
    let text = error.to_string();
    assert!(matches!(error, NetworkError::Foreign { .. }), "{text}");
    assert!(text.contains(r"`SSH-2.0-OpenSSH_9.2\r`"), "{text}");
}

#[test]
fn what_a_server_says_without_end_is_not_kept() {
    let error = against(|mut stream, _| {
        // Until the other side has had enough.
        while stream.write_all(&[b'A'; 4096]).is_ok() {}
    });
    let text = error.to_string();
    assert!(matches!(error, NetworkError::Foreign { .. }), "{text}");
    assert!(text.len() < 200, "{text}");
    let error = against(|mut stream, _| drop(stream.write_all(&[0; 10])));
    assert!(error.to_string().contains(r"\x00"), "{error}");
}

#[test]
fn a_silent_server_is_not_waited_for_without_end() {
    let start = now();
    let error = against(|mut stream, _| {
        line(&mut stream);
        // Nothing more is said; this ends when the client goes.
        drop(stream.read(&mut [0]));
    });
    assert!(matches!(error, NetworkError::Silent { .. }), "{error}");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_server_that_hangs_up_is_said_to() {
    let error = against(|mut stream, _| {
        line(&mut stream);
    });
    let is_ended = matches!(error, NetworkError::Closed { .. } | NetworkError::Io { .. });
    assert!(is_ended, "{error}");
}

#[test]
fn a_servers_reason_reaches_the_user() {
    let error = against(|mut stream, _| {
        line(&mut stream);
        stream.write_all(b"error another client is being served; try again later\n").unwrap();
    });
    assert_eq!(error.to_string(), "the other side refused: another client is being served; try again later");
}

/// Plays the protocol up to the account of the first upload, then says `account`.
fn lying(account: &'static str) -> NetworkError {
    let plan =
        NetworkPlan { message_bytes: Vec::new(), window_bytes: vec![None], streams: vec![1], rounds: 1, ..short() };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::scope(|scope| {
        let playing = named(scope, "lying server", || {
            let (mut control, _) = listener.accept().unwrap();
            line(&mut control);
            control.write_all(MAGIC.as_bytes()).unwrap();
            assert_eq!(line(&mut control), "receive 1 0 0 10 40");
            control.write_all(b"ready 0\n").unwrap();
            let (mut stream, _) = listener.accept().unwrap();
            assert_eq!(line(&mut stream), "stream 0");
            control.write_all(b"go 1000 1000\n").unwrap();
            control.write_all(account.as_bytes()).unwrap();
            // Until the client has heard it.
            drop(control.read(&mut [0]));
        });
        let error = measure(address, &plan).unwrap_err();
        playing.join().unwrap();
        error
    })
}

#[test]
fn more_than_was_sent_cannot_have_arrived() {
    for account in [
        "done 18446744073709551615 40000000\n",
        "done 18446744073709551616 40000000\n",
        "done -1 40000000\n",
        "done 1\n",
        "done 1 1\n",
        "done 1 40000000 7\n",
        "done  1 40000000\n",
        "go 1 1\n",
    ] {
        let error = lying(account);
        assert!(matches!(error, NetworkError::Foreign { .. }), "{account}: {error}");
    }
    assert!(matches!(lying("error the disk is full\n"), NetworkError::Refused(_)));
}

/// What a server answers to `said` by the end, and what it reports.
fn told(said: &[u8]) -> (String, Vec<String>) {
    beside_server(|address| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(said).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        // A reset ends it as well as an end.
        drop(stream.read_to_string(&mut answer));
        answer
    })
}

#[test]
fn a_server_survives_garbage() {
    let (answer, said) = told(b"GET / HTTP/1.1\r\n\r\n");
    assert_eq!(answer, "");
    assert!(said.last().unwrap().contains("GET / HTTP/1.1"), "{said:?}");
    let (answer, _) = told(b"plimsoll-bench-network 2\n");
    assert_eq!(answer, "error this side speaks plimsoll-bench-network 1\n");
    let (_, said) = told(&[0xff; 4096]);
    assert!(said.last().unwrap().contains(r"\xff"), "{said:?}");
    assert!(said.last().unwrap().len() < 300, "{said:?}");
}

#[test]
fn a_server_has_limits_on_what_is_asked() {
    for (asked, why) in [
        ("receive 100000 0 0 0 1000", "streams must be from 1 to 64"),
        ("receive 1 9999999999999 0 0 1000", "window must be from 4096 to 67108864"),
        ("send 1 0 0 0 999999999", "measured time must be from 10 to 60000"),
        ("send 1 0 0 999999 10", "warm-up must be from 0 to 10000"),
        ("echo 1 0 1099511627776 0 1000", "message must be from 8 to 1048576"),
        ("echo 2 0 64 0 1000", "streams of an echo must be from 1 to 1"),
        ("echo 1 0 64 0 99999999999999999999999", "five whole numbers must follow"),
        ("echo 1 0 64 0", "five whole numbers must follow"),
        ("shell rm", "a request is echo, receive or send"),
        ("x", "a request has six words"),
    ] {
        let (answer, said) = told(format!("{MAGIC}{asked}\n").as_bytes());
        assert_eq!(answer, format!("{MAGIC}error {why}\n"), "{asked}");
        assert!(said.last().unwrap().contains("is not the same"), "{said:?}");
    }
}

#[test]
fn streams_of_strangers_are_sent_away() {
    let (answers, said) = beside_server(|address| {
        let mut control = TcpStream::connect(address).unwrap();
        control.write_all(format!("{MAGIC}receive 1 0 0 0 1000\n").as_bytes()).unwrap();
        assert_eq!(line(&mut control), MAGIC.trim_end());
        assert!(line(&mut control).starts_with("ready "));
        let mut answers = Vec::new();
        for said in ["stream 0\n", MAGIC] {
            let mut stranger = TcpStream::connect(address).unwrap();
            stranger.write_all(said.as_bytes()).unwrap();
            answers.push(line(&mut stranger));
        }
        // The true stream never comes.
        assert_eq!(line(&mut control), "error the streams did not arrive");
        answers
    });
    let away = "error another client is being served; try again later";
    assert_eq!(answers, [away, away]);
    assert!(said.last().unwrap().contains("sent nothing for 5 s"), "{said:?}");
}

#[test]
fn a_client_that_trickles_bytes_holds_the_server_no_longer_than_a_test_may_take() {
    let start = now();
    let (result, said) = beside_server(|address| {
        let mut control = TcpStream::connect(address).unwrap();
        control.write_all(format!("{MAGIC}echo 1 0 1048576 0 10\n").as_bytes()).unwrap();
        line(&mut control);
        let token = line(&mut control).split_off("ready ".len());
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(format!("stream {token}\n").as_bytes()).unwrap();
        assert!(line(&mut control).starts_with("go "));
        // A byte now and then, until the server has had enough.
        while stream.write_all(b"x").is_ok() && start.elapsed() < Duration::from_secs(30) {
            thread::sleep(Duration::from_millis(200));
        }
        measure(address, &short())
    });
    assert!(result.is_ok(), "{result:?}");
    let is_late = |l: &String| l.contains("took more than 10.01 s for one test");
    assert!(said.iter().any(is_late), "{said:?}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_client_that_goes_early_does_not_end_the_server() {
    let (result, said) = beside_server(|address| {
        let mut control = TcpStream::connect(address).unwrap();
        control.write_all(format!("{MAGIC}receive 1 0 0 0 1000\n").as_bytes()).unwrap();
        line(&mut control);
        let token = line(&mut control).split_off("ready ".len());
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(format!("stream {token}\n").as_bytes()).unwrap();
        assert!(line(&mut control).starts_with("go "));
        stream.write_all(&vec![7; 100_000]).unwrap();
        drop(stream);
        drop(control);
        measure(address, &short())
    });
    assert!(result.is_ok(), "{result:?}");
    assert!(said.iter().any(|l| l.contains("closed the connection while receiving")), "{said:?}");
}
