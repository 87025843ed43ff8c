//! Frames that are none: whatever a child writes, the host gets an error or a frame, in bounded memory.

use super::*;

fn framed(body: &[u8]) -> Vec<u8> {
    let mut bytes = u32::try_from(body.len()).unwrap().to_le_bytes().to_vec();
    bytes.extend(body);
    bytes
}

async fn read(bytes: &[u8], most: usize) -> std::io::Result<(FromChild, usize)> {
    receive(&mut &*bytes, most).await
}

#[tokio::test]
async fn garbage_is_an_error() {
    let deep = format!("{{\"Called\":{{\"id\":1,\"path\":\"a\",\"args\":{}{}}}}}", "[".repeat(5000), "]".repeat(5000));
    let rows: [(&str, Vec<u8>); 17] = [
        ("nothing", vec![]),
        ("half a prefix", vec![1, 0]),
        ("a prefix alone", vec![5, 0, 0, 0]),
        ("half a body", [framed(b"{\"Done\":{}}"), vec![]].concat()[..9].to_vec()),
        ("the largest length there is", [vec![0xff; 4], vec![b'x'; 64]].concat()),
        ("one byte beyond the limit", [65537_u32.to_le_bytes().to_vec(), vec![b' '; 65537]].concat()),
        ("an empty frame", framed(b"")),
        ("no JSON", framed(b"hello")),
        ("JSON of another kind", framed(b"[1,2]")),
        ("a frame of the other direction", framed(b"{\"Begin\":{\"memory\":1,\"weak\":true}}")),
        ("an unknown frame", framed(b"{\"Shell\":\"ls\"}")),
        ("two frames in one", framed(b"{\"Loaded\":{\"Ok\":null}}{\"Loaded\":{\"Ok\":null}}")),
        ("a number where text belongs", framed(b"{\"Called\":{\"id\":1,\"path\":5,\"args\":[]}}")),
        ("an id below zero", framed(b"{\"Called\":{\"id\":-1,\"path\":\"a\",\"args\":[]}}")),
        ("an id beyond what is counted", framed(b"{\"Called\":{\"id\":4294967296,\"path\":\"a\",\"args\":[]}}")),
        ("bytes that are no text", framed(b"{\"Loaded\":{\"Err\":\"\xff\xfe\"}}")),
        ("nested for ever", framed(deep.as_bytes())),
    ];
    for (what, bytes) in rows {
        assert!(read(&bytes, 65536).await.is_err(), "{what}");
    }
}

#[tokio::test]
async fn a_frame_says_how_long_it_was() {
    let body = b"{\"Loaded\":{\"Ok\":null}}";
    let (frame, bytes) = read(&framed(body), 65536).await.unwrap();
    assert!(matches!(frame, FromChild::Loaded(Ok(()))));
    assert_eq!(bytes, body.len());
}

/// Noise from a seed: whatever bytes come, reading on ends without a panic.
#[tokio::test]
async fn noise_is_survived() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..2000 {
        let mut bytes = Vec::new();
        for _ in 0..64 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            bytes.push(state.to_le_bytes()[0]);
        }
        // Half of them with a length that fits, so that the body is looked at.
        if bytes[63] & 1 == 0 {
            bytes[..4].copy_from_slice(&60_u32.to_le_bytes());
        }
        let mut rest = bytes.as_slice();
        while receive(&mut rest, 65536).await.is_ok() {}
    }
}
